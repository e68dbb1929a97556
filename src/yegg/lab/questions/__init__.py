"""The questions of the authors and players, and the pages that answer them."""
