"""Every way in which services and publishers write a licence, and words that look like one and are none."""

import time

import pytest
from vouched.access import Statement
from vouched.services.licence_reading import LONGEST, read_field, read_statement, terms_of

KINDS = ("by", "by-sa", "by-nd", "by-nc", "by-nc-sa", "by-nc-nd")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "write",
    [
        lambda kind: f"cc {kind}",
        lambda kind: f"CC {kind.upper()}",
        lambda kind: f"CC-{kind.upper()}",
        lambda kind: f"cc_{kind.replace('-', '_')}",
        lambda kind: f"CC {kind.upper().replace('-', ' ')}",
        lambda kind: f"cc{kind.replace('-', '')}license",
        lambda kind: f"cc{kind.replace('-', '')}",
        lambda kind: kind.upper(),
        lambda kind: f"https://creativecommons.org/licenses/{kind}/",
        lambda kind: f"Creative Commons {kind.upper()}",
    ],
)
def test_a_field_is_read_in_every_spelling(kind: str, write) -> None:  # type: ignore[no-untyped-def]
    found = read_field(write(kind))
    assert found is not None, write(kind)
    assert (found.kind, found.version, found.spdx) == (kind, "", "")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("version", ["1.0", "2.0", "2.5", "3.0", "4.0"])
@pytest.mark.parametrize(
    "write",
    [
        lambda kind, version: f"http://creativecommons.org/licenses/{kind}/{version}",
        lambda kind, version: f"https://creativecommons.org/licenses/{kind}/{version}/legalcode",
        lambda kind, version: f"https://www.creativecommons.org/licences/{kind}/{version}/deed.en",
        lambda kind, version: f"CC-{kind.upper()}-{version}",
        lambda kind, version: f"CC {kind.upper()} {version}",
        lambda kind, version: f"cc-{kind}/{version}",
    ],
)
def test_a_version_gives_the_spdx_identifier(kind: str, version: str, write) -> None:  # type: ignore[no-untyped-def]
    found = read_field(write(kind, version))
    assert found is not None, write(kind, version)
    assert (found.kind, found.version, found.spdx) == (kind, version, f"CC-{kind.upper()}-{version}")


@pytest.mark.parametrize(
    ("written", "kind", "spdx"),
    [
        ("cc0", "zero", "CC0-1.0"),
        ("CC 0", "zero", "CC0-1.0"),
        ("CC0-1.0", "zero", "CC0-1.0"),
        ("cc0license", "zero", "CC0-1.0"),
        ("cc zero", "zero", "CC0-1.0"),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "zero", "CC0-1.0"),
        ("http://creativecommons.org/licenses/zero/1.0", "zero", "CC0-1.0"),
        ("https://creativecommons.org/publicdomain/mark/1.0/deed.fr", "mark", "CC-PDM-1.0"),
        ("CC-PDM-1.0", "mark", "CC-PDM-1.0"),
        ("public domain mark", "mark", "CC-PDM-1.0"),
        ("http://creativecommons.org/licenses/publicdomain/", "dedication", "CC-PDDC"),
        ("public-domain", "domain", ""),
        ("Public Domain", "domain", ""),
        ("https://creativecommons.org/licenses/by/3.0/igo/", "by", "CC-BY-3.0-IGO"),
        ("CC BY-NC-ND 3.0 IGO", "by-nc-nd", "CC-BY-NC-ND-3.0-IGO"),
        ("http://creativecommons.org/licenses/by/3.0/us/deed.en_US", "by", "CC-BY-3.0-US"),
        ("http://creativecommons.org/licenses/by-nc/2.0/uk/", "by-nc", ""),
        ("http://creativecommons.org/licenses/by-nc-sa/2.0/uk", "by-nc-sa", "CC-BY-NC-SA-2.0-UK"),
        ("http://creativecommons.org/licenses/by-sa/2.1/jp/", "by-sa", "CC-BY-SA-2.1-JP"),
        ("http://creativecommons.org/licenses/by-nd-nc/1.0/", "by-nc-nd", "CC-BY-NC-ND-1.0"),
        ("http://creativecommons.org/licenses/nc-sa/1.0/", "nc-sa", ""),
        ("http://creativecommons.org/licenses/nd-nc/1.0", "nc-nd", ""),
        ("creative-commons", "cc", ""),
    ],
)
def test_ports_public_domain_and_retired_licences(written: str, kind: str, spdx: str) -> None:
    found = read_field(written)
    assert found is not None
    assert (found.kind, found.spdx) == (kind, spdx)


