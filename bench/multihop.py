"""MuSiQue, 2WikiMultihopQA and HotpotQA: questions whose answer takes several paragraphs.

The paragraphs of all questions of a set go into one scope, each once.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.questions import Pool, Question, QuestionSet
from bench.sources import read_json
from nacre import Turn

TITLES = {"musique": "MuSiQue", "wikihop": "2WikiMultihopQA", "hotpot": "HotpotQA"}
METRICS = ("R@5", "all@5", "all@10")


@dataclass(frozen=True, slots=True)
class Paragraph:
    title: str
    body: str

    @property
    def text(self) -> str:
        return f"{self.title}: {self.body}"


@dataclass(frozen=True, slots=True)
class Item:
    """One question as it is written in any of the three sets."""

    id: str
    question: str
    kind: str
    paragraphs: tuple[Paragraph, ...]
    support: tuple[Paragraph, ...]


def load(data: Path, name: str) -> QuestionSet:
    read = musique_item if name == "musique" else wiki_item
    entries = read_json(data, f"{name}-dev.json")
    items = [read(entry) for entry in entries if entry.get("context") or entry.get("paragraphs")]
    return QuestionSet(
        name=name, title=TITLES[name], unit="turn", limit=10, metrics=METRICS, pools=(pool_of(name, items),)
    )


def pool_of(name: str, items: Iterable[Item]) -> Pool:
    """All paragraphs in one scope, each its own turn and session, and the questions over them."""
    items = [item for item in items if item.support]
    refs: dict[Paragraph, str] = {}
    for item in items:
        for paragraph in item.paragraphs:
            refs.setdefault(paragraph, f"p{len(refs)}")
    turns = tuple(Turn(role="user", text=paragraph.text, session=ref, ref=ref) for paragraph, ref in refs.items())
    return Pool(key=name, turns=turns, questions=tuple(_question(item, refs) for item in items))


def musique_item(entry: Mapping[str, Any]) -> Item:
    labelled = [(Paragraph(p["title"], p["paragraph_text"]), p["is_supporting"]) for p in entry["paragraphs"]]
    return Item(
        id=entry["id"],
        question=entry["question"],
        kind=entry["id"].partition("hop")[0] + "-hop",
        paragraphs=tuple(paragraph for paragraph, _ in labelled),
        support=tuple(paragraph for paragraph, supporting in labelled if supporting),
    )


def wiki_item(entry: Mapping[str, Any]) -> Item:
    """2Wiki and HotpotQA name their support by title, within the question's own context."""
    named = {title for title, _ in entry["supporting_facts"]}
    paragraphs = tuple(
        Paragraph(title, " ".join(sentence.strip() for sentence in sentences)) for title, sentences in entry["context"]
    )
    return Item(
        id=entry["_id"],
        question=entry["question"],
        kind=entry["type"],
        paragraphs=paragraphs,
        support=tuple(paragraph for paragraph in paragraphs if paragraph.title in named),
    )


def _question(item: Item, refs: Mapping[Paragraph, str]) -> Question:
    evidence = frozenset(refs[paragraph] for paragraph in item.support)
    return Question(id=item.id, text=item.question, kind=item.kind, evidence=evidence)
