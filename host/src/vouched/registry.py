"""What the loaded plugins contribute, checked and named; a plugin that contributes wrongly is left out whole."""

import logging
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any, TypeAlias

from vouched import declared, schema
from vouched import plugins as loading
from vouched.defects import is_own, reason
from vouched.extensions import Check, Prompt, Resolver, Resource, Style, TextSource
from vouched.plain import plain
from vouched.plugins import Plugin
from vouched.remote import Source
from vouched.settings import Settings
from vouched.text import clean
from vouched.tooling import Tool

__all__ = ["BoundTool", "Registry", "collect"]

log = logging.getLogger("vouched.plugins")
KINDS: Mapping[str, Any] = {
    "sources": Source,
    "tools": Tool,
    "resolvers": Resolver,
    "texts": TextSource,
    "styles": Style,
    "resources": Resource,
    "prompts": Prompt,
    "checks": Check,
}

Asked: TypeAlias = tuple[Plugin, dict[str, list[Any]]]


class BoundTool:
    """A tool under its full name, with its schemas made when first asked for."""

    def __init__(self, plugin: Plugin, tool: Tool) -> None:
        self.plugin = plugin
        self.tool = tool
        self.name = f"{plugin.name}_{tool.name}"

    @cached_property
    def parameters(self) -> dict[str, schema.Parameter]:
        return schema.parameters(self.tool)

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        published: dict[str, Any] = plain(schema.input_schema(self.tool))
        return published

    @cached_property
    def returns(self) -> Any:
        """The type of its data."""
        return schema.returns(self.tool)

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        published: dict[str, Any] = plain(schema.output_schema(self.tool))
        return published

    @property
    def finds(self) -> bool:
        """Whether its runs find records, so that `last` may mean them."""
        if self.tool.finds is not None:
            return self.tool.finds
        return not any(parameter.marker == "ids" for parameter in self.parameters.values())

    @property
    def title(self) -> str:
        """For people: the tool's own title, else its name in words."""
        return clean(self.tool.title or self.tool.name.replace("_", " ").capitalize())

    @property
    def description(self) -> str:
        """What clients read of it, without the characters that hide or act."""
        return clean(self.tool.description)


class Registry:
    """Contributions by kind; ranked ones in rank order. `askers`: source name -> the plugins that declare it.

    `owners`: id() of a resolver or text source -> the name of its plugin.
    """

    def __init__(self) -> None:
        self.sources: dict[str, Source] = {}
        self.askers: dict[str, set[str]] = {}
        self.tools: dict[str, BoundTool] = {}
        self.aliases: dict[str, BoundTool] = {}
        self.resolvers: list[Resolver] = []
        self.texts: list[TextSource] = []
        self.owners: dict[int, str] = {}
        self.styles: dict[str, Style] = {}
        self.resources: list[tuple[Plugin, Resource]] = []
        self.prompts: dict[str, tuple[Plugin, Prompt]] = {}
        self.checks: list[tuple[Plugin, Check]] = []

    def tool(self, name: str) -> BoundTool | None:
        """By full name or alias; a real name beats an alias."""
        return self.tools.get(name) or self.aliases.get(name)

    def listed(self, settings: Settings) -> list[BoundTool]:
        """The tools that are served, by name."""
        return [self.tools[name] for name in sorted(self.tools) if _is_served(name, settings)]

    def published(self, settings: Settings) -> list[BoundTool]:
        """The listed tools without one whose schemas cannot be made after all: it must not cost the others."""
        made: list[BoundTool] = []
        for bound in self.listed(settings):
            try:
                # Made here, kept there.
                _ = bound.input_schema, bound.output_schema
                made.append(bound)
            except Exception as error:
                said = f"the tool {bound.name} is left out of the list: {reason(error)}"
                if said not in bound.plugin.report.clashes:
                    log.error("plugin %s: %s", bound.plugin.name, said)
                    bound.plugin.report.clashes.append(said)
        return made

    def nearest(self, name: str, settings: Settings) -> str:
        """What somebody may have meant who asked for a tool that is not there, and which tools there are."""
        from difflib import get_close_matches

        spelled: dict[str, str] = {}
        for tool in self.listed(settings):
            short = (alias for alias in (tool.tool.name, *tool.tool.aliases) if alias not in spelled)
            spelled |= {tool.name: tool.name, **dict.fromkeys(short, tool.name)}
        near = get_close_matches(name[:80].strip().lower().replace("-", "_"), spelled, n=3, cutoff=0.7)
        close = list(dict.fromkeys(spelled[found] for found in near))
        others = [tool for tool in dict.fromkeys(spelled.values()) if tool not in close]
        meant = f"Did you mean {' or '.join(close)}? " if close else ""
        return f"{meant}{'Other tools' if close else 'Tools'}: {', '.join(others) or 'none'}."

    def served(self, name: str, settings: Settings) -> BoundTool | None:
        """A tool by full name or alias, where it is served."""
        bound = self.tool(name)
        return bound if bound and _is_served(bound.name, settings) else None


def _is_served(name: str, settings: Settings) -> bool:
    return settings.tools is None or any(fnmatchcase(name, pattern) for pattern in settings.tools)


