"""A whole scope as lines of JSON: a header, then every row. What is written can be restored, row by row.

Restoring is the one way past the operation path: the rows bring their own log along, so nothing is written down anew.
It is all or nothing, and only into a scope that holds nothing.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from typing import Any, TextIO

from nacre.domain.errors import Invalid
from nacre.domain.plain import plain
from nacre.store.base import migrating, sharing
from nacre.store.base.databases import Transaction
from nacre.store.maintenance import transfers
from nacre.store.maintenance.transfers import TABLES
from nacre.store.tables import schema

NAME = "nacre-scope"
VERSION = 1
# A row holds a text of at most a million characters, and an operation of the log may hold hundreds of rows.
MAX_LINE = 256 * 2**20


def write(tx: Transaction, out: TextIO) -> dict[str, int]:
    """Write the transaction's scope; returns how many rows of each table that were."""
    counts = transfers.counts(tx)
    out.write(_line(_header(tx, counts)))
    for name in counts:
        for row in transfers.rows(tx, TABLES[name]):
            out.write(_line({"table": name, "row": row}))
    return counts


def _header(tx: Transaction, counts: Mapping[str, int]) -> dict[str, Any]:
    names = {name: getattr(tx.scope, name) for name in ("agent", "user", "chat", "team")}
    return {
        "format": NAME,
        "version": VERSION,
        "schema": migrating.HEAD,
        "scope": {name: value for name, value in names.items() if value is not None},
        "exported_at": plain(tx.now),
        "state": transfers.state(tx),
        "rows": dict(counts),
    }


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def is_header(line: bytes) -> bool:
    """Whether a file that begins with a line is such a file."""
    try:
        found = json.loads(line)
    except ValueError:
        return False
    return isinstance(found, dict) and found.get("format") == NAME


def restore(tx: Transaction, lines: Iterable[bytes]) -> dict[str, int]:
    """Write every row of a file into the transaction's scope; the error of one that cannot be names its line.

    The caller's transaction makes it all or nothing.
    """
    numbered = enumerate(lines, start=1)
    first = next(numbered, None)
    if first is None:
        raise Invalid("line 1", "is not there: the file is empty")
    with _at(first[0]):
        state, announced = _read_header(_object(first[1]))
    transfers.check_empty(tx)
    counts = _write_rows(tx, numbered, announced)
    if schema.documents.name in counts:
        sharing.note_documents(tx)
    if state:
        transfers.settle(tx, state)
    return counts


def _read_header(header: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, int]]:
    """How far the exported scope had come, and how many rows of each table follow."""
    if header.get("format") != NAME:
        raise Invalid("format", f"is not `{NAME}`; this is no exported scope")
    if header.get("version") != VERSION:
        raise Invalid("version", f"is {header.get('version')!r}; this Nacre reads version {VERSION}")
    revision = header.get("schema")
    if not isinstance(revision, str) or revision > migrating.HEAD:
        raise Invalid("schema", f"is {revision!r}, and this Nacre knows {migrating.HEAD}. Upgrade Nacre first")
    rows, state = header.get("rows"), header.get("state")
    if not isinstance(rows, dict) or not all(type(count) is int and count > 0 for count in rows.values()):
        raise Invalid("rows", "must count the rows of each table")
    if not isinstance(state, dict) or (rows and not state):
        raise Invalid("state", "must say how far the scope had come")
    unknown = [name for name in rows if name not in TABLES]
    if unknown:
        raise Invalid("rows", f"counts a table that is not known: {unknown[0][:100]!r}")
    return transfers.read_state(state) if state else {}, rows


def _write_rows(tx: Transaction, numbered: Iterable[tuple[int, bytes]], announced: Mapping[str, int]) -> dict[str, int]:
    writer, counts, order = transfers.Writer(tx), Counter[str](), list(TABLES)
    last, place = 1, 0
    for last, line in numbered:
        with _at(last):
            name, row = _read_row(_object(line))
            if order.index(name) < place:
                raise Invalid("table", f"`{name}` comes too late: its rows stand together, after what they hang from")
            place = order.index(name)
            writer.add(TABLES[name], f"line {last}", row)
        counts[name] += 1
    writer.finish()
    for name in dict.fromkeys(chain(announced, counts)):
        if counts[name] != announced.get(name, 0):
            told = f"has {counts[name]} rows of `{name}` up to here, not the {announced.get(name, 0)} that it announces"
            raise Invalid(f"line {last}", f"is the last one, and the file {told}: it was cut or changed")
    return dict(counts)


@contextmanager
def _at(number: int) -> Iterator[None]:
    """Have an error say in which line it is."""
    where = f"line {number}"
    try:
        yield
    except Invalid as error:
        # Rows are written several at once: it may be about one of an earlier line.
        if error.field.startswith("line "):
            raise
        told = error.problem if error.field == "line" else f"has `{error.field}`, which {error.problem}"
        raise Invalid(where, told) from error


def _read_row(entry: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    name, row = entry.get("table"), entry.get("row")
    if not isinstance(name, str) or name not in TABLES:
        raise Invalid("table", f"is not known: {str(name)[:100]!r}")
    if not isinstance(row, dict):
        raise Invalid("row", "must be an object")
    return name, row


def _object(line: bytes) -> dict[str, Any]:
    if len(line) > MAX_LINE:
        raise Invalid("line", f"is longer than {MAX_LINE // 2**20} MiB")
    try:
        found = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Invalid("line", f"is not UTF-8: byte {error.start} cannot be read") from error
    except (ValueError, RecursionError) as error:
        raise Invalid("line", "is not JSON; the file was cut or changed") from error
    if not isinstance(found, dict):
        raise Invalid("line", "must be an object")
    return found
