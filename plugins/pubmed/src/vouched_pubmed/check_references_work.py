"""Answers pubmed_check_references: finds the record behind each reference and says where the two differ."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

import msgspec
from vouched.api import (
    Answer,
    Article,
    Context,
    InvalidArgument,
    Missing,
    NotFound,
    ParsedReference,
    Ref,
    Struct,
    canonical,
)

from vouched_pubmed.check_references import MOST, CheckResult, CheckRow, Given, ReferenceAgreement
from vouched_pubmed.kept import kept
from vouched_pubmed.records import checked, notice_row, view_of
from vouched_pubmed.reference_compare import compare
from vouched_pubmed.reference_find import Finding, find_records
from vouched_pubmed.reference_text import ids_in_text, parse_reference
from vouched_pubmed.reference_words import is_unread

__all__ = ["answer"]

# Links that say something of the standing of a cited work; comments do not.
SERIOUS = frozenset(
    (
        "RetractionIn",
        "PartialRetractionIn",
        "RetractedandRepublishedIn",
        "ExpressionOfConcernIn",
        "ErratumIn",
        "CorrectedandRepublishedIn",
        "UpdateIn",
    )
)
NOT_READ = (
    "It could not be read as a citation: its title could not be told from its other parts, so PubMed was not asked for "
    "it. Send it in `citations`, by fields."
)
ONE_OF = "exactly one of ids, references, citations, artifact"


class Position(Struct):
    """What a cursor holds: rows already checked and kept, the next of them, and where the next batch begins."""

    kept: str
    offset: int
    start: int
    status_checked: str = ""


async def answer(
    ctx: Context,
    ids: Sequence[Ref] | None,
    references: Sequence[str] | None,
    citations: Sequence[Given] | None,
    artifact: str,
) -> Answer[CheckResult]:
    """One row a reference; rows already checked are kept for the pages that follow."""
    entries, bad = await _entries(ctx, ids, references, citations, artifact)
    state = ctx.state(Position) or Position("", 0, 0)
    if state.kept:
        rows = msgspec.json.decode(await kept(ctx, state.kept), type=list[CheckRow])
    else:
        batch = entries[state.start : state.start + MOST]
        findings = await find_records(ctx, batch)
        rows = [_row(entry, found, bad.get(entry.position)) for entry, found in zip(batch, findings, strict=True)]
        _raise_if_nothing(rows, findings)
        state.status_checked = checked(found.record for found in findings)
        _note(ctx, rows, findings)
    left = rows[state.offset :]
    state.kept = state.kept or await _keep(ctx, rows, left)
    following = state.start + len(rows)

    def after(count: int) -> Position | None:
        if count < len(left):
            return Position(state.kept, state.offset + count, state.start, state.status_checked)
        return Position("", 0, following) if following < len(entries) else None

    fitted = ctx.fit(left, after)
    result = CheckResult(len(entries), len(fitted.rows), fitted.rows, _counts(rows), state.start + state.offset)
    result.remaining = len(entries) - result.offset - result.returned
    result.status_checked = state.status_checked
    failed = any(row.verdict == "failed" for row in rows)
    return Answer(result, "partial" if failed else "ok", fitted.next_cursor)


async def _entries(
    ctx: Context,
    ids: Sequence[Ref] | None,
    references: Sequence[str] | None,
    citations: Sequence[Given] | None,
    artifact: str,
) -> tuple[list[ParsedReference], dict[int, str]]:
    """The references, numbered, and by position why one means nothing."""
    given = [name for name, value in (("ids", ids), ("references", references), ("citations", citations)) if value]
    if len(given) + bool(artifact) != 1:
        raise InvalidArgument(
            f"Give {ONE_OF}; {', '.join([*given, *(['artifact'] if artifact else [])]) or 'none'} was given.",
            path=given[0] if given else "ids",
            expected=ONE_OF,
            example='{"references": ["Doe J. A title. J Test. 2020;1(2):3-9."]}',
        )
    if artifact:
        return await _of_artifact(ctx, artifact), {}
    bad: dict[int, str] = {}
    entries: list[ParsedReference] = []
    for position, ref in enumerate(ids or (), 1):
        if ref.id is None or ref.id.scheme not in ("pmid", "pmcid", "doi", "nbk"):
            bad[position] = ref.problem or f"PubMed knows no {ref.id.scheme.upper() if ref.id else ''} ids."
        named = {ref.id.scheme: ref.id.value} if ref.id else {}
        entries.append(ParsedReference(named, key=ref.input, position=position))
    entries += [parse_reference(text, position) for position, text in enumerate(references or (), 1)]
    for position, one in enumerate(citations or (), 1):
        fields = {name: str(value).strip() for name, value in msgspec.to_builtins(one).items()}
        named = {scheme: value for scheme in ("pmid", "pmcid", "doi") if (value := fields.pop(scheme, ""))}
        if "doi" in named:
            # People paste it as the address that it resolves at.
            named["doi"] = ids_in_text(unquote(named["doi"])).get("doi", named["doi"])
        entries.append(ParsedReference(named, fields, fields.pop("key", ""), position))
    return entries, bad


async def _of_artifact(ctx: Context, name: str) -> list[ParsedReference]:
    id_ = name.strip().removeprefix("artifact:").rpartition("/")[2]
    try:
        _, content = await ctx.session.artifact(id_)
        entries = msgspec.json.decode(content, type=list[ParsedReference])
    except NotFound:
        raise InvalidArgument("There is no such artifact in your sessions.", path="artifact") from None
    except (msgspec.MsgspecError, UnicodeError):
        raise InvalidArgument(
            "That artifact is no parsed bibliography: a JSON list of {ids, fields, key, position, text}.",
            path="artifact",
            hint="Send citation strings in `references` instead.",
        ) from None
    if not entries:
        raise InvalidArgument("That bibliography has no entries.", path="artifact")
    return [_numbered(entry, position) for position, entry in enumerate(entries, 1)]


def _numbered(entry: ParsedReference, position: int) -> ParsedReference:
    """With its place in the list; an entry of which the parser could tell nothing is read as a citation string."""
    if entry.text and not entry.ids and not entry.fields:
        read = parse_reference(entry.text, position)
        return msgspec.structs.replace(read, key=entry.key)
    return msgspec.structs.replace(entry, position=position)


def _named(entry: ParsedReference) -> str:
    return (entry.key or entry.text or entry.fields.get("title", "") or " ".join(entry.ids.values()))[:300]


def _cited(article: Article) -> str:
    """A record in one line, for an id that leads to it."""
    row = view_of(article, "brief")
    title = row.title if len(row.title) <= 200 else f"{row.title[:200]}…"
    return f"PMID {row.pmid}: {title} {row.journal or row.book} {row.date}".strip()


def _row(entry: ParsedReference, found: Finding, problem: str | None) -> CheckRow:
    row = CheckRow(entry.position, _named(entry), "matches")
    if problem is not None:
        row.verdict, row.reason = "invalid", problem
        return row
    record = found.record
    if record is None:
        missing = found.missing
        if found.fault is not None:
            missing = Missing("failed", found.fault.message, retryable=found.fault.retryable)
        elif not entry.fields and not any(canonical(scheme, value) for scheme, value in entry.ids.items()):
            missing = Missing("invalid", _unreadable(entry))
        elif missing.state == "not_found" and is_unread(entry):
            missing = Missing("invalid", NOT_READ)
        row.verdict, row.reason, row.retryable = missing.state, missing.reason, missing.retryable
        row.candidates = found.others
        return row
    row.found_by = found.by
    comparison = compare(entry, record)
    row.differs = comparison.differs
    for one in row.differs:
        other = found.elsewhere.get(one.field)
        one.belongs_to = _cited(other) if other is not None else ""
    if entry.fields or len(entry.ids) > 1:
        row.agreement = comparison.agreement
    row.verdict = "differs" if row.differs else "matches"
    row.record = view_of(record, "brief")
    row.record.types, row.record.url = [], ""
    row.status, row.signals, row.is_notice = row.record.status, row.record.signals, row.record.is_notice
    row.notices = [notice_row(notice) for notice in record.notices if notice.type in SERIOUS]
    return row


def _unreadable(entry: ParsedReference) -> str:
    wrong = ", ".join(f"{value[:60]!r} is no {scheme.upper()}" for scheme, value in entry.ids.items())
    return f"{wrong}." if wrong else "No identifier, title, journal or year could be read from it."


def _raise_if_nothing(rows: Sequence[CheckRow], findings: Sequence[Finding]) -> None:
    faults = [found.fault for found in findings if found.fault is not None]
    if faults and all(row.verdict == "failed" for row in rows):
        raise faults[0]


def _counts(rows: Sequence[CheckRow]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.verdict] = counts.get(row.verdict, 0) + 1
    for row in rows:
        if row.status not in ("", "none_found", "not_checked"):
            counts[row.status] = counts.get(row.status, 0) + 1
    return counts


def _note(ctx: Context, rows: Sequence[CheckRow], findings: Sequence[Finding]) -> None:
    found = [record.ids["pmid"] for one in findings if (record := one.record) and "pmid" in record.ids]
    ctx.note("ids", [f"pmid:{pmid}" for pmid in dict.fromkeys(found)])
    ctx.note("total", len(rows))
    grave = [row.position for row in rows if row.status in ("retracted", "retracted_and_republished", "concern")]
    if grave:
        ctx.warn(f"Retracted or of concern: {_listed(grave)}.")
    unread = [row.position for row in rows if row.verdict == "matches" and _title_unsure(row.agreement)]
    if unread:
        ctx.warn(f"A title was not told apart, so compare it with the record's by eye: {_listed(unread)}.")
    withdrawn = [row.position for row in rows if row.status == "withdrawn_heuristic"]
    if withdrawn:
        ctx.warn(f"Withdrawn, as the title alone says (withdrawn_heuristic): {_listed(withdrawn)}.")


def _title_unsure(agreement: ReferenceAgreement | None) -> bool:
    return agreement is not None and agreement.title == "not_comparable"


def _listed(positions: Sequence[int]) -> str:
    named = ", ".join(str(position) for position in positions[:20])
    more = f" and {len(positions) - 20} more" if len(positions) > 20 else ""
    return f"{'reference' if len(positions) == 1 else 'references'} {named}{more}"


async def _keep(ctx: Context, rows: list[CheckRow], left: list[CheckRow]) -> str:
    """Keep the rows where they do not fit into one answer, so that later pages need not check again."""
    if not ctx.fit(left).held_back:
        return ""
    content: Any = msgspec.json.encode(rows)
    artifact = await ctx.keep("pubmed-reference-check.json", content, "application/json", kind="reference_check")
    return artifact.artifact_id
