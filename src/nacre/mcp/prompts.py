"""Prompts: what a person can ask of an agent that has this memory."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import mcp_types as types

from nacre.brain import ScopedNacre
from nacre.domain import checks
from nacre.domain.errors import Invalid
from nacre.tools import lines
from nacre.tools.essentials import EssentialTools
from nacre.tools.explanations import ExplanationTools
from nacre.tools.ontology import OntologyTools

ABOUT = "about"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptTemplate:
    """A prompt, and how its text is made."""

    name: str
    title: str
    description: str
    text: Callable[[ScopedNacre, Mapping[str, str]], str]
    arguments: tuple[types.PromptArgument, ...] = ()


def get(scope: ScopedNacre, name: str, given: Mapping[str, str]) -> types.GetPromptResult:
    """The message that a prompt comes to."""
    prompt = PROMPTS[checks.choice("name", name, PROMPTS)]
    content = types.TextContent(type="text", text=prompt.text(scope, given))
    message = types.PromptMessage(role="user", content=content)
    return types.GetPromptResult(description=prompt.description, messages=[message])


def listing() -> list[types.Prompt]:
    """Every prompt."""
    return [
        types.Prompt(name=each.name, title=each.title, description=each.description, arguments=list(each.arguments))
        for each in PROMPTS.values()
    ]


def _remember_conversation(scope: ScopedNacre, given: Mapping[str, str]) -> str:  # noqa: ARG001 - one shape for all
    return (
        "Go through our conversation and keep what will matter later. Use `remember` for facts, preferences and "
        "decisions, one sentence each, with a category. Use `correct` where I contradicted something that you knew, "
        "with my exact words. Leave out small talk, passwords and anything I asked you not to keep. "
        "Then tell me in one short list what you kept."
    )


def _what_do_you_know(scope: ScopedNacre, given: Mapping[str, str]) -> str:
    about = given.get(ABOUT)
    if not about:
        raise Invalid(ABOUT, "is missing")
    believed = ExplanationTools(scope).explain(about)
    said = EssentialTools(scope).recall(about, limit=10)
    return (
        f"What do you know about {about}? Tell me in plain words what you are sure of, since when and from whom, and "
        f"what may be out of date.\n\n{believed}\n\n{said}"
    )


def _daily_review(scope: ScopedNacre, given: Mapping[str, str]) -> str:  # noqa: ARG001 - one shape for all
    done = OntologyTools(scope).history(limit=50)
    waiting = [f"- {each.id}: {each.operation}" for each in scope.ontology.proposals.list(limit=20)] or ["- nothing"]
    held = lines.fenced(["Done lately:", done, "", "Waiting for a decision:", *waiting])
    return (
        "Let us review what you learned lately. Sum it up, point out what looks wrong, doubtful or contradictory, and "
        "ask me about it before you change anything. `undo` takes an operation back, `correct` sets a fact right.\n\n"
        f"{held}"
    )


PROMPTS: Mapping[str, PromptTemplate] = {
    each.name: each
    for each in (
        PromptTemplate(
            name="remember_conversation",
            title="Remember this conversation",
            description="Keep what will matter later, and set right what has changed.",
            text=_remember_conversation,
        ),
        PromptTemplate(
            name="what_do_you_know",
            title="What do you know about …?",
            description="What is known about a person or thing, since when and from whom.",
            text=_what_do_you_know,
            arguments=(types.PromptArgument(name=ABOUT, description="A person or thing.", required=True),),
        ),
        PromptTemplate(
            name="daily_review",
            title="Daily review",
            description="What was learned lately, what looks wrong, and what waits for a decision.",
            text=_daily_review,
        ),
    )
}
