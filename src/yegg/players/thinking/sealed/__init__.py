"""Secret orders: mixtures of a whole round, learnt by regret matching."""
