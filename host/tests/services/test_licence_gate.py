"""The gate around whatever policy is in force: it fails closed, tightens, and writes reuse cards."""

import logging
from pathlib import Path

import msgspec
import pytest
from vouched.access import Access, Decision, Statement, Uses
from vouched.article import Article
from vouched.article_parts import Author, Date, Journal
from vouched.faults import InvalidArgument
from vouched.fulltext import FullText
from vouched.services.licence import USES, Gate, TablePolicy, may
from vouched.settings import Settings

BY = Statement(url="https://creativecommons.org/licenses/by/4.0/", line=10)
OPEN = Access(open=True, in_archive=True, licence="cc by", source="t")
ARTICLE = Article(
    ids={"pmid": "99900001", "doi": "10.99999/jir.1"},
    title="Fictol shortens glimmer syndrome.",
    authors=[
        Author("Zandt", "Ada"),
        Author("Golob", "Joseph F", suffix="Jr"),
        Author(collective="Lantern Trial Group"),
    ],
    journal=Journal(title="Journal of Invented Results"),
    date=Date(year=2024),
    access=OPEN,
)


class Raising:
    def decide(self, access: Access | None) -> Decision:
        raise RuntimeError("secret-token")


class Answering:
    def __init__(self, answer: object) -> None:
        self.answer = answer

    def decide(self, access: Access | None) -> Decision:
        return self.answer  # type: ignore[return-value]


def settings(tmp_path: Path, **fields: object) -> Settings:
    return Settings(data=tmp_path, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "policy",
    [
        None,
        Raising(),
        Answering(None),
        Answering(True),
        Answering(Decision),
        Answering(Decision(None)),  # type: ignore[arg-type]
        Answering(Decision("yes")),  # type: ignore[arg-type]
        Answering(Decision(Uses(read="perhaps"))),  # type: ignore[arg-type]
        Answering(Decision(Uses(read=True))),  # type: ignore[arg-type]
        Answering(Decision(Uses("yes"), tier="GOLD")),  # type: ignore[arg-type]
        Answering(Decision(Uses("yes"), conditions=None)),  # type: ignore[arg-type]
    ],
)
def test_a_policy_that_is_missing_or_fails_denies_everything(
    tmp_path: Path, policy: TablePolicy, caplog: pytest.LogCaptureFixture
) -> None:
    """For everything, CC BY too; what the policy said in its failure stays out of the answer."""
    with caplog.at_level(logging.CRITICAL):
        gate = Gate(policy, settings(tmp_path, tighten={"quote": "unknown"}))
        for access in (None, OPEN, Access(statements=[BY])):
            decision = gate.decide(access)
            assert decision.uses == Uses("no", "no", "no", "no", "no", "no")
            assert decision.rule == "policy_failed"
            assert "polic" in decision.decided_by
            assert "secret" not in str(decision)
        assert gate.card(ARTICLE).uses.read == "no"


def test_a_failing_policy_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    Gate(Raising(), settings(tmp_path)).decide(OPEN)
    assert "Raising failed" in caplog.text


def test_tighten_lowers_and_never_raises(tmp_path: Path) -> None:
    gate = Gate(TablePolicy(), settings(tmp_path, tighten={"commercial": "no", "quote": "unknown"}))
    decision = gate.decide(OPEN)
    assert (decision.uses.commercial, decision.uses.quote, decision.uses.read) == ("no", "unknown", "yes")
    assert decision.decided_by.startswith("the setting tighten.commercial = no, tighten.quote = unknown of this server")
    assert TablePolicy().decide(OPEN).decided_by in decision.decided_by
    assert "tighten.commercial" in decision.needed
    closed = gate.decide(Access(open=False, source="t"))
    assert closed.uses.quote == "no"
    assert "tighten" not in closed.decided_by + closed.needed


def test_tighten_binds_another_policy_too(tmp_path: Path) -> None:
    all_yes = Answering(Decision(Uses("yes", "yes", "yes", "yes", "yes", "yes")))
    assert Gate(all_yes, settings(tmp_path, tighten={"read": "no"})).decide(None).uses.read == "no"


@pytest.mark.parametrize("tighten", [{"sell": "no"}, {"read": "yes"}, {"read": "perhaps"}])
def test_a_wrong_tighten_setting_is_refused_by_name(tmp_path: Path, tighten: dict[str, str]) -> None:
    with pytest.raises(InvalidArgument) as caught:
        Gate(TablePolicy(), settings(tmp_path, tighten=tighten))
    assert caught.value.path == f"tighten.{next(iter(tighten))}"


