"""The server: each message finds its caller, and work is done on threads, never on the event loop."""

import logging
from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any, TypeVar

import anyio.to_thread
import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError
from starlette.requests import Request

from nacre import __version__
from nacre.domain.access import Permission
from nacre.domain.errors import Invalid, NacreError, NotFound
from nacre.mcp import prompts, resources
from nacre.mcp.arguments import Arguments
from nacre.mcp.callers import Caller
from nacre.tools import catalogue
from nacre.tools.catalogue import INSTRUCTIONS, ToolEffect, ToolOffer
from nacre.tools.failures import error_text

INTERNAL = "internal: The server made a mistake; its log says more. Tell the user."

log = logging.getLogger(__name__)

Result = TypeVar("Result")
Context = ServerRequestContext[Any, Request]


def create(caller_of: Callable[[Request | None], Caller], *, every: bool = False) -> Server[Any]:
    """A server with the few tools that agents need, or with every tool of the documents."""
    return _Handlers(caller_of, catalogue.offered(every=every)).server()


class _Handlers:
    """What the server does with each kind of message."""

    def __init__(self, caller_of: Callable[[Request | None], Caller], offers: tuple[ToolOffer, ...]) -> None:
        self._caller_of = caller_of
        self._offers = {offer.name: offer for offer in offers}

    def server(self) -> Server[Any]:
        """These handlers behind the protocol."""
        return Server(
            "nacre",
            version=__version__,
            title="Nacre",
            instructions=INSTRUCTIONS,
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
            on_list_prompts=self.list_prompts,
            on_get_prompt=self.get_prompt,
        )

    async def list_tools(self, context: Context, _: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """The tools that the caller's role may call."""
        caller = self._caller_of(context.request)
        offered = [each for each in self._offers.values() if caller.may(each.permission)]
        return types.ListToolsResult(tools=[described(each) for each in offered])

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Call a tool; whatever goes wrong in it is a reply that the agent can read. An unknown one is no tool."""
        if params.name not in self._offers:
            raise MCPError(types.INVALID_PARAMS, error_text(_unknown(params.name, self._offers)), {"name": params.name})
        try:
            text = await anyio.to_thread.run_sync(partial(self._call, self._caller_of(context.request), params))
        except NacreError as error:
            return _reply(error_text(error), failed=True)
        except Exception:
            log.exception("The tool %r failed.", params.name)
            return _reply(INTERNAL, failed=True)
        return _reply(text, failed=False)

    def _call(self, caller: Caller, params: types.CallToolRequestParams) -> str:
        offer = self._offers[params.name]
        given = arguments(offer).read(params.arguments)
        return offer.of(caller.scope(offer.permission, offer.name), caller.session, caller.actor)(**given)

    async def list_resources(
        self, context: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """The most important entities and memories of the caller."""
        found = await self._read(context, "resources/list", resources.listing)
        return types.ListResourcesResult(resources=found)

    async def list_templates(
        self, _context: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """How the other resources are named."""
        return types.ListResourceTemplatesResult(resource_templates=resources.TEMPLATES)

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """One entity or memory."""
        uri = str(params.uri)
        text = await self._read(context, "resources/read", lambda scope: resources.read(scope, uri), uri=uri)
        contents = types.TextResourceContents(uri=uri, mime_type=resources.TEXT, text=text)
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(self, _context: Context, _: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        """Every prompt."""
        return types.ListPromptsResult(prompts=prompts.listing())

    async def get_prompt(self, context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """The text of a prompt, with what it needs from memory."""
        given = params.arguments or {}
        return await self._read(context, "prompts/get", lambda scope: prompts.get(scope, params.name, given))

    async def _read(self, context: Context, called: str, work: Callable[[Any], Result], **about: str) -> Result:
        """What reading the caller's memory comes to; a failure is an error of the protocol, with what it is about."""
        caller = self._caller_of(context.request)
        try:
            return await anyio.to_thread.run_sync(lambda: work(caller.scope(Permission.RECALL, called)))
        except NacreError as error:
            wrong = isinstance(error, Invalid | NotFound)
            code = types.INVALID_PARAMS if wrong else types.INTERNAL_ERROR
            raise MCPError(code, error_text(error), {"code": error.code, **about}) from error
        except Exception as error:
            log.exception("%s failed.", called)
            raise MCPError(types.INTERNAL_ERROR, INTERNAL) from error


@cache
def arguments(offer: ToolOffer) -> Arguments:
    """What a tool takes."""
    return Arguments(offer.function)


def described(offer: ToolOffer) -> types.Tool:
    """A tool as clients list it."""
    hints = types.ToolAnnotations(
        read_only_hint=offer.effect is ToolEffect.READS,
        destructive_hint=offer.effect is ToolEffect.TAKES,
        open_world_hint=False,
    )
    doc = " ".join((offer.function.__doc__ or "").split())
    return types.Tool(name=offer.name, description=doc, input_schema=arguments(offer).schema, annotations=hints)


def _unknown(name: str, offers: Iterable[str]) -> Invalid:
    return Invalid("name", f"must be one of {', '.join(offers)}, not {name!r:.200}")


def _reply(text: str, *, failed: bool) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=failed)
