"""Cosines of many vectors with one, computed by the calling thread alone."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nacre.models.embedders import Matrix
from nacre.recall.bm25 import Floats

# The BLAS of numpy hands a product of more numbers to as many threads as there are cores. They wait for each other
# in loops: beside any other load that takes many times as long as the product itself.
_NUMBERS_OF_ONE_THREAD = 8_192
# So many numbers are made floats at a time: they stay in the cache until they are multiplied.
_NUMBERS_OF_ONE_BLOCK = 16 * _NUMBERS_OF_ONE_THREAD


@dataclass(frozen=True, slots=True)
class QuantizedMatrix:
    """Vectors as they are stored, in a quarter of the bytes: whole numbers, and a scale for each row."""

    values: npt.NDArray[np.int8]
    scales: Floats

    def __getitem__(self, row: int) -> Floats:
        vector: Floats = self.values[row] * self.scales[row]
        return vector

    def cosines(self, vector: Floats) -> Floats:
        """The product of each row with the vector."""
        rows, width = self.values.shape
        height = max(1, _NUMBERS_OF_ONE_BLOCK // max(width, 1))
        block = np.empty((min(rows, height), width), np.float32)
        products = np.empty(rows, np.float32)
        for start in range(0, rows, height):
            part = block[: min(height, rows - start)]
            np.copyto(part, self.values[start : start + height])
            products[start : start + height] = cosines(part, vector)
        return products * self.scales

    def cosines_among(self, chosen: npt.NDArray[np.bool_], vector: Floats) -> Floats:
        """The product of each chosen row with the vector."""
        return cosines(self.values[chosen].astype(np.float32), vector) * self.scales[chosen]


def cosines(matrix: Matrix, vector: Floats) -> Floats:
    """The product of each row with the vector. The bits are those of the product in one piece."""
    rows, width = matrix.shape
    height = max(1, _NUMBERS_OF_ONE_THREAD // max(width, 1))
    blocks, rest = divmod(rows, height)
    found = np.empty(rows, np.float32)
    whole = rows - rest
    np.matmul(matrix[:whole].reshape(blocks, height, width), vector, out=found[:whole].reshape(blocks, height))
    np.matmul(matrix[whole:], vector, out=found[whole:])
    return found
