"""What can be asked of the games of an experiment: an analysis in each module."""
