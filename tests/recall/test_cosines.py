"""Cosines are the product of a matrix and a vector, whatever the size of the matrix."""

import numpy as np
import pytest

from nacre.models.embedders import pack, split, unpack
from nacre.recall.cosines import QuantizedMatrix, cosines


@pytest.mark.parametrize(("rows", "width"), [(0, 256), (1, 256), (31, 256), (32, 256), (1_001, 256), (3, 10_000)])
def test_cosines_are_the_product_of_every_row_with_the_vector(rows, width):
    rng = np.random.default_rng(7)
    matrix = rng.standard_normal((rows, width)).astype(np.float32)
    vector = rng.standard_normal(width).astype(np.float32)

    assert cosines(matrix, vector) == pytest.approx(matrix @ vector, abs=1e-3)


@pytest.mark.parametrize(("rows", "width"), [(1, 256), (513, 256), (1_100, 256), (20, 10_000)])
def test_cosines_of_stored_vectors_are_those_of_the_vectors(rows, width):
    rng = np.random.default_rng(7)
    packed = pack(rng.standard_normal((rows, width)).astype(np.float32))
    vector = rng.standard_normal(width).astype(np.float32)
    some = np.flatnonzero(rng.random(rows) < 0.1)
    matrix = QuantizedMatrix(*split(b"".join(packed), rows))

    assert matrix.cosines(vector) == pytest.approx(unpack(packed) @ vector, abs=1e-2)
    assert matrix.cosines_among(some, vector) == pytest.approx(matrix.cosines(vector)[some], abs=1e-2)
    assert np.array_equal(matrix[0], unpack(packed)[0])
