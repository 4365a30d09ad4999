"""Cosines are the product of a matrix and a vector, whatever the size of the matrix."""

import numpy as np
import pytest

from nacre.recall.cosines import cosines


@pytest.mark.parametrize(("rows", "width"), [(0, 256), (1, 256), (31, 256), (32, 256), (1_001, 256), (3, 10_000)])
def test_cosines_are_the_product_of_every_row_with_the_vector(rows, width):
    rng = np.random.default_rng(7)
    matrix = rng.standard_normal((rows, width)).astype(np.float32)
    vector = rng.standard_normal(width).astype(np.float32)

    assert cosines(matrix, vector) == pytest.approx(matrix @ vector, abs=1e-3)
