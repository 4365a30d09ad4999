"""Passage columns: what an index holds of some passages, column by column, made of rows or of a segment's bytes."""

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nacre.recall import postings

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Rows = Sequence[Any]

FOREVER = np.iinfo(np.int64).max
NONE = -1


@dataclass(frozen=True, slots=True)
class NameColumn:
    """A name for each passage, as a place among the names that there are; `NONE` for a passage without one."""

    names: tuple[str, ...]
    places: Ints

    @classmethod
    def of(cls, column: Sequence[str | None]) -> "NameColumn":
        """The column of these names."""
        names = tuple(name for name in dict.fromkeys(column) if name is not None)
        places: dict[str | None, int] = {None: NONE, **{name: place for place, name in enumerate(names)}}
        return cls(names, np.array([places[name] for name in column], np.int32))

    def recoded(self, codes: Sequence[int]) -> npt.NDArray[np.intp]:
        """The column with the code of each name in place of it; `NONE` stays."""
        return np.array([*codes, NONE])[self.places]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageColumns:
    """Some passages, by sequence number; `run` counts them from 0."""

    seq: Longs
    kind: NameColumn
    session: NameColumn
    speaker: NameColumn
    role: NameColumn
    language: NameColumn
    at: Longs
    length: npt.NDArray[np.float32]
    # When each ended. Never part of a segment: all else of a passage stays as it was written.
    ended: Longs
    run: postings.Run


_NAMED = ("kind", "session", "speaker", "role", "language")


def from_rows(rows: Rows) -> PassageColumns:
    """Columns of rows as `passages.INDEXED` has them."""
    seq, kind, session, speaker, role, at, ended, language, length, keys, counts = zip(*rows, strict=True)
    sizes = np.fromiter(map(len, counts), np.int64, len(rows))
    return PassageColumns(
        seq=np.array(seq, np.int64),
        kind=NameColumn.of(kind),
        session=NameColumn.of(session),
        speaker=NameColumn.of(speaker),
        role=NameColumn.of(role),
        language=NameColumn.of(language),
        at=np.array(at, np.int64),
        length=np.array(length, np.float32),
        ended=np.array([FOREVER if value is None else value for value in ended], np.int64),
        run=postings.build(
            np.frombuffer(b"".join(keys), dtype="<u8").astype(np.uint64, copy=False),
            np.repeat(np.arange(len(rows), dtype=np.int32), sizes),
            np.frombuffer(b"".join(counts), dtype=np.uint8),
        ),
    )


def pack(columns: PassageColumns) -> bytes:
    """Columns as the bytes of a segment."""
    named = {name: getattr(columns, name) for name in _NAMED}
    names = json.dumps({name: column.names for name, column in named.items()}).encode()
    run = columns.run
    target = io.BytesIO()
    np.savez_compressed(
        target,
        names=np.frombuffer(names, np.uint8),
        # Of numbers in order, how far each is from the one before takes less.
        seq=np.diff(columns.seq, prepend=0),
        at=np.diff(columns.at, prepend=0),
        length=columns.length,
        keys=run.keys,
        sizes=np.diff(run.starts).astype(np.uint32),
        docs=run.docs.astype(np.uint32),
        counts=run.counts,
        **{name: column.places for name, column in named.items()},
    )
    return target.getvalue()


def unpack(segment: bytes) -> PassageColumns:
    """The columns that `pack` made the bytes of; as if none of the passages had ended."""
    with np.load(io.BytesIO(segment), allow_pickle=False) as arrays:
        names = json.loads(arrays["names"].tobytes())
        named = {name: NameColumn(tuple(names[name]), arrays[name]) for name in _NAMED}
        starts = np.concatenate(([0], np.cumsum(arrays["sizes"], dtype=np.int64)))
        run = postings.Run(arrays["keys"], starts, arrays["docs"].astype(np.int32), arrays["counts"])
        seq = np.cumsum(arrays["seq"])
        ended = np.full(len(seq), FOREVER, np.int64)
        return PassageColumns(
            seq=seq, at=np.cumsum(arrays["at"]), length=arrays["length"], ended=ended, run=run, **named
        )
