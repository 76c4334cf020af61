"""pubmed_check_references: does what a reference list says agree with PubMed, and does it still stand?"""

from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import unquote

import msgspec
from vouched.api import (
    Answer,
    Context,
    Cursor,
    Ids,
    InvalidArgument,
    Meta,
    Missing,
    NotFound,
    ParsedReference,
    Ref,
    Struct,
    TextList,
    tool,
)

from vouched_pubmed.records import NoticeRow, RecordView, checked, notice_row, view_of
from vouched_pubmed.reference_compare import Difference, differences
from vouched_pubmed.reference_find import Finding, find_records
from vouched_pubmed.reference_text import ids_in_text, parse_reference

__all__ = ["check_references"]

MOST = 200
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
ONE_OF = "exactly one of ids, references, citations, artifact"


class Given(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A reference by fields; `authors` separated by semicolons, `key` the caller's own name for it."""

    title: str = ""
    authors: str = ""
    journal: str = ""
    year: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    doi: str = ""
    pmid: str = ""
    pmcid: str = ""
    key: str = ""


class CheckRow(Struct, omit_defaults=True):
    """One reference.

    Attributes:
        position: 1-based; input: id, string, key or title as given.
        verdict: matches, differs, not_found, ambiguous, unsupported, invalid or failed.
        status: standing of the record found (retracted, concern, corrected … none_found); signals: all of them.
        differs: fields whose value is not the record's; record: the right record.
        notices: of retraction, concern, correction, update; found_by: id, ecitmatch or title.
        candidates: PMIDs of an ambiguous one.
    """

    position: int
    input: str
    verdict: str
    status: str = ""
    signals: list[str] = []
    is_notice: bool = False
    differs: list[Difference] = []
    record: RecordView | None = None
    notices: list[NoticeRow] = []
    found_by: str = ""
    candidates: list[str] = []
    reason: str = ""
    retryable: bool = False


class CheckResult(Struct, omit_defaults=True):
    """A page of rows.

    Attributes:
        total: references submitted; returned: rows here; remaining: rows of this check that the cursor brings.
        counts: verdicts and grave standings of all references checked so far by this call.
    """

    total: int
    returned: int
    rows: list[CheckRow]
    counts: dict[str, int] = {}
    offset: int = 0
    remaining: int = 0
    status_checked: str = ""


class Position(Struct):
    """What a cursor holds: rows already checked and kept, the next of them, and where the next batch begins."""

    kept: str
    offset: int
    start: int
    status_checked: str = ""


@tool(
    aliases=("check_references", "verify_reference_list", "verify_references"),
    synonyms={"texts": "references"},
    serves="check a reference list",
)
async def check_references(
    ctx: Context,
    ids: Annotated[Ids | None, Meta(max_length=MOST)] = None,
    references: Annotated[TextList | None, Meta(max_length=MOST, description="citation strings")] = None,
    citations: Annotated[list[Given] | None, Meta(max_length=MOST)] = None,
    artifact: Annotated[str, Meta(description="of a parsed bibliography")] = "",
    cursor: Cursor = None,
) -> Answer[CheckResult]:
    """Check a reference list against PubMed: does each entry exist, is it described right, has it been retracted,
    corrected or put in doubt? Give exactly one of ids, references, citations or artifact. To find PMIDs only, use
    pubmed_lookup_citation. Returns one row each: matches, differs (which field), not_found, with standing and record.
    """
    entries, bad = await _entries(ctx, ids, references, citations, artifact)
    state = ctx.state(Position) or Position("", 0, 0)
    if state.kept:
        rows = await _kept(ctx, state.kept)
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
    result.remaining, result.status_checked = fitted.held_back, state.status_checked
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
        elif not entry.ids and not entry.fields:
            missing = Missing("invalid", "No identifier, title, journal or year could be read from it.")
        row.verdict, row.reason, row.retryable = missing.state, missing.reason, missing.retryable
        row.candidates = found.others
        return row
    row.found_by = found.by
    row.differs = differences(entry, record)
    row.verdict = "differs" if row.differs else "matches"
    row.record = view_of(record, "brief")
    row.record.types, row.record.url = [], ""
    row.status, row.signals, row.is_notice = row.record.status, row.record.signals, row.record.is_notice
    row.notices = [notice_row(notice) for notice in record.notices if notice.type in SERIOUS]
    return row


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
        listed = ", ".join(str(position) for position in grave[:20])
        ctx.warn(f"Retracted or of concern: {'reference' if len(grave) == 1 else 'references'} {listed}.")


async def _keep(ctx: Context, rows: list[CheckRow], left: list[CheckRow]) -> str:
    """Keep the rows where they do not fit into one answer, so that later pages need not check again."""
    if not ctx.fit(left).held_back:
        return ""
    content: Any = msgspec.json.encode(rows)
    artifact = await ctx.keep("pubmed-reference-check.json", content, "application/json", kind="reference_check")
    return artifact.artifact_id


async def _kept(ctx: Context, artifact_id: str) -> list[CheckRow]:
    _, content = await ctx.session.artifact(artifact_id)
    return msgspec.json.decode(content, type=list[CheckRow])
