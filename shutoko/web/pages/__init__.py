"""The pages, on NiceGUI."""
