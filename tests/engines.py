"""What makes every engine of the tests quick, without the product knowing."""

from contextlib import closing
from typing import Any

from sqlalchemy import Connection


class Compiled(dict[Any, Any]):
    """Compiled statements, whichever engine compiled them.

    SQLAlchemy keeps them for each engine, and each test has an engine of its own: the same statements were compiled
    for test after test. All engines of a kind are made alike, so the first part of the key, the dialect, may go.
    """

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(key[1:], default)

    def __setitem__(self, key: Any, compiled: Any) -> None:
        super().__setitem__(key[1:], compiled)


_COMPILED = {"sqlite": Compiled(), "postgresql": Compiled()}


def hurry(connection: Connection) -> None:
    """Let a connection use what others compiled, and let SQLite forget everything in a power cut."""
    connection.execution_options(compiled_cache=_COMPILED[connection.dialect.name])
    if connection.dialect.name == "sqlite" and "hurried" not in connection.info:
        with closing(connection.connection.cursor()) as cursor:
            cursor.execute("PRAGMA synchronous = OFF")
        connection.info["hurried"] = True