@pytest.mark.parametrize(
    "written",
    [
        "", "open-access", "bronze", "publisher-specific", "none", "implied-oa", "acs-specific: authorchoice", "tdm",
        "http://creativecommons.org/licenses/sampling+/1.0/", "http://creativecommons.org/licenses/devnations/2.0/",
        "https://example.org/licenses/by/4.0/", "gold", "free",
    ],
)  # fmt: skip
def test_no_licence_is_read_where_none_is_named(written: str) -> None:
    assert read_field(written) is None


PROSE = [
    ("This is an open-access article distributed under the terms of the Creative Commons Attribution License.", ["by"]),
    ("Distributed under the terms of the Creative Commons Attribution Non Commercial License.", ["by-nc"]),
    ("It is published under a Creative Commons Attribution-NonCommercial-NoDerivs 3.0 Unported License.", ["by-nc-nd"]),
    ("Licensed under the Creative Commons Attribution-NonCommercial-ShareAlike 4.0 International.", ["by-nc-sa"]),
    ("This is licensed under a Creative Commons Attribution–Share Alike 3.0 licence.", ["by-sa"]),
    ("Shared with the Creative Commons Attribution-NoDerivatives 4.0 International License.", ["by-nd"]),
    ("An article under the CC BY-NC-ND license (http://creativecommons.org/licenses/by-nc-nd/4.0/).", ["by-nc-nd"]),
    ("Distributed in accordance with the Creative Commons Attribution (CC BY-NC-ND 4.0) licence.", ["by-nc-nd"]),
    ("This is an open access article under the CC BY license.", ["by"]),
    ("After six months it is available under a Creative Commons License (Attribution–Noncommercial–Share Alike 3.0 "
     "Unported license, as described at http://creativecommons.org/licenses/by-nc-sa/3.0/).", ["by-nc-sa"]),
    ("The work is made available under the Creative Commons CC0 public domain dedication.", ["zero"]),
    ("This is a work of the U.S. Government and is not subject to copyright protection.", ["us-government"]),
    ("Written by U.S. government employees; it is in the public domain in the USA.", ["us-government"]),
    ("This work was prepared under 17 U.S.C. 105.", ["us-government"]),
    ("Publication lies in the public domain and is therefore without copyright.", ["domain"]),
    ("Este artículo se distribuye bajo la licencia Creative Commons Atribución-NoComercial 4.0.", ["by-nc"]),
    ("Artigo publicado sob a licença Creative Commons Atribuição 4.0 Internacional.", ["by"]),
    ("Sous la licence Creative Commons Attribution (CC BY-NC-ND 4.0), qui permet l’utilisation.", ["by-nc-nd"]),
    ("This article is distributed under the terms of the Creative Commons Attribution License which permits "
     "noncommercial use, provided the original is cited.", ["by-nc"]),
    ("It is licensed under a Creative Commons license.", ["cc"]),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "kinds"), PROSE)
def test_prose_is_read(sentence: str, kinds: list[str]) -> None:
    assert list(dict.fromkeys(found.kind for found in read_statement(Statement(text=sentence)))) == kinds


