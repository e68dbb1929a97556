"""What a seat may know of a game as a row of numbers: for agents of any kind."""
