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

    emulator.start(corpus=False)                      # the 20 invented records only
    emulator.start(icite_shape="old", limits={"eutils": 3}, latency={"europepmc": 0.2})

By hand: `python -m tests.emulator --port 8123 [FOLDER...]` prints the VOUCHED_..._URL lines; another process watches
a server through `vouched.testing.emulator.Remote(origin)`.
"""

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from vouched.testing import emulator as engine
from vouched.testing.emulator import Emulator, Remote
from vouched.testing.exchange import Service

from tests.emulator.annotations import Annotations
from tests.emulator.europepmc import EuropePmc
from tests.emulator.eutils import Eutils
from tests.emulator.icite import Icite
from tests.emulator.idconv import IdConv
from tests.emulator.index import Index, load

__all__ = ["JOINED", "Emulator", "Index", "Remote", "corpus_folder", "load", "services", "start"]

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
    limits: Mapping[str, int] | None = None,
    latency: Mapping[str, float] | None = None,
) -> list[Service]:
    """The five services over one index."""
    eutils, europepmc, icite = Eutils(index, dict(index.pubmed)), EuropePmc(index), Icite(index, icite_shape)
    made = {
        "eutils": ("/eutils/entrez/eutils/", eutils.answer),
        "idconv": ("/idconv/tools/idconv/api/v1/articles/", IdConv(index, idconv_shape).answer),
        "europepmc": ("/epmc/europepmc/webservices/rest/", europepmc.answer),
        "annotations": ("/epmc/europepmc/annotations_api/", Annotations(index).answer),
        "icite": ("/icite/api/", icite.answer),
    }
    limits, latency = limits or {}, latency or {}
    return [
        Service(name, prefix, answer, limits.get(name), latency.get(name, 0.0))
        for name, (prefix, answer) in made.items()
    ]


@contextlib.contextmanager
def start(
    *places: Path,
    corpus: bool = True,
    port: int = 0,
    icite_shape: str = "new",
    idconv_shape: str = "new",
    limits: Mapping[str, int] | None = None,
    latency: Mapping[str, float] | None = None,
) -> Iterator[Emulator]:
    """Run the services over the given folders (by default the joined fixtures, and the corpus where present)."""
    index = load(places or folders(corpus))
    with engine.start(services(index, icite_shape, idconv_shape, limits, latency), port) as server:
        yield server
