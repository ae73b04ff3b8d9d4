"""The jobs of worker processes: moves with physics, players and films; no web framework."""
