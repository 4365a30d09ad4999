"""Many tenants with real rows, made quickly: a few are written through `Nacre`, the rest are copies of theirs.

A template is a tenant that observed, remembered and linked through the public surface. Its rows are read with `COPY …
(FORMAT binary)`, and a copy of them is the same bytes with the marks of another tenant in them: its name, the ids of
its scopes, which follow from the name, and the random ends of all other ids. Marks are as long as what they replace,
whether they stand in a column as bytes or inside JSON as text. So a copy holds what the code would have written, and
no row is made by hand.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from uuid import UUID

import numpy as np
import psycopg
from numpy.typing import NDArray
from psycopg import sql
from sqlalchemy import Table

from bench import synthetic
from bench.words import NAMES, PLACES
from nacre import Nacre, ScopedNacre
from nacre.domain.scopes import Scope
from nacre.store.tables.columns import Id
from nacre.store.tables.schema import metadata

TEMPLATES = 16
TURNS = 50
ENTITIES = 10
USER = "ana"
# Copies of one template that are sent together.
TOGETHER = 50

# What a binary COPY begins and ends with.
_HEADER, _TRAILER = b"PGCOPY\n\xff\r\n\0" + bytes(8), b"\xff\xff"
_TAIL = 6

Bytes = NDArray[np.uint8]
Marks = list[list[bytes]]


def name_of(tenant: int) -> str:
    """The name of a tenant; all are of one length."""
    return f"tenant-{tenant:07}"


def scope_of(nacre: Nacre, tenant: int) -> ScopedNacre:
    """The memory of a tenant's only user."""
    return nacre.scope(agent=name_of(tenant), user=USER)


def write_template(nacre: Nacre, number: int) -> None:
    """A tenant as a program would make it: a conversation, three memories, and a graph of ten entities."""
    scope = scope_of(nacre, number)
    said = synthetic.turns(TURNS, number)
    for turn in said:
        scope.observe_many([turn])
    for turn in said[:3]:
        scope.remember(f"Noted: {turn.text}")
    chance = random.Random(number)
    people = chance.sample(NAMES, ENTITIES)
    while scope.graph.stats().entity_count < ENTITIES:
        scope.graph.link(people.pop(), "lives_in", chance.choice(PLACES))
    scope.working("session/s1").save("plan", "Look at the figures of May")


def fill(address: str, tenants: range) -> Iterator[int]:
    """Write `tenants` as copies of the templates, which are the first ones; yields how many were written since."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("SET synchronous_commit = off")
        # What a transaction sets is set on the nodes of a cluster as well; elsewhere this means nothing.
        connection.execute("SET citus.propagate_set_commands = 'local'")
        templates = [Template.read(connection, number) for number in range(TEMPLATES)]
        for start in range(tenants.start, tenants.stop, TEMPLATES * TOGETHER):
            block = range(start, min(start + TEMPLATES * TOGETHER, tenants.stop))
            for template in templates:
                template.write(connection, block[(template.number - start) % TEMPLATES :: TEMPLATES])
            yield len(block)


def template_of(tenant: int) -> int:
    """Whose copy a tenant is."""
    return tenant % TEMPLATES


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one table as bytes; for each kind of mark, where in them one stands, and which."""

    table: str
    data: Bytes
    places: tuple[tuple[NDArray[np.intp], NDArray[np.intp]], ...]

    def copies(self, marks: Sequence[Bytes]) -> bytes:
        """The rows with the marks of several tenants, one tenant after another."""
        made = np.tile(self.data, (len(marks[0]), 1))
        for (where, which), own in zip(self.places, marks, strict=True):
            made[:, where] = own[:, which]
        return made.tobytes()


