"""What is worked out in processes of its own: physics, players and films; no web framework."""
