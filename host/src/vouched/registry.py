"""What the loaded plugins contribute, checked and named; a plugin that contributes wrongly is left out whole."""

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

from vouched import faces, ids, schema
from vouched import plugins as loading
from vouched.extensions import Check, Prompt, Resolver, Resource, Style, TextSource
from vouched.plugins import Plugin, Report
from vouched.remote import Source
from vouched.settings import Settings
from vouched.tooling import Tool

__all__ = ["BoundTool", "Registry", "collect"]

TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,40}")
SOURCE_NAME = re.compile(r"[a-z][a-z0-9]*")
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
        return schema.input_schema(self.tool)

    @cached_property
    def returns(self) -> Any:
        """The type of its data."""
        return schema.returns(self.tool)

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        return schema.output_schema(self.tool)

    @property
    def finds(self) -> bool:
        """Whether its runs find records, so that `last` may mean them."""
        if self.tool.finds is not None:
            return self.tool.finds
        return not any(parameter.marker == "ids" for parameter in self.parameters.values())

    @property
    def title(self) -> str:
        """For people: the tool's own title, else its name in words."""
        return self.tool.title or self.tool.name.replace("_", " ").capitalize()


class Registry:
    """Contributions by kind; ranked ones in rank order. `askers`: source name -> the plugins that declare it."""

    def __init__(self) -> None:
        self.sources: dict[str, Source] = {}
        self.askers: dict[str, set[str]] = {}
        self.tools: dict[str, BoundTool] = {}
        self.aliases: dict[str, BoundTool] = {}
        self.resolvers: list[Resolver] = []
        self.texts: list[TextSource] = []
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

    def served(self, name: str, settings: Settings) -> BoundTool | None:
        """A tool by full name or alias, where it is served."""
        bound = self.tool(name)
        return bound if bound and _is_served(bound.name, settings) else None


def _is_served(name: str, settings: Settings) -> bool:
    return settings.tools is None or any(fnmatchcase(name, pattern) for pattern in settings.tools)


def collect(plugins: Sequence[Plugin]) -> Registry:
    """Ask every plugin, isolate the ones that raise, resolve the clashes between them."""
    registry = Registry()
    answers = [(plugin, found) for plugin in plugins if (found := _asked(plugin)) is not None]
    refused = _clashing_sources(answers)
    names = {f"{plugin.name}_{tool.name}" for plugin, found in answers for tool in found["tools"]}
    for plugin, found in answers:
        if plugin.name in refused:
            continue
        for source in found["sources"]:
            registry.sources[source.name] = source
            registry.askers.setdefault(source.name, set()).add(plugin.name)
        for tool in found["tools"]:
            registry.tools[f"{plugin.name}_{tool.name}"] = BoundTool(plugin, tool)
        registry.resolvers += found["resolvers"]
        registry.texts += found["texts"]
        _add_resources(registry, plugin, found["resources"])
        registry.checks += [(plugin, check) for check in found["checks"]]
        _named(plugin.report, "style", registry.styles, {style.name: style for style in found["styles"]})
        _named(plugin.report, "prompt", registry.prompts, {p.name: (plugin, p) for p in found["prompts"]})
    registry.resolvers.sort(key=lambda resolver: resolver.rank)
    registry.texts.sort(key=lambda text: text.rank)
    _aliases(registry, names)
    return registry


def _asked(plugin: Plugin) -> dict[str, list[Any]] | None:
    try:
        found = {hook: loading.contributions(plugin, hook, kind) for hook, kind in KINDS.items()}
        for source in found["sources"]:
            _check_source(source)
        _check_tools(plugin.name, found["tools"])
        for ranked in (*found["resolvers"], *found["texts"]):
            _check_ranked(ranked)
        for resource in found["resources"]:
            faces.uri_pattern(resource.uri_template)
    except (Exception, SystemExit) as error:
        plugin.report.fail(f"{type(error).__name__}: {error}")
        return None
    return found


def _check_source(source: Source) -> None:
    if not SOURCE_NAME.fullmatch(source.name):
        raise ValueError(f"source name {source.name!r} is not [a-z][a-z0-9]*")
    if not source.base_url.startswith(("https://", "http://")) or not source.base_url.endswith("/"):
        raise ValueError(f"base_url of source {source.name!r} is not an http(s) address that ends with a slash")
    if source.rate <= 0 or source.in_flight < 1:
        raise ValueError(f"source {source.name!r} needs a rate above 0 and in_flight of 1 or more")


def _check_tools(plugin: str, tools: Sequence[Tool]) -> None:
    seen: set[str] = set()
    for tool in tools:
        full = f"{plugin}_{tool.name}"
        if not TOOL_NAME.fullmatch(full):
            raise ValueError(f"tool name {full!r} is not 1 to 40 of A-Z a-z 0-9 _ -")
        if full in seen:
            raise ValueError(f"tool {full!r} is contributed twice")
        if not tool.description:
            raise ValueError(f"tool {full!r} has no docstring: it is the description that clients read")
        seen.add(full)
        schema.check(tool)


def _check_ranked(ranked: Resolver | TextSource) -> None:
    """What the host sorts by, and the spellings it tries on every id of every call, must not fail there."""
    name = type(ranked).__name__
    if not isinstance(ranked.rank, int) or isinstance(ranked.rank, bool):
        raise TypeError(f"the rank of {name} is {ranked.rank!r}, not a whole number")
    for scheme in getattr(ranked, "schemes", ()):
        if isinstance(scheme, str):
            continue
        if any(scheme.name == known.name for known in ids.BUILTIN_SCHEMES):
            raise ValueError(f"{name} brings a scheme {scheme.name!r} of its own; the host has it: give its name only")
        if re.compile(scheme.pattern).groups < 1:
            raise ValueError(f"the pattern of scheme {scheme.name!r} has no group for the value")


def _clashing_sources(answers: Sequence[tuple[Plugin, dict[str, list[Any]]]]) -> set[str]:
    """Two plugins may share a source when they declare it equally; else both are refused."""
    owners: dict[str, tuple[Plugin, Source]] = {}
    refused: set[str] = set()
    for plugin, found in answers:
        for source in found["sources"]:
            first = owners.setdefault(source.name, (plugin, source))
            if first[1] != source:
                for other in (first[0], plugin):
                    other.report.fail(
                        f"{first[0].name} and {plugin.name} declare the source {source.name!r} differently"
                    )
                    refused.add(other.name)
    return refused


def _named(report: Report, kind: str, into: dict[str, Any], found: Mapping[str, Any]) -> None:
    for name, item in found.items():
        if name in into:
            report.warnings.append(f"{kind} {name!r} is there already; this plugin's is left out")
        else:
            into[name] = item


def _add_resources(registry: Registry, plugin: Plugin, resources: Sequence[Resource]) -> None:
    for resource in resources:
        if any(resource.uri_template == other.uri_template for _, other in registry.resources):
            plugin.report.warnings.append(f"resource {resource.uri_template!r} is there already; this one is left out")
        else:
            registry.resources.append((plugin, resource))


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