NONE = [
    "This article is not distributed under a Creative Commons Attribution License.",
    "No claim to original U.S. Government Works.",
    "The work is not in the public domain.",
    "Several authors are U.S. Government employees.",
    "Creative Commons is an organisation.",
    "© 2020 The Authors. All rights reserved.",
    "This file is available for text mining. It may also be used consistent with the principles of fair use.",
    "The Creative Commons Public Domain Dedication waiver (http://creativecommons.org/publicdomain/zero/1.0/) applies "
    "to the data made available in this article, unless otherwise stated in a credit line to the data.",
    "The data are available under CC0 (https://creativecommons.org/publicdomain/zero/1.0/).",
    "The source code is released under CC BY 4.0.",
    "Figure 2 is reproduced under CC BY 4.0.",
    "The images or other third party material in this article are included in the article's Creative Commons licence.",
    "Published under the journal's licence, except Fig. 3 which is CC BY 4.0.",
]


@pytest.mark.parametrize("sentence", NONE)
def test_words_that_are_no_licence_of_the_article(sentence: str) -> None:
    """Negations, other works, data and pictures: none of them lets anybody use the article."""
    assert [found for found in read_statement(Statement(text=sentence)) if not found.doubt] == []


def test_a_data_sentence_takes_its_address_with_it() -> None:
    sentence = (
        "The Creative Commons Public Domain Dedication waiver applies to the data made available in this article."
    )
    link = Statement(text=sentence, url="http://creativecommons.org/publicdomain/zero/1.0/")
    assert read_statement(link) == []


def test_a_data_article_is_still_an_article() -> None:
    text = "This data article is distributed under the Creative Commons Attribution License."
    assert [(found.kind, found.doubt) for found in read_statement(Statement(text=text))] == [("by", "")]


def test_the_licence_of_data_beside_that_of_the_article_is_left_out() -> None:
    text = (
        "This article is licensed under a Creative Commons Attribution 4.0 International License. The Creative Commons "
        "Public Domain Dedication waiver applies to the data made available in this article."
    )
    assert [found.name for found in read_statement(Statement(text=text))] == ["CC BY 4.0"]


def test_address_type_and_prose_of_one_statement_are_all_read() -> None:
    statement = Statement(
        text="Distributed under the Creative Commons Attribution License.",
        url="http://creativecommons.org/licenses/by-nc/4.0/",
        licence_type="ccbylicense",
    )
    assert [found.kind for found in read_statement(statement)] == ["by-nc", "by", "by"]


@pytest.mark.parametrize(
    ("statement", "effect"),
    [
        (Statement(url="http://www.elsevier.com/open-access/userlicense/1.0/"), "strict"),
        (Statement(url="http://arxiv.org/licenses/nonexclusive-distrib/1.0/"), "strict"),
        (Statement(text="All rights reserved. No reuse allowed without permission."), "strict"),
        (Statement(url="http://www.frontiersin.org/licenseagreement"), "terms"),
        (Statement(url="http://pubs.acs.org/page/policy/authorchoice_termsofuse.html"), "terms"),
        (Statement(url="http://doi.wiley.com/10.1002/tdm_license_1.1"), "terms"),
        (Statement(text="This file is available for text mining."), "manuscript"),
        (Statement(text="Users may view, print, copy, and download text for academic research."), "manuscript"),
        (Statement(text="© 2010 Invented Society"), None),
    ],
)
def test_publishers_terms_are_known_by_address_or_words(statement: Statement, effect: str | None) -> None:
    assert [row.effect for row in terms_of(statement)] == ([effect] if effect else [])


@pytest.mark.parametrize(
    "piece",
    [
        "creative commons attribution ",
        "CC BY ",
        "CC BY-NC-",
        "not ",
        "data ",
        "under by ",
        "a",
        "a.",
        "a.aa,",
        "a://",
        "//",
    ],
)
def test_an_endless_statement_opens_nothing_and_costs_no_time(piece: str) -> None:
    began = time.process_time()
    for size in (LONGEST, 1_000_000):
        text = (piece * (size // len(piece) + 1))[:size]
        found = read_statement(Statement(text=text, url=text, licence_type=text))
        assert size == LONGEST or all(reading.doubt for reading in found)
        assert size == LONGEST or read_field(text) is None
    assert time.process_time() - began < 3
