"""One scope's passages in memory: postings, vectors and features, derived from rows and in step with them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from nacre.domain.hits import Kind
from nacre.models.embedders import split
from nacre.recall import bm25, passage_columns, postings
from nacre.recall.cosines import QuantizedMatrix
from nacre.recall.growable_arrays import GrowableArray
from nacre.recall.passage_columns import Ints, Longs, PassageColumns, Rows
from nacre.recall.vector_columns import VectorColumns
from nacre.store.reads.hit_rows import HitRow
from nacre.text import tokens

# Sequence numbers and packed vectors.
VectorRows = Sequence[Any]

FOREVER, NONE = passage_columns.FOREVER, passage_columns.NONE
KINDS = {kind.value: number for number, kind in enumerate(Kind)}
ROLES = {"user": 0, "assistant": 1, "system": 2, "tool": 3}
# What an index takes beside its arrays, as measured: of small scopes, most of it.
OBJECT_BYTES = 8_192
# And for each passage whose questions were looked at, and each turn that is kept as it was read.
ASKING_BYTES, TURN_BYTES = 128, 1_024


class Codes:
    """Small numbers for the names met so far."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}

    def encode(self, names: Sequence[str]) -> list[int]:
        """A number for each name."""
        numbers = self._numbers
        for name in names:
            if name not in numbers:
                numbers[name] = len(self.names)
                self.names.append(name)
        return [numbers[name] for name in names]

    def get(self, name: str) -> int | None:
        """The number of `name`, if it was met."""
        return self._numbers.get(name)


@dataclass(frozen=True, slots=True)
class Part:
    """What a view that holds only some of a scope's passages knows of all of them: see recall.shortlists."""

    whole: bm25.Whole
    # The passages that were chosen for a question, the likeliest first; those around them came along.
    chosen: tuple[int, ...]
    by_meaning: bool


@dataclass(frozen=True)
class View:
    """An index at one revision. Positions in its arrays are called docs; `seq` names the passage."""

    runs: tuple[postings.Run, ...]
    seq: Longs
    kind: npt.NDArray[np.int8]
    role: npt.NDArray[np.int8]
    session: Ints
    speaker: Ints
    at: Longs
    ended: Longs
    length: bm25.Floats
    before: Ints
    after: Ints
    vectors: dict[str, QuantizedMatrix]
    session_count: int
    session_codes: Codes
    speakers: tuple[str, ...]
    languages: frozenset[str]
    revision: int
    part: Part | None = None
    # How much of a passage asks, as far as that was looked at: what was said does not change.
    asking: dict[int, float] = field(default_factory=dict, compare=False)
    # Turns that were read, for the same reason: what is forgotten for good takes the index with it.
    turns: dict[int, HitRow] = field(default_factory=dict, compare=False)

    def __len__(self) -> int:
        return len(self.seq)

    @property
    def whole(self) -> bm25.Whole | None:
        """What is known of all passages of the scope, where these are only some."""
        return self.part.whole if self.part else None

    @property
    def population(self) -> int:
        """How many passages the scope has."""
        return self.part.whole.passages if self.part else len(self)

    def docs(self, seqs: Sequence[int]) -> list[int]:
        """Where passages stand; `NONE` for one that is not here."""
        places = np.searchsorted(self.seq, np.asarray(seqs, np.int64))
        here = places < len(self)
        here[here] = self.seq[places[here]] == np.asarray(seqs, np.int64)[here]
        return [int(each) for each in np.where(here, places, NONE)]

    @cached_property
    def widths(self) -> bm25.Widths:
        """What lexical scoring needs; worked out when the first question comes."""
        size, no_session = len(self), self.session_count
        # A turn that arrived after this view was taken may already be chained to the last one in it.
        after = np.where((self.after == NONE) | (self.after >= size), size, self.after)
        before = np.where(self.before == NONE, size, self.before)
        session = np.where(self.session == NONE, no_session, self.session)
        # The machine's own integers: numpy would convert any other kind each time it indexes with them.
        return bm25.measure(
            self.length,
            agent=self.role == ROLES["assistant"],
            before=before.astype(np.intp),
            after=after.astype(np.intp),
            session=session.astype(np.intp),
            sessions=no_session,
            among_people=self.among_people if self.among_people.any() else None,
            mean_length=self.whole.mean_length if self.whole else None,
        )

    @cached_property
    def alone_norm(self) -> bm25.Floats:
        """What lexical scoring of each passage alone needs; a scope's memories stand in no talk."""
        return bm25.length_norm(self.length, self.whole.mean_length if self.whole else None)

    @cached_property
    def among_people(self) -> npt.NDArray[np.bool_]:
        """Whether a passage is of a talk between people: a session in which two or more spoke under their names."""
        named = (self.role == ROLES["user"]) & (self.speaker != NONE) & (self.session != NONE)
        session, speaker = self.session[named], self.speaker[named]
        # One who spoke in each session. The place of those without a session is the last one, where nobody did.
        one = np.full(self.session_count + 1, NONE, np.int32)
        one[session] = speaker
        talks = np.zeros(self.session_count + 1, np.bool_)
        talks[session[one[session] != speaker]] = True
        return talks[self.session]

    @cached_property
    def by_agent(self) -> bm25.Floats:
        """1 for what the agent said itself, 0 for all else."""
        said: bm25.Floats = (self.role == ROLES["assistant"]).astype(np.float32)
        return said

    @cached_property
    def sessionless(self) -> Longs:
        """The docs that stand in no session."""
        return np.flatnonzero(self.session == NONE)

    @cached_property
    def alone(self) -> npt.NDArray[np.bool_]:
        """Whether a passage is no part of a talk: the only one of its session, or of none."""
        sizes = np.bincount(self.session - NONE, minlength=1)
        sizes[0] = 0
        alone: npt.NDArray[np.bool_] = sizes[self.session - NONE] < 2
        return alone

    @cached_property
    def speaker_words(self) -> list[frozenset[str]]:
        """The words of each speaker's name, by code."""
        return [frozenset(tokens.words(name)) for name in self.speakers]


