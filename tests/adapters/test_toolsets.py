"""The tools in the hands of real agent libraries, whose models are small fakes that follow a script.

A test imports its library itself: to collect all of them took every process of a run three seconds.
"""

import asyncio
import importlib
import json
import sys

import pytest

from nacre import Misconfigured
from nacre.tools.catalogue import ESSENTIALS, EVERY
from tests.adapters.scripts import SCRIPT, check


@pytest.mark.spec("N4")
def test_an_agent_of_pydantic_ai_remembers_corrects_and_explains(scope):
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import FunctionModel

    from nacre.adapters import pydantic_ai

    replies = {}

    def model(messages, info):
        replies.update(
            {part.tool_name: part.content for part in messages[-1].parts if isinstance(part, ToolReturnPart)}
        )
        assert {tool.name for tool in info.function_tools} == {offer.name for offer in ESSENTIALS}
        assert "Nacre is your long-term memory" in info.instructions
        if len(replies) == len(SCRIPT):
            return ModelResponse(parts=[TextPart("Done.")])
        return ModelResponse(parts=[ToolCallPart(*SCRIPT[len(replies)])])

    agent = Agent(FunctionModel(model), toolsets=[pydantic_ai.toolset(scope)])
    assert asyncio.run(agent.run("Hello")).output == "Done."
    check(replies)


def scripted_model():
    """A model of the OpenAI SDK that calls the tools of the script, one after the other."""
    from agents import Model, ModelResponse, Usage
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    class Scripted(Model):
        def __init__(self):
            self.replies = {}

        async def get_response(self, system_instructions, input, model_settings, tools, *rest, **more):  # noqa: A002
            said = [each for each in input if isinstance(each, dict) and each.get("type") == "function_call_output"]
            self.replies = {SCRIPT[place][0]: each["output"] for place, each in enumerate(said)}
            return ModelResponse(output=[self._next(len(said))], usage=Usage(), response_id=None)

        def _next(self, place):
            if place == len(SCRIPT):
                text = ResponseOutputText(text="Done.", type="output_text", annotations=[])
                return ResponseOutputMessage(
                    id="m", content=[text], role="assistant", status="completed", type="message"
                )
            name, given = SCRIPT[place]
            return ResponseFunctionToolCall(
                id=str(place), call_id=str(place), type="function_call", name=name, arguments=json.dumps(given)
            )

        def stream_response(self, *given, **named):
            raise NotImplementedError

    return Scripted()


@pytest.mark.spec("N4")
def test_an_agent_of_the_openai_sdk_remembers_corrects_and_explains(scope):
    from agents import Agent, RunConfig, Runner

    from nacre.adapters import openai_agents

    model = scripted_model()
    agent = Agent(name="assistant", model=model, tools=list(openai_agents.tools(scope)))
    done = asyncio.run(Runner.run(agent, "Hello", run_config=RunConfig(tracing_disabled=True)))
    assert done.final_output == "Done."
    check(model.replies)


@pytest.mark.spec("N4")
def test_every_tool_fits_into_both_libraries(scope):
    from nacre.adapters import openai_agents, pydantic_ai

    names = [offer.name for offer in EVERY]
    assert list(pydantic_ai.toolset(scope, every=True).tools) == names
    offered = openai_agents.tools(scope, every=True)
    assert [tool.name for tool in offered] == names
    assert [tool.name for tool in offered if not tool.strict_json_schema] == ["apply_operations", "propose_operations"]


def test_working_memory_is_kept_by_session(scope):
    from agents.tool_context import ToolContext

    from nacre.adapters import openai_agents

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
