"""What comes in the box: cards that games share."""
