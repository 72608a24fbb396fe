"""What `meldc simulate` makes of played deals: tables, sentences, files, a page."""
