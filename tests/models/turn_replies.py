"""Turns that no rule reads, what a good language model makes of them, and brains that ask one."""

import re

from nacre import ScopedNacre, Settings, Turn
from nacre.domain.jobs import READ_TURNS
from tests.models.llm_service import LanguageModelService

# Sentences that no rule reads.
HOME = "Bergen has been home ever since the divorce."
CHESS = "Tuesday evenings belong to the chess club down the road."
TOLD = (
    {"quote": "Bergen has been home", "object": "Bergen", "predicate": "lives_in"},
    {"quote": "Tuesday evenings belong to the chess club", "object": "the chess club", "predicate": "member_of"},
    {"quote": "Clara swears by her cargo bike", "subject": "Clara", "object": "cargo bike", "predicate": "owns"},
    {"quote": "runs the bakery on Oak Street", "subject": "Clara", "object": "runs the bakery", "predicate": "role"},
    {"quote": "La cocina es lo mío", "object": "cocina", "predicate": "hobby"},
    {"quote": "Lisbon is where my keys open a door", "object": "Lisbon", "predicate": "lives_in"},
)


def replying(question: str) -> dict[str, object]:
    """What a good reader makes of the turns that it is asked about."""
    asked = question.partition("<turns>")[2]
    turns = re.findall(r"^(\d+) \[[^\]]*\] (.*)$", asked, re.MULTILINE)
    return {
        "facts": [
            {"confidence": 0.95, "turn": int(place), **fact}
            for place, text in turns
            for fact in TOLD
            if fact["quote"] in text
        ]
    }


def asking(service: LanguageModelService, **given) -> Settings:
    held = {"worker": "off", "embedder": "off", "extraction": "model", "llm_model": "tiny"} | given
    return Settings(llm_endpoint=service.url, **held)


def say(scope: ScopedNacre, *texts: str, session: str | None = "s") -> None:
    scope.observe_many(Turn(role="user", text=text, session=session) for text in texts)


def predicates(scope: ScopedNacre, name: str) -> list[str]:
    return [link.predicate for link in scope.graph.links(name)]


def jobs(scope: ScopedNacre) -> list[tuple[str, int]]:
    return [(job.status.value, job.attempts) for job in scope.jobs.list() if job.kind == READ_TURNS]
