"""The day of a clause is when what that clause tells began, and nothing else."""

import pytest

from nacre.extraction.rule_extraction import extract
from tests.extraction.conftest import AT

pytestmark = pytest.mark.spec("W1")


def test_the_day_of_another_clause_is_not_when_it_began():
    (moved,) = extract("Ingrid has moved to Oslo, we'll visit her in December.", at=AT).facts
    (dated,) = extract("Ingrid moved to Oslo in December.", at=AT).facts

    assert moved.valid_from is None
    assert dated.valid_from is not None
