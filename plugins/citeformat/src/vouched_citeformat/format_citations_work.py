"""Answers citeformat_format_citations: fetches the records, has every style render them, and keeps whole files."""

import asyncio
from collections.abc import Mapping, Sequence

import msgspec
from vouched.api import (
    Answer,
    Article,
    Context,
    InvalidArgument,
    Missing,
    Ref,
    Struct,
    Style,
    UpstreamUnreachable,
    standing_line,
)

from vouched_citeformat.catalogue import EXPORTS
from vouched_citeformat.caveats import caveats
from vouched_citeformat.csl import StyleFailed
from vouched_citeformat.fields import title
from vouched_citeformat.format_citations import Citations, File, NoticeRow, Row, Unavailable
from vouched_citeformat.formats import chosen
from vouched_citeformat.markup import Markup, line, plain
from vouched_citeformat.notices import shown
from vouched_citeformat.whole import joined, source_notice

__all__ = ["answer"]


HOW_TO_READ = (
    "The whole bibliography is in `files`: read one by its `uri` as a resource or with vouched_read_session (action "
    "artifact, its artifact_id), or write it to the disk with `vouched export URI --out NAME`."
)


class State(Struct):
    """What a cursor holds: rows shown so far."""

    shown: int


async def answer(
    ctx: Context, ids: Sequence[Ref], format: Sequence[str], markup: Markup, include_abstracts: bool, as_file: bool
) -> Answer[Citations]:
    """Citations of `ids` in every format asked for."""
    styles = chosen(ctx, format, len(ids))
    failed: dict[str, str] = {}
    found = await ctx.articles.get(ids)
    _fail_if_nobody_answered(ctx, found)
    articles = [
        article if include_abstracts else _without_abstract(article)
        for article in found
        if isinstance(article, Article)
    ]
    texts = await _rendered(ctx, styles, articles, markup, failed)
    rows = _rows(ids, found, texts, failed)
    result = Citations([], len(ids), len(rows), _unavailable(ids, found), source=source_notice(articles))
    ctx.note("ids", list(dict.fromkeys(row.id for row in rows)))
    ctx.note("total", len(ctx.notes["ids"]))
    state = ctx.state(State)
    if not rows:
        result.notice = _nothing(ctx, found)
    if state is None and (as_file or _is_large(ctx, rows)):
        result.files = [
            await _kept(ctx, style, articles, texts[style.name]) for style in styles.values() if texts.get(style.name)
        ]
        _tell_repeats(ctx, ids, found)
    if result.files:
        result.notice = HOW_TO_READ
    if as_file:
        rows = [msgspec.structs.replace(row, citations={}) for row in rows]
    elif "csv" in styles:
        result.csv_columns = styles["csv"].header.strip()
    return _answer(ctx, result, rows, state.shown if state else 0)


def _fail_if_nobody_answered(ctx: Context, found: Sequence[Article | Missing]) -> None:
    """When every id failed because no source could be asked, the call failed: it is no answer about the ids.

    Faults of one kind are that fault, with its hint; of several kinds, all that is sure is that nobody answered.
    """
    failed = [missing for missing in found if isinstance(missing, Missing) and missing.state == "failed"]
    if failed and len(failed) == len(found):
        ctx.deadline.check()
        first = failed[0]
        if len({missing.code for missing in failed}) > 1:
            reasons = " ".join(list(dict.fromkeys(missing.reason for missing in failed))[:3])
            retryable = any(missing.retryable for missing in failed)
            raise UpstreamUnreachable(reasons, source=first.source, retryable=retryable)
        raise first.fault()


def _without_abstract(article: Article) -> Article:
    return msgspec.structs.replace(article, abstract=[]) if article.abstract else article


async def _rendered(
    ctx: Context,
    styles: Mapping[str, Style],
    articles: Sequence[Article],
    markup: Markup,
    failed: dict[str, str],
) -> dict[str, list[str | None]]:
    """Citations by style, in the order of `articles`; None where a style failed on a record, told in `failed`."""
    texts: dict[str, list[str | None]] = {}
    for number, (name, style) in enumerate(styles.items(), 1):
        form = "text" if name in EXPORTS else markup
        # Formatting is pure work on the processor: off the event loop, so that other calls go on.
        texts[name] = await asyncio.to_thread(_in_style, style, articles, form, failed)
        await ctx.progress(number, len(styles), f"{name}: {len(articles)} citations")
    return texts


def _in_style(style: Style, articles: Sequence[Article], markup: Markup, failed: dict[str, str]) -> list[str | None]:
    out: list[str | None] = []
    for article in articles:
        try:
            out.append(style.render(article, markup))
        except Exception as error:  # a style of somebody else must not take the other formats with it
            reason = str(error) if isinstance(error, StyleFailed) else f"{style.name} ({type(error).__name__})"
            failed.setdefault(style.name, f"style_failed: {reason}")
            out.append(None)
    return out


