"""Every category does at least as well as when it was last looked at, and has enough cases."""

import pytest

from tests import emulator
from tests.evals.case import Outcome
from tests.evals.catalogue import CATEGORIES
from tests.evals.running import report, run_all

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    """All categories, run once."""
    import asyncio

    corpus = emulator.corpus_folder()
    if corpus is None:
        pytest.skip("the corpus of real answers (VOUCHED_SHARED) is not here")
    return asyncio.run(run_all(CATEGORIES, corpus))


def test_r21_no_category_fell_behind(outcomes: list[Outcome]) -> None:
    print("\n" + report(outcomes, failures=True))
    assert {one.category.name: one.passed for one in outcomes if one.passed < one.category.least} == {}


def test_r22_every_category_has_cases_enough(outcomes: list[Outcome]) -> None:
    """Ten or more, counting those of the reference that cannot be run here."""
    small = {one.category.name: len(one.cases) for one in outcomes if len(one.cases) < 10}
    # The reference has eight cases of Retraction Watch.
    assert small == {"refusal": 8}


def test_every_departure_from_negex_has_its_reason_in_the_report(outcomes: list[Outcome]) -> None:
    """A case that departs on purpose counts as failed; one that fails for no reason, or a reason without a failure, is
    a fault."""
    negex = [case for one in outcomes if one.category.name.startswith("negex") for case in one.cases]
    assert [case.name for case in negex if case.passed is False and not case.on_purpose] == []
    assert [case.name for case in negex if case.passed and case.on_purpose] == []
    shown = report(outcomes)
    assert all(case.on_purpose in shown for case in negex if case.on_purpose)
