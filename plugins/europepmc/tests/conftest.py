"""The corpus of real answers, and small invented records."""

import json
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import vouched_europepmc
from vouched import schema
from vouched.host import Host
from vouched.settings import Limits

from tests import emulator
from tests.emulator import Emulator

SHARED = Path(os.environ.get("VOUCHED_SHARED") or Path(__file__).parents[4] / "shared")
Raw = dict[str, Any]


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real upstream answers; tests that need it are skipped where it is missing."""
    folder = SHARED / "upstream"
    if not folder.is_dir():
        pytest.skip("the corpus of real answers (VOUCHED_SHARED) is not here")
    return folder


def _results(value: Any) -> Iterator[Raw]:
    if isinstance(value, dict):
        held = value.get("resultList")
        if isinstance(held, dict):
            yield from held.get("result") or []
        elif isinstance(value.get("body"), str) and value["body"].startswith("{"):
            yield from _results(json.loads(value["body"]))
        elif "source" in value and "title" in value and "pubTypeList" in value:
            yield value


@pytest.fixture(scope="session")
def records(corpus: Path) -> list[Raw]:
    """Every Europe PMC record of the corpus, core and lite, once each and form."""
    found: dict[tuple[str, str, bool], Raw] = {}
    for path in sorted([*corpus.glob("epmc-search/*.json"), *corpus.glob("europepmc-evidence/**/*.json")]):
        for raw in _results(json.loads(path.read_text())):
            found[raw["source"], raw["id"], "pubTypeList" in raw] = raw
    return [raw for raw in found.values() if "title" in raw]


@pytest.fixture
def core() -> Callable[..., Raw]:
    """Makes an invented core record; keyword arguments replace its fields."""

    def make(**fields: Any) -> Raw:
        raw: Raw = {
            "id": "99900001",
            "source": "MED",
            "pmid": "99900001",
            "pmcid": "PMC99900001",
            "doi": "10.99999/jir.1",
            "title": "Fictol shortens glimmer syndrome.",
            "authorString": "Zandt A, Golob JF.",
            "authorList": {
                "author": [
                    {"fullName": "Zandt A", "lastName": "Zandt", "firstName": "Ada", "initials": "A"},
                    {"fullName": "Golob JF Jr", "lastName": "Golob", "firstName": "Joseph F", "initials": "JF"},
                    {"collectiveName": "Lantern Trial Group"},
                ]
            },
            "journalInfo": {
                "issue": "2",
                "volume": "7",
                "dateOfPublication": "2024 May",
                "monthOfPublication": 5,
                "yearOfPublication": 2024,
                "printPublicationDate": "2024-05-01",
                "journal": {"title": "Journal of Invented Results", "issn": "9999-0001", "essn": "9999-001X"},
            },
            "pubYear": "2024",
            "pageInfo": "188-91",
            "abstractText": "<h4>Results</h4>It was shorter (p &lt; 0.001).",
            "language": "eng",
            "pubModel": "Print",
            "pubTypeList": {"pubType": ["research-article", "Journal Article"]},
            "isOpenAccess": "Y",
            "inEPMC": "Y",
            "inPMC": "Y",
            "license": "cc by",
            "citedByCount": 4,
            "authMan": "N",
            "epmcAuthMan": "N",
            "nihAuthMan": "N",
            "firstPublicationDate": "2024-04-20",
        }
        raw.update(fields)
        return {key: value for key, value in raw.items() if value is not None}

    return make


Ask = Callable[..., "Coroutine[Any, Any, dict[str, Any]]"]
SOURCES = ("europepmc", "annotations")


@pytest.fixture(scope="session")
def emulated() -> Iterator[Emulator]:
    """Europe PMC over the 20 invented records."""
    with emulator.start(corpus=False) as server:
        yield server


@pytest.fixture
def server(emulated: Emulator) -> Iterator[Emulator]:
    """The same with an empty log and no misbehaviour left over."""
    emulated.reset()
    yield emulated
    emulated.reset()


@pytest.fixture
async def host(server: Emulator, vouched_host: Callable[..., Host]) -> AsyncIterator[Host]:
    """A host with this plugin alone, over the emulator."""
    urls = {name: server.url(name) for name in SOURCES}
    limits = Limits(retry_wait=0.01, retry_wait_max=0.05)
    async with vouched_host({"europepmc": vouched_europepmc}, urls=urls, limits=limits) as host:
        yield host


@pytest.fixture(scope="session")
def validators() -> dict[str, jsonschema.protocols.Validator]:
    """The published output schemas, made once."""
    return {
        tool.name: jsonschema.Draft202012Validator(schema.output_schema(tool)) for tool in vouched_europepmc.tools()
    }


@pytest.fixture
def ask(host: Host, validators: dict[str, jsonschema.protocols.Validator]) -> Ask:
    """`await ask("search_literature", query=…)`: the structured answer, checked against the published schema."""

    async def call(tool: str, **arguments: Any) -> dict[str, Any]:
        result = await host.call(f"europepmc_{tool}", arguments)
        validators[tool].validate(result.structured)
        return result.structured

    return call
