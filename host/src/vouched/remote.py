"""The seam to remote services: what a plugin declares of one, how it asks, and what a transport must do."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, Protocol, TypeVar, overload, runtime_checkable

import msgspec

__all__ = ["Exchange", "Http", "Params", "Post", "Request", "Response", "Source", "Transport", "titled"]

T = TypeVar("T")
Value = str | int | float | bool | None
# None leaves a parameter out; a sequence repeats it.
Params = Mapping[str, Value | Sequence[Value]]
HashScope = Literal["STABLE", "VOLATILE"]
NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Post(msgspec.Struct, frozen=True):
    """When a GET becomes a form POST.

    Attributes:
        over: size of the encoded query in characters from which the request is posted.
        paths: GET path -> POST path where they differ ("search" -> "searchPOST").
    """

    over: int = 1500
    paths: dict[str, str] = {}


class Source(msgspec.Struct, frozen=True):
    """A remote service that a plugin asks.

    Attributes:
        name: `[a-z][a-z0-9]*`; also names `VOUCHED_<NAME>_URL`.
        base_url: ends with a slash; paths are joined to it.
        rate: starts a second; keyed_rate: the same once a key is set.
        key_env: environment variable of the key, sent as parameter `key_param` or header `key_header`.
        contact: parameter name -> "tool" or "email": how the service wants callers to name themselves.
        in_flight: requests open at the same time. Sources with one budget together have no more open than the one of
            them that may have most.
        budget: whose limit it is; sources with one budget share one pacer. By default the host of base_url plus the key
        post: when to post instead of get.
        ttl: seconds that an answer may be served from the cache; None or 0 for never.
        hash_scope: STABLE for content that does not change under its address.
        terms: where the service's terms of use stand.
        title: of database and platform, as people write them where they report a search: "PubMed (NCBI E-utilities)".
    """

    name: str
    base_url: str
    rate: float
    keyed_rate: float | None = None
    key_env: str | None = None
    key_param: str | None = None
    key_header: str | None = None
    contact: dict[str, str] = {}
    in_flight: int = 4
    budget: str | None = None
    post: Post | None = None
    ttl: float | None = None
    hash_scope: HashScope = "VOLATILE"
    terms: str = ""
    title: str = ""


def titled(sources: Mapping[str, Source], name: str) -> str:
    """A service as people write it; its name where nobody declares more."""
    return (sources[name].title if name in sources else "") or name


class Request(msgspec.Struct, frozen=True):
    """One attempt on the wire; `url` is complete (with its query), `headers` hold everything that is sent.

    `max_bytes` caps the decoded body while streaming; `timeout` is in seconds for the whole exchange.
    """

    method: Literal["GET", "POST"]
    url: str
    headers: dict[str, str]
    body: bytes = b""
    timeout: float = 30.0
    max_bytes: int = 64_000_000


class Response(msgspec.Struct, frozen=True):
    """What came back. Header names are lower case; `body` is decoded (no content encoding)."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def media(self) -> str:
        """Media type without parameters, lower case, "" where none was sent."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


@runtime_checkable
class Transport(Protocol):
    """Puts requests on the wire. One per source; made on first use, closed with the host.

    `send` returns whatever status came, redirects included (it never follows them), and raises
    `UpstreamUnreachable`, `UpstreamTimeout` or, past `max_bytes`, `UpstreamInvalid` otherwise.
    """

    async def send(self, request: Request) -> Response: ...

    async def aclose(self) -> None: ...


class Exchange(msgspec.Struct, omit_defaults=True, frozen=True):
    """One upstream exchange as provenance keeps it; never a key, never an e-mail.

    Attributes:
        source: the service; resolved_url: with its whole query less key and e-mail; form: fields of a POST.
        content_sha256: of the raw body ("" when none came); hash_scope: see `Source`.
        retrieved_at: UTC, ISO 8601; http_status: 0 without an answer; from_cache; attempts; fault: code of a failure.
    """

    source: str
    resolved_url: str
    content_sha256: str = ""
    hash_scope: HashScope = "VOLATILE"
    retrieved_at: str = ""
    http_status: int = 0
    from_cache: bool = False
    attempts: int = 1
    fault: str = ""
    form: dict[str, Any] = {}


class Http(Protocol):
    """One polite client of one source, bound to one tool call (its deadline, its provenance)."""

    @overload
    async def get(
        self,
        path: str,
        *segments: str,
        params: Params = ...,
        media: str = ...,
        read: None = ...,
        answers: Mapping[int, Response | None] = ...,
        refresh: bool = ...,
        stable: bool = ...,
    ) -> Response: ...
    @overload
    async def get(
        self,
        path: str,
        *segments: str,
        params: Params = ...,
        media: str = ...,
        read: Callable[[bytes], T],
        answers: Mapping[int, T] = ...,
        refresh: bool = ...,
        stable: bool = ...,
    ) -> T: ...
    async def get(
        self,
        path: str,
        *segments: str,
        params: Params = NOTHING,
        media: str = "application/json",
        read: Any = None,
        answers: Mapping[int, Any] = NOTHING,
        refresh: bool = False,
        stable: bool = False,
    ) -> Any:
        """Ask, within the pace and the call's deadline, and read the answer.

        Args:
            path: relative to the source's base URL; each `{}` takes one of `segments`, percent-encoded whole.
            params: query parameters; None leaves one out, a sequence repeats it.
            media: the Accept header.
            read: bytes -> value, run in a worker thread inside the retry: a disguised error that it raises as a typed
                fault is retried or reported as what it is. It sees the body of a refusal (HTTP 400, 404 …) too; there
                a fault counts, and a value does not.
            answers: statuses that are answers, each with its value: `answers={404: None}`.
            refresh: pass the cache by.
            stable: the content under this address does not change (`hash_scope` STABLE).

        Raises:
            Fault: of the upstream kinds, with source and status; never with a query string, key or body.
        """

    @overload
    async def post(
        self,
        path: str,
        *segments: str,
        params: Params = ...,
        media: str = ...,
        read: None = ...,
        answers: Mapping[int, Response | None] = ...,
        refresh: bool = ...,
        stable: bool = ...,
    ) -> Response: ...
    @overload
    async def post(
        self,
        path: str,
        *segments: str,
        params: Params = ...,
        media: str = ...,
        read: Callable[[bytes], T],
        answers: Mapping[int, T] = ...,
        refresh: bool = ...,
        stable: bool = ...,
    ) -> T: ...
    async def post(
        self,
        path: str,
        *segments: str,
        params: Params = NOTHING,
        media: str = "application/json",
        read: Any = None,
        answers: Mapping[int, Any] = NOTHING,
        refresh: bool = False,
        stable: bool = False,
    ) -> Any:
        """The same with `params` sent as a form. For questions only: nothing upstream is ever changed."""
