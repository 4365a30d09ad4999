"""Statistics of the indexes, as SQLite's planner is told them.

SQLite knows nothing of a new file, and takes the rows of one scope for a handful: it then reads the whole scope where
an index leads to the row. Measuring each file (ANALYZE) would make the plans of a file depend on when it was measured.
So every file is told the same: a scope has many rows, a few words have many rows each, and anything else few.
"""

from sqlalchemy import Connection

ROWS = 1_000_000
_OF_SCOPE = 100_000
# How many values a column has in a scope. One that is not named here tells its rows apart.
_VALUES = {"status": 2, "kind": 4, "type": 10, "embedder": 1, "namespace": 10, "actor": 5, "predicate": 20}
_APART = 20_000


def write(connection: Connection) -> None:
    """Tell SQLite about every index that a scope leads. PostgreSQL finds out for itself."""
    if connection.dialect.name != "sqlite":
        return
    told = [(table, name, _shared_counts(columns, unique)) for table, name, columns, unique in _indexes(connection)]
    # The first makes the table, the second has this connection read it.
    connection.exec_driver_sql("ANALYZE sqlite_schema")
    connection.exec_driver_sql("DELETE FROM sqlite_stat1")
    connection.exec_driver_sql("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)", told)
    connection.exec_driver_sql("ANALYZE sqlite_schema")


def _indexes(connection: Connection) -> list[tuple[str, str, list[str | None], bool]]:
    rows = connection.exec_driver_sql(
        'SELECT t.name AS tbl, i.name AS idx, i."unique" AS one, c.name AS col'
        " FROM sqlite_schema AS t, pragma_index_list(t.name) AS i, pragma_index_info(i.name) AS c"
        " WHERE t.type = 'table' ORDER BY t.name, i.name, c.seqno"
    )
    found: dict[tuple[str, str, bool], list[str | None]] = {}
    for each in rows:
        found.setdefault((each.tbl, each.idx, bool(each.one)), []).append(each.col)
    return [
        (table, name, columns, unique)
        for (table, name, unique), columns in found.items()
        if columns[0] == "scope_id" and len(columns) > 1
    ]


def _shared_counts(columns: list[str | None], unique: bool) -> str:
    """The rows of a table, then how many share the first column of an index, the first two, and so on."""
    shared: list[int] = [_OF_SCOPE]
    for name in columns[1:]:
        shared.append(max(1, shared[-1] // _VALUES.get(name or "", _APART)))
    if unique:
        shared[-1] = 1
    return " ".join(map(str, (ROWS, *shared)))
