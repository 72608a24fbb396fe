"""What `meldc explain` prints: a page for each code, a module for each range of codes."""
