"""Evidence: how much of what answers a question is in its context, beside plain hits in as many tokens."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.contexts.talks import ObservedPool
from bench.metrics import mean
from bench.questions import Question
from nacre import Context, Hit
from nacre.text.budget import count_tokens

BUDGETS = (500, 1_000, 2_000)
# So many hits a plain context may be made of; the largest budget has no room for more.
HITS = 200
# A line that holds this share of a turn's words still says what the turn said.
WHOLE = 0.6

Json = dict[str, Any]
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class EvidenceShare:
    """The share of a question's evidence that a context has a line of, that it has whole, and what it costs."""

    found: float
    whole: float
    tokens: int


@dataclass(frozen=True, slots=True)
class PlainLine:
    """A hit as one line, and what all lines up to it cost."""

    ref: str | None
    text: str
    total: int


# The shares of one question by budget: in its context, and in plain hits.
Comparison = Mapping[int, tuple[EvidenceShare, EvidenceShare]]


def compare(asked: ObservedPool, question: Question, hits: Sequence[Hit]) -> Comparison:
    """Ask for the context of a question at every budget, and fill as many tokens with its hits."""
    plain = list(plain_lines(hits, max(BUDGETS)))
    return {
        budget: (
            context_share(
                asked.scope.context(question.text, budget=budget, profile=False, asked_at=question.asked_at),
                question,
                asked,
            ),
            plain_share([line for line in plain if line.total <= budget], question),
        )
        for budget in BUDGETS
    }


def context_share(context: Context, question: Question, asked: ObservedPool) -> EvidenceShare:
    """What a context holds of a question's evidence."""
    lines: dict[str, list[str]] = defaultdict(list)
    for line in context.lines:
        for ref in {asked.refs[item] for item in line.items if item in asked.refs} & question.evidence:
            lines[ref].append(line.text)
    whole = [ref for ref, texts in lines.items() if any(holds(text, asked.texts[ref]) for text in texts)]
    return EvidenceShare(len(lines) / len(question.evidence), len(whole) / len(question.evidence), context.tokens)


def plain_share(lines: Sequence[PlainLine], question: Question) -> EvidenceShare:
    """What plain lines hold of a question's evidence; they are never cut."""
    found = len({line.ref for line in lines} & question.evidence) / len(question.evidence)
    return EvidenceShare(found, found, count_tokens("\n".join(line.text for line in lines)))


def plain_lines(hits: Iterable[Hit], budget: int) -> Iterator[PlainLine]:
    """Hits as lines with their day and speaker; the first that does not fit into the budget ends it."""
    total = 0
    for hit in hits:
        text = f"- [{hit.at:%Y-%m-%d}] {hit.source.speaker or hit.source.role}: {' '.join(hit.text.split())}"
        total += count_tokens(text) + 1
        if total > budget:
            return
        yield PlainLine(hit.source.ref, text, total)


def holds(line: str, turn: str) -> bool:
    """Whether a line still has most words of a turn."""
    words = count_words(turn)
    return (words & count_words(line)).total() >= WHOLE * words.total()


def count_words(text: str) -> Counter[str]:
    """How often each word is in a text."""
    return Counter(_WORD.findall(text.casefold()))


def summarize(title: str, comparisons: Sequence[Comparison]) -> Json:
    """The mean shares and tokens of a set by budget."""
    return {
        "title": title,
        "questions": len(comparisons),
        "budgets": {
            str(budget): {
                "context": _means(comparison[budget][0] for comparison in comparisons),
                "plain": _means(comparison[budget][1] for comparison in comparisons),
            }
            for budget in BUDGETS
        },
    }


def _means(shares: Iterable[EvidenceShare]) -> Json:
    given = list(shares)
    return {
        "found": round(mean(share.found for share in given), 4),
        "whole": round(mean(share.whole for share in given), 4),
        "tokens": round(mean(share.tokens for share in given), 1),
    }
