"""Filters of a PubMed search as clauses of the query; the query itself is never touched."""

import datetime
import re
from collections.abc import Mapping, Sequence

import msgspec
from vouched.api import InvalidArgument

__all__ = [
    "AGES",
    "STUDY_FILTERS",
    "Filters",
    "check_query",
    "date_clause",
    "effective",
    "unclosed",
    "value_clause",
]

# MeSH check tags; "infant" includes newborns by the tree.
AGES: Mapping[str, str] = {
    "newborn": '"infant, newborn"[mh]',
    "infant": '"infant"[mh]',
    "preschool_child": '"child, preschool"[mh]',
    "child": '"child"[mh]',
    "adolescent": '"adolescent"[mh]',
    "young_adult": '"young adult"[mh]',
    "adult": '"adult"[mh]',
    "middle_aged": '"middle aged"[mh]',
    "aged": '"aged"[mh]',
    "aged_80_and_over": '"aged, 80 and over"[mh]',
}
_SPECIES: Mapping[str, str] = {"humans": '"humans"[mh]', "animals": '"animals"[mh:noexp]'}
_ANIMALS_ONLY = "(animals[mh] NOT humans[mh])"
# PubMed Clinical Queries and its systematic-review subset by their filter names; the Cochrane Highly Sensitive Search
# Strategies for randomised trials (2008 revision, PubMed format) from the Cochrane Handbook.
STUDY_FILTERS: Mapping[str, str] = {
    "therapy_broad": "Therapy/Broad[filter]",
    "therapy_narrow": "Therapy/Narrow[filter]",
    "diagnosis_broad": "Diagnosis/Broad[filter]",
    "diagnosis_narrow": "Diagnosis/Narrow[filter]",
    "etiology_broad": "Etiology/Broad[filter]",
    "etiology_narrow": "Etiology/Narrow[filter]",
    "prognosis_broad": "Prognosis/Broad[filter]",
    "prognosis_narrow": "Prognosis/Narrow[filter]",
    "prediction_guide_broad": "Clinical Prediction Guides/Broad[filter]",
    "prediction_guide_narrow": "Clinical Prediction Guides/Narrow[filter]",
    "systematic_review": "systematic[sb]",
    "cochrane_rct_sensitive": "(randomized controlled trial[pt] OR controlled clinical trial[pt] OR randomized[tiab] "
    "OR placebo[tiab] OR drug therapy[sh] OR randomly[tiab] OR trial[tiab] OR groups[tiab]) NOT " + _ANIMALS_ONLY,
    "cochrane_rct_precise": "(randomized controlled trial[pt] OR controlled clinical trial[pt] OR randomized[tiab] "
    "OR placebo[tiab] OR clinical trials as topic[mh:noexp] OR randomly[tiab] OR trial[ti]) NOT " + _ANIMALS_ONLY,
}
# AND, OR or NOT with nothing behind it, AND or OR with nothing before it.
_DANGLING = re.compile(r"\b(?:AND|OR|NOT)\s*(?=$|\))|(?:^|\()\s*(?:AND|OR)\b|\b(?:AND|OR|NOT)\s+(?:AND|OR)\b")
_EARLIEST, _LATEST = "1500/01/01", "3000/12/31"
_ENDS_CLAUSE = re.compile(r'["\[\]]')
# Without quotes around it a value can also hold operators, parentheses and `#1`, an earlier search.
_ENDS_BARE_CLAUSE = re.compile(r'["\[\]()]|\b(?:AND|OR|NOT)\b|#\d')
_DATE = re.compile(r"\s*([0-9]{4})(?:[-/.]([0-9]{1,2})(?:[-/.]([0-9]{1,2}))?)?\s*")


def check_query(query: str, path: str = "query") -> None:
    """Refuse a query without a single term, as `()` or `[pdat]`, and one with an operator that joins nothing, as in
    `a AND`: PubMed would answer anything or nothing to it.

    Raises:
        InvalidArgument: naming `path`.
    """
    terms = re.sub(r"\[[^\]]*\]", " ", query)
    terms = re.sub(r"\b(?:AND|OR|NOT)\b", " ", terms)
    if not any(character.isalnum() for character in terms):
        raise InvalidArgument(
            "The query has no search term in it.",
            path=path,
            expected="words, phrases in double quotes, field tags in brackets, AND, OR, NOT",
            example="asthma[mh] AND inhaled corticosteroid*[tiab]",
        )
    said = re.sub(r'"[^"]*"', '""', re.sub(r"\[[^\]]*\]", "[]", query))
    if dangling := _DANGLING.search(said):
        raise InvalidArgument(
            f"The query has an operator that joins nothing ({dangling[0].strip('( ')!r}).",
            path=path,
            expected="a term on either side of AND and OR, and behind NOT",
            hint="Take it out, or put the word that is meant into quotation marks.",
        )


def unclosed(query: str) -> str:
    """What `query` opens without closing it, or closes unopened: quotation marks, brackets, parentheses; else "".

    Whatever is joined behind an open quotation mark or bracket becomes part of it, a filter as well.
    """
    rest = re.sub(r'"[^"]*"', " ", query)
    if '"' in rest:
        return "quotation marks"
    rest = re.sub(r"\[[^\]]*\]", " ", rest)
    if "[" in rest:
        return "brackets"
    depth = 0
    for sign in re.findall(r"[()]", rest):
        depth += 1 if sign == "(" else -1
        if depth < 0:
            break
    return "parentheses" if depth else ""


