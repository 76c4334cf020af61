"""The MCP face: one low-level server for both protocol eras, over stdio and Streamable HTTP.

The only module beside `auth` that imports the SDK, and imported only by `vouched serve`.
"""

import asyncio
import secrets
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from vouched import __version__, faces
from vouched.answer import Result
from vouched.faults import Fault, InvalidArgument, NotFound
from vouched.host import Host
from vouched.journal import Owner
from vouched.names import as_id
from vouched.registry import BoundTool
from vouched.stdio import StdoutGuard, leave_when_alone
from vouched.text import clean
from vouched.tooling import Image

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

__all__ = ["build", "serve_stdio"]

# The protocol's bound on one answer of completion.
MOST_SUGGESTIONS = 100


def build(host: Host, *, session_id: str | None = None) -> Server[Any]:
    """A server over `host`. `session_id` names the one session of a stdio process; HTTP sessions name themselves."""
    handlers = _Handlers(host, session_id)
    return Server(
        "vouched",
        version=__version__,
        title="Vouched",
        instructions=faces.instructions(host),
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
        on_completion=handlers.complete,
    )


class _Handlers:
    def __init__(self, host: Host, session_id: str | None) -> None:
        self._host = host
        self._session_id = session_id

    def _owner(self, ctx: "ServerRequestContext[Any, Any]") -> Owner:
        """A stdio process, an HTTP session, or else principal and client."""
        params = ctx.session.client_params
        client = params.client_info.name[:80] if params else ""
        principal, session = "", self._session_id
        if ctx.request is not None:
            principal = ctx.request.scope.get("vouched.principal", "")
            session = ctx.request.headers.get("mcp-session-id", "")[:80]
        return Owner(principal, client, as_id(session or f"client-{client or 'unnamed'}"))

    async def list_tools(self, _: Any, __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[_tool(bound) for bound in self._host.registry.published(self._host.settings)]
        )

    async def call_tool(
        self, ctx: "ServerRequestContext[Any, Any]", params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        reported: float | None = None

        async def report(done: float, total: float | None, text: str) -> None:
            # Progress must grow strictly; a repeated value is left out.
            nonlocal reported
            if reported is None or done > reported:
                reported = done
                await ctx.session.report_progress(done, total, text or None)

        try:
            result = await self._host.call(params.name, params.arguments, owner=self._owner(ctx), report=report)
        except NotFound as fault:
            raise _error(fault) from None
        return _result(result)

    async def list_resources(self, _: Any, __: Any) -> types.ListResourcesResult:
        fixed = [resource for _, resource in self._host.registry.resources if "{" not in resource.uri_template]
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=r.uri_template,
                    name=clean(r.name),
                    description=clean(r.description) or None,
                    mime_type=r.media_type,
                )
                for r in fixed
            ]
        )

    async def list_templates(self, _: Any, __: Any) -> types.ListResourceTemplatesResult:
        templates = [resource for _, resource in self._host.registry.resources if "{" in resource.uri_template]
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    uri_template=r.uri_template,
                    name=clean(r.name),
                    description=clean(r.description) or None,
                    mime_type=r.media_type,
                )
                for r in templates
            ]
        )

    async def read_resource(
        self, ctx: "ServerRequestContext[Any, Any]", params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        try:
            content = await faces.read_resource(self._host, uri, self._owner(ctx))
        except Fault as fault:
            raise _error(fault, {"uri": uri}) from None
        if content.data is not None:
            import base64

            blob = base64.b64encode(content.data).decode()
            return types.ReadResourceResult(
                contents=[types.BlobResourceContents(uri=uri, mime_type=content.media_type, blob=blob)]
            )
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=uri, mime_type=content.media_type, text=content.text)]
        )

    async def list_prompts(self, _: Any, __: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=prompt.name,
                    description=clean(prompt.description),
                    arguments=[
                        types.PromptArgument(name=a.name, description=clean(a.description) or None, required=a.required)
                        for a in prompt.arguments
                    ],
                )
                for _, prompt in self._host.registry.prompts.values()
            ]
        )

    async def get_prompt(self, _: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        try:
            messages = faces.prompt(self._host, params.name, params.arguments or {})
        except Fault as fault:
            raise _error(fault) from None
        return types.GetPromptResult(
            messages=[
                types.PromptMessage(role=message.role, content=types.TextContent(type="text", text=message.text))
                for message in messages
            ]
        )

    async def complete(
        self, ctx: "ServerRequestContext[Any, Any]", params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        ref = params.ref
        kind, name = ("prompt", ref.name) if isinstance(ref, types.PromptReference) else ("resource", str(ref.uri))
        try:
            found = await faces.complete(
                self._host, kind, name, params.argument.name, params.argument.value, self._owner(ctx)
            )
        except Fault as fault:
            raise _error(fault) from None
        values = list(found[:MOST_SUGGESTIONS])
        return types.CompleteResult(
            completion=types.Completion(values=values, total=len(found), has_more=len(found) > len(values))
        )


def _error(fault: Fault, data: dict[str, Any] | None = None) -> MCPError:
    """A failure outside a tool call, where the protocol has no room for an envelope."""
    wrong = isinstance(fault, NotFound | InvalidArgument)
    code = types.INVALID_PARAMS if wrong else types.INTERNAL_ERROR
    return MCPError(code, " ".join(part for part in (fault.message, fault.hint) if part), data)


def _tool(bound: BoundTool) -> types.Tool:
    tool = bound.tool
    return types.Tool(
        name=bound.name,
        title=bound.title,
        description=bound.description,
        input_schema=bound.input_schema,
        output_schema=bound.output_schema,
        annotations=types.ToolAnnotations(
            read_only_hint=tool.read_only,
            destructive_hint=False,
            idempotent_hint=tool.idempotent,
            open_world_hint=tool.open_world,
        ),
    )


def _result(result: Result) -> types.CallToolResult:
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=result.text)]
    for attached in result.attachments:
        if isinstance(attached, Image):
            import base64

            data = base64.b64encode(attached.data).decode()
            content.append(types.ImageContent(type="image", data=data, mime_type=attached.media_type))
        else:
            content.append(
                types.ResourceLink(
                    type="resource_link",
                    uri=attached.uri,
                    name=attached.name,
                    mime_type=attached.media_type or None,
                    description=attached.description or None,
                    size=attached.size or None,
                )
            )
    return types.CallToolResult(content=content, structured_content=result.structured, is_error=result.is_error)


async def serve_stdio(host: Host, stdout: StdoutGuard) -> None:
    """Serve one client on stdin and stdout until it goes."""
    from mcp.server.stdio import stdio_server

    server = build(host, session_id=f"stdio-{secrets.token_hex(6)}")
    watcher = asyncio.create_task(leave_when_alone(stdout.watched, stdout.parent, host.aclose))
    try:
        stdout.release()
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())
    finally:
        watcher.cancel()
        await host.aclose()
