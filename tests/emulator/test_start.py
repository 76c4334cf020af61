"""How the emulator is started: by a test, over folders of choice, and by hand."""

import shutil
import subprocess
import sys
from pathlib import Path

import httpx

from tests import emulator
from tests.emulator import Remote


def test_folders_of_choice_replace_the_default_ones(tmp_path: Path) -> None:
    shutil.copytree(emulator.JOINED / "icite", tmp_path / "icite")
    with emulator.start(tmp_path) as server:
        assert httpx.get(server.url("icite") + "pubs?pmids=99900001").json()["data"][0]["year"] == 2023
        found = httpx.get(server.url("eutils") + "esearch.fcgi?db=pubmed&term=fictol&retmode=json").json()
        assert found["esearchresult"]["count"] == "0"


def test_each_source_has_its_base_url_with_the_live_path_at_its_end() -> None:
    with emulator.start(corpus=False) as server:
        tails = {
            "eutils": "/entrez/eutils/",
            "idconv": "/tools/idconv/api/v1/articles/",
            "europepmc": "/europepmc/webservices/rest/",
            "annotations": "/europepmc/annotations_api/",
            "icite": "/api/",
        }
        assert set(server.services) == set(tails)
        assert all(server.url(name).endswith(tail) for name, tail in tails.items())


def test_limits_and_latencies_are_those_of_the_start() -> None:
    with emulator.start(corpus=False, limits={"icite": 0}, latency={"idconv": 0.1}) as server:
        refused = httpx.get(server.url("icite") + "pubs/99900001")
        httpx.get(server.url("idconv"), params={"ids": "99900001"})
        assert refused.status_code == 429
        entry = server.log("idconv")[0]
        assert (entry.ended or 0) - entry.started >= 0.1


def test_by_hand_it_prints_its_urls_and_can_be_watched() -> None:
    """python -m tests.emulator runs in a process of its own."""
    command = [sys.executable, "-m", "tests.emulator", "--synthetic", "sliceable:50", str(emulator.JOINED)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=emulator.ROOT) as process:
        try:
            assert process.stdout is not None
            urls = dict(process.stdout.readline().strip().split("=", 1) for _ in range(5))
            found = httpx.get(urls["VOUCHED_EUTILS_URL"] + "esearch.fcgi?db=pubmed&term=sliceable&retmode=json").json()
            assert found["esearchresult"]["count"] == "50"
            far = Remote(urls["VOUCHED_EUTILS_URL"].partition("/eutils/")[0])
            assert far.environment() == urls
            assert far.log("eutils")[0].params["term"] == "sliceable"
        finally:
            process.terminate()
