"""Capture of a client's events: a memory says what is known, and keeps what was said."""

import re
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Any

from nacre import settings as environment
from nacre.background.stores import StoreChoice
from nacre.brain import Nacre, ScopedNacre
from nacre.clients import events, unsent_events
from nacre.domain.contexts import Block, SeenPolicy
from nacre.domain.turns import Role, Turn
from nacre.text import secrets

PROFILE_TOKENS, PROMPT_TOKENS = 300, 400
# A reply that goes on for longer is a report, whose beginning says what it is about.
LONGEST = 8_000
# The client holds the conversation itself, and shows nothing that stands in it.
BLOCKS = (Block.BELIEF, Block.MEMORY, Block.DOCUMENT, Block.EPISODE)
# What clients and tools put into a message that nobody said.
_MACHINE = re.compile(
    r"<(system-reminder|command-[a-z]+|local-command-[a-z]+|task-notification|user-prompt-submit-hook"
    r"|environment_context|user_instructions|hook_context)>.*?</\1>",
    re.DOTALL,
)
_CODE = re.compile(r"^(```+|~~~+)[^\n]*\n(.*?)^\1[ \t]*$", re.DOTALL | re.MULTILINE)
FEW_LINES = 3

_taking = Lock()

Reply = tuple[str, Callable[[], None] | None]


def answer(memory: ScopedNacre, event: dict[str, Any]) -> Reply:
    """What a client is told at an event, and what is to be done once it has been told."""
    match event["kind"]:
        case events.START:
            return _profile(memory, event["session"]), None
        case events.PROMPT:
            text = spoken(event.get("prompt", ""))
            said = _context(memory, text, event["session"]) if text else ""
            return said, lambda: keep(memory, [event])
        case events.TURN:
            return "", lambda: keep(memory, [event])
        case _:
            return "", lambda: _learn(memory)


def warm_up(memory: ScopedNacre) -> None:
    """Load the models and prepare the statements that a prompt needs, so that the first who sends one does not wait."""
    # Only a question about somebody who is known asks for everything.
    name = next((each.entity.name for each in memory.knowledge.entities(limit=1).items), memory.scope.user_name)
    # A statement is prepared when it comes for the third time.
    for _ in range(3):
        _context(memory, f"Where does {name} live, and what does {name} like?", None)


def keep(memory: ScopedNacre, messages: Iterable[dict[str, Any]]) -> None:
    """Keep what was said in some events: words of people and models, without secrets."""
    turns = [turn for event in messages for turn in _turns(event)]
    if turns:
        memory.observe_many(turns)


def take_left_over(memory_of: Callable[[str | None], ScopedNacre], store: StoreChoice) -> None:
    """Keep what hooks had to say while no server was up, each in the memory of its project."""
    with _taking:
        every = list(unsent_events.taken(store))
    for project in dict.fromkeys(event.get("project") for event in every):
        keep(memory_of(project), [event for event in every if event.get("project") == project])


def here(store: StoreChoice, event: dict[str, Any]) -> str:
    """Answer an event in this process, where there can be no server."""
    with environment.reading(store.config):
        settings = environment.load()
    with Nacre(settings=settings) as nacre:

        def memory_of(project: str | None) -> ScopedNacre:
            return nacre.scope(settings.agent, settings.user, project or settings.chat)

        take_left_over(memory_of, store)
        reply, later = answer(memory_of(event.get("project")), event)
        if later:
            later()
        return reply


def spoken(text: str) -> str:
    """The words of a message: without what machines put there, without long code, without secrets; no commands."""
    left = _CODE.sub(_short_code, _MACHINE.sub("", text)).strip()
    if left.startswith("/") and " " not in left.partition("\n")[0].strip("/"):
        return ""
    return secrets.redact(left[:LONGEST])[0]


def _short_code(match: re.Match[str]) -> str:
    return match[0] if match[2].count("\n") <= FEW_LINES else "[code]"


def _turns(event: dict[str, Any]) -> list[Turn]:
    said = [(Role.USER, event.get("prompt", "")), (Role.ASSISTANT, event.get("reply", ""))]
    return [Turn(role=role, text=text, session=event["session"]) for role, raw in said if raw and (text := spoken(raw))]


def _profile(memory: ScopedNacre, session: str) -> str:
    # A greeting asks for nothing: all that comes back is what is known of the user.
    built = memory.context("Hello", session=session, budget=PROFILE_TOKENS, blocks=[Block.PROFILE])
    return built.text if built.lines else ""


def _context(memory: ScopedNacre, prompt: str, session: str | None) -> str:
    built = memory.context(
        prompt,
        session=session,
        budget=PROMPT_TOKENS,
        profile=False,
        seen=SeenPolicy.OMIT,
        blocks=BLOCKS,
        quick=True,
    )
    return built.text if built.lines else ""


def _learn(memory: ScopedNacre) -> None:
    memory.learned(timeout=60.0)
