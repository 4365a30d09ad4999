"""Growable arrays: what an index appends to while others read what was in them before."""

from typing import Any

import numpy as np
import numpy.typing as npt


class GrowableArray:
    """An array that grows at its end. Views taken earlier stay valid and keep their length."""

    def __init__(self, dtype: npt.DTypeLike, width: int | None = None) -> None:
        self._shape = () if width is None else (width,)
        self._data = np.zeros((0, *self._shape), dtype)
        self.size = 0

    def extend(self, values: npt.ArrayLike, count: int) -> None:
        """Append `count` values."""
        start = self.size
        self.extend_blank(count)
        self._data[start : self.size] = values

    def extend_blank(self, count: int) -> None:
        """Append `count` zeros."""
        needed = self.size + count
        if needed > len(self._data):
            # A quarter more than needed: enough that single appends stay cheap, without doubling what is held.
            grown = np.zeros((needed + needed // 4, *self._shape), self._data.dtype)
            grown[: self.size] = self._data[: self.size]
            self._data = grown
        self.size = needed

    @property
    def view(self) -> npt.NDArray[Any]:
        return self._data[: self.size]

    @property
    def nbytes(self) -> int:
        return self._data.nbytes
