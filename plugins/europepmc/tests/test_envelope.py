"""Answers are read strictly."""

import copy
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from vouched.api import Fault, UpstreamInvalid, UpstreamRejected, UpstreamUnreachable
from vouched_europepmc.annotations import read_annotations
from vouched_europepmc.datalinks import read_links
from vouched_europepmc.envelope import read_envelope, read_json
from vouched_europepmc.network import _read
from vouched_europepmc.search import read_hits


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", UpstreamInvalid),
        (b"  \n", UpstreamInvalid),
        (b"<html><body>busy</body></html>", UpstreamInvalid),
        (b'{"version":"6.10"}', UpstreamInvalid),
        (b'{"version":"6.9","hitCount":3,"resultList":{"res', UpstreamInvalid),
        (b'{"version":"6.9","request":{}}', UpstreamInvalid),
        (b'{"errCode":400,"errMsg":"No search criteria provided."}', UpstreamRejected),
        (b'{"errCode":500,"errMsg":"x"}', UpstreamUnreachable),
        (b'{"timestamp":1,"status":400,"error":"Bad Request","message":"between 1 and 8"}', UpstreamRejected),
        (b'{"hitCount":"three"}', UpstreamInvalid),
        (b'{"hitCount":3,"resultList":{"result":"x"}}', UpstreamInvalid),
    ],
)
def test_p13_p61_what_is_no_page_of_hits_is_a_fault(body: bytes, kind: type[Fault]) -> None:
    with pytest.raises(kind):
        read_hits(body)


HIT: dict[str, Any] = {
    "id": "99900001",
    "source": "MED",
    "title": "T",
    "authorList": {"author": [{"fullName": "Zandt A", "lastName": "Zandt", "initials": "A"}]},
    "journalInfo": {"journal": {"title": "Journal of Invented Results"}, "yearOfPublication": 2024},
    "pubTypeList": {"pubType": ["Retracted Publication"]},
    "commentCorrectionList": {
        "commentCorrection": [{"id": "5", "source": "MED", "type": "Retraction in", "orderIn": 1}]
    },
    "fullTextUrlList": {"fullTextUrl": [{"availabilityCode": "OA"}]},
}
LINK = {"Target": {"Identifier": {"ID": "X1", "IDScheme": "ENA"}}, "RelationshipType": {"Name": "References"}}
BODIES: list[tuple[Callable[[bytes], Any], Any]] = [
    (read_hits, {"hitCount": 1, "request": {"queryString": "x"}, "resultList": {"result": [HIT]}}),
    (read_annotations, [{"source": "MED", "extId": "1", "annotations": [{"exact": "x", "tags": [{"name": "x"}]}]}]),
    (partial(_read, direction="citations", before=0), {"hitCount": 1, "citationList": {"citation": [{"id": "1"}]}}),
    (partial(_read, direction="references", before=0), {"hitCount": 1, "referenceList": {"reference": [{"id": "1"}]}}),
    (
        read_links,
        {"hitCount": 1, "dataLinkList": {"Category": [{"Name": "x", "Section": [{"Linklist": {"Link": [LINK]}}]}]}},
    ),
]


def _mutants(value: Any) -> Iterator[Any]:
    """The value with each of its nodes in turn replaced by something of another shape."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        for other in (None, 7, "x", ["x"], {"x": 1}, [None], True, *_mutants(inner)):
            changed = copy.copy(value)
            changed[key] = other
            yield changed


@pytest.mark.parametrize(("read", "body"), BODIES)
def test_p106_an_unknown_shape_is_read_or_is_a_fault_and_never_a_defect(
    read: Callable[[bytes], Any], body: Any
) -> None:
    """A service that changes its answers is named as what fails; nothing of it is passed over where it stands."""
    read(json.dumps(body).encode())
    faults: list[Fault] = []
    for mutant in _mutants(body):
        try:
            read(json.dumps(mutant).encode())
        except Fault as fault:
            faults.append(fault)
    assert len(faults) > 5
    assert {type(fault) for fault in faults} == {UpstreamInvalid}


def test_p106_a_list_of_corrections_in_another_shape_is_never_no_correction() -> None:
    for odd in ("Retraction in", [["Retraction in"]], {"commentCorrection": ["Retraction in"]}):
        body = {"hitCount": 1, "resultList": {"result": [HIT | {"pubTypeList": None, "commentCorrectionList": odd}]}}
        with pytest.raises(UpstreamInvalid):
            read_hits(json.dumps(body).encode())


def test_p107_a_message_of_the_service_is_one_clean_line() -> None:
    with pytest.raises(UpstreamRejected) as caught:
        read_json(json.dumps({"errCode": 400, "errMsg": "bad\n\u202equery " + "x" * 900}).encode())
    assert "\n" not in caught.value.message
    assert "\u202e" not in caught.value.message
    assert len(caught.value.message) < 400


def test_r20_every_recorded_error_is_a_fault(corpus: Path) -> None:
    paths = [*corpus.glob("errors/epmc_*.json"), corpus / "errors/derived_truncated_epmc_search.json"]
    for path in paths:
        with pytest.raises(Fault):
            read_envelope(path.read_bytes(), "hitCount")
    assert len(paths) == 5


def test_r20_every_recorded_page_is_read(corpus: Path) -> None:
    pages = [path for path in corpus.glob("epmc-search/*.json") if b'"resultList"' in path.read_bytes()]
    for path in pages:
        raw = json.loads(path.read_bytes())
        page = read_hits(path.read_bytes())
        assert page.total == raw["hitCount"]
        assert len(page.articles) == len(raw["resultList"]["result"])
        assert page.next_mark == raw.get("nextCursorMark", "")
    assert len(pages) > 25
