"""What a settled table earns: crossings, free sides, falls and payments."""
