"""`python -m shutoko` runs the command `shutoko`."""

import sys

from shutoko.cli import main

if __name__ == "__main__":
    sys.exit(main())
