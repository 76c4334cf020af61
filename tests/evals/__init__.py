"""Does the Europe PMC plugin answer rightly? Cases with gold from outside its code, offline and deterministic.

    python -m tests.evals                    # every category: passed, total, not run, requests, seconds
    python -m tests.evals quotes cues -v     # some of them, with each case that failed

Categories and where their gold comes from: see `catalogue`. Nothing is judged by the code that is measured.
"""
