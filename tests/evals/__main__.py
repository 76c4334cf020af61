"""`python -m tests.evals [category …] [-v]`: the report; exit code 1 where a category fell below its mark."""

import argparse
import asyncio
import sys

from tests import emulator
from tests.evals.catalogue import CATEGORIES
from tests.evals.running import report, run_all


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.evals", description="Evals of the Europe PMC plugin.")
    parser.add_argument("categories", nargs="*", help="parts of names; all without any")
    parser.add_argument("-v", "--verbose", action="store_true", help="print each case that failed")
    asked = parser.parse_args()
    corpus = emulator.corpus_folder()
    if corpus is None:
        print("The corpus of real answers (VOUCHED_SHARED) is not here: nothing was run.")
        return 0
    chosen = [c for c in CATEGORIES if not asked.categories or any(part in c.name for part in asked.categories)]
    outcomes = asyncio.run(run_all(chosen, corpus))
    print(report(outcomes, failures=asked.verbose))
    fallen = [one.category.name for one in outcomes if one.passed < one.category.least]
    if fallen:
        print(f"Fewer cases passed than before: {', '.join(fallen)}.")
    return 1 if fallen else 0


sys.exit(main())
