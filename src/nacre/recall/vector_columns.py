"""Vector columns: the vectors of an index as they grow, with the signs by which cosines are estimated."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nacre.recall.bm25 import Floats
from nacre.recall.cosines import QuantizedMatrix, sign_columns, sign_count
from nacre.recall.growable_arrays import GrowableArray
from nacre.recall.passage_columns import Longs


@dataclass(frozen=True, slots=True)
class VectorColumns:
    """The growing vectors of one space; a passage without one has only zeros."""

    values: GrowableArray
    scales: GrowableArray
    signs: tuple[GrowableArray, ...]

    @classmethod
    def of(cls, width: int) -> "VectorColumns":
        """Columns for vectors of so many dimensions."""
        signs = tuple(GrowableArray(np.uint64) for _ in range(sign_count(width)))
        return cls(GrowableArray(np.int8, width), GrowableArray(np.float32), signs)

    def reach(self, size: int) -> None:
        """Have a row for each of so many passages."""
        for column in (self.values, self.scales, *self.signs):
            column.extend_blank(size - column.size)

    def put(self, docs: Longs, values: npt.NDArray[np.int8], scales: Floats) -> None:
        """Take in the vectors of some passages."""
        first, last = int(docs[0]), int(docs[-1])
        # Mostly none is missing between them, and then they are copied as they lie.
        places = slice(first, last + 1) if last - first + 1 == len(docs) else docs
        self.values.view[places] = values
        self.scales.view[places] = scales
        for column, words in zip(self.signs, sign_columns(values), strict=True):
            column.view[places] = words

    @property
    def view(self) -> QuantizedMatrix:
        return QuantizedMatrix(self.values.view, self.scales.view, tuple(column.view for column in self.signs))

    @property
    def nbytes(self) -> int:
        return sum(column.nbytes for column in (self.values, self.scales, *self.signs))
