"""What long work reports while it runs; the terminal shows it."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

Advance = Callable[[int], None]


class Progress(Protocol):
    def track(self, label: str, total: int) -> AbstractContextManager[Advance]:
        """Begin work of `total` steps; call what is given with the steps done."""
        ...


class Silent:
    """Reports nothing."""

    @contextmanager
    def track(self, label: str, total: int) -> Iterator[Advance]:  # noqa: ARG002 - the protocol's names
        yield lambda steps: None  # noqa: ARG005
