"""A compiler of card games: from rules as data to a program that plays."""
