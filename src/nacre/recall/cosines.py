"""Cosines of many vectors with one, computed by the calling thread alone."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nacre.models.embedders import Matrix
from nacre.recall.bm25 import Floats

# The BLAS of numpy hands a product of more numbers to as many threads as there are cores. They wait for each other
# in loops: beside any other load that takes many times as long as the product itself.
_NUMBERS_OF_ONE_THREAD = 8_192
# So many products' numbers are made floats at a time: they stay in the cache until they are multiplied.
_PRODUCTS_OF_ONE_BLOCK = 16


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
        block = np.empty((_PRODUCTS_OF_ONE_BLOCK, _height(width), width), np.float32)
        products = np.empty(rows, np.float32)
        whole = rows - rows % (block.shape[0] * block.shape[1])
        parts = self.values[:whole].reshape(-1, *block.shape)
        for part, out in zip(parts, products[:whole].reshape(-1, *block.shape[:2]), strict=True):
            np.copyto(block, part)
            np.matmul(block, vector, out=out)
        products[whole:] = cosines(self.values[whole:].astype(np.float32), vector)
        products *= self.scales
        return products

    def cosines_among(self, chosen: npt.NDArray[np.bool_], vector: Floats) -> Floats:
        """The product of each chosen row with the vector."""
        return cosines(self.values[chosen].astype(np.float32), vector) * self.scales[chosen]


def cosines(matrix: Matrix, vector: Floats) -> Floats:
    """The product of each row with the vector. The bits are those of the product in one piece."""
    rows, width = matrix.shape
    height = _height(width)
    blocks, rest = divmod(rows, height)
    found = np.empty(rows, np.float32)
    whole = rows - rest
    np.matmul(matrix[:whole].reshape(blocks, height, width), vector, out=found[:whole].reshape(blocks, height))
    np.matmul(matrix[whole:], vector, out=found[whole:])
    return found


def _height(width: int) -> int:
    """How many rows make one product on the calling thread."""
    return max(1, _NUMBERS_OF_ONE_THREAD // max(width, 1))
