"""Tables: finding them, playing at them, keeping them on disk, listing them in the lobby."""
