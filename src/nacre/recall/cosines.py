"""Cosines of many vectors with one, computed by the calling thread alone."""

import numpy as np

from nacre.models.embedders import Matrix
from nacre.recall.bm25 import Floats

# The BLAS of numpy hands a product of more numbers to as many threads as there are cores. They wait for each other
# in loops: beside any other load that takes many times as long as the product itself.
_NUMBERS_OF_ONE_THREAD = 8_192


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
