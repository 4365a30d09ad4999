"""Full-text search over entities: FTS5 on SQLite, a stored `tsvector` with GIN on PostgreSQL.

Both are kept up by the database itself, and both read a text as words without accents, cut at every sign. The scope is
a word of the indexed text, so that a search reads only rows of its own scope, however many share a name.
"""

from collections.abc import Mapping

from sqlalchemy import Connection, Table, event

from nacre.store.tables.schema import entities
from nacre.text.letters import fold

# Between words, as ranges of a regular expression on PostgreSQL and in Python. FTS5 cuts at all that is no letter.
SIGNS = (
    r"!-/:-@\[-`{-~\u00a0-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf"
    r"\u2000-\u206f\u3000-\u3004\u3008-\u3020\u3030\uff01-\uff0f\uff1a-\uff20"
)
# No accent that FTS5 knows makes these letters plain.
_LATIN, _GREEK = (
    {each: fold(letter) for letter in letters for each in (letter, letter.upper())}
    for letters in ("øłđðþæœħё", "άέήίόύώϊϋ")
)


def spelled(text: str) -> str:
    """A question with such letters made plain, as they are in the index on SQLite."""
    return text.translate({ord(letter): plain for letter, plain in (_LATIN | _GREEK).items()})


def _stepwise(text: str) -> str:
    """The same as an expression of SQLite, which takes only so many calls inside each other."""
    greek = _replaced("step", _GREEK)
    return f"(SELECT {greek} FROM (SELECT {_replaced(text, _LATIN)} AS step))"  # noqa: S608 - no input in it


def _replaced(text: str, letters: Mapping[str, str]) -> str:
    for letter, plain in letters.items():
        text = f"replace({text}, '{letter}', '{plain}')"
    return text


def _lexemes(text: str, weight: str) -> str:
    """The words of a text on PostgreSQL; `text.letters.fold` does the same to a question."""
    bare = rf"regexp_replace(normalize({_replaced(text, _LATIN)}, NFD), '([a-zA-Zα-ωΑ-Ω])[\u0300-\u036f]+', '\1', 'g')"
    words = f"regexp_replace(normalize({bare}, NFC), '[{SIGNS}]+', ' ', 'g')"
    return f"setweight(to_tsvector('simple', {words}), '{weight}')"


_TABLE = """
CREATE VIRTUAL TABLE entities_fts USING fts5(
    scope, id UNINDEXED, name, description, tokenize = "unicode61 remove_diacritics 2", prefix = "2 3 4"
)
"""
_INDEXED = ("hex({0}scope_id)", "{0}id", _stepwise("{0}name"), _stepwise("coalesce({0}description, '')"))
_INSERT = """
CREATE TRIGGER entities_fts_insert AFTER INSERT ON entities BEGIN
    INSERT INTO entities_fts (scope, id, name, description) VALUES ({}, {}, {}, {});
END
""".format(*(each.format("new.") for each in _INDEXED))  # noqa: S608 - no input in it
_DELETE = """
CREATE TRIGGER entities_fts_delete AFTER DELETE ON entities BEGIN
    DELETE FROM entities_fts WHERE rowid IN (
        SELECT rowid FROM entities_fts WHERE entities_fts MATCH 'scope:' || hex(old.scope_id) AND id = old.id
    );
END
"""
_UPDATE = """
CREATE TRIGGER entities_fts_update AFTER UPDATE OF name, description ON entities
WHEN old.name IS NOT new.name OR old.description IS NOT new.description BEGIN
    UPDATE entities_fts SET name = {2}, description = {3} WHERE rowid IN (
        SELECT rowid FROM entities_fts WHERE entities_fts MATCH 'scope:' || {0} AND id = {1}
    );
END
""".format(*(each.format("new.") for each in _INDEXED))  # noqa: S608 - no input in it
_COLUMN = f"""
ALTER TABLE entities ADD COLUMN tsv tsvector
GENERATED ALWAYS AS (
    {_lexemes("name", "A")} || {_lexemes("coalesce(description, '')", "B")} || array_to_tsvector(ARRAY[scope_id::text])
) STORED
"""
_GIN = "CREATE INDEX entities_tsv ON entities USING gin (tsv)"

STATEMENTS = {"sqlite": (_TABLE, _INSERT, _DELETE, _UPDATE), "postgresql": (_COLUMN, _GIN)}


def create(connection: Connection) -> None:
    """Make what full-text search needs beside the table of entities."""
    for statement in STATEMENTS[connection.dialect.name]:
        connection.exec_driver_sql(statement)


# The index as it should be, and as it is.
_EXPECTED = "SELECT {}, {}, {}, {} FROM entities".format(*(each.format("entities.") for each in _INDEXED))  # noqa: S608
_HELD = "SELECT scope, id, name, description FROM entities_fts"


def out_of_step(connection: Connection) -> int:
    """How many rows of the index on SQLite differ from what they should be."""
    differing = f"SELECT count(*) FROM (SELECT * FROM ({_EXPECTED}) EXCEPT {_HELD})"  # noqa: S608 - no input in it
    surplus = f"SELECT count(*) FROM (SELECT * FROM ({_HELD}) EXCEPT {_EXPECTED})"  # noqa: S608 - no input in it
    return max(int(connection.exec_driver_sql(each).scalar_one()) for each in (differing, surplus))


def rebuild(connection: Connection) -> None:
    """Make the index on SQLite anew, whatever state it is in."""
    connection.exec_driver_sql("DROP TABLE IF EXISTS entities_fts")
    connection.exec_driver_sql(_TABLE)
    connection.exec_driver_sql(f"INSERT INTO entities_fts (scope, id, name, description) {_EXPECTED}")


@event.listens_for(entities, "after_create")
def _with_the_table(_table: Table, connection: Connection, **_options: object) -> None:
    create(connection)
