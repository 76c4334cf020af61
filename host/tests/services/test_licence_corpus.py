"""The gate over every JATS file and every core record of the corpus, against what a reader sees in the files.

Each expectation was read in the file itself and stands here with the line that decides and a mark that must be found in
that line. Uses are written in the order read, quote, mine, redistribute, commercial, derive: y yes, n no, u unknown.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from vouched.access import Access, Decision
from vouched.services.licence import TablePolicy

SHARED = Path(os.environ.get("VOUCHED_SHARED") or Path(__file__).parents[4] / "shared")
FREE, NC, VERBATIM = "yyyyyy", "yyyyny", "yyyynn"
BY, BY_NC, BY_NC_ND = (
    ["attribution"],
    ["attribution", "non_commercial"],
    ["attribution", "non_commercial", "no_derivatives"],
)

# file, the article's own id, uses, conditions, SPDX id, deciding line, mark in that line
OPEN_TEXTS: list[tuple[str, str, str, list[str], str, int, str]] = [
    ("epmc-fulltext/pygetpapers_PMC8071313.xml", "PMC8071313", FREE, BY, "CC-BY-4.0", 2, "licenses/by/4.0/"),
    ("epmc-fulltext/pygetpapers_PMC8118396.xml", "PMC8118396", FREE, BY, "CC-BY-4.0", 2, "licenses/by/4.0/"),
    ("epmc-fulltext/pygetpapers_PMC8151036.xml", "PMC8151036", FREE, BY, "CC-BY-4.0", 2, "licenses/by/4.0/"),
    ("epmc-fulltext/pygetpapers_PMC8158497.xml", "PMC8158497", FREE, BY, "CC-BY-4.0", 2, "licenses/by/4.0/"),
    # Its CC0 waiver is for the data only: attribution stays a condition.
    ("epmc-fulltext/pygetpapers_PMC8164761.xml", "PMC8164761", FREE, BY, "CC-BY-4.0", 2, "licenses/by/4.0/"),
    ("epmc-fulltext/pygetpapers_PMC8222791.xml", "PMC8222791", FREE, BY, "CC-BY-4.0", 2, "licenses/by/4.0/"),
    ("epmc-fulltext/pygetpapers_PMC8228099.xml", "PMC8228099", FREE, BY, "CC-BY-4.0", 2, "licenses/by/4.0/"),
    ("pmc-jats/biopython_efetch_pmc.xml", "PMC8435807", NC, BY_NC, "CC-BY-NC-4.0", 58, "ccbynclicense"),
    # The licence element points to the publisher's agreement (139), the link in its paragraph to the licence (140).
    (
        "pmc-jats/eutils_test_eutils_xmlfacades_pubmedcentralarticle_PMC3299399_0.xml",
        "PMC3299399", NC, BY_NC, "CC-BY-NC-3.0", 140, "licenses/by-nc/3.0/",
    ),
    ("pmc-jats/fastpaper_pmc_efetch.xml", "PMC13014283", NC, BY_NC, "CC-BY-NC-4.0", 2, "ccbynclicense"),
    ("pmc-jats/fastpaper_pmc_efetch.xml", "PMC13016435", FREE, BY, "CC-BY-4.0", 306, "ccbylicense"),
    # "No claim to original U.S. Government Works" stands beside it and gives nothing.
    ("pmc-jats/fastpaper_pmc_efetch.xml", "PMC13015887", FREE, BY, "CC-BY-4.0", 497, "ccbylicense"),
    ("pmc-jats/oag_elife.00160.xml", "10.7554/eLife.00160", FREE, BY, "CC-BY-3.0", 7, "licenses/by/3.0/"),
    ("pmc-jats/pubchunks_elife_1.xml", "10.7554/eLife.03032", FREE, BY, "CC-BY-4.0", 1, "licenses/by/4.0/"),
    (
        "pmc-jats/pubchunks_f1000research_2.xml",
        "10.12688/f1000research.14334.1", FREE, BY, "CC-BY-4.0", 105, "licenses/by/4.0/",
    ),
    ("pmc-jats/pubchunks_frontiers_1.xml", "10.3389/fmicb.2012.00403", FREE, BY, "CC-BY-3.0", 99, "licenses/by/3.0/"),
    ("pmc-jats/pubchunks_hindawi_1.xml", "10.1155/2017/8147421", FREE, BY, "CC-BY-4.0", 150, "licenses/by/4.0/"),
    ("pmc-jats/pubchunks_mdpi_1.xml", "PMC3042718", FREE, BY, "CC-BY-3.0", 94, "licenses/by/3.0/"),
    ("pmc-jats/pubchunks_peerj_1.xml", "10.7717/peerj.3360", FREE, BY, "CC-BY-4.0", 108, "licenses/by/4.0/"),
    ("pmc-jats/pubchunks_plos_1.xml", "10.1371/journal.pone.0202746", FREE, [], "CC0-1.0", 163, "domain/zero/1.0/"),
    # Words only, no address: the kind is known, the version is not, so there is no SPDX id.
    ("pmc-jats/pubchunks_plos_2.xml", "10.1371/journal.pone.0002019", FREE, BY, "", 4, "Creative Commons Attribution"),
    ("pmc-jats/pubchunks_pubmed_full_2.xml", "PMC4531902", NC, BY_NC, "CC-BY-NC-3.0", 2, "licenses/by-nc/3.0/"),
    ("pmc-jats/pubget_articleset.xml", "PMC9057060", FREE, BY, "CC-BY-4.0", 116, "ccbylicense"),
    ("pmc-jats/pubget_articleset.xml", "PMC9056525", FREE, BY, "CC-BY-4.0", 3394, "ccbylicense"),
    ("pmc-jats/pubget_articleset.xml", "PMC9056519", FREE, BY, "CC-BY-4.0", 5017, "ccbylicense"),
    ("pmc-jats/pubget_articleset.xml", "PMC9056514", FREE, BY, "CC-BY-4.0", 5922, "ccbylicense"),
    ("pmc-jats/pubget_articleset.xml", "PMC9054084", VERBATIM, BY_NC_ND, "CC-BY-NC-ND-4.0", 7307, "ccbyncndlicense"),
    ("pmc-jats/pubget_articleset.xml", "PMC9053995", VERBATIM, BY_NC_ND, "CC-BY-NC-ND-4.0", 7434, "ccbyncndlicense"),
    ("pmc-jats/pubget_articleset.xml", "PMC9053985", VERBATIM, BY_NC_ND, "CC-BY-NC-ND-4.0", 7600, "ccbyncndlicense"),
    ("pmc-jats/pubmedparser_1471-2180-11-174.xml", "PMC3166277", FREE, BY, "CC-BY-2.0", 2, "licenses/by/2.0"),
    ("pmc-jats/pubmedparser_1472-6831-8-11.xml", "PMC2329613", FREE, BY, "CC-BY-2.0", 2, "licenses/by/2.0"),
    ("pmc-jats/pubmedparser_ehp-116-1694.xml", "PMC2599765", FREE, [], "CC-PDM-1.0", 3, "publicdomain/mark/1.0/"),
    ("pmc-jats/pubmedparser_mds526.xml", "PMC3574550", NC, BY_NC, "CC-BY-NC-3.0", 3, "licenses/by-nc/3.0"),
    ("pmc-jats/pubmedparser_pntd.0002065.xml", "PMC3585041", FREE, BY, "", 2, "Creative Commons Attribution"),
    # The form of 2007: the words stand in the copyright statement, there is no licence element.
    ("pmc-jats/pubmedparser_pone.0000217.xml", "PMC1790863", FREE, BY, "", 2, "<copyright-statement>Tenaillon"),
    ("pmc-jats/pubmedparser_pone.0046493.xml", "PMC3460867", FREE, BY, "", 2, "Creative Commons Attribution"),
]  # fmt: skip

# file, id, uses, rule, line, mark: author manuscripts with the mining notice, and copyright without any licence.
CLOSED_TEXTS: list[tuple[str, str, str, str, int, str]] = [
    ("pmc-jats/biomcp_efetch_pmc3040717.xml", "PMC3040717", "nnynnn", "b", 1, "available for text mining"),
    ("pmc-jats/biomcp_efetch_pmc6329583.xml", "PMC6329583", "nnynnn", "b", 1, "available for text mining"),
    # In the open-access subset by its processing instruction, copyright line only: reading is all that is known.
    (
        "pmc-jats/pubmedparser_6605965a.xml",
        "PMC2994229",
        "yuuuuu",
        "c",
        2,
        "Copyright &#x000a9; 2010 Cancer Research UK",
    ),
]


@pytest.fixture(scope="module")
def corpus() -> Path:
    folder = SHARED / "upstream"
    if not folder.is_dir():
        pytest.skip("the corpus of real answers (VOUCHED_SHARED) is not here")
    return folder


def access_of(corpus: Path, file: str, own_id: str, flags: Access | None = None) -> Access:
    jats = pytest.importorskip("vouched_" + "europepmc.jats", reason="the JATS reader is a plugin")
    for text in jats.read_articles((corpus / file).read_bytes(), flags=flags):
        if own_id in text.ids.values():
            return text.access  # type: ignore[no-any-return]
    raise AssertionError(f"{own_id} is not in {file}")


def letters(decision: Decision) -> str:
    return "".join(use[0] for use in msgspec.structs.astuple(decision.uses))


def line_of(corpus: Path, file: str, number: int) -> str:
    return (corpus / file).read_text("utf-8").split("\n")[number - 1]


@pytest.mark.parametrize(("file", "own_id", "uses", "conditions", "spdx", "line", "mark"), OPEN_TEXTS)
def test_must_be_open(
    corpus: Path, file: str, own_id: str, uses: str, conditions: list[str], spdx: str, line: int, mark: str
) -> None:
    """The text alone decides, whatever the record's flags say, and the line that decides is named."""
    assert mark in line_of(corpus, file, line)
    for flags in (None, Access(open=True, in_archive=True, licence="", source="t"), Access(open=False, source="t")):
        decision = TablePolicy().decide(access_of(corpus, file, own_id, flags))
        assert (decision.rule, letters(decision), decision.conditions, decision.spdx) == ("a", uses, conditions, spdx)
        assert f"line {line}" in decision.decided_by


