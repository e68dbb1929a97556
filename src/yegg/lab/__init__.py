"""The laboratory: it plays thousands of games and tells what they show."""
