"""Filters: which passages of a view a question may be answered from."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from nacre.domain.clocks import shifted
from nacre.domain.hits import Kind
from nacre.domain.questions import Question
from nacre.domain.sharing import EVERYTHING
from nacre.recall import channels
from nacre.recall.index import FOREVER, KINDS, View
from nacre.store.reads.shortlists import PassageFilter
from nacre.store.tables.columns import to_microseconds
from nacre.text.times import Period


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeQuery:
    """What is sought in one scope, and where the question itself says when."""

    question: Question
    asked: channels.EmbeddedQuery
    held: frozenset[Kind]
    among: Sequence[int] | None
    periods: Sequence[Period]
    with_graph: bool

    def wanted(self) -> Iterator[PassageFilter]:
        """The filters that passages of a scope too large for memory are looked for with."""
        question, any_kind = self.question, self.held - {Kind.SUMMARY}
        own = PassageFilter(
            kinds=any_kind if question.kinds is None else self.held & question.kinds,
            session=question.session,
            as_of=question.as_of,
            since=question.since,
            until=question.until,
            among=self.among,
        )
        yield own
        if self.with_graph and question.kinds is not None:
            # What leads on in the graph may be of another kind.
            yield replace(own, kinds=any_kind)
        # Beside better matches of other times, those of the time that is asked for could be left out.
        for period in self.periods:
            if not period.yearless:
                until = shifted(period.end, channels.AFTERWARDS)
                since = max(period.start, question.since or period.start)
                yield replace(own, since=since, until=min(until, question.until or until))


def passing(view: View, eligible: npt.NDArray[np.bool_], question: Question) -> Callable[[int], bool]:
    """Whether a passage that was not looked for may answer a question; one out of view may if nothing is left out."""
    given = (question.kinds, question.session, question.since, question.until, question.categories)
    anything = all(each is None for each in given)

    def passes(seq: int) -> bool:
        doc = np.flatnonzero(view.seq == seq)
        return bool(eligible[doc[0]]) if len(doc) else anything

    return passes


def visible(view: View, question: Question, kinds: frozenset[Kind]) -> npt.NDArray[np.bool_]:
    """The passages of the kinds that count in a scope which pass the question's filters."""
    mask = eligible(view, question)
    if kinds != EVERYTHING:
        mask &= _of_kinds(view, kinds)
    return mask


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
    if question.kinds is None:
        mask &= view.kind != KINDS[Kind.SUMMARY]
    else:
        mask &= _of_kinds(view, question.kinds)
    if question.session is not None:
        mask &= view.session == view.session_codes.get(question.session)
    return mask


def _of_kinds(view: View, kinds: Iterable[Kind]) -> npt.NDArray[np.bool_]:
    wanted = np.zeros(len(KINDS), np.bool_)
    wanted[[KINDS[kind] for kind in kinds]] = True
    return wanted[view.kind]
