"""The host: sources + tools + services. `Host.call(name, arguments)` is the one way in, for every face."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from importlib import metadata, resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from vouched import __version__, answer, arguments, builtin, faces, ids, overflow, registry, resolving
from vouched import plugins as loading
from vouched.answer import Envelope, Provenance, Result
from vouched.article import Article
from vouched.calls import Handles, Journal
from vouched.context import Context, Deadline, Licences
from vouched.extensions import Style
from vouched.faults import DeadlineExceeded, Fault, InternalFault, NotFound, ProviderFailed
from vouched.fulltext import TextAnswer
from vouched.journal import Owner, SessionStore
from vouched.registry import BoundTool
from vouched.remote import Http, Source, Transport
from vouched.render import render
from vouched.settings import Settings, load
from vouched.text import clean
from vouched.tooling import Answer

if TYPE_CHECKING:
    from vouched.services.http import HttpService

__all__ = ["Host", "Progress"]

Progress = Callable[[float, float | None, str], Awaitable[None]]
# A tool answers by its deadline on its own; this much later it is stopped from outside.
GRACE_SECONDS = 1.0
log = logging.getLogger("vouched.host")


class Host:
    """Plugins, their tools and the shared services.

    Args:
        settings: read from the environment by default.
        entries: entry points to load, the installed ones by default.
        plugins: further plugins by name, as modules or objects (for tests and for embedding).
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        entries: Iterable[metadata.EntryPoint] | None = None,
        plugins: Mapping[str, Any] | None = None,
    ) -> None:
        self.settings = settings or load()
        given = {**(plugins or {}), "vouched": builtin}
        self.plugins, self.reports = loading.load(self.settings, loading.find() if entries is None else entries, given)
        self.registry = registry.collect(self.plugins)
        own = next(plugin for plugin in self.plugins if plugin.name == "vouched")
        self.registry.resources.insert(0, (own, faces.status_resource(self)))
        self.styles: Mapping[str, Style] = self.registry.styles
        self._schemes = (*ids.BUILTIN_SCHEMES, *resolving.schemes(self.registry.resolvers))
        self._http: HttpService | None = None
        self._store: SessionStore | None = None
        self._licence: Licences | None = None

    async def __aenter__(self) -> "Host":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close connections and the session store."""
        if self._http is not None:
            await self._http.aclose()
        if self._store is not None:
            await self._store.aclose()

    # The services, as `vouched.context.Services` wants them; each is made when first needed.

    def http(self, source: str, context: Context) -> Http:
        """The client of `source` for one call."""
        if source not in self.registry.sources:
            raise InternalFault(f"No plugin declares a source {source!r}.")
        return self.http_service.client(source, context)

    @property
    def http_service(self) -> "HttpService":
        """The polite clients of all sources."""
        if self._http is None:
            from vouched.services.http import HttpService

            self._http = HttpService(
                self.settings, self.registry.sources, provide_transport=self._transport, recordings=self.recordings()
            )
        return self._http

    def _transport(self, source: Source, settings: Settings) -> Transport | None:
        chosen = self.settings.providers.transport
        _, transport = loading.provider(self.plugins, "provide_transport", chosen, source=source, settings=settings)
        return transport  # type: ignore[no-any-return]

    def recordings(self) -> list[Path]:
        """Folders of recorded exchanges: the plugins' own, then the user's."""
        own = [path for plugin in self.plugins if (path := package_folder(plugin, "recordings"))]
        return [*own, *self.settings.recordings]

    @property
    def store(self) -> SessionStore:
        """The session store."""
        if self._store is None:
            chosen = self.settings.providers.session
            name, store = loading.provider(self.plugins, "provide_session", chosen, settings=self.settings)
            if store is None:
                raise ProviderFailed(f"No plugin provides a session store{f' (asked: {chosen})' if chosen else ''}.")
            log.debug("sessions are kept by %s", name)
            self._store = store
        return self._store

    @property
    def licence(self) -> Licences:
        """The licence gate; a policy that cannot be had denies everything."""
        if self._licence is None:
            from vouched.services.licence import Gate

            try:
                chosen = self.settings.providers.licence
                _, policy = loading.provider(self.plugins, "provide_licence", chosen, settings=self.settings)
            except ProviderFailed as fault:
                log.error("%s Everything is denied.", fault.message)
                policy = None
            self._licence = Gate(policy, self.settings)
        return self._licence

    def articles(self, context: Context) -> resolving.ArticleService:
        """Ids to articles, for one call."""
        return resolving.ArticleService(self.registry.resolvers, context)

    async def text(self, context: Context, article: Article) -> TextAnswer:
        """The licensed text of an article."""
        return await resolving.find_text(self.registry.texts, context, article)

    # Calls

    def context(self, owner: Owner | None = None, **details: Any) -> Context:
        """A context outside a tool call: for resources, prompts and checks."""
        return Context(self, owner or Owner(client="host"), **details)

    async def call(
        self, name: str, raw: Any = None, *, owner: Owner | None = None, report: Progress | None = None
    ) -> Result:
        """Call a tool by name or alias with what a client sent.

        Returns:
            Always a result; failures stand in it. Only cancellation passes through.

        Raises:
            NotFound: for an unknown tool, since there is no schema that an answer could follow.
        """
        bound = self.registry.tool(name)
        if bound is None or bound not in self.registry.listed(self.settings):
            near = ", ".join(sorted(tool.name for tool in self.registry.listed(self.settings)))
            raise NotFound(f"There is no tool {name[:80]!r}.", hint=f"Tools: {near}.")
        owner = owner or Owner(client="python")
        form = self.settings.text
        context: Context | None = None
        params: dict[str, Any] = {}
        try:
            values = arguments.read(bound.name, bound.parameters, raw, bound.tool.synonyms)
            form = values.get("output_format") or form
            handles = Handles(self.store if _needs_session(values, bound) else None, owner, self._schemes)
            values, params = await handles.expand(values, bound.parameters)
            bound_to = answer.fingerprint(bound.name, params)
            cursor = values.get("cursor")
            state = (
                answer.open_cursor(cursor, bound.name, bound_to) if cursor and "cursor" in bound.parameters else None
            )
            context = Context(
                self,
                owner,
                tool=bound.name,
                plugin=bound.plugin.name,
                run_id=_new_run_id(bound),
                report=report,
                deadline=Deadline(bound.tool.deadline or self.settings.limits.deadline),
                fingerprint=bound_to,
                state=state,
            )
            for warning in handles.said:
                context.warn(warning)
            return await self._run(bound, context, values, params, form)
        except Fault as fault:
            return self._finish(bound, context, params, form, Envelope(status="error", error=answer.error_info(fault)))

    async def _run(
        self, bound: BoundTool, context: Context, values: Mapping[str, Any], params: dict[str, Any], form: str
    ) -> Result:
        journal = Journal(self.store, context) if context.run_id else None
        if journal:
            await journal.start(params)
        try:
            envelope = await self._execute(bound, context, values)
        except asyncio.CancelledError:
            if journal:
                await asyncio.shield(journal.cancel())
            raise
        result = self._finish(bound, context, params, form, envelope)
        if journal:
            await journal.finish(result)
        return result

    async def _execute(self, bound: BoundTool, context: Context, values: Mapping[str, Any]) -> Envelope:
        try:
            async with asyncio.timeout(context.deadline.remaining() + GRACE_SECONDS):
                given = await bound.tool.function(context, **values)
            said: Answer[Any] = given if isinstance(given, Answer) else Answer(given)
            context.attachments.extend(said.attachments)
            data = None if said.data is None else _cleaned(msgspec.to_builtins(said.data))
            if data is not None and context.run_id:
                # A call that is not recorded writes nothing at all; it keeps within the budget by itself.
                data = await overflow.shortened(data, context)
            return Envelope(
                status=said.status,
                data=data,
                next_cursor=said.next_cursor,
                outline=list(said.outline),
                restriction=_cleaned_restriction(said),
            )
        except TimeoutError:
            fault: Fault = DeadlineExceeded("The call's time is over.", hint="Ask for less at once.")
        except Fault as raised:
            fault = raised
        except Exception as error:
            # The defect goes to the log with its traceback; the caller learns its kind, never its internals.
            log.exception("tool %s failed", bound.name)
            fault = InternalFault(
                f"{bound.name} failed: {type(error).__name__}.", hint="Please report it; the log has the details."
            )
        return Envelope(status="error", error=answer.error_info(fault))

    def _finish(
        self, bound: BoundTool, context: Context | None, params: dict[str, Any], form: str, envelope: Envelope
    ) -> Result:
        provenance = None
        warnings: list[str] = []
        if context is not None:
            warnings = [clean(warning) for warning in context.warnings]
            sources, more = answer.shortened(context.exchanges)
            provenance = Provenance(
                tool=bound.name,
                query_params=params,
                versions=self._versions(bound, context),
                run_id=context.run_id,
                sources=sources,
                more_sources=more,
            )
        whole = msgspec.structs.replace(envelope, warnings=warnings, provenance=provenance)
        structured = msgspec.to_builtins(whole)
        return Result(structured, render(structured, form), list(context.attachments) if context else [])

    def _versions(self, bound: BoundTool, context: Context) -> dict[str, str]:
        """Host, the tool's plugin, and the plugins whose sources were asked."""
        took_part = {bound.plugin.name}
        for exchange in context.exchanges:
            took_part |= self.registry.askers.get(exchange.source, set())
        versions = {"vouched": __version__}
        for plugin in self.plugins:
            if plugin.name in took_part and plugin.name != "vouched":
                versions[plugin.report.distribution or plugin.name] = plugin.report.version
        return versions


def _new_run_id(bound: BoundTool) -> str:
    return secrets.token_hex(8) if bound.tool.journal == "run" else ""


def _needs_session(values: Mapping[str, Any], bound: BoundTool) -> bool:
    return any(
        ids.handle(element) is not None
        for name, parameter in bound.parameters.items()
        if parameter.marker == "ids"
        for element in values.get(name) or ()
    )


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(part) for part in value]
    if isinstance(value, dict):
        return {key: _cleaned(part) for key, part in value.items()}
    return value


def _cleaned_restriction(said: Answer[Any]) -> Any:
    if said.restriction is None:
        return None
    return msgspec.structs.replace(said.restriction, record=_cleaned(msgspec.to_builtins(said.restriction.record)))


def package_folder(plugin: loading.Plugin, name: str) -> Path | None:
    """A folder inside a plugin's package (`recordings`), where it ships one."""
    package = getattr(plugin.module, "__package__", None) or getattr(plugin.module, "__name__", None)
    if not package or package == "vouched":
        return None
    try:
        folder = resources.files(package) / name
    except (ModuleNotFoundError, TypeError):
        return None
    path = Path(str(folder))
    return path if path.is_dir() else None
