"""Nonsense of every kind, for every route: no mistakes, and nothing that the schema does not say.

`python -m bench fuzz` does the same for longer.
"""

import pytest

from bench.fuzz import Caller, Findings, attack, chain, target
from tests.http.calls import FAMILY_ROUTERS, named, of_family

EXAMPLES = 2
CHAINS = 10


@pytest.fixture(scope="module")
def under_attack():
    with target() as found:
        yield found


@pytest.mark.parametrize("family", FAMILY_ROUTERS)
def test_no_call_brings_a_route_to_make_a_mistake(under_attack, family):
    for operation in of_family(family):
        with named(operation):
            assert attack(under_attack.operations[str(operation)], under_attack.check, examples=EXAMPLES) > 0


@pytest.mark.parametrize("caller", Caller)
def test_no_chain_of_calls_brings_a_route_to_make_a_mistake(caller):
    findings = Findings()
    with target(caller) as chained:
        made = chain(chained, findings.look, examples=CHAINS)

    assert made > CHAINS
    assert not findings.examples
    assert bool(findings.statuses["401"]) is (caller is Caller.STRANGER)
