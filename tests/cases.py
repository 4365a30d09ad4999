"""Tables of refusals: every row of one test on one database, which a refusal leaves as it was."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any

Test = Callable[..., None]


def in_turn(names: str | tuple[str, ...], rows: Iterable[Any]) -> Callable[[Test], Test]:
    """Rows as `parametrize` takes them, one after another in one test; the one that fails is named."""
    columns = (names,) if isinstance(names, str) else names
    table = [dict(zip(columns, (row,) if isinstance(names, str) else row, strict=True)) for row in rows]

    def decorate(test: Test) -> Test:
        def run(**fixtures: Any) -> None:
            for place, row in enumerate(table):
                try:
                    test(**fixtures, **row)
                except BaseException as error:
                    error.add_note(f"Row {place}: {row!r:.500}")
                    raise

        signature = inspect.signature(test)
        needed = [each for name, each in signature.parameters.items() if name not in columns]
        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        run.__dict__.update(vars(test))
        run.__signature__ = signature.replace(parameters=needed)  # type: ignore[attr-defined]
        return run

    return decorate
