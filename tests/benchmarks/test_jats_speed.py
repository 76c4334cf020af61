"""JATS to a full text, beside bare lxml parsing of the same bytes in the same run; CPU time.

The bare side collects nothing: `lxml.etree.fromstring` with the same safe parser, the tree dropped again. Our side
parses, too, and collects all that `FullText` holds: every section with its path and blocks (paragraphs, list items,
notes, formulae as text, citation numbers set apart), tables as rows with spans, captions and notes, figures, one
reference for each `ref` with authors, fields and ids, rights statements with their lines, the article's ids, and the
sha256 of the body.
"""

import time
from collections.abc import Callable, Sequence

import pytest

from tests.emulator import corpus_folder

pytestmark = pytest.mark.benchmark
ROUNDS = 9
LEAST = 0.15


def bodies() -> list[bytes]:
    folder = corpus_folder()
    if folder is None:
        pytest.skip("the corpus of upstream responses (VOUCHED_SHARED) is missing")
    folders = (folder / "pmc-jats", folder / "epmc-fulltext")
    return [path.read_bytes() for texts in folders for path in sorted(texts.glob("*.xml"))]


def bare(body: bytes) -> None:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False)
    etree.fromstring(body, parser)


def ours(body: bytes) -> None:
    from vouched_europepmc.jats import read_articles

    read_articles(body)


def seconds(work: Callable[[bytes], None], texts: Sequence[bytes]) -> float:
    began = time.process_time()
    for body in texts:
        work(body)
    return time.process_time() - began


def test_reading_keeps_a_share_of_the_parser_s_speed() -> None:
    """At least 0.15 of bare parsing speed, over all JATS files of the corpus together."""
    texts = bodies()
    seconds(bare, texts)
    seconds(ours, texts)
    # Rounds in turn, the best of each: what else the machine does hits both sides alike.
    rounds = [(seconds(bare, texts), seconds(ours, texts)) for _ in range(ROUNDS)]
    parsing, reading = (min(column) for column in zip(*rounds, strict=True))
    size = sum(map(len, texts)) / 1e6
    print(
        f"\n{len(texts)} files, {size:.1f} MB: bare parsing {parsing * 1e3:.1f} ms ({size / parsing:.0f} MB/s), "
        f"JATS to full text {reading * 1e3:.1f} ms ({size / reading:.0f} MB/s): {parsing / reading:.3f} of its speed"
    )
    assert parsing / reading >= LEAST