@dataclass(frozen=True, slots=True)
class Template:
    """All rows of a tenant."""

    number: int
    tails: list[bytes]
    rows: list[Rows]

    @classmethod
    def read(cls, connection: psycopg.Connection, number: int) -> "Template":
        """The rows of the tenant with that number."""
        tails = _tails(connection, number)
        marks = _marks(number, number, tails)
        read = ((table.name, _copied(connection, table, number)) for table in metadata.sorted_tables)
        rows = [
            Rows(name, np.frombuffer(data, np.uint8), tuple(_places(data, kind) for kind in marks))
            for name, data in read
            if data
        ]
        return cls(number, tails, rows)

    def write(self, connection: psycopg.Connection, tenants: Sequence[int]) -> None:
        """Write copies of the rows for these tenants, all or none."""
        if not tenants:
            return
        each = [_marks(tenant, self.number, self.tails) for tenant in tenants]
        marks = [np.array([[list(mark) for mark in of[kind]] for of in each], np.uint8) for kind in range(len(each[0]))]
        with connection.transaction(), connection.cursor() as cursor:
            # The rows are those of templates, which went through every check and trigger.
            cursor.execute("SET LOCAL session_replication_role = replica")
            for rows in self.rows:
                into = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT binary)")
                with cursor.copy(
                    into.format(sql.Identifier(rows.table), _columns(metadata.tables[rows.table]))
                ) as copy:
                    copy.write(_HEADER + rows.copies(marks) + _TRAILER)


def _marks(tenant: int, template: int, tails: Sequence[bytes]) -> Marks:
    """What is a tenant's own in copies of a template's rows, by kind; every kind has its length."""
    name = name_of(tenant).encode()
    own = [_number(tenant) ^ _number(template) ^ int.from_bytes(tail) for tail in tails]
    ids = [tail.to_bytes(_TAIL) for tail in own]
    scopes = [scope.id for scope in scopes_of(tenant)]
    return [
        ids,
        [tail.hex().encode() for tail in ids],
        [scope.bytes for scope in scopes],
        [str(scope).encode() for scope in scopes],
        [name],
    ]


def _number(tenant: int) -> int:
    return int.from_bytes(blake2b(name_of(tenant).encode(), digest_size=_TAIL).digest())


def _places(data: bytes, marks: Sequence[bytes]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The bytes of every mark in the data, and which of the marks it is."""
    known = {mark: which for which, mark in enumerate(marks)}
    found = list(re.finditer(b"|".join(map(re.escape, marks)), data))
    starts = np.array([each.start() for each in found], np.intp)
    return starts[:, None] + np.arange(len(marks[0])), np.array([known[each[0]] for each in found], np.intp)


def scopes_of(tenant: int) -> list[Scope]:
    """Every scope that a tenant keeps something in: its user's, and its own."""
    return [Scope(agent=name_of(tenant), user=USER), Scope(agent=name_of(tenant))]


def _tails(connection: psycopg.Connection, number: int) -> list[bytes]:
    """The random ends of every id that a template uses."""
    columns = [
        sql.SQL("SELECT {} FROM {} WHERE scope_id = ANY(%(mine)s)").format(
            sql.Identifier(column.name), sql.Identifier(table.name)
        )
        for table in metadata.sorted_tables
        for column in table.c
        if isinstance(column.type, Id) and column.name != "scope_id"
    ]
    mine = {"mine": [scope.id for scope in scopes_of(number)]}
    ids: list[tuple[UUID | None]] = connection.execute(sql.SQL(" UNION ").join(columns), mine).fetchall()
    return sorted({each.bytes[-_TAIL:] for (each,) in ids if each is not None})


def _copied(connection: psycopg.Connection, table: Table, number: int) -> bytes:
    scopes = sql.SQL(", ").join(sql.Literal(str(scope.id)) for scope in scopes_of(number))
    read = sql.SQL("COPY (SELECT {} FROM {} WHERE scope_id IN ({})) TO STDOUT (FORMAT binary)")
    with (
        connection.cursor() as cursor,
        cursor.copy(read.format(_columns(table), sql.Identifier(table.name), scopes)) as copy,
    ):
        return b"".join(bytes(part) for part in copy)[len(_HEADER) : -len(_TRAILER)]


def _columns(table: Table) -> sql.Composable:
    """Those that are written: what the database makes itself is not among them."""
    return sql.SQL(", ").join(sql.Identifier(column.name) for column in table.c)