def collect(plugins: Sequence[Plugin]) -> Registry:
    """Ask every plugin, isolate the ones that raise, resolve the clashes between them."""
    registry = Registry()
    answers = _host_addresses([(plugin, found) for plugin in plugins if (found := _asked(plugin)) is not None])
    refused = _clashing_sources(answers)
    answers = [(plugin, found) for plugin, found in answers if plugin.name not in refused]
    names = {f"{plugin.name}_{tool.name}" for plugin, found in answers for tool in found["tools"]}
    for plugin, found in answers:
        for source in found["sources"]:
            registry.sources[source.name] = source
            registry.askers.setdefault(source.name, set()).add(plugin.name)
        for tool in found["tools"]:
            registry.tools[f"{plugin.name}_{tool.name}"] = BoundTool(plugin, tool)
        registry.resolvers += found["resolvers"]
        registry.texts += found["texts"]
        registry.owners |= {id(ranked): plugin.name for ranked in (*found["resolvers"], *found["texts"])}
        registry.checks += [(plugin, check) for check in found["checks"]]
        if not any(found.values()) and not plugin.report.hooks:
            plugin.report.warnings.append("has no hooks, so it contributes nothing; does @hookimpl stand before them?")
    registry.styles = {style.name: style for _, style in _claimed_once(answers, "styles")}
    registry.resources = _claimed_once(answers, "resources")
    registry.prompts = {prompt.name: (plugin, prompt) for plugin, prompt in _claimed_once(answers, "prompts")}
    registry.resolvers.sort(key=lambda resolver: resolver.rank)
    registry.texts.sort(key=lambda text: text.rank)
    _aliases(registry, names)
    return registry


def _asked(plugin: Plugin) -> dict[str, list[Any]] | None:
    try:
        found = {hook: loading.contributions(plugin, hook, kind) for hook, kind in KINDS.items()}
        declared.check(plugin.name, found)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and is_own(error):
            raise
        plugin.report.fail(reason(error))
        return None
    return found


def _clashing_sources(answers: Sequence[Asked]) -> set[str]:
    """Two plugins may share a source when they declare it equally; else both are refused.

    Nobody can say which of them is right, and with the wrong one every request would go astray.
    """
    owners: dict[str, tuple[Plugin, Source]] = {}
    refused: set[str] = set()
    for plugin, found in answers:
        for source in found["sources"]:
            first, declared_first = owners.setdefault(source.name, (plugin, source))
            if declared_first != source:
                for other in (first, plugin):
                    other.report.fail(
                        f"{_called(first)} and {_called(plugin)} declare the source {source.name!r} differently, so "
                        f"neither is loaded; uninstall one of them, or set VOUCHED_WITHOUT={first.name} or "
                        f"VOUCHED_WITHOUT={plugin.name}"
                    )
                    refused.add(other.name)
    return refused


def _called(plugin: Plugin) -> str:
    distribution = plugin.report.distribution
    return f"{plugin.name} (of {distribution})" if distribution else plugin.name


def _host_addresses(answers: Sequence[Asked]) -> list[Asked]:
    """The answers without those of plugins that take an address of the host's own resources; these fail."""
    own = [r.uri_template for plugin, found in answers if plugin.name == "vouched" for r in found["resources"]]
    kept: list[Asked] = []
    for plugin, found in answers:
        taken = [
            f"resource {resource.uri_template!r} takes an address of the host: {template}"
            for resource in found["resources"]
            for template in own
            if plugin.name != "vouched" and declared.overlap(resource.uri_template, template)
        ]
        if taken:
            plugin.report.fail(taken[0])
        else:
            kept.append((plugin, found))
    return kept


def _claimed_once(answers: Sequence[Asked], hook: str) -> list[tuple[Plugin, Any]]:
    """What plugins contribute to `hook` under names of their own.

    What several declare equally is taken once. What they declare differently is dropped from all of them and reported:
    the order of names must not let one plugin silently stand in for another.
    """
    claims: dict[str, list[tuple[Plugin, Any]]] = {}
    for plugin, found in answers:
        for item in found[hook]:
            claims.setdefault(getattr(item, "uri_template", "") or item.name, []).append((plugin, item))
    kept: list[tuple[Plugin, Any]] = []
    for name, claim in claims.items():
        if all(item == claim[0][1] for _, item in claim):
            kept.append(claim[0])
            continue
        claimants = " and ".join(_called(plugin) for plugin, _ in claim)
        for plugin, _ in claim:
            plugin.report.clashes.append(
                f"{hook[:-1]} {name!r} is claimed by {claimants}: dropped; leave one of them out (VOUCHED_WITHOUT)"
            )
    return kept


def _aliases(registry: Registry, names: set[str]) -> None:
    claims: dict[str, list[BoundTool]] = {}
    for bound in registry.tools.values():
        for alias in bound.tool.aliases:
            if alias not in names:
                claims.setdefault(alias, []).append(bound)
    for alias, tools in claims.items():
        if len(tools) == 1:
            registry.aliases[alias] = tools[0]
            continue
        for bound in tools:
            bound.plugin.report.warnings.append(
                f"alias {alias!r} is claimed by {', '.join(sorted(t.name for t in tools))}: dropped"
            )
