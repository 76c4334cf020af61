"""What clients really send -> what the tool declared.

Clients send lists as JSON text, numbers as text, null for what they leave out, camelCase names, everything nested under
`request`. All that is accepted and turned towards the declared type only; afterwards msgspec checks strictly, and what
is wrong is refused with its path, what was expected and an example. Nothing is executed before everything is right.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from vouched.coercion import from_json, snake, towards
from vouched.expecting import check_count, example, expectation
from vouched.faults import InvalidArgument
from vouched.schema import Parameter

__all__ = ["UNIVERSAL", "read"]

# Names that other servers and models use for the one vocabulary of this one.
UNIVERSAL: Mapping[str, str] = {
    "pmids": "ids",
    "pmid": "ids",
    "id": "ids",
    "identifiers": "ids",
    "pmcids": "ids",
    "dois": "ids",
    "doi": "ids",
    "max_results": "limit",
    "retmax": "limit",
    "page_size": "limit",
    "maxresults": "limit",
    "pagesize": "limit",
    "term": "query",
    "q": "query",
    "next_cursor": "cursor",
}


def read(tool: str, declared: Mapping[str, Parameter], raw: Any, synonyms: Mapping[str, str]) -> dict[str, Any]:
    """Arguments ready for the tool, but for identifiers, which stay lists of strings.

    Raises:
        InvalidArgument: naming path, expectation and example.
    """
    given = _unnested(raw, declared)
    _check_text(given)
    named = _named(tool, given, declared, synonyms)
    return {name: _value(name, parameter, named) for name, parameter in declared.items()}


def _value(name: str, parameter: Parameter, named: Mapping[str, Any]) -> Any:
    value = named.get(name)
    if value is None or value == "" or (value == [] and not parameter.required):
        if not parameter.required:
            return _own(parameter.default)
        raise InvalidArgument(
            f"`{name}` is missing." if name not in named else f"`{name}` is empty.",
            path=name,
            expected=expectation(parameter),
            example=example(parameter),
        )
    try:
        turned = towards(value, parameter.type, parameter.marker)
        if isinstance(turned, list) and parameter.marker == "ids":
            # One handle may stand for many: they are counted once it is expanded.
            return _converted(turned, msgspec.structs.replace(parameter, type=list[str]))
        if isinstance(turned, list):
            check_count(len(turned), parameter)
        return _converted(turned, parameter)
    except InvalidArgument as fault:
        fault.path = fault.path or name
        raise


def _own(default: Any) -> Any:
    """A default for one call: what a tool does to a list of its own must not reach the next call."""
    if default is None or isinstance(default, str | int | float):
        return default
    import copy

    return copy.deepcopy(default)


def _unnested(raw: Any, declared: Mapping[str, Parameter]) -> dict[str, Any]:
    """The arguments object itself: also from JSON text, and from under `request` where a client nests it."""
    if raw is None:
        return {}
    if isinstance(raw, str):
        raw = from_json(raw)
    if isinstance(raw, Mapping) and len(raw) == 1:
        ((key, inner),) = raw.items()
        if key in ("request", "params", "arguments", "input") and key not in declared:
            inner = from_json(inner) if isinstance(inner, str) else inner
            if isinstance(inner, Mapping):
                raw = inner
    if not isinstance(raw, Mapping):
        raise InvalidArgument(
            "The arguments are not an object.", path="", expected="a JSON object", example='{"query": "…"}'
        )
    return dict(raw)


def _check_text(given: Mapping[str, Any]) -> None:
    """JSON can spell half a character (`\\ud800`), which no file, hash or service takes."""
    try:
        msgspec.json.encode(given)
    except UnicodeEncodeError:
        raise InvalidArgument(
            "An argument holds half a character (a lone surrogate).", path="", expected="text in UTF-8"
        ) from None
    except RecursionError:
        raise InvalidArgument("The arguments are nested too deeply.", path="") from None
    except TypeError:
        # Python callers may send what JSON has no word for; the declared types refuse it by name.
        return


def _named(
    tool: str, given: Mapping[str, Any], declared: Mapping[str, Parameter], synonyms: Mapping[str, str]
) -> dict[str, Any]:
    """Values by declared name; null and "" count as not sent wherever another spelling has a value."""
    named: dict[str, Any] = {}
    spelt: dict[str, str] = {}
    for key, value in given.items():
        name = _declared_name(tool, str(key), declared, synonyms)
        if value is None or value == "":
            named.setdefault(name, value)
            continue
        if named.get(name) not in (None, "") and named[name] != value:
            raise InvalidArgument(
                f"`{spelt[name]}` and `{key}` are the same argument with different values.",
                path=name,
                hint=f"Send `{name}` once.",
            )
        named[name] = value
        spelt[name] = str(key)
    return named


def _declared_name(tool: str, key: str, declared: Mapping[str, Parameter], synonyms: Mapping[str, str]) -> str:
    spelling = snake(key)
    for name in (key, spelling, synonyms.get(key), synonyms.get(spelling), UNIVERSAL.get(spelling)):
        if name in declared:
            return str(name)
    accepted = ", ".join(declared) or "no arguments"
    raise InvalidArgument(
        f"{tool} has no argument `{key[:60]}`.",
        path=key[:60],
        expected=f"one of: {accepted}",
        hint=f"Accepted: {accepted}.",
    )


def _converted(value: Any, parameter: Parameter) -> Any:
    try:
        return msgspec.convert(value, parameter.type)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at `$")
        path = parameter.name + place.rstrip("`")
        raise InvalidArgument(
            f"`{path}`: {reason[0].lower() + reason[1:]}.",
            path=path,
            expected=expectation(parameter),
            example=example(parameter),
        ) from None
