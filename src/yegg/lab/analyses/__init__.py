"""What can be measured of the games of an experiment, an analysis in each module."""
