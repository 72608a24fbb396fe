"""What can be at all, worked out before a card is dealt: values, cards of zones, melds."""
