"""Running a house: its configuration, copies of its data, its rules over time, and its guests."""
