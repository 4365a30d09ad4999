"""LangChain's tools and LangGraph's nodes over a scope. Tests import the libraries themselves: that takes seconds."""

from typing import Annotated, Any, TypedDict

import pytest

from nacre import Nacre, Settings
from nacre.tools.catalogue import ESSENTIALS, EVERY
from tests.adapters.scripts import SCRIPT, check


@pytest.fixture
def scope(sqlite_url):
    with Nacre(sqlite_url, settings=Settings(worker="off")) as nacre:
        yield nacre.scope("assistant", user="ana")


@pytest.mark.spec("N4")
def test_tools_of_langchain_do_what_the_others_do(scope):
    from nacre.adapters.langchain import tools

    held = {tool.name: tool for tool in tools(scope)}

    check({name: held[name].invoke(given) for name, given in SCRIPT})
    assert set(held) == {offer.name for offer in ESSENTIALS}
    assert {tool.name for tool in tools(scope, every=True)} == {offer.name for offer in EVERY}


def test_a_graph_remembers_from_one_thread_to_the_next(scope):
    """A thread that goes on brings its old messages along: each is kept once, and tools are left out."""
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import END, START, StateGraph
    from langgraph.graph.message import add_messages

    from nacre.adapters.langchain import observe_node, recall_node

    class State(TypedDict):
        messages: Annotated[list[Any], add_messages]
        memory: str

    said = iter(["A fine name.", "It is Brisa.", "Yes."])
    graph: Any = StateGraph(State)
    graph.add_node("recall", recall_node(scope))
    graph.add_node("model", lambda state: {"messages": [ToolMessage("x", tool_call_id="1"), AIMessage(next(said))]})
    graph.add_node("observe", observe_node(scope))
    for start, end in ((START, "recall"), ("recall", "model"), ("model", "observe"), ("observe", END)):
        graph.add_edge(start, end)
    chat = graph.compile(checkpointer=InMemorySaver())

    def ask(thread, text):
        return chat.invoke({"messages": [HumanMessage(text)]}, {"configurable": {"thread_id": thread}})

    first, _, second = (
        ask("monday", "My boat is called Brisa."),
        ask("monday", "What is it called?"),
        ask("tuesday", "What is my boat called?"),
    )

    assert first["memory"] == ""
    assert "Brisa" in second["memory"]
    kept = [(turn.turn.role, turn.turn.text) for turn in scope.conversations.last("monday")]
    assert kept == [
        ("user", "My boat is called Brisa."),
        ("assistant", "A fine name."),
        ("user", "What is it called?"),
        ("assistant", "It is Brisa."),
    ]
