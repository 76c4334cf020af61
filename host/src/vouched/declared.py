"""What a plugin contributes, checked when it loads: what would fail a listing or a call later is refused by name."""

import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from vouched import faces, ids, publishable
from vouched.extensions import Argument, Check, Prompt, Resolver, Resource, Style, TextSource
from vouched.remote import Source
from vouched.tooling import Tool

__all__ = ["check", "overlap"]

TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,40}")
SOURCE_NAME = re.compile(r"[a-z][a-z0-9]*")
OWN_ADDRESS = "vouched://status"


def check(plugin: str, found: Mapping[str, Sequence[Any]]) -> None:
    """Refuse contributions that could not work.

    Args:
        plugin: its name; found: contributions by hook, of the right kinds.

    Raises:
        TypeError, ValueError: naming the thing, and the field or parameter.
    """
    for source in found["sources"]:
        _check_source(source)
    _check_tools(plugin, found["tools"])
    for ranked in (*found["resolvers"], *found["texts"]):
        _check_ranked(ranked)
    for style in found["styles"]:
        _check_style(style)
    for resource in found["resources"]:
        _check_resource(plugin, resource)
    for prompt in found["prompts"]:
        _check_prompt(prompt)
    for line in found["checks"]:
        _check_check(line)
    _once("style", [style.name for style in found["styles"]])
    _once("prompt", [prompt.name for prompt in found["prompts"]])
    _once("resource", [resource.uri_template for resource in found["resources"]])
    _once("source", [source.name for source in found["sources"]])


def overlap(one: str, other: str) -> bool:
    """Whether an address may belong to both of two URI templates."""
    return any(faces.uri_pattern(a).fullmatch(re.sub(r"\{[a-z_]+\}", "x", b)) for a, b in ((one, other), (other, one)))


