"""Filters: which passages of a view a question may be answered from."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from nacre.domain.hits import Kind
from nacre.domain.questions import Question
from nacre.domain.sharing import EVERYTHING
from nacre.recall.index import FOREVER, KINDS, View
from nacre.store.columns import to_microseconds


def visible(view: View, question: Question, held: frozenset[Kind]) -> npt.NDArray[np.bool_]:
    """The passages of the kinds that count in a scope which pass the question's filters."""
    mask = eligible(view, question)
    if held != EVERYTHING:
        mask &= _of_kinds(view, held)
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
