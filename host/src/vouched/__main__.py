"""`python -m vouched`."""

import sys

from vouched.cli import main

sys.exit(main())
