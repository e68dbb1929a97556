"""Who plays the games of an experiment: the threads of this machine, or a Ray cluster."""
