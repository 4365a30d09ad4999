"""What the same work costs without Nacre: a SQLite insert with FTS5, a numpy scan of the vectors."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from nacre import Turn

DIMENSIONS = 256
TOP = 10

_SCHEMA = """
pragma journal_mode = wal;
pragma synchronous = full;
create table turns (id integer primary key, role text, speaker text, session text, at text, ref text, text text);
create virtual table turns_fts using fts5 (text, content = 'turns', content_rowid = 'id');
"""
_INSERT = "insert into turns (role, speaker, session, at, ref, text) values (?, ?, ?, ?, ?, ?)"
_INDEX = "insert into turns_fts (rowid, text) values (?, ?)"


class BareStore:
    """Rows and their full text in SQLite, as durable as Nacre's."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.executescript(_SCHEMA)

    def insert(self, turns: Iterable[Turn]) -> None:
        """All of them in one transaction."""
        self._connection.execute("begin immediate")
        for turn in turns:
            at = turn.at.isoformat() if turn.at else None
            row = (turn.role, turn.speaker, turn.session, at, turn.ref, turn.text)
            self._connection.execute(_INDEX, (self._connection.execute(_INSERT, row).lastrowid, turn.text))
        self._connection.execute("commit")

    def insert_each(self, turns: Iterable[Turn]) -> None:
        """Each in a transaction of its own."""
        for turn in turns:
            self.insert([turn])

    def close(self) -> None:
        self._connection.close()


class BareVectors:
    """As many vectors as there are turns, searched one after the other."""

    def __init__(self, size: int) -> None:
        self._random = np.random.default_rng(7)
        self.vectors = self._random.standard_normal((size, DIMENSIONS), dtype=np.float32)
        self.vectors /= np.linalg.norm(self.vectors, axis=1, keepdims=True)

    def question(self) -> "np.ndarray[Any, Any]":
        return self._random.standard_normal(DIMENSIONS, dtype=np.float32)

    def best(self, question: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
        """The places of the ten nearest vectors, nearest first."""
        scores = self.vectors @ question
        best = np.argpartition(scores, -TOP)[-TOP:]
        ordered: np.ndarray[Any, Any] = best[np.argsort(-scores[best])]
        return ordered
