"""Learns Second Story by play against itself: `yegg train` as a program.

Change it: another game, a `TrainingPlan` of your own; or read `yegg.training`.
"""

from yegg.training import TrainingPlan, learn

course = TrainingPlan(decisions=3_000_000, players=3, published=1.0, units=64)
learn("second-story", course, "policy.npz", told=print)
