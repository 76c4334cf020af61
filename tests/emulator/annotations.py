"""Europe PMC's annotations API over the annotations that the emulator holds."""

import re
from typing import Any

from vouched.testing.exchange import Asked, Reply

from tests.emulator.index import Index

SOURCES = ("PMC", "MED", "PAT", "AGR", "CBA", "HIR", "CTX", "ETH", "CIT", "PPR", "NBK")
COUNT = "The articleIds list parameter must contain between 1 and 8 values. "
FORM = (
    "The articleIds list parameter contains one or more wrongly formatted values (i.e. {}). It must contain values "
    "with format SOURCE:EXTERNAL_ID where SOURCE must have one of the following values [{}] and EXTERNAL_ID must be a "
    "number when SOURCE=PMC"
)


class Annotations:
    """answer() is the service."""

    def __init__(self, index: Index) -> None:
        self.index = index

    def answer(self, asked: Asked) -> Reply:
        if asked.path != "annotationsByArticleIds":
            return refused(asked, 404, "Not Found", "No message available")
        words = [word.strip() for word in asked.get("articleIds").split(",") if word.strip()]
        if not 1 <= len(words) <= 8:
            return refused(asked, 400, "Bad Request", COUNT)
        bad = next((word for word in words if not _well_formed(word)), None)
        if bad is not None:
            return refused(asked, 400, "Bad Request", FORM.format(bad, ", ".join(SOURCES)))
        found: list[dict[str, Any]] = []
        for word in words:
            article = self._article(word)
            # An article without annotations, or without any that pass the filters, is left out without a word.
            if article and article not in found and (rows := _filtered(article["annotations"], asked)):
                found.append(article | {"annotations": rows})
        return Reply.json(found, 200, "application/json;charset=UTF-8")

    def _article(self, word: str) -> dict[str, Any] | None:
        source, _, key = word.partition(":")
        held = self.index.links.annotations
        if (source, key) in held:
            return held[source, key]
        if source == "PMC":
            return next((article for article in held.values() if article.get("pmcid") == f"PMC{key}"), None)
        return None


def _well_formed(word: str) -> bool:
    source, _, key = word.partition(":")
    return source in SOURCES and bool(key) and (source != "PMC" or key.isdigit())


def _filtered(rows: list[dict[str, Any]], asked: Asked) -> list[dict[str, Any]]:
    kind, section, provider = asked.get("type"), asked.get("section"), asked.get("provider")
    return [
        row
        for row in rows
        if (not kind or row["type"].lower() == kind.lower())
        and (not section or _section(row).lower() == section.lower())
        and (not provider or row["provider"].lower() == provider.lower())
    ]


def _section(row: dict[str, Any]) -> str:
    return re.sub(r"\s*\(http.*\)$", "", row.get("section", ""))


def refused(asked: Asked, status: int, error: str, message: str) -> Reply:
    """A refusal in the words of the service's framework."""
    body: dict[str, Any] = {"timestamp": 1790000000000, "status": status, "error": error}
    if status == 400:
        body["exception"] = "uk.ac.ebi.scilite.controller.AnnotationsAPIParameterException"
    body |= {"message": message, "path": "/europepmc/annotations_api/" + asked.path}
    return Reply.json(body, status, "application/json;charset=UTF-8")
