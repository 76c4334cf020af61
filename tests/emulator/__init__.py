"""The emulator of NCBI E-utilities, the PMC ID converter, Europe PMC and iCite, for tests and by hand.

    from tests import emulator

    with emulator.start() as server:                  # the joined fixtures, and the corpus where it is present
        server.url("eutils")                          # http://127.0.0.1:PORT/eutils/entrez/eutils/
        server.environment()                          # {"VOUCHED_EUTILS_URL": ..., "VOUCHED_EUROPEPMC_URL": ..., ...}
        server.misbehave("eutils", "rate_limited", retry_after=2)      # the next request gets a 429
        server.misbehave("efetch.fcgi", "file", path=some_error_body, status=400, times=2)
        server.misbehave("*/fullTextXML", "status", status=404)
        server.log("eutils")                          # list of Entry: method, path, params, started, outcome, ...
        server.peak("eutils", "idconv")               # most starts in any one second
        server.clear(); server.reset()

`vouched.testing.emulator.Emulator.misbehave` lists every kind of fault. Sources and their tails:
eutils `…/entrez/eutils/`, idconv `…/tools/idconv/api/v1/articles/`, europepmc `…/europepmc/webservices/rest/`,
annotations `…/europepmc/annotations_api/`, icite `…/api/`.

    emulator.start(corpus=False)                      # the 20 invented records only (tests/fixtures/joined)
    emulator.start(icite_shape="old", limits={"eutils": 3}, latency={"europepmc": 0.2})
    emulator.start(extra=[emulator.synthetic("sliceable", 25_000, crowded={"2020-03-05": 10_500})])
    emulator.behind(server, "eutils").history.expire()     # the service object: its settings and its sessions

A recording of the corpus answers its own request byte for byte; every other answer is derived from the records held,
in the service's own format. `index` says which sub-folders a folder may have, each service's module what it answers.

By hand: `python -m tests.emulator --port 8123 [FOLDER...]` prints the VOUCHED_..._URL lines; another process watches
a server through `vouched.testing.emulator.Remote(origin)`.
"""

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from vouched.testing import emulator as engine
from vouched.testing.emulator import Emulator, Remote
from vouched.testing.exchange import Service

from tests.emulator.annotations import Annotations
from tests.emulator.europepmc import EuropePmc
from tests.emulator.eutils import Eutils
from tests.emulator.icite import Icite
from tests.emulator.idconv import IdConv
from tests.emulator.index import Index, load
from tests.emulator.pubmed_records import Record
from tests.emulator.recordings import Recorded, recordings
from tests.emulator.synthetics import synthetic

__all__ = ["JOINED", "Emulator", "Index", "Remote", "behind", "corpus_folder", "load", "services", "start", "synthetic"]

ROOT = Path(__file__).resolve().parents[2]
JOINED = ROOT / "tests" / "fixtures" / "joined"


def corpus_folder() -> Path | None:
    """The folder of real upstream responses (VOUCHED_SHARED, by default beside the project); None when missing."""
    folder = Path(os.environ.get("VOUCHED_SHARED") or ROOT.parent / "shared") / "upstream"
    return folder if folder.is_dir() else None


def folders(corpus: bool = True) -> tuple[Path, ...]:
    found = corpus_folder() if corpus else None
    return (JOINED, found) if found else (JOINED,)


def services(
    index: Index,
    icite_shape: str = "new",
    idconv_shape: str = "new",
    extra: Sequence[Mapping[int, Record]] = (),
    limits: Mapping[str, int] | None = None,
    latency: Mapping[str, float] | None = None,
) -> list[Service]:
    """The five services over one index."""
    records = dict(index.pubmed)
    for more in extra:
        records |= more
    made: dict[str, tuple[str, Any]] = {
        "eutils": ("/eutils/entrez/eutils/", Eutils(index, records)),
        "idconv": ("/idconv/tools/idconv/api/v1/articles/", IdConv(index, idconv_shape)),
        "europepmc": ("/epmc/europepmc/webservices/rest/", EuropePmc(index)),
        "annotations": ("/epmc/europepmc/annotations_api/", Annotations(index)),
        "icite": ("/icite/api/", Icite(index, icite_shape)),
    }
    limits, latency, kept = limits or {}, latency or {}, recordings(index)
    return [
        Service(name, prefix, Recorded(inner, kept).answer, limits.get(name), latency.get(name, 0.0))
        for name, (prefix, inner) in made.items()
    ]


def behind(server: Emulator, service: str) -> Any:
    """The object that answers for a service: `Eutils`, `EuropePmc`, `Icite`, `IdConv` or `Annotations`."""
    recorded: Recorded = server.services[service].answer.__self__  # type: ignore[attr-defined]
    return recorded.inner


@contextlib.contextmanager
def start(
    *places: Path,
    corpus: bool = True,
    port: int = 0,
    icite_shape: str = "new",
    idconv_shape: str = "new",
    extra: Sequence[Mapping[int, Record]] = (),
    limits: Mapping[str, int] | None = None,
    latency: Mapping[str, float] | None = None,
) -> Iterator[Emulator]:
    """Run the services over the given folders (by default the joined fixtures, and the corpus where present)."""
    index = load(places or folders(corpus))
    with engine.start(services(index, icite_shape, idconv_shape, extra, limits, latency), port) as server:
        yield server
