"""Players of Tokyo Highway that propose placements: `rules.game.Player`s for `sim.highway.Position`s."""