@pytest.mark.parametrize(("file", "own_id", "uses", "rule", "line", "mark"), CLOSED_TEXTS)
def test_must_be_closed(corpus: Path, file: str, own_id: str, uses: str, rule: str, line: int, mark: str) -> None:
    """P78: free to read in an archive is no licence; a manuscript's notice allows mining and nothing else."""
    assert mark in line_of(corpus, file, line)
    decision = TablePolicy().decide(access_of(corpus, file, own_id))
    assert (decision.rule, letters(decision), decision.conditions, decision.spdx) == (rule, uses, [], "")
    assert decision.licence == "none"
    assert f"line {line}" in " ".join([decision.decided_by, *decision.also])


@pytest.mark.parametrize(("file", "own_id"), [(row[0], row[1]) for row in CLOSED_TEXTS])
def test_a_closed_text_stays_closed_for_every_use_beyond_reading(corpus: Path, file: str, own_id: str) -> None:
    for flags in (None, Access(open=True, in_archive=True, licence="", source="t"), Access(open=False, source="t")):
        uses = TablePolicy().decide(access_of(corpus, file, own_id, flags)).uses
        assert "yes" not in (uses.quote, uses.redistribute, uses.commercial, uses.derive)


def test_the_table_names_every_text_of_the_corpus(corpus: Path) -> None:
    jats = pytest.importorskip("vouched_" + "europepmc.jats", reason="the JATS reader is a plugin")
    named = {row[0]: 0 for row in (*OPEN_TEXTS, *CLOSED_TEXTS)}
    for row in (*OPEN_TEXTS, *CLOSED_TEXTS):
        named[row[0]] += 1
    files = [path for folder in ("pmc-jats", "epmc-fulltext") for path in (corpus / folder).glob("*.xml")]
    found = {f"{path.parent.name}/{path.name}": len(jats.read_articles(path.read_bytes())) for path in files}
    assert named == found


