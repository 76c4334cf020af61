"""What a plugin can contribute beside sources and tools: resolvers, texts, styles, resources, prompts, checks."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

import msgspec

from vouched.article import Article, Missing
from vouched.fulltext import FullText
from vouched.ids import Id, Scheme

if TYPE_CHECKING:
    from vouched.context import Context

__all__ = [
    "Argument",
    "Check",
    "CheckLine",
    "Content",
    "Message",
    "Prompt",
    "Resolver",
    "Resource",
    "Style",
    "TextSource",
]

Markup = Literal["text", "markdown", "html"]


@runtime_checkable
class Resolver(Protocol):
    """Turns ids into articles. Resolvers are asked in rank order (lowest first), each for what is still missing; the
    first that has an article wins and records are never merged: the record says where it is from.

    Attributes:
        schemes: kinds of id that it can resolve; built-in ones by name, its own as `Scheme`.
        rank: 10 for a primary source, 50 for a general one, 100 for a fallback.
    """

    schemes: Sequence[Scheme | str]
    rank: int

    async def resolve(self, ctx: "Context", ids: Sequence[Id]) -> Mapping[Id, Article | Missing]:
        """An entry for every id asked; `Missing("failed", …)` where the service could not be asked, never a fault for
        one id."""


@runtime_checkable
class TextSource(Protocol):
    """Finds the full text of an article. The host asks in rank order and applies the licence gate itself."""

    rank: int

    async def find(self, ctx: "Context", article: Article) -> FullText | Missing: ...


class Style(msgspec.Struct, frozen=True):
    """A citation style.

    Attributes:
        name: lower case, as in "apa"; media_type and suffix of a whole file (".bib"); label for people.
        render: one article -> one citation in `markup` ("text", "markdown", "html"; export formats ignore it).
        header, footer: around a file of several; separator between them.
        comment: turns a notice into the format's leading comment, None where the format has none.
    """

    name: str
    media_type: str
    suffix: str
    render: Callable[[Article, Markup], str]
    label: str = ""
    header: str = ""
    footer: str = ""
    separator: str = "\n"
    comment: Callable[[str], str] | None = None


class Content(msgspec.Struct, frozen=True):
    """What reading a resource gives: text or bytes with a media type."""

    text: str = ""
    media_type: str = "text/markdown"
    data: bytes | None = None


class Resource(msgspec.Struct, frozen=True):
    """Something clients can read by address.

    Attributes:
        uri_template: `vouched://pubmed/article/{pmid}`; without braces a fixed resource.
        name, description, media_type: for listings.
        read: `async (ctx, **variables) -> Content`.
        complete: `async (ctx, variable, prefix) -> suggestions`, or None.
    """

    uri_template: str
    name: str
    read: Callable[..., Awaitable[Content]]
    description: str = ""
    media_type: str = "text/markdown"
    complete: "Callable[[Context, str, str], Awaitable[Sequence[str]]] | None" = None


class Argument(msgspec.Struct, frozen=True):
    """An argument of a prompt."""

    name: str
    description: str = ""
    required: bool = False


class Message(msgspec.Struct, frozen=True):
    """One message of a prompt."""

    role: Literal["user", "assistant"]
    text: str


class Prompt(msgspec.Struct, frozen=True):
    """A prompt that people can start from; `render` takes the argument values."""

    name: str
    description: str
    render: Callable[[Mapping[str, str]], Sequence[Message]]
    arguments: Sequence[Argument] = ()
    complete: "Callable[[Context, str, str], Awaitable[Sequence[str]]] | None" = None


class CheckLine(msgspec.Struct, frozen=True):
    """One line of `vouched doctor`."""

    ok: bool
    text: str


class Check(msgspec.Struct, frozen=True):
    """A check for `vouched doctor`: `async (ctx) -> lines`; whatever it raises becomes a failed line."""

    name: str
    run: "Callable[[Context], Awaitable[Sequence[CheckLine]]]"
