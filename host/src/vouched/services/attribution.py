"""The attribution line of a reuse card: title, author, source, licence, as Creative Commons recommends (TASL)."""

from vouched.access import Decision
from vouched.article import Article
from vouched.article_parts import Author
from vouched.services.licence_names import Reading
from vouched.services.licence_reading import read_field
from vouched.services.licence_table import spdx_of

__all__ = ["line"]

# Longer author lists are cut with "et al."; a copyright line of a paragraph's length is a licence text, not a notice.
_AUTHORS = 6
_COPYRIGHT = 200


def line(article: Article, decision: Decision, copyright_line: str = "") -> str:
    """One printable line. Parts that the record does not have are left out, nothing is made up."""
    title = article.title.strip().rstrip(".")
    place = article.journal.title or article.journal.abbreviation or article.preprint_server
    if not place and article.book is not None:
        place = article.book.title
    year = article.year()
    source = " ".join(part for part in (place, f"({year})" if year else "") if part)
    doi = article.ids.get("doi", "")
    other = next(
        (f"{name.upper()} {article.ids[name]}" for name in ("pmcid", "pmid", "ppr") if article.ids.get(name)), ""
    )
    parts = [
        f"“{title}”" + (f" by {people}" if (people := _people(article)) else "") if title else _people(article),
        source,
        f"https://doi.org/{doi}" if doi else other,
        _licence(decision),
    ]
    notice = (copyright_line or article.copyright).strip()
    notice = f" {notice.rstrip('.')}." if notice and len(notice) <= _COPYRIGHT else ""
    return " ".join((", ".join(part for part in parts if part) + "." + notice).split())


def _people(article: Article) -> str:
    names = [_name(author) for author in article.authors if author.valid]
    if len(names) > _AUTHORS or (names and not article.authors_complete):
        return ", ".join(names[:_AUTHORS]) + " et al."
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _name(author: Author) -> str:
    return author.collective or " ".join(part for part in (author.given, author.family, author.suffix) if part)


def _licence(decision: Decision) -> str:
    if decision.licence in ("none", "not_checked", ""):
        return {"none": "no licence stated"}.get(decision.licence, "licence not checked")
    if decision.uses.read != "yes" and decision.rule != "a":
        return f"no licence granted (the record says “{decision.licence}”)"
    if decision.rule == "a" or decision.spdx:
        readings = [_reading(part, decision.spdx) for part in decision.licence.split("; ")]
        certain = [found for found in readings if found and not found.doubt]
        # Terms beside a licence, and one in doubt, are told as they stand: they may take back what it grants.
        if certain and len(certain) == len(readings):
            return _verb(certain[0]) + " and ".join(_named(found) for found in certain)
    return f"terms: {decision.licence}"


def _reading(licence: str, spdx: str) -> Reading | None:
    return (read_field(spdx) if spdx else None) or read_field(licence)


def _verb(reading: Reading) -> str:
    if reading.kind == "zero":
        return "dedicated to the public domain with "
    if reading.kind in ("mark", "domain", "us-government", "dedication"):
        return "in the public domain: "
    return "licensed under "


def _named(reading: Reading) -> str:
    if reading.url:
        return f"{reading.name} ({reading.url})"
    versions = spdx_of(reading.kind, "4.0", "") or spdx_of(reading.kind, "1.0", "")
    return f"{reading.name} (version not stated)" if versions else reading.name
