"""E-utilities' answers for db=pmc: a search over titles and ids, and full texts as PMC exports them."""

import re

from vouched.testing.exchange import Reply

from tests.emulator.europepmc_records import ARTICLE
from tests.emulator.index import Index
from tests.emulator.pubmed_search import Found
from tests.emulator.words import fold

HEAD = (
    b'<?xml version="1.0"  ?><!DOCTYPE pmc-articleset PUBLIC "-//NLM//DTD ARTICLE SET 2.0//EN" '
    b'"https://dtd.nlm.nih.gov/ncbi/pmc/articleset/nlm-articleset-2.0.dtd"><pmc-articleset>'
)


def search(index: Index, query: str) -> Found:
    """Articles in PMC whose title holds all words of the query, or whose id it is; no field tags but ids."""
    wanted = re.sub(r"\[[^\]]*\]", "", query).strip().strip('"')
    words = [word for word in fold(wanted).split() if word not in ("and", "or", "not")]
    hits = []
    for article in index.articles.values():
        ids = {article.pmcid, article.core.get("pmid", ""), article.core.get("doi", "").lower()}
        titled = words and all(f" {word} " in article.texts["title"] for word in words)
        if article.pmcid and (titled or {wanted.upper(), wanted.lower()} & ids):
            hits.append(int(article.pmcid.removeprefix("PMC")))
    return Found(sorted(hits, reverse=True), query)


def fetch(index: Index, ids: list[str]) -> Reply:
    """Ids with or without the prefix; one that is not held gets an element of its own, with HTTP 200."""
    body = HEAD
    for word in ids:
        number = re.sub(r"\D", "", word)
        text = index.fulltexts.get(f"PMC{number}")
        found = ARTICLE.search(text) if text else None
        missing = f'<error id="{number}">The following PMCID is not available: {number}</error>'
        body += found.group(0) if found else missing.encode()
    return Reply.xml(body + b"</pmc-articleset>")
