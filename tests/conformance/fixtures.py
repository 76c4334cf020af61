"""What the conformance suite expects of a server under test: its tools, resources and prompts, as a plugin `test`."""

import asyncio
import base64
import logging
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from vouched.api import (
    Answer,
    Argument,
    Content,
    Context,
    Image,
    InternalFault,
    Link,
    Message,
    Meta,
    Prompt,
    Resource,
    Struct,
    hookimpl,
    tool,
)

# One red pixel.
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
)


class Said(Struct):
    """What these tools answer."""

    text: str


@tool
async def simple_text(ctx: Context) -> Said:
    """Answer a simple text."""
    return Said("This is a simple text response for testing.")


@tool
async def image_content(ctx: Context) -> Answer[Said]:
    """Answer an image."""
    return Answer(Said("An image."), attachments=[Image(PNG)])


@tool
async def multiple_content_types(ctx: Context) -> Answer[Said]:
    """Answer text, an image and a link."""
    link = Link("test://mixed-content-resource", "mixed", "application/json")
    return Answer(Said("Multiple content types test:"), attachments=[Image(PNG), link])


@tool
async def error_handling(ctx: Context) -> Said:
    """Fail."""
    raise InternalFault("This tool intentionally returns an error for testing")


@tool
async def tool_with_progress(ctx: Context) -> Said:
    """Report progress three times."""
    for done in (0, 50, 100):
        await ctx.progress(done, 100, f"Completed step {done} of 100")
        await asyncio.sleep(0.05)
    return Said("Tool with progress executed successfully")


@tool
async def reconnection(ctx: Context) -> Said:
    """Take a moment."""
    await asyncio.sleep(0.1)
    return Said("Reconnection test completed successfully.")


@tool
async def logging_tool(ctx: Context) -> Said:
    """Write to the log, which goes to stderr and never to the client."""
    logging.getLogger("vouched.conformance").warning("a line for whoever runs the server")
    return Said("Logged.")


async def _static_text(ctx: Context) -> Content:
    return Content("This is the content of the static text resource.", "text/plain")


async def _static_binary(ctx: Context) -> Content:
    return Content(media_type="image/png", data=PNG)


async def _template(ctx: Context, id: Annotated[str, Meta()]) -> Content:
    return Content(f'{{"id": "{id}", "templateTest": true, "data": "Data for ID: {id}"}}', "application/json")


async def _complete(ctx: Context, variable: str, prefix: str) -> Sequence[str]:
    return [word for word in ("paris", "park", "party") if word.startswith(prefix)]


def _simple(values: Mapping[str, str]) -> Sequence[Message]:
    return [Message("user", "This is a simple prompt for testing.")]


def _with_arguments(values: Mapping[str, str]) -> Sequence[Message]:
    return [Message("user", f"Prompt with arguments: arg1='{values['arg1']}', arg2='{values['arg2']}'")]


@hookimpl
def tools() -> Any:
    """The tools that need nothing which we do not offer."""
    content = [simple_text, image_content, multiple_content_types]
    return [*content, error_handling, tool_with_progress, reconnection, logging_tool]


@hookimpl
def resources() -> Any:
    """A text, some bytes, a template."""
    return [
        Resource("test://static-text", "Static text", _static_text, "For testing.", "text/plain"),
        Resource("test://static-binary", "Static binary", _static_binary, "For testing.", "image/png"),
        Resource("test://template/{id}/data", "Template", _template, "For testing.", "application/json"),
    ]


@hookimpl
def prompts() -> Any:
    """One without and one with arguments."""
    arguments = [Argument("arg1", "First test argument", True), Argument("arg2", "Second test argument", True)]
    return [
        Prompt("test_simple_prompt", "A simple prompt.", _simple),
        Prompt("test_prompt_with_arguments", "A prompt with arguments.", _with_arguments, arguments, _complete),
    ]
