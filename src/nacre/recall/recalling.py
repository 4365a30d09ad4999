"""A question becomes hits."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

import numpy as np
import numpy.typing as npt

from nacre.domain.errors import Unavailable
from nacre.domain.hits import Hit, Kind, Recall
from nacre.domain.questions import Question
from nacre.domain.scopes import Scope
from nacre.models.embedders import Embedder
from nacre.recall import channels, fusion
from nacre.recall.bm25 import Floats
from nacre.recall.index import FOREVER, KINDS, View
from nacre.recall.indexes import Indexes
from nacre.store import findings
from nacre.store.columns import to_microseconds
from nacre.store.databases import Database, Transaction

_KINDS = list(Kind)


class Recaller:
    """Answers questions from the indexes of one database."""

    def __init__(
        self, database: Database, indexes: Indexes, embedder: Embedder | None, lacking: Callable[[Scope], None]
    ) -> None:
        self._database = database
        self._indexes = indexes
        self._lacking = lacking
        self.embedder = embedder

    def recall(self, scope: Scope, question: Question) -> Recall:
        """The passages that best answer the question, best first."""
        asked, notes = ask(self.embedder, question.text)
        return Recall(tuple(self.answer(scope, question, asked)), notes)

    def answer(self, scope: Scope, question: Question, asked: channels.Asked) -> list[Hit]:
        """The hits for a question whose text was made ready already."""
        with self._database.read(scope) as tx:
            view = self._indexes.view(tx, asked.space)
            scores = channels.score(view, asked)
            fused = fusion.fuse(view, scores, eligible(view, question))
            docs = fusion.best(fused, question.limit)
            found = _load(tx, view, docs)
        if asked.space and len(view) and asked.space not in view.vectors:
            # The embedder speaks of a space that the scope has no vectors of yet.
            self._lacking(scope)
        explained = scores if question.explain else {}
        return list(_hits(view, docs, found, fused, explained))


def ask(embedder: Embedder | None, text: str) -> tuple[channels.Asked, tuple[str, ...]]:
    """The question as the channels take it, and a note when the embedder did not answer."""
    if embedder is None:
        return channels.Asked(text, None, 0.0), ()
    try:
        return channels.Asked(text, embedder.embed_question(text), embedder.threshold), ()
    except Unavailable as error:
        note = f"Ranked by words alone, because the embedder did not answer: {error}"
        return channels.Asked(text, None, 0.0), (note,)


def eligible(view: View, question: Question) -> npt.NDArray[np.bool_]:
    """The passages that pass the question's filters."""
    as_of = to_microseconds(question.as_of) if question.as_of else FOREVER - 1
    mask = view.ended > as_of
    if question.as_of:
        mask &= view.at <= as_of
    if question.since:
        mask &= view.at >= to_microseconds(question.since)
    if question.until:
        mask &= view.at <= to_microseconds(question.until)
    if question.kinds is not None:
        mask &= np.isin(view.kind, [KINDS[kind] for kind in question.kinds])
    if question.session is not None:
        mask &= view.session == view.session_codes.get(question.session)
    return mask


def _load(tx: Transaction, view: View, docs: Iterable[int]) -> dict[int, findings.Finding]:
    by_kind: dict[Kind, list[int]] = defaultdict(list)
    for doc in docs:
        by_kind[_KINDS[view.kind[doc]]].append(int(view.seq[doc]))
    found: dict[int, findings.Finding] = {}
    for kind, seqs in by_kind.items():
        found |= findings.load(tx, kind, seqs)
    return found


def _hits(
    view: View,
    docs: Iterable[int],
    found: Mapping[int, findings.Finding],
    fused: Floats,
    explained: Mapping[str, Floats],
) -> Iterable[Hit]:
    for doc in docs:
        finding = found[int(view.seq[doc])]
        yield Hit(
            id=finding.id,
            kind=finding.kind,
            text=finding.text,
            score=float(fused[doc]),
            at=finding.at,
            source=finding.source,
            channels={name: float(scores[doc]) for name, scores in explained.items() if scores[doc]},
        )
