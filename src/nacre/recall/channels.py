"""Channels: each gives every passage of a view a score for the question, by one kind of evidence."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from nacre.domain.clocks import shifted
from nacre.models.embedders import Vectors
from nacre.models.token_vectors import QuestionTokens
from nacre.recall import bm25
from nacre.recall.bm25 import Floats
from nacre.recall.index import View
from nacre.store.tables.columns import from_microseconds, to_microseconds
from nacre.text import tokens
from nacre.text.times import Period

# People tell of a thing when it happens, and for some time afterwards.
AFTERWARDS = timedelta(days=14)
# Taking rows out of a matrix costs several times what reading them in place does.
FEW = 8
# Of so many passages not all get their exact cosine.
MANY = 16_384


@dataclass(frozen=True, slots=True)
class EmbeddedQuery:
    """A question as the channels take it; `vectors` is None when there is no embedder or it did not answer."""

    text: str
    vectors: Vectors | None
    threshold: float
    # Its tokens, where hits are compared with them.
    tokens: QuestionTokens | None = None

    @property
    def space(self) -> str | None:
        """The vector space of the question."""
        return self.vectors.space if self.vectors else None


def score(view: View, asked: EmbeddedQuery) -> dict[str, Floats]:
    """Every channel's scores, by name; cosines are estimates where `are_estimates` says so."""
    lexical = words(view, asked)
    scores = {
        "lexical": lexical.alone,
        "window": lexical.window,
        "session": lexical.session,
        "vector": estimates(view, asked) if are_estimates(view, asked) else similarity(view, asked),
        "speaker": speaker(view, asked.text),
    }
    return scores if lexical.talk is None else scores | {"talk": lexical.talk}


def words(view: View, asked: EmbeddedQuery) -> bm25.Scores:
    """BM25 of the question's terms, at every width."""
    return bm25.score(view.widths, view.runs, query_keys(asked, view.languages), view.whole)


def words_alone(view: View, asked: EmbeddedQuery) -> Floats:
    """The same of each passage alone, for those that stand in no session."""
    return bm25.score_alone(view.alone_norm, view.runs, query_keys(asked, view.languages), view.whole)


def attainable(view: View, asked: EmbeddedQuery, languages: frozenset[str]) -> float:
    """What a passage with every term of the question in `languages` would score by words; 1 for no terms."""
    return bm25.attainable(view.runs, len(view), query_keys(asked, languages), view.whole) or 1.0


# Every stage of a recall asks for these two of the same question; a question may be a megabyte, so few are kept.
@lru_cache(maxsize=8)
def question_words(text: str, languages: frozenset[str]) -> tuple[tuple[str, ...], ...]:
    """The words of a question, each as the terms that it may be indexed under in `languages`."""
    return tuple(tokens.query_words(text, languages))


@lru_cache(maxsize=8)
def _question_keys(text: str, languages: frozenset[str]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(tokens.term_key, word)) for word in question_words(text, languages))


def query_keys(asked: EmbeddedQuery, languages: frozenset[str]) -> Sequence[tuple[int, ...]]:
    """The question's words, each as the terms that passages in `languages` hold it under."""
    return _question_keys(asked.text, languages)


def similarity(view: View, asked: EmbeddedQuery, among: npt.NDArray[np.bool_] | None = None) -> Floats:
    """Cosine of each passage, or of those `among` all, with the question; nothing under the embedder's threshold."""
    held = view.vectors.get(asked.vectors.space) if asked.vectors else None
    if asked.vectors is None or held is None:
        return np.zeros(len(view), np.float32)
    question = asked.vectors.matrix[0]
    cosine: Floats
    if among is not None and np.count_nonzero(among) * FEW < len(view):
        cosine = np.zeros(len(view), np.float32)
        docs = np.flatnonzero(among)
        cosine[docs] = held.cosines_among(docs, question)
    else:
        cosine = held.cosines(question)
        if among is not None:
            cosine *= among
    cosine *= cosine >= asked.threshold
    return cosine


def are_estimates(view: View, asked: EmbeddedQuery) -> bool:
    """Whether a view has so many passages that estimates of their cosines tell first which of them come into question.

    Those of the same sign as the question's numbers are counted in a tenth of the time that the product takes.
    """
    held = view.vectors.get(asked.vectors.space) if asked.vectors else None
    return len(view) > MANY and held is not None and bool(held.signs)


def estimates(view: View, asked: EmbeddedQuery) -> Floats:
    """About how near each passage is to the question, where `are_estimates` says so."""
    vectors = asked.vectors
    return view.vectors[vectors.space].estimates(vectors.matrix[0]) if vectors else np.zeros(len(view), np.float32)


def similarity_of(view: View, asked: EmbeddedQuery, docs: npt.NDArray[np.intp]) -> Floats:
    """Cosine of some passages with the question; nothing under the embedder's threshold."""
    held = view.vectors.get(asked.vectors.space) if asked.vectors else None
    if asked.vectors is None or held is None:
        return np.zeros(len(docs), np.float32)
    cosine = held.cosines_among(docs, asked.vectors.matrix[0])
    cosine *= cosine >= asked.threshold
    return cosine


def speaker(view: View, text: str) -> Floats:
    """1 for what the one speaker whom the question names told others, half for what he told an agent.

    Nothing when it names none or several.
    """
    asked = set(tokens.words(text))
    named = [code for code, name in enumerate(view.speaker_words) if not asked.isdisjoint(name)]
    if len(named) != 1:
        return np.zeros(len(view), np.float32)
    speaker_scores: Floats = (view.speaker == named[0]) * np.where(view.among_people, np.float32(1), np.float32(0.5))
    return speaker_scores


def share(asked: EmbeddedQuery, text: str, languages: frozenset[str]) -> float:
    """The share of the question's terms that a text has."""
    wanted = question_words(asked.text, languages)
    told = set(tokens.query_terms(text, languages))
    return sum(not told.isdisjoint(word) for word in wanted) / len(wanted) if wanted else 0.0


def timeliness(at: npt.NDArray[np.int64], periods: Iterable[Period]) -> Floats:
    """For each moment 1 if it is in a period that the question speaks of, half if it is soon afterwards."""
    fits = np.zeros(len(at), np.float32)
    for period in periods:
        for each in _dated(at, period):
            start, end, told = map(to_microseconds, (each.start, each.end, shifted(each.end, AFTERWARDS)))
            np.maximum(fits, 0.5 * ((at >= start) & (at < told)), out=fits)
            fits[(at >= start) & (at < end)] = 1
    return fits


def _dated(at: npt.NDArray[np.int64], period: Period) -> Iterator[Period]:
    """A period in every year that it may be of."""
    if not period.yearless or not len(at):
        yield period
        return
    first, last = (from_microseconds(int(each)).year for each in (at.min(), at.max()))
    for year in range(first, last + 1):
        if each := period.of_year(year):
            yield each
