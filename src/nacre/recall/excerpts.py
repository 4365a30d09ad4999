"""Excerpts: recalled passages as lines that a model can follow, with their dates, as long as they need to be."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from nacre.domain.hits import Hit, HitStanding, Kind
from nacre.domain.outdated_marks import OutdatedMark
from nacre.text import sentences
from nacre.text.budget import count_tokens, fit
from nacre.text.injections import neutral
from nacre.text.letters import is_within
from nacre.text.passed_days import passed_days
from nacre.text.tokens import terms

# Longer passages are cut to the sentences that matter.
MAX_TOKENS = 120
# Shorter passages never are.
SHORT = 300
ELLIPSIS = "…"
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence of a passage: where it stands, and what it costs and is worth."""

    place: int
    text: str
    tokens: int
    worth: float


def passage_line(
    hit: Hit,
    question: Sequence[str],
    before: Sequence[str] = (),
    *,
    ids: bool = False,
    doubted: bool = False,
    now: datetime | None = None,
) -> str:
    """A recalled passage as one line: when, who and what; `question` are the terms that decide what stays of it.

    `before` are the values that a memory took the place of; what is `doubted` may itself have been replaced. Days that
    were to come and are over `now` are said to be so.
    """
    said = excerpt(neutral(hit.text) if hit.source.flags else hit.text, question)
    who = f" {hit.source.speaker or hit.source.role}:" if hit.kind is Kind.TURN else ""
    where = f" {hit.source.ref}:" if hit.kind is Kind.DOCUMENT and hit.source.ref else ""
    gone = _gone(hit) or (" (perhaps outdated)" if doubted else "")
    gone += _over(hit, said, now) if now and hit.kind is Kind.TURN else ""
    replaced = f" (before: {'; '.join(before)})" if before else ""
    key = f" [{hit.id}]" if ids else ""
    return f"- [{hit.at.date()}]{key}{who}{where} {said}{gone}{replaced}"


def _gone(hit: Hit) -> str:
    """What is no longer so of a passage, in brackets; nothing where all of it holds."""
    if not hit.outdated and hit.standing is not HitStanding.SUPERSEDED:
        return ""
    over = hit.standing is HitStanding.SUPERSEDED and all(mark.doubtful for mark in hit.outdated)
    return (" (no longer so)" if over else "") + _outdated_words(hit)


def _outdated_words(hit: Hit) -> str:
    """What of a passage was said otherwise later, and what perhaps: in brackets, with a space before each."""
    flagged = bool(hit.source.flags)
    sure = "; ".join(_outdated(mark, flagged=flagged) for mark in hit.outdated if not mark.doubtful)
    perhaps = "; ".join(_outdated(mark, flagged=flagged) for mark in hit.outdated if mark.doubtful)
    return (f" (outdated {sure})" if sure else "") + (f" (perhaps outdated {perhaps})" if perhaps else "")


def _over(hit: Hit, said: str, now: datetime) -> str:
    """What of a passage was to come and is over, in brackets."""
    told = [mark.value for mark in hit.outdated]
    days = [day for day in passed_days(said, hit.at, now) if not any(is_within(day.words, value) for value in told)]
    return f" (over: {'; '.join(f'{day.clause}, {day.over - _DAY:%Y-%m-%d}' for day in days)})" if days else ""


def outdated_words(mark: OutdatedMark) -> str:
    """What of some words was said otherwise later, or perhaps, and since when."""
    return f"{'perhaps ' if mark.doubtful else ''}outdated {_outdated(mark, flagged=False)}"


def _outdated(mark: OutdatedMark, *, flagged: bool) -> str:
    """Since when a value is another, and which."""
    told = neutral(" ".join(mark.new_value.split())) if flagged else mark.new_value
    said = " ".join(f"{mark.value} → {told}".split())
    return f"since {mark.at:%Y-%m-%d}: {said}"


def continued(line: str) -> str:
    """A line right after one of the same talk and day: without its date."""
    return "  " + line.partition("] ")[2]


def excerpt(text: str, question: Sequence[str], budget: int = MAX_TOKENS) -> str:
    """A text on one line; of a long one the sentences that say most of what is asked, in order, with `…` between."""
    line = " ".join(text.split())
    if len(line) <= SHORT or count_tokens(line) <= budget:
        return line
    kept = sorted(_chosen(_sentences(text, frozenset(question)), budget), key=lambda each: each.place)
    if not kept:
        return ""
    return "".join(_joined(kept, last=len(sentences.split(text)) - 1))


def _sentences(text: str, question: frozenset[str]) -> list[ScoredSentence]:
    found = []
    for place, (start, end) in enumerate(sentences.split(text)):
        said = " ".join(text[start:end].split())
        shared = len(question & frozenset(terms(said)))
        # Where nothing is shared, what a text is about stands at its beginning.
        found.append(ScoredSentence(place, said, count_tokens(said), shared + 1 / (2 + place)))
    return found


def _chosen(scored_sentences: Sequence[ScoredSentence], budget: int) -> Iterator[ScoredSentence]:
    """The worthiest sentences that fit; of one that is too long by itself, its beginning."""
    left = budget
    for each in sorted(scored_sentences, key=lambda each: (-each.worth, each.place)):
        if each.tokens <= left:
            left -= each.tokens
            yield each
        elif left == budget:
            yield ScoredSentence(each.place, fit(each.text, budget), budget, each.worth)
            return


def _joined(scored_sentences: Sequence[ScoredSentence], last: int) -> Iterator[str]:
    before = -1
    for each in scored_sentences:
        if each.place > before + 1:
            yield f"{ELLIPSIS} " if before < 0 else f" {ELLIPSIS} "
        elif before >= 0:
            yield " "
        yield each.text
        before = each.place
    if before < last:
        yield f" {ELLIPSIS}"
