"""The tools in the hands of real agent libraries, whose models are small fakes that follow a script."""

import asyncio
import importlib
import json
import sys

import pytest
from agents import Agent, Model, ModelResponse, RunConfig, Runner, Usage
from agents.tool_context import ToolContext
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from pydantic_ai import Agent as PydanticAgent
from pydantic_ai.messages import ModelResponse as PydanticResponse
from pydantic_ai.messages import TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel

from nacre import Misconfigured
from nacre.adapters import openai_agents, pydantic_ai
from nacre.tools.catalogue import ESSENTIALS, EVERY

SCRIPT = [
    ("observe", {"text": "My favourite colour is blue."}),
    ("remember", {"text": "Ana plays the oboe.", "category": "user-preferences/music"}),
    ("recall", {"query": "oboe"}),
    ("correct", {"entity": "user", "what": "favourite colour", "value": "green"}),
    ("explain", {"subject": "user", "what": "favourite colour"}),
    ("forget", {"memory": "000000000000"}),
]


def check(replies):
    """What the tools said to the model."""
    assert replies["remember"].startswith("Saved as [")
    assert "Ana plays the oboe." in replies["recall"]
    assert replies["correct"] == "ana: favourite colour is now green. It was blue."
    assert "before: blue" in replies["explain"]
    assert replies["forget"].startswith("not_found: No memory `000000000000` in this scope. Look it up first")


@pytest.mark.spec("N4")
def test_an_agent_of_pydantic_ai_remembers_corrects_and_explains(scope):
    replies = {}

    def model(messages, info):
        replies.update(
            {part.tool_name: part.content for part in messages[-1].parts if isinstance(part, ToolReturnPart)}
        )
        assert {tool.name for tool in info.function_tools} == {offer.name for offer in ESSENTIALS}
        assert "Nacre is your long-term memory" in info.instructions
        if len(replies) == len(SCRIPT):
            return PydanticResponse(parts=[TextPart("Done.")])
        return PydanticResponse(parts=[ToolCallPart(*SCRIPT[len(replies)])])

    agent = PydanticAgent(FunctionModel(model), toolsets=[pydantic_ai.toolset(scope)])
    assert asyncio.run(agent.run("Hello")).output == "Done."
    check(replies)


class Scripted(Model):
    """A model that calls the tools of the script, one after the other."""

    def __init__(self):
        self.replies = {}

    async def get_response(self, system_instructions, input, model_settings, tools, *rest, **more):  # noqa: A002
        said = [each for each in input if isinstance(each, dict) and each.get("type") == "function_call_output"]
        self.replies = {SCRIPT[place][0]: each["output"] for place, each in enumerate(said)}
        return ModelResponse(output=[self._next(len(said))], usage=Usage(), response_id=None)

    def _next(self, place):
        if place == len(SCRIPT):
            text = ResponseOutputText(text="Done.", type="output_text", annotations=[])
            return ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")
        name, given = SCRIPT[place]
        return ResponseFunctionToolCall(
            id=str(place), call_id=str(place), type="function_call", name=name, arguments=json.dumps(given)
        )

    def stream_response(self, *given, **named):
        raise NotImplementedError


@pytest.mark.spec("N4")
def test_an_agent_of_the_openai_sdk_remembers_corrects_and_explains(scope):
    model = Scripted()
    agent = Agent(name="assistant", model=model, tools=list(openai_agents.tools(scope)))
    done = asyncio.run(Runner.run(agent, "Hello", run_config=RunConfig(tracing_disabled=True)))
    assert done.final_output == "Done."
    check(model.replies)


@pytest.mark.spec("N4")
def test_every_tool_fits_into_both_libraries(scope):
    names = [offer.name for offer in EVERY]
    assert list(pydantic_ai.toolset(scope, every=True).tools) == names
    offered = openai_agents.tools(scope, every=True)
    assert [tool.name for tool in offered] == names
    assert [tool.name for tool in offered if not tool.strict_json_schema] == ["apply_operations", "propose_operations"]


def test_working_memory_is_kept_by_session(scope):
    tools = {tool.name: tool for tool in openai_agents.tools(scope, every=True, session="desk")}
    given = json.dumps({"key": "todo", "data": "tune it", "ttl_minutes": None, "category": None, "tags": None})
    context = ToolContext(None, tool_name="save_to_working_memory", tool_call_id="1", tool_arguments=given)

    async def invoke():
        return await tools["save_to_working_memory"].on_invoke_tool(context, given)

    assert asyncio.run(invoke()).startswith("Stored session/desk/todo until ")
    assert scope.working("session/desk").get("todo").value == "tune it"


@pytest.mark.spec("N4")
@pytest.mark.parametrize(
    ("adapter", "library", "extra"),
    [
        ("langgraph", "langgraph.store.base", "nacre[langgraph]"),
        ("pydantic_ai", "pydantic_ai.toolsets", "nacre[llm]"),
        ("openai_agents", "agents", "nacre[openai-agents]"),
    ],
)
def test_a_library_that_is_missing_is_named_with_what_to_install(monkeypatch, adapter, library, extra):
    importlib.import_module(f"nacre.adapters.{adapter}")
    monkeypatch.delitem(sys.modules, f"nacre.adapters.{adapter}")
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(Misconfigured, match=extra.replace("[", r"\[").replace("]", r"\]")):
        importlib.import_module(f"nacre.adapters.{adapter}")
