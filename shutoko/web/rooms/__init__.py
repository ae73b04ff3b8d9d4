"""The rooms: games that are being played, with their seats, kept on disk; no web framework."""
