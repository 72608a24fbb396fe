"""The syntax of the rule language: from text to the surface tree."""