def _written(date: str, path: str) -> tuple[str, datetime.date]:
    """A date as PubMed takes it, and its first day. Impossible days are refused: PubMed takes them without a word."""
    found = _DATE.fullmatch(date)
    year, month, day = found.groups() if found else (None, None, None)
    try:
        first = datetime.date(int(year or 0), int(month or 1), int(day or 1))
    except ValueError:
        raise InvalidArgument(
            "This is not a date.", path=path, expected="YYYY, YYYY/MM or YYYY/MM/DD", example="2020/01/31"
        ) from None
    return "/".join(part.zfill(2) for part in (year, month, day) if part), first


def date_clause(date_from: str, date_to: str, date_type: str) -> str:
    """`("2020"[pdat] : "3000/12/31"[pdat])`; either end may be open, "" for no dates at all.

    Raises:
        InvalidArgument: for a date that does not exist, or a range that ends before it begins.
    """
    if not date_from and not date_to:
        return ""
    start = _written(date_from, "date_from") if date_from else (_EARLIEST, datetime.date(1500, 1, 1))
    end = _written(date_to, "date_to") if date_to else (_LATEST, datetime.date.max)
    # 2020/05 to 2020 is a range within one year; only a start after the end's last possible day is wrong.
    if start[1].isoformat().replace("-", "/")[: len(end[0])] > end[0]:
        raise InvalidArgument("The range of dates ends before it begins.", path="date_to", example="2024")
    return f'("{start[0]}"[{date_type}] : "{end[0]}"[{date_type}])'


def value_clause(values: Sequence[str], tag: str, path: str, joined: str = "OR", quoted: bool = True) -> str:
    """`"a"[tag] OR "b"[tag]`; "" for no values.

    Raises:
        InvalidArgument: for a value without a letter or digit, which PubMed would drop and answer everything, or one
            with signs or words that would end the clause.
    """
    ends = _ENDS_CLAUSE if quoted else _ENDS_BARE_CLAUSE
    terms = []
    for number, value in enumerate(values):
        text = " ".join(value.split())
        if not any(character.isalnum() for character in text) or ends.search(text):
            raise InvalidArgument(
                "A filter needs a letter or digit and takes no quotes or brackets, and an author no operator.",
                path=f"{path}[{number}]",
                hint="Field tags and phrases belong into `query`.",
            )
        terms.append(f'"{text}"[{tag}]' if quoted else f"{text}[{tag}]")
    return f" {joined} ".join(dict.fromkeys(terms))


class Filters(msgspec.Struct, frozen=True):
    """The filters of one search, as `pubmed_search_articles` takes them; empty ones are absent."""

    date_from: str = ""
    date_to: str = ""
    date_type: str = "pdat"
    publication_types: Sequence[str] = ()
    languages: Sequence[str] = ()
    journals: Sequence[str] = ()
    authors: Sequence[str] = ()
    mesh_terms: Sequence[str] = ()
    species: str = ""
    ages: Sequence[str] = ()
    sex: str = ""
    study_filters: Sequence[str] = ()
    has_abstract: bool = False
    free_full_text: bool = False

    def need_indexing(self) -> bool:
        """Whether any of them finds indexed records only."""
        return bool(self.mesh_terms or self.species or self.ages or self.sex)

    def clauses(self) -> list[str]:
        """Clauses in a fixed order, "" for an absent filter.

        Raises:
            InvalidArgument: naming the filter that cannot be one.
        """
        return [
            date_clause(self.date_from, self.date_to, self.date_type),
            value_clause(self.publication_types, "pt", "publication_types"),
            value_clause(self.languages, "la", "languages"),
            value_clause(self.journals, "ta", "journals"),
            # Unquoted, `smith j` also finds `smith ja`, as people expect of an author's name.
            value_clause(self.authors, "au", "authors", "AND", quoted=False),
            value_clause(self.mesh_terms, "mh", "mesh_terms", "AND"),
            _SPECIES.get(self.species, ""),
            " OR ".join(AGES[age] for age in dict.fromkeys(self.ages)),
            f'"{self.sex}"[mh]' if self.sex else "",
            *(STUDY_FILTERS[name] for name in dict.fromkeys(self.study_filters)),
            "hasabstract" if self.has_abstract else "",
            "free full text[sb]" if self.free_full_text else "",
        ]


def effective(query: str, clauses: Sequence[str]) -> str:
    """What is sent: the query alone, or `(query) AND (clause) AND …`; the query's own text stays as it is."""
    wanted = [clause for clause in clauses if clause]
    if not wanted:
        return query
    return " AND ".join([f"({query})", *(clause if _closed(clause) else f"({clause})" for clause in wanted)])


def _closed(clause: str) -> bool:
    """Whether a clause needs no parentheses: a single term, or one that has them already."""
    return " OR " not in clause and " AND " not in clause and " NOT " not in clause
