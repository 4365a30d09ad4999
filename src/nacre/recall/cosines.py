"""Cosines of many vectors with one, computed by the calling thread alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nacre.models.embedders import Matrix
from nacre.recall.bm25 import Floats

Rows = npt.NDArray[np.intp]
Signs = npt.NDArray[np.uint64]

# The BLAS of numpy hands a product of more numbers to as many threads as there are cores. They wait for each other
# in loops: beside any other load that takes many times as long as the product itself.
_NUMBERS_OF_ONE_THREAD = 8_192
# So many products' numbers are made floats at a time: they stay in the cache until they are multiplied.
_PRODUCTS_OF_ONE_BLOCK = 16
# The signs of so many rows stay in the cache until they are counted.
_SIGNS_OF_ONE_BLOCK = 16_384


@dataclass(frozen=True, slots=True)
class QuantizedMatrix:
    """Vectors as they are stored, in a quarter of the bytes: whole numbers, and a scale for each row."""

    values: npt.NDArray[np.int8]
    scales: Floats
    # The signs of each row's numbers as bits, 64 to a column.
    signs: Sequence[Signs] = ()

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

    def cosines_among(self, rows: Rows, vector: Floats) -> Floats:
        """The product of some rows with the vector."""
        return cosines(self.values.take(rows, axis=0).astype(np.float32), vector) * self.scales[rows]

    def estimates(self, vector: Floats) -> Floats:
        """About how near each row is to the vector, on a scale of its own: by the signs of its numbers alone.

        A sign counts as much as the vector's number in its place, in whole parts of a third of the largest.
        """
        sizes = np.abs(vector)
        weights = np.rint(sizes * (3 / max(float(sizes.max()), 1e-9))).astype(np.uint8)
        planes = [sign_columns(each[np.newaxis]) for each in (vector, weights & 1, weights & 2)]
        equal = np.full(len(self.values), weights.sum(dtype=np.int16) // 2, np.int16)
        for start in range(0, len(equal), _SIGNS_OF_ONE_BLOCK):
            block = slice(start, start + _SIGNS_OF_ONE_BLOCK)
            for column, sign, one, two in zip(self.signs, *planes, strict=True):
                unlike = column[block] ^ sign
                differing = np.bitwise_count(unlike & two)
                differing += differing
                differing += np.bitwise_count(unlike & one)
                equal[block] -= differing
        return np.maximum(equal, 0).astype(np.float32)


def sign_count(width: int) -> int:
    """How many columns the signs of so many dimensions take; none where this numpy cannot count bits."""
    return -(-width // 64) if hasattr(np, "bitwise_count") else 0


def sign_columns(matrix: npt.NDArray[Any]) -> list[Signs]:
    """The signs of each row's numbers as bits, 64 to a column."""
    rows, width = matrix.shape
    if not (count := sign_count(width)):
        return []
    packed = np.zeros((rows, 8 * count), np.uint8)
    packed[:, : -(-width // 8)] = np.packbits(matrix > 0, axis=1)
    return list(packed.view(np.uint64).T)


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