class Index:
    """The growing arrays behind the views of one scope. Not thread-safe: its owner holds a lock."""

    def __init__(self) -> None:
        self.revision = 0
        self._runs: tuple[postings.Run, ...] = ()
        self._seq = GrowableArray(np.int64)
        self._kind = GrowableArray(np.int8)
        self._role = GrowableArray(np.int8)
        self._session = GrowableArray(np.int32)
        self._speaker = GrowableArray(np.int32)
        self._at = GrowableArray(np.int64)
        self._ended = GrowableArray(np.int64)
        self._length = GrowableArray(np.float32)
        self._before = GrowableArray(np.int32)
        self._after = GrowableArray(np.int32)
        self._vectors: dict[str, VectorColumns] = {}
        self._vector_revisions: dict[str, int] = {}
        self._sessions = Codes()
        self._speakers = Codes()
        self._languages: set[str] = set()
        self._last_of_session: dict[int, int] = {}
        self._asking: dict[int, float] = {}
        self._turns: dict[int, HitRow] = {}
        self._view: View | None = None

    def __len__(self) -> int:
        return self._seq.size

    def load(self, portions: Iterable[PassageColumns], revision: int) -> None:
        """Take in all passages of a scope, by sequence number; a portion is not held beside the next."""
        self._append(portions, None)
        self.revision = revision

    def end(self, ended: Sequence[tuple[int, int]]) -> None:
        """Take in when passages ended, by sequence number; they are in already."""
        self._view = None
        if ended:
            seqs, moments = zip(*ended, strict=True)
            self._ended.view[np.searchsorted(self._seq.view, np.array(seqs))] = moments

    def apply(self, rows: Rows, revision: int, following: Mapping[int, int] | None = None) -> None:
        """Take in passages that were written or ended, by sequence number, as `passages.INDEXED` columns.

        `following` says which follows which in its session, where rows between them may be missing.
        """
        self._view = None
        last = int(self._seq.view[-1]) if len(self) else 0
        self.end([(row[0], FOREVER if row[6] is None else row[6]) for row in rows if row[0] <= last])
        later = [row for row in rows if row[0] > last]
        self._append([passage_columns.from_rows(later)] if later else [], following)
        self.revision = revision

    def vector_revision(self, space: str) -> int:
        """The revision up to which the vectors of `space` are in."""
        return self._vector_revisions.get(space, 0)

    def load_vectors(self, space: str, portions: Iterable[VectorRows], revision: int) -> None:
        """Take in all vectors of `space`, by sequence number; their passages are in already."""
        self._view = None
        for rows in portions:
            if rows:
                self._put_vectors(space, rows)
        self._vector_revisions[space] = revision

    def apply_vectors(self, space: str, rows: VectorRows, revision: int) -> None:
        """Take in some vectors of `space`, by sequence number; their passages are in already."""
        self.load_vectors(space, [rows], revision)

    def _put_vectors(self, space: str, rows: VectorRows) -> None:
        seqs, data = zip(*rows, strict=True)
        values, scales = split(b"".join(data), len(data))
        columns = self._vectors.setdefault(space, VectorColumns.of(values.shape[1]))
        columns.reach(len(self))
        columns.put(np.searchsorted(self._seq.view, np.array(seqs)), values, scales)

    @property
    def view(self) -> View:
        """The index as it is now; the same object until something changes."""
        if self._view is None:
            self._view = self._take_view()
        return self._view

    def _take_view(self) -> View:
        for columns in self._vectors.values():
            columns.reach(len(self))
        return View(
            runs=self._runs,
            seq=self._seq.view,
            kind=self._kind.view,
            role=self._role.view,
            session=self._session.view,
            speaker=self._speaker.view,
            at=self._at.view,
            ended=self._ended.view,
            length=self._length.view,
            before=self._before.view,
            after=self._after.view,
            vectors={space: columns.view for space, columns in self._vectors.items()},
            session_count=len(self._sessions.names),
            session_codes=self._sessions,
            speakers=tuple(self._speakers.names),
            languages=frozenset(self._languages),
            revision=self.revision,
            asking=self._asking,
            turns=self._turns,
        )

    @property
    def nbytes(self) -> int:
        """Memory held by the arrays, and by what they are held in."""
        columns = [value for value in vars(self).values() if isinstance(value, GrowableArray)]
        arrays: list[GrowableArray | VectorColumns | postings.Run] = [*columns, *self._vectors.values(), *self._runs]
        read = ASKING_BYTES * len(self._asking) + TURN_BYTES * len(self._turns)
        return OBJECT_BYTES + sum(each.nbytes for each in arrays) + read

    def _append(self, portions: Iterable[PassageColumns], following: Mapping[int, int] | None) -> None:
        runs = [self._extend(portion, following) for portion in portions]
        if runs:
            self._runs = postings.add(self._runs, postings.join(runs))

    def _extend(self, columns: PassageColumns, following: Mapping[int, int] | None) -> postings.Run:
        """Take in all of some passages but their terms; these are returned."""
        first, count = len(self), len(columns.seq)
        self._seq.extend(columns.seq, count)
        self._kind.extend(columns.kind.recoded([KINDS[name] for name in columns.kind.names]), count)
        self._role.extend(columns.role.recoded([ROLES.get(name, NONE) for name in columns.role.names]), count)
        self._session.extend(columns.session.recoded(self._sessions.encode(columns.session.names)), count)
        self._speaker.extend(columns.speaker.recoded(self._speakers.encode(columns.speaker.names)), count)
        self._at.extend(columns.at, count)
        self._ended.extend(columns.ended, count)
        self._length.extend(columns.length, count)
        self._languages.update(columns.language.names)
        self._chain(first, following)
        return columns.run.shifted(first)

    def _chain(self, first: int, following: Mapping[int, int] | None) -> None:
        """Tie each passage from `first` on to the one before it in its session."""
        self._before.extend(NONE, len(self) - first)
        self._after.extend(NONE, len(self) - first)
        sessions = self._session.view[first:]
        docs = np.flatnonzero(sessions != NONE)
        if not len(docs):
            return
        docs = docs[np.argsort(sessions[docs], kind="stable")]
        session, docs = sessions[docs], docs + first
        opens = np.append(True, session[1:] != session[:-1])
        closes = np.append(opens[1:], True)
        last = self._last_of_session
        previous = np.append(NONE, docs[:-1])
        previous[opens] = [last.get(each, NONE) for each in session[opens].tolist()]
        last.update(zip(session[closes].tolist(), docs[closes].tolist(), strict=True))
        tied = previous != NONE
        if following is not None:
            seq = self._seq.view
            tied &= [
                following.get(each) == other for each, other in zip(seq[previous].tolist(), seq[docs], strict=True)
            ]
        self._before.view[docs[tied]] = previous[tied]
        self._after.view[previous[tied]] = docs[tied]
