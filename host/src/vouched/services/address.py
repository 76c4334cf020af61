"""What a plugin asks, as a URL on the wire and as a key by meaning."""

import ipaddress
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import msgspec

from vouched.faults import InternalFault, InvalidArgument
from vouched.remote import Params, Source
from vouched.services.redact import private_names

__all__ = ["Question", "ask", "is_private", "origin", "question_of_url", "refuse_base"]

Pairs = tuple[tuple[str, str], ...]
NAT64 = ipaddress.ip_network("64:ff9b::/96")
# A user name, a query or a fragment would not be sent, but would stand in provenance.
BASE = re.compile(r"https?://[^@/?#\s]+(?:/[^?#\s]*)?", re.IGNORECASE)


class Question(msgspec.Struct, frozen=True):
    """A request before the caller's key and contact are added.

    Attributes:
        source: whom; method; path below the base URL, its segments percent-encoded; params in the order given.
        media: the Accept header.
    """

    source: Source
    method: Literal["GET", "POST"]
    path: str
    params: Pairs
    media: str

    @property
    def meaning(self) -> str:
        """The same text for the same question: method, order of names, key and contact play no part.

        Values of one name keep their order: a service may answer in that order.
        """
        private = private_names(self.source) | set(self.source.contact)
        asked = sorted((pair for pair in self.params if pair[0] not in private), key=lambda pair: pair[0])
        return f"{self.source.name} {_get_path(self.source, self.path)}?{urlencode(asked)}"

    @property
    def names(self) -> list[str]:
        """The parameter names, sorted, without those of the caller."""
        private = private_names(self.source) | set(self.source.contact)
        return sorted({name for name, _ in self.params} - private)

    @property
    def post_path(self) -> str:
        """Where the question goes as a form."""
        post = self.source.post
        return post.paths.get(self.path, self.path) if post is not None else self.path

    def on_wire(self, base: str, own: Sequence[tuple[str, str]]) -> tuple[Literal["GET", "POST"], str, bytes]:
        """Method, whole URL and form body, with the caller's `own` parameters at the end."""
        query = urlencode([*self.params, *own])
        post = self.source.post
        if self.method == "POST" or (post is not None and len(query) > post.over):
            return "POST", base + self.post_path, query.encode()
        return "GET", base + self.path + (f"?{query}" if query else ""), b""


def ask(
    source: Source, method: Literal["GET", "POST"], path: str, segments: Sequence[str], params: Params, media: str
) -> Question:
    """The question of a `Http.get` or `Http.post` call.

    Raises:
        InternalFault: where the plugin's template is no relative path, or does not fit its segments.
        InvalidArgument: for a segment that is empty or a dot segment, which would change the path around it.
    """
    return Question(source, method, _expanded(source, path, segments), tuple(_flat(params)), media)


def _expanded(source: Source, path: str, segments: Sequence[str]) -> str:
    steps = path.split("/")
    if path.startswith("/") or ":" in steps[0] or ".." in steps or "." in steps or re.search(r"[?#\\\s]", path):
        raise InternalFault(f"A plugin asked {source.name} for {path[:60]!r}, which is no path below its base URL.")
    if path.count("{}") != len(segments):
        raise InternalFault(
            f"The path {path[:60]!r} of {source.name} takes {path.count('{}')} segments, not {len(segments)}."
        )
    parts = path.split("{}")
    return parts[0] + "".join(
        _encoded(source, segment) + part for segment, part in zip(segments, parts[1:], strict=True)
    )


def _encoded(source: Source, segment: str) -> str:
    if segment in ("", ".", ".."):
        raise InvalidArgument(f"{segment!r} is nothing that {source.name} can be asked for.")
    try:
        return quote(str(segment), safe="")
    except UnicodeEncodeError:
        raise InvalidArgument(f"Half a character (a lone surrogate) cannot be sent to {source.name}.") from None


def _flat(params: Params) -> Iterable[tuple[str, str]]:
    for name, value in params.items():
        values = [value] if value is None or isinstance(value, str | int | float) else list(value)
        for one in values:
            if one is not None:
                yield name, _text(one)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    # A lone surrogate cannot be encoded; the service gets what it would show for it.
    return str(value).encode("utf-8", "replace").decode()


def _get_path(source: Source, path: str) -> str:
    """The path under which a question is asked when it is short."""
    turned = {to: from_ for from_, to in source.post.paths.items()} if source.post is not None else {}
    return turned.get(path, path)


def question_of_url(source: Source, base: str, url: str, form: Mapping[str, Any]) -> Question:
    """The question that provenance kept as a URL and form fields."""
    path, _, query = url.partition("?")
    pairs = parse_qsl(query, keep_blank_values=True)
    for name, value in form.items():
        pairs.extend((name, str(one)) for one in (value if isinstance(value, list) else [value]))
    return Question(source, "POST" if form else "GET", path.removeprefix(base), tuple(pairs), "")


def origin(url: str) -> tuple[str, str, int]:
    """Scheme, host and port of a URL."""
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)


def is_private(host: str) -> bool:
    """Whether a host, by name or address, is this machine or a network that the public cannot reach."""
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
        return True
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    inner = _carried(address)
    return address.is_multicast or not (inner or address).is_global


def _carried(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that an IPv6 one stands for: mapped, 6to4, or translated (NAT64)."""
    if isinstance(address, ipaddress.IPv4Address):
        return None
    if address in NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour


def refuse_base(source: Source, base: str, *, configured: bool) -> None:
    """Refuse a base URL that is not HTTP, or leads into a private network without the user having said so.

    Raises:
        InvalidArgument: naming the variable that would allow it.
    """
    variable = f"VOUCHED_{source.name.upper()}_URL"
    try:
        _, host, _ = origin(base)
    except ValueError:
        host = ""
    if not BASE.fullmatch(base) or not host:
        raise InvalidArgument(
            f"The base URL of {source.name} is not an HTTP address.",
            path=variable,
            expected="http:// or https://, a host and perhaps a path",
            source=source.name,
        )
    if is_private(host) and not configured:
        raise InvalidArgument(
            f"The base URL of {source.name} leads into a private network.",
            path=variable,
            hint=f"Set {variable} if that is what you want.",
            source=source.name,
        )
