"""English for everything that speaks to people: numbers, lists, percents."""
