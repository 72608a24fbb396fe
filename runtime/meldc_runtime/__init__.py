"""Plays compiled card games: a Program in, states, legal actions, views and scores out.

The package needs nothing but the standard library and never imports the compiler.
"""