def test_may_asks_for_a_clear_yes() -> None:
    decision = Decision(Uses(read="yes", quote="unknown", mine="no"))
    assert may(decision, [])
    assert may(decision, ["read"])
    assert not may(decision, ["read", "quote"])
    assert not may(decision, ["mine"])
    with pytest.raises(InvalidArgument, match="sell"):
        may(decision, ["sell"])
    assert set(USES) == {"read", "quote", "mine", "redistribute", "commercial", "derive"}


def card_line(tmp_path: Path, article: Article = ARTICLE, **access: object) -> str:
    given = msgspec.structs.replace(article, access=Access(source="t", **access))  # type: ignore[arg-type]
    return Gate(TablePolicy(), settings(tmp_path)).card(given).attribution


def test_the_card_carries_the_decision_and_a_ready_line(tmp_path: Path) -> None:
    card = Gate(TablePolicy(), settings(tmp_path)).card(ARTICLE, None)
    decision = TablePolicy().decide(OPEN)
    for name in ("uses", "conditions", "licence", "spdx", "tier", "rule", "decided_by", "needed"):
        assert getattr(card, name) == getattr(decision, name)
    assert card.attribution == (
        "“Fictol shortens glimmer syndrome” by Ada Zandt, Joseph F Golob Jr and Lantern Trial Group, "
        "Journal of Invented Results (2024), https://doi.org/10.99999/jir.1, licensed under CC BY (version not stated)."
    )


@pytest.mark.parametrize(
    ("access", "ending"),
    [
        ({"statements": [BY]}, "licensed under CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)."),
        (
            {"statements": [Statement(url="http://creativecommons.org/licenses/by/3.0/igo")]},
            "licensed under CC BY 3.0 IGO (https://creativecommons.org/licenses/by/3.0/igo/).",
        ),
        (
            {"open": True, "licence": "cc0"},
            "dedicated to the public domain with CC0 1.0 (https://creativecommons.org/publicdomain/zero/1.0/).",
        ),
        (
            {"statements": [Statement(licence_type="public-domain-mark")]},
            "in the public domain: Public Domain Mark 1.0 (https://creativecommons.org/publicdomain/mark/1.0/).",
        ),
        (
            {"statements": [Statement(text="A work of the U.S. Government.")]},
            "in the public domain: U.S. Government work.",
        ),
        ({"open": True, "licence": ""}, "no licence stated."),
        ({"open": None}, "licence not checked."),
        ({"open": True, "licence": "publisher-specific"}, "terms: publisher-specific."),
        ({"open": False, "licence": "CC BY 4.0"}, "no licence granted (the record says “CC BY 4.0”)."),
        ({"open": True, "bronze": True, "licence": "cc by"}, "no licence granted (the record says “cc by”)."),
        ({"manuscript": True, "licence": "cc by"}, "no licence granted (the record says “cc by”)."),
        ({"statements": [BY, Statement(text="No commercial use.")]}, "terms: CC BY 4.0; no commercial use."),
        ({"statements": [BY, Statement(text="Under CC BY-NC 9.9.")]}, "terms: CC BY 4.0; CC BY-NC 9.9."),
        (
            {"statements": [BY, Statement(text="No reuse allowed.")]},
            "terms: no reuse without permission; CC BY 4.0.",
        ),
        (
            {"statements": [BY, Statement(url="https://creativecommons.org/licenses/by-nc-nd/4.0/")]},
            "licensed under CC BY-NC-ND 4.0 (https://creativecommons.org/licenses/by-nc-nd/4.0/).",
        ),
    ],
)
def test_the_line_ends_with_the_licence_and_its_address(tmp_path: Path, access: dict[str, object], ending: str) -> None:
    assert card_line(tmp_path, **access).endswith(ending)


def test_p81_the_copyright_line_of_the_record_stays_with_it(tmp_path: Path) -> None:
    kept = msgspec.structs.replace(ARTICLE, copyright="© 2024 The Authors.")
    assert card_line(tmp_path, kept, open=True, licence="cc by").endswith("(version not stated). © 2024 The Authors.")


def test_a_long_author_list_is_cut_and_says_so(tmp_path: Path) -> None:
    many = msgspec.structs.replace(ARTICLE, authors=[Author(f"Name{number}") for number in range(9)])
    assert "Name5 et al.," in card_line(tmp_path, many, open=True, licence="")
    assert "Name6" not in card_line(tmp_path, many, open=True, licence="")
    cut = msgspec.structs.replace(ARTICLE, authors=[Author("Zandt")], authors_complete=False)
    assert "by Zandt et al.," in card_line(tmp_path, cut, open=True, licence="")


