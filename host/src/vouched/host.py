"""The host: sources + tools + services. `Host.call(name, arguments)` is the one way in, for every face.

Listing what is installed loads no more than the listing needs; what a call needs is loaded with the first one.
"""

import logging
from collections.abc import Coroutine, Iterable, Mapping
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vouched import builtin, faces, ids, registry
from vouched import plugins as loading
from vouched.article import Article
from vouched.configuration import load
from vouched.context import Context, Licences
from vouched.extensions import Style
from vouched.faults import InternalFault, NotFound, ProviderFailed
from vouched.fulltext import TextAnswer
from vouched.journal import Owner, SessionStore
from vouched.misfits import misfits
from vouched.remote import Http, Source, Transport
from vouched.services.redact import Redactor
from vouched.settings import Settings
from vouched.text import clean

if TYPE_CHECKING:
    import asyncio

    from vouched.answer import Result
    from vouched.calls import Progress
    from vouched.resolving import ArticleService
    from vouched.services.http import HttpService

__all__ = ["Host", "package_folder"]

log = logging.getLogger("vouched.host")


class Host:
    """Plugins, their tools and the shared services.

    Args:
        settings: read from the environment by default.
        entries: entry points to load, the installed ones by default.
        plugins: further plugins by name, as modules or objects (for tests and for embedding).

    Attributes:
        plugins: the loaded ones; reports: what became of every plugin, the ones left out included.
        registry: what they contribute; styles: citation styles.
        misfits: what the settings name and nothing has, a sentence each.
        redactor: strikes keys and e-mail addresses.

    Raises:
        ProviderFailed: with `settings.strict`, when a plugin must be left out.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        entries: Iterable[metadata.EntryPoint] | None = None,
        plugins: Mapping[str, Any] | None = None,
    ) -> None:
        self.settings = settings or load()
        self.redactor = Redactor(self.settings)
        given = {**(plugins or {}), "vouched": builtin}
        found, self.reports = loading.load(self.settings, loading.find() if entries is None else entries, given)
        self.registry = registry.collect(found)
        for report in self.reports:
            report.reason = clean(self.redactor.text(report.reason))
            report.warnings = [clean(self.redactor.text(warning)) for warning in report.warnings]
        loading.announce(self.settings, self.reports)
        self.misfits = misfits(self.settings, self.reports, self.registry.sources)
        for said in self.misfits:
            loading.log.warning("%s", said)
        self.plugins = [plugin for plugin in found if plugin.report.status == "loaded"]
        own = next(plugin for plugin in self.plugins if plugin.name == "vouched")
        self.registry.resources.insert(0, (own, faces.status_resource(self)))
        self.styles: Mapping[str, Style] = self.registry.styles
        self.sources: Mapping[str, Source] = self.registry.sources
        self._http: HttpService | None = None
        self._store: SessionStore | None = None
        self._background: set[asyncio.Task[Any]] = set()

    async def __aenter__(self) -> "Host":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Finish what was left to be written, then close connections and the session store."""
        import asyncio

        here = [task for task in self._background if task.get_loop() is asyncio.get_running_loop()]
        if here:
            await asyncio.wait(here)
        try:
            if self._http is not None:
                await self._http.aclose()
        finally:
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

    def _provided(self, service: str, **arguments: Any) -> Any:
        """What the chosen or first plugin provides; `service` is transport, session or licence."""
        from vouched import providers

        chosen = getattr(self.settings.providers, service)
        name, provided = providers.provide(
            self.plugins, f"provide_{service}", chosen, settings=self.settings, **arguments
        )
        log.debug("%s is provided by %s", service, name or "nobody")
        return provided

    def _transport(self, source: Source, settings: Settings) -> Transport | None:
        provided: Transport | None = self._provided("transport", source=source)
        return provided

    def recordings(self) -> list[Path]:
        """Folders of recorded exchanges: the plugins' own, then the user's."""
        own = [path for plugin in self.plugins if (path := package_folder(plugin, "recordings"))]
        return [*own, *self.settings.recordings]

    @property
    def store(self) -> SessionStore:
        """The session store."""
        if self._store is None:
            self._store = self._provided("session")
        if self._store is None:
            raise ProviderFailed("No plugin provides a session store.")
        return self._store

    @cached_property
    def licence(self) -> Licences:
        """The licence gate; a policy that cannot be had denies everything."""
        from vouched.services.licence import Gate

        try:
            policy = self._provided("licence")
        except ProviderFailed as fault:
            log.error("%s Everything is denied.", fault.message)
            policy = None
        return Gate(policy, self.settings)

    @cached_property
    def schemes(self) -> tuple[ids.Scheme, ...]:
        """Kinds of id: the built-in ones, and those that resolvers bring along."""
        from vouched.resolving import schemes

        return (*ids.BUILTIN_SCHEMES, *schemes(self.registry.resolvers))

    def articles(self, context: Context) -> "ArticleService":
        """Ids to articles, for one call."""
        from vouched.resolving import ArticleService

        return ArticleService(self.registry.resolvers, context, self.registry.owners)

    async def text(self, context: Context, article: Article) -> TextAnswer:
        """The licensed text of an article."""
        from vouched.resolving import find_text

        return await find_text(self.registry.texts, context, article, self.registry.owners)

    @cached_property
    def _keys(self) -> Redactor:
        from vouched.plain import data_redactor

        return data_redactor(self.settings)

    def struck(self, data: Any) -> Any:
        """Plain data without keys, which some services echo."""
        from vouched.plain import struck

        return struck(data, self._keys)

    @cached_property
    def _wording(self) -> Redactor:
        from vouched.plain import wording_redactor

        return wording_redactor(self.settings)

    def struck_wording(self, data: Any) -> Any:
        """What was asked, as plain data, without the user's keys and e-mail address."""
        from vouched.plain import struck

        return struck(data, self._wording)

    # Calls

    def context(self, owner: Owner | None = None, **details: Any) -> Context:
        """A context outside a tool call: for resources, prompts and checks."""
        return Context(self, owner or Owner(client="host"), **details)

    async def call(
        self, name: str, raw: Any = None, *, owner: Owner | None = None, report: "Progress | None" = None
    ) -> "Result":
        """Call a tool by name or alias with what a client sent.

        Returns:
            Always a result; failures stand in it. Only cancellation passes through.

        Raises:
            NotFound: for an unknown tool, since there is no schema that an answer could follow.
        """
        from vouched.calls import ToolCall

        bound = self.registry.served(name, self.settings)
        if bound is None:
            raise NotFound(f"There is no tool {name[:80]!r}.", hint=self.registry.nearest(name, self.settings))
        return await ToolCall(self, bound, owner or Owner(client="python"), report).run(raw)

    async def finish_in_background(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do `work` to its end though the caller is cancelled; `aclose` waits for it."""
        import asyncio

        task = asyncio.ensure_future(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        await asyncio.shield(task)


def package_folder(plugin: loading.Plugin, name: str) -> Path | None:
    """A folder inside a plugin's package (`recordings`), where it ships one."""
    from importlib import resources

    package = getattr(plugin.module, "__package__", None) or getattr(plugin.module, "__name__", None)
    if not package or package == "vouched":
        return None
    try:
        folder = resources.files(package) / name
    except (ModuleNotFoundError, TypeError):
        return None
    path = Path(str(folder))
    return path if path.is_dir() else None