def _rows(
    refs: Sequence[Ref],
    found: Sequence[Article | Missing],
    texts: Mapping[str, list[str | None]],
    failed: Mapping[str, str],
) -> list[Row]:
    rows: list[Row] = []
    for position, (ref, article) in enumerate(zip(refs, found, strict=True), 1):
        if not isinstance(article, Article):
            continue
        number = len(rows)
        said = {name: text for name, column in texts.items() if (text := column[number]) is not None}
        problems = [*caveats(article), *(reason for name, reason in failed.items() if name not in said)]
        rows.append(
            Row(
                input=ref.input,
                id=str(ref.id) if ref.id else "",
                title=plain(title(article)),
                status=article.status.status,
                citations=said,
                notices=[
                    _notice(article_notice.type, article_notice.source, article_notice.ids, article_notice.note)
                    for article_notice in shown(article)
                ],
                warnings=problems,
                position=position,
            )
        )
    return rows


def _notice(type_: str, source: str, ids: Mapping[str, str], note: str) -> NoticeRow:
    return NoticeRow(type_, line(source), ids.get("pmid", ""), line(note))


def _unavailable(refs: Sequence[Ref], found: Sequence[Article | Missing]) -> list[Unavailable]:
    return [
        Unavailable(ref.input, missing.state, missing.reason or ref.problem, str(ref.id) if ref.id else "", position)
        for position, (ref, missing) in enumerate(zip(refs, found, strict=True), 1)
        if isinstance(missing, Missing)
    ]


def _nothing(ctx: Context, found: Sequence[Article | Missing]) -> str:
    if not ctx.articles.available:
        return "No plugin that has records is installed: nothing could be looked up. Install vouched-pubmed, for one."
    if any(isinstance(missing, Missing) and missing.state == "failed" for missing in found):
        return "No record could be had: a service did not answer, as the rows say. Ask again later."
    return "No record was returned for any of these ids. Check the spelling, or find the articles with a search first."


def _is_large(ctx: Context, rows: Sequence[Row]) -> bool:
    size = sum(len(text) for row in rows for text in row.citations.values())
    return size > ctx.settings.limits.answer_chars - 4_000


def _identity(article: Article) -> str:
    """What makes two records one in a file: the first id that tells records apart (two may share a DOI)."""
    schemes = ("pmid", "ppr", "pmcid", "nbk", "doi")
    return next((f"{name}:{article.ids[name].lower()}" for name in schemes if article.ids.get(name)), str(id(article)))


def _tell_repeats(ctx: Context, refs: Sequence[Ref], found: Sequence[Article | Missing]) -> None:
    """A file has every record once; say which elements name one that stands there already."""
    first: dict[str, int] = {}
    repeats: list[str] = []
    for position, (ref, article) in enumerate(zip(refs, found, strict=True), 1):
        if isinstance(article, Article) and (earlier := first.setdefault(_identity(article), position)) != position:
            repeats.append(f"{position} ({ref.input[:40]}) is {earlier}")
    if repeats:
        more = f" and {len(repeats) - 10} more" if len(repeats) > 10 else ""
        ctx.warn(f"A file has each record once; by position: {', '.join(repeats[:10])}{more}.")


async def _kept(ctx: Context, style: Style, articles: Sequence[Article], texts: Sequence[str | None]) -> File:
    notice = source_notice(articles)
    once = {_identity(article): text for article, text in zip(articles, texts, strict=True) if text}
    entries = list(once.values())
    name = f"bibliography-{style.name}{style.suffix}"
    artifact = await ctx.keep(
        name,
        joined(style, entries, notice),
        style.media_type,
        kind="bibliography",
        source_notice=notice,
        retrieved_at=max((article.retrieved_at for article in articles), default=""),
    )
    return File(style.name, artifact.artifact_id, artifact.uri, name, style.media_type, len(entries), artifact.size)


def _answer(ctx: Context, result: Citations, rows: Sequence[Row], start: int) -> Answer[Citations]:
    if start > len(rows):
        raise InvalidArgument("This cursor points past the last citation.", path="cursor")
    rest = rows[start:]
    fitted = ctx.fit(
        rest,
        lambda kept: State(start + kept) if kept < len(rest) else None,
        reserve=2_000 + sum(len(row.input) + len(row.reason) + 60 for row in result.unavailable),
    )
    result.citations = fitted.rows
    if line := standing_line({row.id: row.status for row in fitted.rows}):
        ctx.warn(line)
    incomplete = any(row.state in ("failed", "unavailable_now", "not_checked") for row in result.unavailable)
    return Answer(result, status="partial" if incomplete else "ok", next_cursor=fitted.next_cursor)
