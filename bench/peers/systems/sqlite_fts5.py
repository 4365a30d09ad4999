"""Plain SQLite: a table of turns and its FTS5 index, ranked by bm25."""

import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from bench.peers.serving import Plain, Said, said, serve

_SCHEMA = """
pragma journal_mode = wal;
pragma synchronous = full;
create table turns (number integer primary key, id text, session text, at text, text text);
create virtual table turns_fts using fts5 (text, content = 'turns', content_rowid = 'number', tokenize = 'porter');
"""
_FOUND = """
select turns.id from turns_fts join turns on turns.number = turns_fts.rowid
where turns_fts match ? order by bm25(turns_fts) limit ?
"""
_WORD = re.compile(r"\w+")


class SqliteFts5(Plain):
    def open(self, folder: Path) -> None:
        self._connection = sqlite3.connect(folder / "turns.db", isolation_level=None)
        self._connection.executescript(_SCHEMA)

    def write(self, turns: Sequence[Said]) -> None:
        self._connection.execute("begin immediate")
        for turn in turns:
            row = (turn["id"], turn["session"], turn["at"], said(turn))
            added = self._connection.execute("insert into turns (id, session, at, text) values (?, ?, ?, ?)", row)
            self._connection.execute("insert into turns_fts (rowid, text) values (?, ?)", (added.lastrowid, said(turn)))
        self._connection.execute("commit")

    def search(self, question: str, k: int) -> Sequence[str]:
        words = " OR ".join(f'"{word}"' for word in _WORD.findall(question))
        return [row[0] for row in self._connection.execute(_FOUND, (words, k))] if words else []

    def close(self) -> None:
        self._connection.close()


if __name__ == "__main__":
    serve(SqliteFts5())
