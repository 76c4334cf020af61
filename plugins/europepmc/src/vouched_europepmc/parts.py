"""A full text in pieces that an answer can carry: blocks in reading order, an outline, sections by name."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from vouched.api import Figure, FullText, OutlineEntry, Table

from vouched_europepmc.fetch_article import Part
from vouched_europepmc.names import is_part

__all__ = ["ARROW", "chosen", "inventory", "joined", "length", "outline", "pieces", "unnamed"]

ARROW = " > "
REFERENCES = "References"


def pieces(text: FullText) -> list[Part]:
    """The text in reading order, one piece a block, table, figure or reference.

    Tables and figures follow the section that they belong to; those of no section stand before the references.
    """
    last = {tuple(section.path): position for position, section in enumerate(text.sections)}
    floats: dict[int, list[Part]] = {}
    for one in (*map(_table, text.tables), *map(_figure, text.figures)):
        floats.setdefault(last.get(tuple(one.path.split(ARROW)), len(text.sections)), []).append(one)
    found: list[Part] = []
    for position, section in enumerate(text.sections):
        path = ARROW.join(section.path)
        found += [Part(section.id, path, blocks=[block]) for block in section.blocks]
        found += floats.get(position, [])
    found += floats.get(len(text.sections), [])
    found += [Part("references", REFERENCES, "references", references=[one]) for one in text.references]
    return found


def _table(table: Table) -> Part:
    return Part(
        table.id,
        ARROW.join(table.path),
        "table",
        table.label,
        table.caption,
        header=table.header,
        rows=table.rows,
        notes=table.notes,
        spans=table.spans,
    )


def _figure(figure: Figure) -> Part:
    return Part(figure.id, ARROW.join(figure.path), "figure", figure.label, figure.caption)


def joined(parts: Iterable[Part]) -> list[Part]:
    """Neighbouring pieces of one section, or of the reference list, as one part again."""
    found: list[Part] = []
    for part in parts:
        before = found[-1] if found else None
        if before and part.kind in ("section", "references") and (before.kind, before.id) == (part.kind, part.id):
            found[-1] = msgspec.structs.replace(
                before, blocks=[*before.blocks, *part.blocks], references=[*before.references, *part.references]
            )
        else:
            found.append(part)
    return found


def length(part: Part) -> int:
    """Characters of text in a part."""
    return sum(map(len, _texts(part)))


def _texts(part: Part) -> Iterator[str]:
    yield from (part.label, part.caption, *part.notes)
    yield from (block.text for block in part.blocks)
    for row in (*part.header, *part.rows):
        yield from row
    for reference in part.references:
        yield reference.text or " ".join((reference.title, reference.source, reference.year))


def outline(parts: Sequence[Part]) -> list[OutlineEntry]:
    """Everything that can be asked for by name, in reading order, with its characters: each section (what stands
    directly under it), each table and figure ("Results > Table 1"), and the reference list."""
    sizes: dict[str, int] = {}
    for part in parts:
        name = _entry(part)
        sizes[name] = sizes.get(name, 0) + length(part)
    return [OutlineEntry(name, size) for name, size in sizes.items()]


def _entry(part: Part) -> str:
    if part.kind in ("section", "references"):
        return part.path
    return ARROW.join(piece for piece in (part.path, part.label.rstrip(".: ") or part.id) if piece)


def inventory(parts: Sequence[Part]) -> str:
    """What the outline lists: "4 sections, 1 table, no figures, 2 references"."""
    counts = {
        kind: len({_entry(part) for part in parts if part.kind == kind}) for kind in ("section", "table", "figure")
    }
    counts["reference"] = sum(len(part.references) for part in parts)
    return ", ".join(f"{count or 'no'} {kind}{'' if count == 1 else 's'}" for kind, count in counts.items())


def chosen(parts: Sequence[Part], names: Sequence[str]) -> list[Part]:
    """The parts that one of `names` names: part of a title anywhere in the path, a label ("Table 2"), an id, a line of
    the outline, or one of tables, figures and references."""
    return [part for part in parts if any(_is_named(part, name) for name in names)]


def unnamed(parts: Sequence[Part], names: Sequence[str]) -> list[str]:
    """The names that name nothing."""
    return [name for name in names if not any(_is_named(part, name) for part in parts)]


def _is_named(part: Part, name: str) -> bool:
    wanted = " ".join(name.casefold().split())
    kinds = {part.kind, part.kind + "s"}
    exact = {part.id.casefold(), part.label.casefold().rstrip(".: "), _entry(part).casefold()}
    return bool(wanted) and (wanted in kinds or wanted in exact or is_part(name, part.path))
