"""Whatever nests in whatever: each word of a generated article is found exactly once."""

from collections import Counter
from itertools import count

from hypothesis import given, settings
from hypothesis import strategies as st
from vouched.api import FullText
from vouched_europepmc.jats import read_jats

INLINE = ["italic", "bold", "sup", "sub", "xref", "ext-link", "named-content", "inline-formula", "unheard-of"]
# Container -> what may stand in it: block elements by name, "text" for words and inline elements.
CONTENT = {
    name: content.split()
    for name, content in {
        "p": "text list disp-quote fig table-wrap fn boxed-text disp-formula supplementary-material def-list code",
        "sec": "title p sec list fig table-wrap boxed-text disp-quote def-list disp-formula fn-group code fig-group "
        "supplementary-material statement",
        "list": "title list-item",
        "list-item": "label p list",
        "disp-quote": "title p attrib list",
        "boxed-text": "label caption p sec fig table-wrap",
        "caption": "title p",
        "fig": "label caption attrib",
        "fig-group": "label caption fig",
        "table-wrap": "label caption table table-wrap-foot",
        "table": "tr",
        "tr": "td th",
        "td": "text p list",
        "th": "text",
        "table-wrap-foot": "fn p attrib",
        "fn": "label p",
        "fn-group": "title fn",
        "def-list": "title def-item",
        "def-item": "term def",
        "def": "p",
        "term": "text",
        "supplementary-material": "label caption",
        "statement": "label title p",
        "disp-formula": "text label",
        "ack": "title p sec",
        "app-group": "app",
        "app": "title p sec table-wrap",
        "glossary": "title def-list",
        "notes": "title p sec",
        "body": "p sec fig table-wrap list boxed-text",
        "back": "title ack app-group fn-group glossary notes sec",
        "floats-group": "fig table-wrap boxed-text",
        "abstract": "title p sec",
    }.items()
}
ONCE = {"title", "label", "caption", "table-wrap-foot"}


@st.composite
def trees(draw: st.DrawFn, name: str, depth: int = 0) -> str:
    """An element as XML with `@` for each word."""
    if name not in CONTENT:
        return f"<{name}>{draw(texts(depth))}</{name}>"
    few = 3 if depth < 4 else 1
    chosen = draw(st.lists(st.sampled_from(CONTENT[name]), min_size=1, max_size=few))
    kept = [part for place, part in enumerate(chosen) if part not in ONCE or part not in chosen[:place]]
    # Heads come first, as the tag set has it.
    kept.sort(key=lambda part: part not in ("label", "title", "caption"))
    if depth > 7:
        kept = [part for part in kept if part not in CONTENT] or (["text"] if "text" in CONTENT[name] else [])
    inner = "".join(draw(texts(depth)) if part == "text" else draw(trees(part, depth + 1)) for part in kept)
    return f"<{name}>{inner}</{name}>"


@st.composite
def texts(draw: st.DrawFn, depth: int) -> str:
    pieces = draw(st.lists(st.sampled_from(["@", *INLINE]), min_size=1, max_size=3))
    return "".join("@ " if piece == "@" else f"<{piece}>@</{piece}> @ " for piece in pieces)


def numbered(xml: str) -> tuple[str, list[str]]:
    """Each `@` becomes a word of its own: letters, so that no reader takes it for a number."""
    words: list[str] = []
    parts = xml.split("@")
    for number, _ in zip(count(), parts[1:], strict=False):
        words.append("w" + "".join("abcdefghij"[int(digit)] for digit in f"{number:04d}") + "x")
    return "".join(part + word for part, word in zip(parts, [*words, ""], strict=True)), words


def held(text: FullText) -> list[str]:
    found = [block.text for section in text.sections for block in section.blocks]
    paths = [section.path for section in text.sections]
    # A title is one word of ours however often it stands in a path.
    found += {word: None for path in paths for title in path for word in title.split()}
    for table in text.tables:
        found += [table.label if not table.id.endswith("-2") else "", table.caption, *table.notes]
        found += [cell for row in table.header + table.rows for cell in row]
    for figure in text.figures:
        found += [figure.label, figure.caption]
    return " ".join(found).replace(":", " ").replace("[", " ").replace("]", " ").replace("^", " ").split()


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.tuples(trees("abstract"), trees("body"), trees("back"), trees("floats-group")))
def test_each_word_is_found_exactly_once(parts: tuple[str, str, str, str]) -> None:
    abstract, body, back, floats = parts
    xml = f"<article><front><article-meta>{abstract}</article-meta></front>{body}{back}{floats}</article>"
    document, words = numbered(xml.replace("<body>", "<body><p>@</p>"))
    text = read_jats(document.encode())
    assert isinstance(text, FullText)
    ours = Counter(word.strip(".,") for word in held(text) if word.startswith("w"))
    assert ours == Counter(words), document
