"""Guards of the succession model: news of others and changes that were turned down end nothing."""

import pytest

from nacre import Nacre, Settings
from nacre.extraction import succession_guards
from nacre.models.local_succession import SuccessionReading

pytestmark = pytest.mark.spec("N11")


@pytest.fixture
def nacre(sqlite_url, clock):
    """Marks are kept alike on every database."""
    with Nacre(sqlite_url, settings=Settings(worker="off", extraction="reader"), clock=clock) as brain:
        yield brain


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("i work at Bosch in Ulm", "my boss Jan left Bosch, hes at Siemens now"),
        ("my gym is BasicFit, 39 euro a month", "my sister cancelled BasicFit, she goes to Jims for 25 euro a month"),
        ("we're on Node 18", "Node 22 looks good but we stay on 18 for now"),
        ("we run Python 3.11", "Python 3.14 looks nice but we won't upgrade before June."),
        ("My gate code is 4471.", "The new gate code is not 9023."),
        ("My gate code is 4471.", "Someone told me the gate code is 9023 but that's wrong."),
        ("My gate code is 4471.", "The old gate code was 1122."),
        ("My gate code is 4471.", "Mum's new gate code: 9023"),
        ("My gate code is 4471.", "new alarm code: 9023"),
    ],
)
def test_neither_anothers_doing_nor_a_change_that_is_turned_down_ends_anything(scope, clock, older, newer):
    scope.observe("user", older)
    clock.advance(days=30)
    scope.observe("user", newer)

    assert not any(hit.outdated for hit in scope.recall(older))


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("our kids go to Oakfield", "Mia left Oakfield"),
        ("i share a flat with my brother", "my brother moved out"),
        ("my boss is Jan", "Jan left, so I report to Petra"),
        ("we pay 900 rent", "My landlord put it up to 950"),
        ("i use a paper notebook", "I've switched to Obsidian"),
        ("we track bugs in Jira", "sticking to Linear now"),
    ],
)
def test_what_touches_whom_the_older_words_are_about_may_end_them(older, newer):
    assert not succession_guards.is_anothers_doing(older, newer)
    assert not succession_guards.is_declined(older, newer)


@pytest.mark.parametrize(
    ("older", "newer", "other"),
    [
        ("I repair accordions", "teo got a job!! bus driver at Monbus", True),
        ("Teo repairs accordions", "teo got a job!! bus driver at Monbus", False),
        ("I repair accordions", "got a job!! bus driver at Monbus", False),
    ],
)
def test_a_job_of_another_takes_no_jobs_place(older, newer, other):
    now = newer.index("bus driver")
    found = SuccessionReading(0.99, (0, len(older)), (now, now + len("bus driver")))

    assert succession_guards.is_of_another_job(older, newer, found) is other
