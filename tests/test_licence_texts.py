"""From the JATS file to the decision, over invented articles for what no real file at hand shows."""

import msgspec
import pytest
from vouched.access import Access, Decision
from vouched.fulltext import FullText
from vouched.services.licence import Gate, TablePolicy
from vouched.settings import Settings
from vouched_europepmc.jats import read_jats

NAMES = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:ali="http://www.niso.org/schemas/ali/1.0/"'
CC = "https://creativecommons.org/"
BY = f'xlink:href="{CC}licenses/by/4.0/"'
REFERENCE = f'<license><ali:license_ref start_date="{{}}">{CC}licenses/by/4.0/</ali:license_ref></license>'
PUBLISHED = '<pub-date pub-type="epub"><day>3</day><month>3</month><year>2014</year></pub-date>'
MANUSCRIPT = '<article-id pub-id-type="manuscript">nihms99900001</article-id>'
OPEN = Access(open=True, in_archive=True, licence="", source="europepmc")
SHUT = Access(open=False, in_archive=True, licence="", source="europepmc")
FREE, NC, VERBATIM, READ, MINE, NONE = "yyyyyy", "yyyyny", "yyyynn", "yuuuuu", "nnynnn", "nnnnnn"


def article(meta: str, body: str = "<p>Words.</p>", back: str = "", flags: Access | None = None) -> FullText:
    front = f"<front><article-meta>\n{meta}\n</article-meta></front>"
    text = read_jats(
        f"<article {NAMES}>\n{front}<body>{body}</body><back>{back}</back></article>".encode(), flags=flags
    )
    assert isinstance(text, FullText)
    return text


def permissions(*licences: str) -> str:
    return f"<permissions>{''.join(licences)}</permissions>"


def licence(words: str = "", attributes: str = "") -> str:
    return f"<license {attributes}><license-p>{words}</license-p></license>"


def letters(decision: Decision) -> str:
    return "".join(use[0] for use in msgspec.structs.astuple(decision.uses))