def _once(kind: str, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{kind} {name!r} is contributed twice")


def _texts(place: str, item: Any, *fields: str) -> None:
    for field in fields:
        if not isinstance(getattr(item, field), str):
            raise TypeError(f"{field} of {place} is {type(getattr(item, field)).__name__}, not text")


def _takes(place: str, function: Any, *arguments: str, **named: str) -> None:
    """Refuse what is no function, or none that takes these arguments."""
    if not callable(function):
        raise TypeError(f"{place} is {type(function).__name__}, not a function")
    try:
        signature = inspect.signature(function)
    except ValueError:
        # Some functions of C have none to show.
        return
    try:
        signature.bind(*arguments, **named)
    except TypeError as error:
        wanted = ", ".join([*arguments, *named])
        raise TypeError(f"{place} does not take ({wanted}): {error}") from None


def _check_source(source: Source) -> None:
    place = f"source {source.name!r}"
    try:
        msgspec.convert(msgspec.to_builtins(source), Source)
    except (msgspec.ValidationError, TypeError) as error:
        reason, _, field = str(error).partition(" - at `$.")
        raise TypeError(f"{field.rstrip('`') or 'a field'} of {place}: {reason}") from None
    if not SOURCE_NAME.fullmatch(source.name):
        raise ValueError(f"source name {source.name!r} is not [a-z][a-z0-9]*")
    if not re.match(r"https?://[^/?#\s]+/", source.base_url) or not source.base_url.endswith("/"):
        raise ValueError(f"base_url of {place} is not an http(s) address that ends with a slash")
    for field in ("rate", "keyed_rate"):
        rate = getattr(source, field)
        if rate is not None and not 0 < rate < math.inf:
            raise ValueError(f"{field} of {place} is {rate}; it needs a rate above 0")
    if source.in_flight < 1:
        raise ValueError(f"in_flight of {place} is {source.in_flight}, not 1 or more")
    if source.ttl is not None and not 0 <= source.ttl < math.inf:
        raise ValueError(f"ttl of {place} is {source.ttl}, not 0 seconds or more")
    for parameter, what in source.contact.items():
        if what not in ("tool", "email"):
            raise ValueError(f"contact of {place} gives {parameter!r} as {what!r}, not as 'tool' or 'email'")


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
        publishable.check(tool)


def _check_ranked(ranked: Resolver | TextSource) -> None:
    """What the host sorts by, and the spellings it tries on every id of every call, must not fail there."""
    name = type(ranked).__name__
    if not isinstance(ranked.rank, int) or isinstance(ranked.rank, bool):
        raise TypeError(f"the rank of {name} is {ranked.rank!r}, not a whole number")
    if isinstance(ranked, TextSource) and not isinstance(ranked, Resolver):
        _takes(f"find of {name}", ranked.find, "ctx", "article")
        return
    _takes(f"resolve of {name}", getattr(ranked, "resolve", None), "ctx", "ids")
    schemes = getattr(ranked, "schemes", ())
    if isinstance(schemes, str) or not isinstance(schemes, Sequence):
        raise TypeError(f"the schemes of {name} are {schemes!r}, not a list")
    for scheme in schemes:
        _check_scheme(name, scheme)


def _check_scheme(name: str, scheme: Any) -> None:
    if isinstance(scheme, str):
        return
    if not isinstance(scheme, ids.Scheme):
        raise TypeError(f"{name} has {scheme!r} among its schemes, which is neither a name nor a Scheme")
    if any(scheme.name == known.name for known in ids.BUILTIN_SCHEMES):
        raise ValueError(f"{name} brings a scheme {scheme.name!r} of its own; the host has it: give its name only")
    _texts(f"a scheme of {name}", scheme, "name", "pattern")
    try:
        groups = re.compile(scheme.pattern).groups
    except re.error as error:
        raise ValueError(f"the pattern of scheme {scheme.name!r} is no regular expression: {error}") from None
    if groups < 1:
        raise ValueError(f"the pattern of scheme {scheme.name!r} has no group for the value")
    _takes(f"normalise of scheme {scheme.name!r}", scheme.normalise, "value")


def _check_style(style: Style) -> None:
    place = f"style {style.name!r}"
    _texts(place, style, "name", "media_type", "suffix", "label", "header", "footer", "separator")
    if not style.name:
        raise ValueError("a style has no name")
    _takes(f"render of {place}", style.render, "article", "markup")
    if style.comment is not None:
        _takes(f"comment of {place}", style.comment, "notice")


def _check_resource(plugin: str, resource: Resource) -> None:
    place = f"resource {resource.uri_template!r}"
    _texts(place, resource, "uri_template", "name", "description", "media_type")
    pattern = faces.uri_pattern(resource.uri_template)
    if plugin != "vouched" and overlap(resource.uri_template, OWN_ADDRESS):
        raise ValueError(f"{place} takes an address of the host: {OWN_ADDRESS}")
    _takes(f"read of {place}", resource.read, "ctx", **dict.fromkeys(pattern.groupindex, ""))
    if resource.complete is not None:
        _takes(f"complete of {place}", resource.complete, "ctx", "variable", "prefix")


def _check_prompt(prompt: Prompt) -> None:
    place = f"prompt {prompt.name!r}"
    _texts(place, prompt, "name", "description")
    if not prompt.name:
        raise ValueError("a prompt has no name")
    _takes(f"render of {place}", prompt.render, "values")
    for argument in prompt.arguments:
        if not isinstance(argument, Argument):
            raise TypeError(f"{place} has {type(argument).__name__} among its arguments, not Argument")
        _texts(f"an argument of {place}", argument, "name", "description")
        if not isinstance(argument.required, bool):
            raise TypeError(f"required of argument {argument.name!r} of {place} is neither true nor false")
    _once(f"an argument of {place}:", [argument.name for argument in prompt.arguments])
    if prompt.complete is not None:
        _takes(f"complete of {place}", prompt.complete, "ctx", "variable", "prefix")


def _check_check(line: Check) -> None:
    _texts("a check", line, "name")
    run: Callable[..., Any] = line.run
    _takes(f"run of check {line.name!r}", run, "ctx")