SEARCH, FAST = "epmc-search/pyepmc_search_cancer_core.json", "epmc-search/fastpaper_europepmc_search.json"
CUTS = "europepmc-evidence/excerpts"
TAPES, FIXED = "europepmc-evidence/evals/cassettes", "europepmc-evidence/tests/fixtures"
# file, id, uses, rule, tier, licence as written, line of the flag, line of the licence (0: the record has none)
RECORDS: list[tuple[str, str, str, str, str, str, int, int]] = [
    (SEARCH, "39709209", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 113, 0),
    # In the archive, an author manuscript (authMan Y in line 254): mining only.
    (SEARCH, "39709208", "nnynnn", "b", "FREE_TO_READ", "none", 241, 0),
    # `N` with a licence: the flags decide.
    (SEARCH, "40468710", "nnnnnn", "d", "ABSTRACT_ONLY", "cc by", 591, 603),
    (SEARCH, "40464630", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 709, 0),
    (SEARCH, "40493882", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 856, 0),
    (SEARCH, "40437959", VERBATIM, "a", "OPEN_ACCESS", "cc by-nc-nd", 1109, 1121),
    (SEARCH, "40377773", FREE, "a", "OPEN_ACCESS", "cc by", 1561, 1573),
    (SEARCH, "40511629", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 1959, 0),
    (SEARCH, "40530674", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 2283, 0),
    (SEARCH, "40536418", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 2400, 0),
    (SEARCH, "40516981", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 2620, 0),
    (SEARCH, "40356016", VERBATIM, "a", "OPEN_ACCESS", "cc by-nc-nd", 2970, 2982),
    (SEARCH, "40536727", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 3064, 0),
    (SEARCH, "40528292", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 3242, 0),
    (SEARCH, "40420324", VERBATIM, "a", "OPEN_ACCESS", "cc by-nc-nd", 3668, 3680),
    (SEARCH, "39212676", FREE, "a", "OPEN_ACCESS", "cc by", 4003, 4015),
    (SEARCH, "40506198", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 4265, 0),
    (SEARCH, "40524053", VERBATIM, "a", "OPEN_ACCESS", "cc by-nc-nd", 4496, 4508),
    (SEARCH, "40245290", VERBATIM, "a", "OPEN_ACCESS", "cc by-nc-nd", 4759, 4771),
    (SEARCH, "40518973", FREE, "a", "OPEN_ACCESS", "cc by", 5140, 5152),
    (SEARCH, "40536077", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 5316, 0),
    (SEARCH, "39038316", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 5512, 0),
    (SEARCH, "40527231", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 5705, 0),
    (SEARCH, "40530769", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 5932, 0),
    (SEARCH, "40476859", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 6275, 0),
    (FAST, "41792208", "nnnnnn", "d", "ABSTRACT_ONLY", "cc by", 132, 144),
    (FAST, "41744547", FREE, "a", "OPEN_ACCESS", "cc by", 332, 344),
    (FAST, "PMC13013079", FREE, "a", "OPEN_ACCESS", "cc by", 477, 489),
    (f"{CUTS}/record_PMC3621464_correction.json", "PMC3621464", FREE, "a", "OPEN_ACCESS", "cc by", 143, 155),
    # Open by its flags, no licence in the record: reading is all that is known.
    (f"{FIXED}/article/oa_pmc3320746.json", "22338609", "yuuuuu", "c", "OPEN_ACCESS", "none", 1, 0),
    (f"{FIXED}/article/subscription_med24073682.json", "24073682", "nnynnn", "b", "FREE_TO_READ", "none", 1, 0),
    (f"{FIXED}/search/crispr_oa_core.json", "PMC13582529", FREE, "a", "OPEN_ACCESS", "cc by", 1, 1),
    (f"{FIXED}/search/crispr_oa_core.json", "42712921", FREE, "a", "OPEN_ACCESS", "cc by", 1, 1),
    (f"{FIXED}/search/crispr_oa_core.json", "PMC13583639", NC, "a", "OPEN_ACCESS", "cc by-nc-sa", 1, 1),
    (f"{FIXED}/search/retracted_core.json", "42550576", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 1, 0),
    (f"{FIXED}/search/retracted_core.json", "42251884", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 1, 0),
    (f"{TAPES}/0f43bb334e05f0e342582f96.json", "37751445", FREE, "a", "OPEN_ACCESS", "cc by", 13, 13),
    (f"{TAPES}/13ec26b9383189ec3bdcf00b.json", "23831910", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 13, 0),
    (f"{TAPES}/5f2deb61d4dfeb8123f3c0d0.json", "22384025", FREE, "a", "OPEN_ACCESS", "cc by", 13, 13),
    (f"{TAPES}/6292ffb36cc6eacd010c68f9.json", "27657916", FREE, "a", "OPEN_ACCESS", "cc by", 13, 13),
    (f"{TAPES}/9dad6635b8c8e9d9f3af9495.json", "18847643", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 13, 0),
    (f"{TAPES}/ac9bbae2a80489ba04337bfa.json", "21645374", FREE, "a", "OPEN_ACCESS", "cc by", 13, 13),
    (f"{TAPES}/be535467e26dca562a5664d5.json", "25432938", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 13, 0),
    # Retracted, and under a licence all the same: two questions, two answers.
    (f"{TAPES}/d04b7fd1ff7ec0bc945facd9.json", "40632709", FREE, "a", "OPEN_ACCESS", "cc by", 13, 13),
    (f"{TAPES}/db615fb50a2b5d77642c4e54.json", "26852225", FREE, "a", "OPEN_ACCESS", "cc by", 13, 13),
    (f"{TAPES}/e0da0ec015d67d31b1deb2a1.json", "10808977", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 12, 0),
    (f"{TAPES}/e983704d5ba69c0820ff6d03.json", "9488747", "nnnnnn", "e", "ABSTRACT_ONLY", "none", 13, 0),
    (f"{TAPES}/ee57d0ec6b21fd8ca2033c73.json", "38032923", FREE, "a", "OPEN_ACCESS", "cc by", 13, 13),
]  # fmt: skip


