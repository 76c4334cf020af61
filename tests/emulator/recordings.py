"""Recorded exchanges of the corpus: a request that was recorded gets the very bytes of its recording.

From cassettes (JSON with url, status, headers, body) and from MANIFEST.tsv, where the endpoint is a whole URL. A
request equals a recorded one when service, path below the base and all fields agree, key and contact fields aside.
"""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from vouched.testing.exchange import Asked, Reply

from tests.emulator.index import Index

BASES = {
    "/entrez/eutils/": "eutils",
    "/tools/idconv/api/v1/articles/": "idconv",
    "/europepmc/webservices/rest/": "europepmc",
    "/europepmc/annotations_api/": "annotations",
    "/api/": "icite",
}
CONTACT = ("tool", "email", "api_key")
MEDIA = {".json": "application/json", ".xml": "text/xml", ".txt": "text/plain"}
Key = tuple[str, str, tuple[tuple[str, str], ...]]


class Recorded:
    """A service in front of which its recordings stand. inner: the service object itself."""

    def __init__(self, inner: Any, recordings: dict[Key, Reply]) -> None:
        self.inner, self.recordings = inner, recordings
        self._answer: Callable[[Asked], Reply] = inner.answer

    def answer(self, asked: Asked) -> Reply:
        found = self.recordings.get((asked.service, asked.path, _fields(asked.fields)))
        return found or self._answer(asked)


def recordings(index: Index) -> dict[Key, Reply]:
    found: dict[Key, Reply] = {}
    for _, document in index.documents("europepmc-evidence"):
        if isinstance(document, dict) and isinstance(document.get("body"), str) and "url" in document:
            media = document.get("headers", {}).get("content-type", "application/json")
            _add(found, document["url"], Reply(document["body"].encode(), document.get("status", 200), media))
    for folder in index.folders:
        for url, path in _listed(folder):
            reply = Reply(path.read_bytes(), 200, MEDIA.get(path.suffix, "text/plain"))
            _add(found, url, reply)
    return found


def _add(found: dict[Key, Reply], url: str, reply: Reply) -> None:
    parts = urlsplit(url)
    for base, service in BASES.items():
        if parts.path.startswith(base):
            fields = _fields(tuple(parse_qsl(parts.query, keep_blank_values=True)))
            # A recorded WebEnv is of no session here, so such an answer would lead nowhere.
            if fields and b"webenv" not in reply.body.lower():
                found[service, unquote(parts.path.removeprefix(base)), fields] = reply


def _listed(folder: Path) -> Iterator[tuple[str, Path]]:
    """URL (form fields of a POST appended) and file of each manifest row that tells its whole request."""
    manifest = folder / "MANIFEST.tsv"
    if not manifest.is_file():
        return
    with manifest.open(newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            endpoint, path = row["upstream_endpoint"].removeprefix("POST "), folder / row["path"]
            url, _, body = endpoint.partition(" body:")
            if url.startswith("https://") and path.is_file() and row["kind"] != "errors":
                yield url + (("&" if "?" in url else "?") + body.lstrip("&") if body else ""), path


def _fields(pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, value) for name, value in pairs if name not in CONTACT))
