"""What makes a function a tool: the decorator, its declared types, and what it may return."""

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Any, Generic, Literal, TypeVar, overload

import msgspec
from msgspec import Meta

from vouched.ids import Ref

__all__ = [
    "Answer",
    "Cursor",
    "Ids",
    "Image",
    "Link",
    "Meta",
    "OutlineEntry",
    "Restriction",
    "TextList",
    "Tool",
    "tool",
]

T = TypeVar("T")
Status = Literal["ok", "partial", "restricted", "outline"]


class Marker:
    """Tells the argument reader what a parameter means beyond its type."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"Marker({self.name!r})"


# A list of identifiers: published as an array of strings, handed to the tool as parsed references, one per element
# submitted, `last`, `run:` and `artifact:` already replaced by what they stand for.
Ids = Annotated[list[Ref], Marker("ids")]
# Free texts (queries, terms, quotes): never split at commas or spaces.
TextList = Annotated[list[str], Marker("texts")]
# Opaque continuation; the host checks it and gives its content through `ctx.state`.
Cursor = Annotated[str | None, Marker("cursor")]


class Image(msgspec.Struct, frozen=True):
    """A picture in the answer."""

    data: bytes
    media_type: str = "image/png"
    alt: str = ""


class Link(msgspec.Struct, omit_defaults=True, frozen=True):
    """A resource that goes with the answer."""

    uri: str
    name: str
    media_type: str = ""
    description: str = ""
    size: int = 0


class Restriction(msgspec.Struct, omit_defaults=True, frozen=True):
    """Why content is withheld, and what can be had instead: a success that the caller reads and goes on."""

    access_tier: str
    licence: str
    reason: str
    available: list[str] = []
    record: Any = None


class OutlineEntry(msgspec.Struct, frozen=True):
    """One part of something too large to answer at once: its path and its size in characters."""

    path: str
    chars: int


class Answer(msgspec.Struct, Generic[T], frozen=True):
    """What a tool returns when `T` alone does not say enough.

    Attributes:
        data: the result, or None (restricted and outline may go without).
        status: ok; partial when some items could not be asked or read (each named); restricted; outline.
        next_cursor: from `ctx.fit`.
        attachments: images and links.
        restriction, outline: with their status.
    """

    data: T | None
    status: Status = "ok"
    next_cursor: str | None = None
    attachments: Sequence[Image | Link] = ()
    restriction: Restriction | None = None
    outline: Sequence[OutlineEntry] = ()


Function = Callable[..., Awaitable[Any]]


class Tool(msgspec.Struct, frozen=True):
    """A tool as its plugin contributes it; the host adds the plugin's name in front.

    Attributes:
        name: the function's name; description: its docstring, cleaned.
        function: `async (ctx, **arguments) -> T | Answer[T]`.
        aliases: names other servers gave the same tool; callable, never listed.
        synonyms: other spellings of parameters -> the declared name.
        serves: the need it serves in two or three words ("find papers"), for the server's instructions.
        title: for people; deadline: seconds, the host's default where None.
        idempotent, open_world, read_only: MCP hints.
        finds: whether its runs find records (`last` is the last of these) rather than work on records they are given;
            None for "it takes no ids".
        journal: whether its runs are recorded ("run"), or not at all ("none").
    """

    name: str
    description: str
    function: Function
    aliases: tuple[str, ...] = ()
    synonyms: Mapping[str, str] = {}
    serves: str = ""
    title: str | None = None
    deadline: float | None = None
    idempotent: bool = True
    open_world: bool = True
    read_only: bool = True
    finds: bool | None = None
    journal: Literal["run", "none"] = "run"


@overload
def tool(function: Function, /) -> Tool: ...
@overload
def tool(
    *,
    name: str | None = None,
    aliases: Sequence[str] = (),
    synonyms: Mapping[str, str] | None = None,
    serves: str = "",
    title: str | None = None,
    deadline: float | None = None,
    idempotent: bool = True,
    open_world: bool = True,
    finds: bool | None = None,
    journal: Literal["run", "none"] = "run",
) -> Callable[[Function], Tool]: ...
def tool(
    function: Function | None = None,
    /,
    *,
    name: str | None = None,
    aliases: Sequence[str] = (),
    synonyms: Mapping[str, str] | None = None,
    serves: str = "",
    title: str | None = None,
    deadline: float | None = None,
    idempotent: bool = True,
    open_world: bool = True,
    finds: bool | None = None,
    journal: Literal["run", "none"] = "run",
) -> Tool | Callable[[Function], Tool]:
    """Make an async function a tool: its first parameter is the `Context`, the others are the arguments.

    The docstring is the description: first a sentence that carries the meaning, then when to use it, which sibling to
    use instead, and what comes back. Parameters take their JSON Schema from their annotations
    (`Annotated[str, Meta(min_length=2, description="…")]`), the answer's from the return annotation.
    """

    def make(function: Function) -> Tool:
        if not inspect.iscoroutinefunction(function):
            raise TypeError(f"@tool needs an async function; {function.__qualname__} is not one.")
        if isinstance(aliases, str):
            raise TypeError(f"aliases of {function.__qualname__} are one text; write ({aliases!r},).")
        return Tool(
            name=name or function.__name__,
            description=inspect.cleandoc(function.__doc__ or ""),
            function=function,
            aliases=tuple(aliases),
            synonyms=dict(synonyms or {}),
            serves=serves,
            title=title,
            deadline=deadline,
            idempotent=idempotent,
            open_world=open_world,
            finds=finds,
            journal=journal,
        )

    return make if function is None else make(function)
