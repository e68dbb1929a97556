"""Learning a policy net for a game, by play against itself or a bot: ``yegg train``.

`trainer.Training` plays (`self_play`), works out how good each decision was (`advantages`) and
changes the net (`ppo`, `adam`), until its course is over.
"""
