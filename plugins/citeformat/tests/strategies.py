"""Random articles for property tests: what sources really hold, and what nobody should send."""

from hypothesis import strategies as st
from vouched.api import (
    AbstractPart,
    Article,
    Author,
    Book,
    Date,
    ELocation,
    Journal,
    Keyword,
    Locator,
    Notice,
    PublicationType,
)

__all__ = ["articles", "clean_articles", "hostile"]

# Letters of several scripts, what formats give a meaning to, line ends, controls, private and surrogate characters.
PIECES = [
    "gene", "Mouse", "mTOR", "p53", "DNA", "x", "é", "Ø", "αβ", "王明", "–", "—", "--", "...", "?", "!", ".", ",", ";",
    ":",
    '"', "'", "“", "”", "’", "(", ")", "[",
    "]", "{", "}", "\\", "$", "&", "%", "#", "_", "~", "^", "<", ">", "|",
    "*", "`", "@", "@article{x,", "}\n}", "\r\nER  - ", "\nPMID- 1", "<script>", "</i>", "&lt;i&gt;", "&amp;",
    "http://x.y", " and ", "\t", "\x00",
    "\u200b", "\ue000", "\ue009", "\ud800", "\u00a0", "1-2", "10.1/x", "=1+1",
]  # fmt: skip
hostile = st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join) | st.lists(
    st.sampled_from(PIECES), max_size=6
).map("".join)
words = st.lists(
    st.sampled_from(["gene", "Mouse", "of", "the", "mTOR", "p53", "DNA", "αβ", "naïve", "x-ray", "A/B", "in"]),
    min_size=1,
    max_size=9,
).map(" ".join)
plain_titles = st.builds(
    lambda one, sign, two, end: f"{one}{sign}{two}{end}",
    words,
    st.sampled_from([": ", "? ", " - ", ", "]),
    words,
    st.sampled_from([".", "?", "!", ""]),
)
markups = st.lists(
    st.sampled_from(["<i>", "</i>", "<b>", "</b>", "<sub>", "</sub>", "<sup>", "</sup>", "a", "B c", "&lt;", "&amp;"]),
    max_size=10,
).map("".join)
years = st.none() | st.integers(1800, 2030)
dates = st.builds(
    Date,
    year=years,
    month=st.none() | st.integers(1, 12),
    day=st.none() | st.integers(1, 28),
    end_year=st.none() | st.integers(1800, 2030),
    end_month=st.none() | st.integers(1, 12),
    season=st.sampled_from(["", "", "", "Spring", "Winter-Spring"]),
)


def people(text: st.SearchStrategy[str]) -> st.SearchStrategy[list[Author]]:
    person = st.builds(
        Author,
        family=text,
        given=text,
        initials=st.sampled_from(["", "A", "AB"]),
        suffix=st.sampled_from(["", "", "Jr", "3rd"]),
    )
    return st.lists(person | st.builds(Author, collective=text), max_size=25)


def build(text: st.SearchStrategy[str], titles: st.SearchStrategy[str]) -> st.SearchStrategy[Article]:
    return st.builds(
        Article,
        ids=st.fixed_dictionaries(
            {},
            optional={
                "pmid": st.integers(1, 99_999_999).map(str),
                "doi": st.sampled_from(["10.9999/a_b", "10.9999/(X)1<2>3;4-5#6%20", "10.9999/x.y"]),
                "pmcid": st.just("PMC123"),
            },
        ),
        kind=st.sampled_from(["article", "article", "article", "preprint", "chapter", "book", "other"]),
        title=titles,
        title_markup=st.just("") | markups,
        vernacular_title=st.just("") | text,
        authors=people(text),
        editors=people(text),
        journal=st.builds(Journal, title=text, abbreviation=text, issn=st.just("9990-0001")),
        book=st.none() | st.builds(Book, title=text, publisher=text, place=text, date=dates),
        volume=st.sampled_from(["", "12", "19 Suppl 1"]) | text,
        issue=st.sampled_from(["", "3", "3-4", "Suppl_1", "Forthcoming"]),
        locator=st.builds(
            Locator, text=st.sampled_from(["", "1-14", "737-8", "e12345", "S12-S9", "E1; discussion E2"]) | text
        ),
        e_locations=st.lists(st.builds(ELocation, type=st.sampled_from(["pii", "doi"]), value=text), max_size=2),
        date=dates,
        electronic_date=dates,
        revision_date=dates,
        contribution_date=dates,
        languages=st.sampled_from([[], ["eng"], ["ger"], ["eng", "chi"], ["xxx"]]),
        types=st.sampled_from([[], [PublicationType("Retracted Publication", "D016441")]]),
        notices=st.lists(
            st.builds(Notice, type=st.sampled_from(["RetractionIn", "ErratumIn", "CommentIn"]), source=text), max_size=2
        ),
        keywords=st.lists(st.builds(Keyword, term=text), max_size=2),
        abstract=st.lists(st.builds(AbstractPart, text=text, label=text), max_size=2),
        publication_status=st.sampled_from(["", "ppublish", "epublish", "aheadofprint"]),
        publication_model=st.sampled_from(["", "Print", "Electronic", "Print-Electronic", "Electronic-eCollection"]),
        source=st.just("eutils"),
        retrieved_at=st.just("2026-11-30T00:00:00Z"),
    )


articles = build(hostile, hostile)
# What a real source holds: no markup but its own, punctuation only where titles have it.
clean_articles = build(words, plain_titles)
