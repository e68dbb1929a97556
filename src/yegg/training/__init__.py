"""Training of value nets by self-play: ``yegg train``."""
