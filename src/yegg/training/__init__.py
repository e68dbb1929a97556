"""Learning a judge by play against oneself: ``yegg train``."""
