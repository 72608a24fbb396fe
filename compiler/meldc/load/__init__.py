"""From files to trees: reads texts and YAML, checks their shape, finds what they name."""
