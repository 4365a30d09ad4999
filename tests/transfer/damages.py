"""What can be wrong with an exported scope, and what is said of it."""

import json
from collections.abc import Callable
from typing import Any


def place(lines: list[bytes], table: str) -> int:
    """Where the rows of a table begin."""
    return next(number for number, line in enumerate(lines) if line.startswith(f'{{"table":"{table}"'.encode()))


def in_header(**changed: Any) -> Callable[[list[bytes]], list[bytes]]:
    """Another header."""

    def damage(lines: list[bytes]) -> list[bytes]:
        header = json.loads(lines[0])
        state = header["state"] | changed.get("state", {})
        return [json.dumps(header | changed | {"state": state}).encode(), *lines[1:]]

    return damage


def in_entity(old: bytes, new: bytes) -> Callable[[list[bytes]], list[bytes]]:
    """Other bytes in the row of an entity."""

    def damage(lines: list[bytes]) -> list[bytes]:
        at = next(number for number in range(place(lines, "entities"), len(lines)) if old in lines[number])
        return [*lines[:at], lines[at].replace(old, new, 1), *lines[at + 1 :]]

    return damage


def instead(line: bytes) -> Callable[[list[bytes]], list[bytes]]:
    """Another line in place of an entity."""
    return lambda lines: [*lines[: (at := place(lines, "entities"))], line, *lines[at + 1 :]]


def one_too_many(lines: list[bytes]) -> list[bytes]:
    at = place(lines, "entities")
    row = json.loads(lines[at])
    row["row"] |= {"id": ANYONE, "slug": "another"}
    return [*lines[:at], json.dumps(row).encode(), *lines[at:]]


def twice(lines: list[bytes]) -> list[bytes]:
    at = place(lines, "entities")
    return [*lines[: at + 1], lines[at], *lines[at + 2 :]]


def dangling(lines: list[bytes]) -> list[bytes]:
    at = place(lines, "aliases")
    row = json.loads(lines[at])
    row["row"]["entity_id"] = ANYONE
    return [*lines[:at], json.dumps(row).encode(), *lines[at + 1 :]]


def out_of_order(lines: list[bytes]) -> list[bytes]:
    one, other = place(lines, "entities"), place(lines, "aliases")
    return [*lines[:one], lines[other], *lines[one + 1 : other], lines[one], *lines[other + 1 :]]


ANYONE = "01a1de75-577d-77de-b5c9-abed96c33bef"
# What can be wrong with a file, and what the error says beside the line.
DAMAGES: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "empty": (lambda _lines: [], "the file is empty"),
    "not ours": (lambda _lines: [b'{"type":"entity"}'], "is no exported scope"),
    "cut in a line": (lambda lines: [*lines[:-2], lines[-2][:-9]], "is not JSON"),
    "cut after a line": (lambda lines: lines[:-2], "it was cut or changed"),
    "a line too many": (one_too_many, "it was cut or changed"),
    "wrong version": (in_header(version=99), "`version`, which is 99"),
    "newer schema": (in_header(schema="9999"), "Upgrade Nacre"),
    "unknown table": (instead(b'{"table":"spells","row":{}}'), "not known: 'spells'"),
    "secret table": (instead(b'{"table":"api_keys","row":{}}'), "not known: 'api_keys'"),
    "no row": (instead(b'{"table":"entities","row":[]}'), "must be an object"),
    "unknown column": (in_entity(b'"slug"', b'"slugs"'), "has no column 'slugs'"),
    "missing column": (in_entity(b'"slug":"ana",', b""), "`entities.slug`, which must be there"),
    "duplicate": (twice, "repeats a key"),
    "dangling": (dangling, "hangs from a row that is not there"),
    "bad utf-8": (in_entity(b"Ana", b"\xff\xfe"), "is not UTF-8"),
    "wrong type": (in_entity(b'"mentions":', b'"mentions":"many","mention":'), "line"),
    "no such choice": (in_entity(b'"status":"active"', b'"status":"haunted"'), "must be one of active, archived"),
    "nul": (in_entity(b"Ana", b"A\\u0000na"), "`entities.name`, which cannot be"),
    "half a pair": (in_entity(b"Ana", b"\\ud800"), "`entities.name`, which cannot be"),
    "not a number": (in_entity(b'"confidence":', b'"confidence":NaN,"x":'), "line"),
    "out of order": (out_of_order, "comes too late"),
    "endless revision": (in_header(state={"revision": 2**62}), "scopes.revision"),
}
