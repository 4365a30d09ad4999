"""Nonsense of every kind, for every route: no mistakes, and nothing that the schema does not say.

`python -m bench fuzz` does the same for longer.
"""

import pytest

from bench.fuzz import attack, target
from tests.http.calls import described, operations

EXAMPLES = 2


@pytest.fixture(scope="module")
def under_attack():
    with target() as found:
        yield found


@pytest.mark.parametrize("label", [str(each) for each in operations(described())])
def test_no_call_brings_a_route_to_make_a_mistake(under_attack, label):
    assert attack(under_attack.operations[label], under_attack.check, examples=EXAMPLES) > 0
