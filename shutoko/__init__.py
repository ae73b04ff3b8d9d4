"""What people run: the `shutoko` command and everything around it. Nobody imports this package."""

__all__ = ["__version__"]

__version__ = "0.1.0"
