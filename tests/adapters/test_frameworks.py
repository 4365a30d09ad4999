"""Adapters of libraries that are too large for every run of the tests: checked where they are installed."""

import asyncio
import importlib
import sys

import pytest

from nacre import Misconfigured
from nacre.tools.catalogue import ESSENTIALS, EVERY
from tests.adapters.scripts import SCRIPT, check
from tests.house.test_docs import ROOT, blocks


@pytest.mark.parametrize(("module", "library"), [("llamaindex", "llama_index"), ("agno", "agno"), ("crewai", "crewai")])
def test_the_example_of_the_page_runs(module, library):
    pytest.importorskip(library)
    for code in blocks(ROOT / "docs/adapters.md", f"python {module}"):
        exec(compile(code, f"{module}.py", "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize(("module", "library"), [("llamaindex", "llama_index"), ("agno", "agno")])
def test_without_its_library_an_adapter_says_what_to_install(module, library, monkeypatch):
    for name in [each for each in sys.modules if each == library or each.startswith(f"{library}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"nacre.adapters.{module}", raising=False)

    with pytest.raises(Misconfigured, match=rf"pip install nacre\[{module}\]"):
        importlib.import_module(f"nacre.adapters.{module}")


def test_an_agent_of_llamaindex_remembers_from_one_session_to_the_next(scope):
    pytest.importorskip("llama_index")
    from llama_index.core.llms import ChatMessage

    from nacre.adapters.llamaindex import NacreMemory

    monday = NacreMemory.from_defaults(scope=scope, session="monday")
    monday.put_messages([ChatMessage("My boat is called Brisa."), ChatMessage(role="tool", content="weather: fine")])
    asyncio.run(monday.aput(ChatMessage(role="assistant", content="A fine name.")))
    tuesday = NacreMemory(scope, session="tuesday")
    asked = ChatMessage("What is my boat called?")
    tuesday.set([asked, ChatMessage(role="assistant", content="")])
    tuesday.set([asked, ChatMessage(role="assistant", content="Brisa."), asked])
    read = asyncio.run(tuesday.aget())
    tuesday.reset()

    assert [each.content for each in monday.get_all()] == ["My boat is called Brisa.", "A fine name."]
    assert (read[0].role, "Brisa" in read[0].content) == ("system", True)
    assert [each.content for each in read[1:]] == ["What is my boat called?", "Brisa."]
    assert tuesday.get() == tuesday.get_all() == []
    assert "Brisa" in tuesday.get("What is my boat called?")[0].content


def test_a_toolkit_of_agno_does_what_the_others_do(scope):
    pytest.importorskip("agno")
    from agno.tools.function import FunctionCall

    from nacre.adapters.agno import toolkit

    held = toolkit(scope)
    functions = held.functions
    for function in functions.values():
        function.process_entrypoint()

    check({name: FunctionCall(function=functions[name], arguments=given).execute().result for name, given in SCRIPT})
    assert set(functions) == {offer.name for offer in ESSENTIALS}
    assert set(toolkit(scope, every=True).functions) == {offer.name for offer in EVERY}
    assert functions["recall"].parameters["required"] == ["query"]
    assert "Nacre is your long-term memory" in held.instructions
