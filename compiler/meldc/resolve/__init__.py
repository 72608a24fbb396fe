"""From a variant and its house rules to one effective model, every value with its history."""
