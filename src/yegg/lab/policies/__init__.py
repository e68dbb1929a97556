"""Players made for a question: habits, and what somebody wins who knows a player's habits."""
