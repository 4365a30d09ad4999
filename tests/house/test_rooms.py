"""The rooms as docs/architecture.md draws them, and the walks through them that it tells."""

import importlib.util
import re
import sys
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from types import FrameType

import pytest

from nacre import Nacre, Settings

ROOT = Path(__file__).parents[2]
SOURCES = str(ROOT / "src/nacre") + "/"
_SPEC = importlib.util.spec_from_file_location("rooms", ROOT / "script/rooms.py")
assert _SPEC
assert _SPEC.loader
rooms = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(rooms)
PAGE = rooms.PAGE.read_text()
# At hand everywhere, so that a walk says nothing of them.
EVERYWHERE = {"text", "domain"}
STAGES = ["queries", "indexes", "scores", "rows", "reranking", "judgements"]

Call = tuple[str, str, str]


def calls_of(action: Callable[[], object]) -> list[Call]:
    """Each call while something is done: the module that is called, its function, and the module that calls it."""
    calls: list[Call] = []

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and (called := _module(frame)) and not frame.f_code.co_name.startswith("<"):
            calls.append((called, frame.f_code.co_name, _module(frame.f_back) if frame.f_back else ""))

    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
    return calls


def _module(frame: FrameType) -> str:
    name = frame.f_code.co_filename
    return name.removeprefix(SOURCES).removesuffix(".py") if name.startswith(SOURCES) else ""


def walk_on_page(title: str) -> list[str]:
    """The rooms that a walk of the page names, in order."""
    section = PAGE.split(f"## {title}\n")[1].split("\n## ")[0]
    return re.findall(r"^\d+\. `(\w+)/`", section, re.MULTILINE)


def rooms_entered(calls: list[Call]) -> list[str]:
    return list(dict.fromkeys(room for called, _, _ in calls if (room := called.split("/")[0]) not in EVERYWHERE))


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    """A scope that has heard a turn and answered a question, so that everything is loaded."""
    settings = Settings(worker="off", extraction="rules", rerank="off", embedder="local")
    with Nacre(tmp_path_factory.mktemp("rooms") / "brain.db", settings=settings) as nacre:
        scope = nacre.scope("assistant", user="ana")
        scope.observe("user", "Bruno lives in Porto.", session="s1")
        scope.recall("Where does Bruno live?")
        yield scope


def test_the_page_shows_the_imports_as_they_are():
    assert rooms.page() == PAGE


def test_every_room_of_the_contract_is_described():
    described = re.findall(r"^\| `(\w+)(?:/|\.py)` \|", PAGE, re.MULTILINE)
    assert sorted(described) == sorted(rooms.order())


def test_a_turn_walks_through_the_rooms_as_the_page_says(lived):
    def told() -> None:
        lived.observe("user", "My husband Tom works at Acme as a baker.", session="s1")
        lived.learned()

    assert rooms_entered(calls_of(told)) == walk_on_page("A walk of one turn")


def test_a_question_walks_through_the_rooms_as_the_page_says(lived):
    entered = rooms_entered(calls_of(lambda: lived.recall("Where does Bruno work?")))
    assert entered == walk_on_page("A walk of one question")


def test_a_question_enters_each_stage_of_recall_once(lived):
    calls = calls_of(lambda: lived.recall("What does Bruno do in Porto?"))
    # How many hits will be read is asked before they are loaded.
    led = [(called.split("/")[1], name) for called, name, by in calls if by == "recall/questions" and "/" in called]
    stages = [stage for stage, name in led if stage in STAGES and name not in ("depth", "understood", "comparable")]

    assert [stage for stage, _ in groupby(stages)] == STAGES
    assert re.findall(r"^   - `(\w+)`", PAGE, re.MULTILINE) == STAGES