def test_missing_parts_are_left_out_of_the_line(tmp_path: Path) -> None:
    bare = Article(ids={"pmid": "99900002"}, title="Untold.")
    assert card_line(tmp_path, bare, open=True, licence="cc by") == (
        "“Untold”, PMID 99900002, licensed under CC BY (version not stated)."
    )


def test_figures_and_data_with_other_terms_get_their_own_card(tmp_path: Path) -> None:
    statements = [
        BY,
        Statement(text="© 2011 Another Press. Reprinted with permission.", place="figure", object="f1", line=30),
        Statement(url="https://creativecommons.org/licenses/by-nc-nd/4.0/", place="figure", object="f2", line=40),
        Statement(url="https://creativecommons.org/licenses/by/4.0/", place="table", object="t1", line=50),
        Statement(url="https://creativecommons.org/publicdomain/zero/1.0/", place="data", object="data", line=60),
    ]
    access = msgspec.structs.replace(OPEN, statements=statements)
    text = FullText(ids={}, access=access, copyright="© 2024 The Authors")
    card = Gate(TablePolicy(), settings(tmp_path)).card(ARTICLE, text)
    parts = {part.object: part for part in card.parts}
    assert set(parts) == {"f1", "f2", "data"}
    assert (parts["f1"].uses.read, parts["f1"].uses.quote, parts["f1"].licence) == ("yes", "unknown", "none")
    assert (parts["f2"].spdx, parts["f2"].uses.derive) == ("CC-BY-NC-ND-4.0", "no")
    assert (parts["data"].spdx, parts["data"].conditions) == ("CC0-1.0", [])
    assert "line 40" in parts["f2"].decided_by
    assert card.spdx == "CC-BY-4.0"
    assert card.attribution.endswith("© 2024 The Authors.")


def test_the_attribution_is_one_line(tmp_path: Path) -> None:
    broken = msgspec.structs.replace(ARTICLE, title="Fictol\nshortens\r\n glimmer.", copyright="© 2024\nA")
    assert "\n" not in card_line(tmp_path, broken, open=True, licence="cc by")


PART = {
    "This figure is licensed under CC BY-NC 4.0.": "yyyyny",
    "Figure 2 is reproduced under CC BY-NC 4.0.": "yyyyny",
    "Figure 2: CC0.": "yyyyyy",
    "© 2011 Another Press. Reprinted under CC BY-NC-ND 4.0.": "yyyynn",
    "Image by Ada Zandt, who likes CC0.": "yuuuuu",
    "Panel A is under CC0. Panel B © Another Press, all rights reserved.": "yuuuuu",
    "Reproduced with permission.": "yuuuuu",
    "This figure is not under CC0.": "yuuuuu",
    "This figure will be released under CC0 in 2099.": "yuuuuu",
    "No reuse allowed without permission.": "yuuuuu",
}


@pytest.mark.parametrize("words", PART)
@pytest.mark.parametrize("place", ["figure", "table", "body"])
def test_a_part_s_own_words_speak_of_the_part(tmp_path: Path, words: str, place: str) -> None:
    """Stricter or laxer than the article's; what is no plain grant of the whole part grants nothing of it."""
    part = Statement(text=words, place=place, object="x", line=9)  # type: ignore[arg-type]
    access = Access(open=True, in_archive=True, licence="", source="t", statements=[BY, part])
    gate = Gate(TablePolicy(), settings(tmp_path))
    whole = gate.decide(access)
    assert (whole.spdx, whole.also) == ("CC-BY-4.0", [])
    (card,) = gate.parts(access, whole)
    assert "".join(use[0] for use in msgspec.structs.astuple(card.uses)) == PART[words]
    assert card.place == place


def test_a_waiver_that_the_data_do_not_have_gives_them_nothing(tmp_path: Path) -> None:
    zero = "https://creativecommons.org/publicdomain/zero/1.0/"
    gate = Gate(TablePolicy(), settings(tmp_path))
    for words, quote in (
        (f"The CC0 waiver ({zero}) applies to the data made available in this article.", "yes"),
        (f"The CC0 waiver ({zero}) does not apply to the data.", "unknown"),
        (f"After 2099 the data are under CC0 ({zero}).", "unknown"),
    ):
        data = Statement(text=words, url=zero, place="data", object="data")
        access = Access(open=True, in_archive=True, licence="", source="t", statements=[BY, data])
        (card,) = gate.parts(access, gate.decide(access))
        assert card.uses.quote == quote, words