def core_records(path: Path) -> Iterator[dict[str, Any]]:
    found = json.loads(path.read_text("utf-8"))
    if isinstance(found, dict) and "body" in found:
        found = json.loads(found["body"])
    yield from found["resultList"]["result"] if "resultList" in found else [found]


def plain_access(raw: dict[str, Any]) -> Access:
    """The neutral facts of a core record, mapped by hand."""
    codes = {link.get("availabilityCode") for link in raw.get("fullTextUrlList", {}).get("fullTextUrl", [])}
    return Access(
        open=raw["isOpenAccess"] == "Y",
        in_archive="Y" in (raw["inEPMC"], raw["inPMC"]),
        link_free=bool(codes & {"OA", "F"}),
        preprint=raw["source"] == "PPR",
        manuscript="Y" in (raw.get("authMan"), raw.get("epmcAuthMan"), raw.get("nihAuthMan")),
        licence=raw.get("license", ""),
        source="europepmc",
    )


@pytest.mark.parametrize(("file", "own_id", "uses", "rule", "tier", "licence", "flag_line", "licence_line"), RECORDS)
def test_core_records(
    corpus: Path,
    file: str,
    own_id: str,
    uses: str,
    rule: str,
    tier: str,
    licence: str,
    flag_line: int,
    licence_line: int,
) -> None:
    (raw,) = [record for record in core_records(corpus / file) if record["id"] == own_id]
    assert "isOpenAccess" in line_of(corpus, file, flag_line)
    assert not licence_line or licence in line_of(corpus, file, licence_line)
    decision = TablePolicy().decide(plain_access(raw))
    assert (letters(decision), decision.rule, decision.tier, decision.licence) == (uses, rule, tier, licence)
    assert "europepmc" in decision.decided_by or decision.rule == "b"
    assert bool(decision.needed) == (uses != "y" * 6)


def test_the_table_names_every_core_record_of_the_corpus(corpus: Path) -> None:
    files = [*corpus.glob("epmc-search/*.json"), *corpus.glob("europepmc-evidence/**/*.json")]
    found = set()
    for path in files:
        text = path.read_text("utf-8").replace('\\"', '"')
        if '"pubTypeList"' in text and '"isOpenAccess"' in text and "annotations" not in path.parts:
            name = path.relative_to(corpus).as_posix()
            found |= {(name, raw["id"]) for raw in core_records(path) if "isOpenAccess" in raw and "pubTypeList" in raw}
    assert {(row[0], row[1]) for row in RECORDS} == found