# what it shows: (article-meta, flags of the record, uses, rule, words of the deciding fact)
CASES: dict[str, tuple[str, Access | None, str, str, str]] = {
    "a manuscript with a statement in words": (
        MANUSCRIPT + permissions(licence("This manuscript is made available under the CC BY-NC-ND 4.0 license.")),
        SHUT, VERBATIM, "a", "CC BY-NC-ND 4.0",
    ),
    "a manuscript with the mining notice and an address": (
        MANUSCRIPT + permissions(licence("This file is available for text mining."), licence("", BY)),
        OPEN, FREE, "a", "CC BY 4.0",
    ),
    "a manuscript with terms in its copyright statement": (
        MANUSCRIPT + "<permissions><copyright-statement>Users may view, print, copy, for academic research"
        "</copyright-statement></permissions>",
        OPEN, MINE, "b", "author manuscript",
    ),
    "address and words that contradict each other": (
        permissions(licence("Under the Creative Commons Attribution-NonCommercial License.",
                            f'license-type="cc-by" xlink:href="{CC}licenses/by/4.0/"')),
        OPEN, NC, "a", "stricter than CC BY 4.0",
    ),
    "two licence elements, the second with a publisher's own terms": (
        permissions(licence("", f'xlink:href="{CC}licenses/by/4.0/"'),
                    licence("", 'xlink:href="http://www.elsevier.com/open-access/userlicense/1.0/"')),
        OPEN, READ, "a", "Elsevier user licence",
    ),
    "a publisher's own licence that says no more": (
        permissions(licence("Published under an ACS AuthorChoice License.")), OPEN, READ, "c", "ACS AuthorChoice",
    ),
    "the same in a record that is not open": (
        permissions(licence("Published under an ACS AuthorChoice License.")), SHUT, NONE, "e", "link only",
    ),
    "no rights statement at all": ("", OPEN, READ, "c", "no licence is stated"),
    "no rights statement and not open": ("", SHUT, NONE, "e", "link only"),
    "a licence that begins in the far future": (
        permissions(REFERENCE.format("2999-01-01")),
        SHUT, NONE, "e", "link only",
    ),
    "a licence after an embargo that is over": (
        permissions(REFERENCE.format("2001-01-01")),
        SHUT, FREE, "a", "CC BY 4.0",
    ),
    "no mirror sites for six months, then a licence": (
        PUBLISHED + permissions(licence(
                            "Distributed under the terms of an Attribution–Noncommercial–Share Alike–No Mirror Sites "
                            "license for the first six months. After six months it is available under a Creative "
                            "Commons License (Attribution–Noncommercial–Share Alike 4.0 International license).")),
        SHUT, NC, "a", "CC BY-NC-SA 4.0",
    ),
    "the same while the embargo lasts": (
        PUBLISHED.replace("2014", "2999") + permissions(licence("After six months it is available under CC BY 4.0."),
                                                        licence("", BY)),
        SHUT, NONE, "e", "link only",
    ),
    "an embargo from a day that nobody knows": (
        permissions(licence("After six months it is available under CC BY 4.0."), licence("", BY)),
        SHUT, NONE, "e", "link only",
    ),
    "a licence that is taken back beside its address": (
        permissions(licence("This article is no longer under CC BY 4.0.", BY)), SHUT, NONE, "e", "link only",
    ),
    "a ported licence": (
        permissions(licence("", f'xlink:href="{CC}licenses/by/3.0/igo/"')), SHUT, FREE, "a", "CC BY 3.0 IGO",
    ),
    "a work of the U.S. Government": (
        "<permissions><copyright-statement>This work is written by US Government employees and is in the public domain "
        "in the US.</copyright-statement></permissions>",
        SHUT, FREE, "a", "U.S. Government work",
    ),
    "a licence that is denied": (
        permissions(licence("This article is not distributed under a Creative Commons Attribution License.")),
        SHUT, NONE, "e", "link only",
    ),
    "restricted-by beside a licence": (
        "<custom-meta-group/>" + permissions(licence("", 'license-type="ccbylicense"')), SHUT, FREE, "a", "CC BY",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_text_decides_as_a_reader_would(name: str) -> None:
    meta, flags, uses, rule, words = CASES[name]
    decision = TablePolicy().decide(article(meta, flags=flags).access)
    assert (letters(decision), decision.rule) == (uses, rule)
    assert words in decision.decided_by


def link(kind: str = "by/4.0/", words: str = "this licence") -> str:
    return f'<ext-link xlink:href="{CC}licenses/{kind}">{words}</ext-link>'


@pytest.mark.parametrize(
    "words",
    [
        f"© 2024 Invented Society. Figure 2 is under {link()}.",
        f"Figure 2: Ada Zandt. {link(words='CC BY')}.",
        f"The following applies to Figure 2. It is licensed under {link()}.",
        f"Adapted from Golob et al. 2012 under {link()}.",
        f"Photo: Ada Zandt ({link(words='license')}).",
        f"The accepted manuscript is under {link()}.",
        f"This article will be available under {link()} in 2099.",
        f"This article is not under {link()}.",
        f"This article is not under the {link(words='Creative Commons licence')}.",
        "All rights reserved <!-- CC BY 4.0 --><?x CC BY 4.0?>",
        "This article is not licensed under</license-p><license-p>CC BY 4.0.",
    ],
)
def test_a_link_says_no_more_than_the_sentence_that_it_stands_in(words: str) -> None:
    assert letters(TablePolicy().decide(article(permissions(licence(words)), flags=SHUT).access)) == NONE


@pytest.mark.parametrize(
    "words",
    [
        f"Use it under {link()}, please.",
        f"This article is open access. It is licensed under {link()}.",
        link(words="CC BY"),
        f"<bold>Open Access</bold>This article is licensed under {link(words='CC BY 4.0')}.",
        f"This article is under {link()}. The data are under {link('by-nc/4.0/', 'a stricter licence')}.",
        f"This {link(words='CC BY 4.0 licence')} applies to the article and its data.",
    ],
)
def test_a_link_in_a_plain_sentence_opens(words: str) -> None:
    assert letters(TablePolicy().decide(article(permissions(licence(words)), flags=SHUT).access)) == FREE


def test_a_box_with_stricter_terms_has_its_own_card(tmp_path: object) -> None:
    own = permissions(licence("", f'xlink:href="{CC}licenses/by-nc-nd/4.0/"'))
    box = f"<boxed-text id='b1'>{own}<p>Words.</p></boxed-text>"
    text = article(permissions(licence("", BY)), f"<p>x</p>{box}", flags=OPEN)
    gate = Gate(TablePolicy(), Settings(data=tmp_path))  # type: ignore[arg-type]
    (card,) = gate.parts(text.access, gate.decide(text.access))
    assert (card.object, card.place, card.uses.commercial) == ("b1", "body", "no")


ZERO = f'<ext-link xlink:href="{CC}publicdomain/zero/1.0/">CC0</ext-link>'
ELSEWHERE = {
    "body": f"<sec><title>Data availability</title><p>The data are released under {ZERO}.</p></sec>",
    "reference": f"<ref-list><ref><mixed-citation>Zandt A. Data set, {ZERO}.</mixed-citation></ref></ref-list>",
    "notes": f"<notes notes-type='data-availability'><p>All data under {ZERO}.</p></notes>",
    "figure": "<fig id='f1'><permissions>"
    + licence("", f'xlink:href="{CC}publicdomain/zero/1.0/"')
    + "</permissions><caption><p>A.</p></caption></fig>",
}


@pytest.mark.parametrize("place", ELSEWHERE)
def test_a_licence_of_something_else_opens_nothing(place: str) -> None:
    """A CC0 data statement, a cited data set, a free figure: the article stays as closed as it was."""
    meta = "<permissions><copyright-statement>© 2024 Invented Society</copyright-statement></permissions>"
    body = ELSEWHERE[place] if place in ("body", "figure") else ""
    back = "" if body else ELSEWHERE[place]
    assert letters(TablePolicy().decide(article(meta, f"<p>x</p>{body}", back, SHUT).access)) == NONE


def test_a_data_waiver_in_the_licence_paragraph_is_told_apart(tmp_path: object) -> None:
    words = (
        "This article is licensed under a Creative Commons Attribution 4.0 International License. The Creative Commons "
        f"Public Domain Dedication waiver ({ZERO}) applies to the data made available in this article."
    )
    text = article(permissions(licence(words)), flags=OPEN)
    gate = Gate(TablePolicy(), Settings(data=tmp_path))  # type: ignore[arg-type]
    decision = gate.decide(text.access)
    assert (decision.spdx, decision.conditions) == ("CC-BY-4.0", ["attribution"])
    (data,) = gate.parts(text.access, decision)
    assert (data.object, data.spdx, data.conditions) == ("data", "CC0-1.0", [])


def test_figures_with_rights_of_their_own_get_their_own_card(tmp_path: object) -> None:
    credit = "<permissions><copyright-statement>© 2011 Another Press</copyright-statement></permissions>"
    caption = "<caption><p>A.</p></caption>"
    body = f"<p>x</p><fig id='f1'>{caption}{credit}</fig><fig id='f2'>{caption}</fig>"
    text = article(permissions(licence("", BY)), body, flags=OPEN)
    gate = Gate(TablePolicy(), Settings(data=tmp_path))  # type: ignore[arg-type]
    (figure,) = gate.parts(text.access, gate.decide(text.access))
    assert (figure.object, figure.uses.quote) == ("f1", "unknown")
    assert [item.access is None for item in text.figures] == [False, True]
