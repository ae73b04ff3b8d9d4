"""Many games as tables and charts."""
