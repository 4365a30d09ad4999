"""Texts as the ranker reads them: a question, or a turn with what was said before it; packed without padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.models.material import QUESTION
from nacre.models.reader_windows import BEFORE, CLS, COLON, LENGTH, SEP, Segment

Ints = NDArray[np.int64]


class Text(NamedTuple):
    """Token ids, with 1 in `types` where a turn's own words stand; a question has none."""

    ids: Ints
    types: Ints
    cases: Ints


# A passage is read in windows; a short one has a single window.
Passage = Sequence[Text]


class Packed(NamedTuple):
    """Windows of passages one after the other: where each window begins, and where each passage does."""

    ids: Ints
    types: Ints
    cases: Ints
    places: Ints
    starts: NDArray[np.int32]
    bounds: NDArray[np.int32]


def of_question(tokens: Sequence[int]) -> Text:
    """A question; case is hidden, since people ask as they like."""
    ids = np.array([CLS, *tokens[:QUESTION], SEP], np.int64)
    return Text(ids, np.zeros_like(ids), np.zeros_like(ids))


def of_passage(tokens: Sequence[int], before: Sequence[int]) -> Text:
    """A passage after the end of what stands before it."""
    lead = [CLS, *before, SEP] if len(before) else [CLS]
    own = [*tokens, SEP]
    ids = np.array([*lead, *own], np.int64)[:LENGTH]
    types = np.array([0] * len(lead) + [1] * len(own), np.int64)[:LENGTH]
    return Text(ids, types, np.zeros_like(ids))


def of_turn(before: Sequence[Segment], segment: Segment) -> Text:
    """A turn as the reader's windows have it."""
    ids, cases = [CLS], [0]
    for each in before:
        pieces = each.pieces[-BEFORE:]
        ids += [*each.speaker, COLON, *(piece.id for piece in pieces), SEP]
        cases += [0] * (len(each.speaker) + 1) + [piece.case for piece in pieces] + [0]
    lead = len(ids)
    ids += [*segment.speaker, COLON, *(piece.id for piece in segment.pieces), SEP]
    cases += [0] * (len(segment.speaker) + 1) + [piece.case for piece in segment.pieces] + [0]
    types = [0] * lead + [1] * (len(ids) - lead)
    return Text(*(np.array(row[:LENGTH], np.int64) for row in (ids, types, cases)))


def pair(question: Text, text: Text) -> Text:
    """Both as a cross-encoder reads them: the question, the passage, what stands before it."""
    own = text.types == 1
    before = text.ids[1:][~own[1:]]
    ids = np.concatenate([question.ids, text.ids[own], before])[:LENGTH]
    types = np.zeros(len(ids), np.int64)
    types[len(question.ids) : len(question.ids) + int(own.sum())] = 1
    return Text(ids, types, np.zeros_like(ids))


def packed(some: Sequence[Passage]) -> Packed:
    """The windows of passages one after the other, without padding."""
    texts = [text for passage in some for text in passage]
    starts = np.cumsum([0, *(len(text.ids) for text in texts)], dtype=np.int32)
    return Packed(
        np.concatenate([text.ids for text in texts]),
        np.concatenate([text.types for text in texts]),
        np.concatenate([text.cases for text in texts]),
        np.concatenate([np.arange(len(text.ids)) for text in texts]),
        starts,
        starts[np.cumsum([0, *map(len, some)])],
    )
