"""Tables: found by their key, played at, kept on disk, listed in the lobby."""
