"""How often updates of memories are seen, and that nothing is ended that still holds: pairs with a label each.

Written after the rules, and nothing was tuned on them.
"""

from collections.abc import Callable, Iterator
from itertools import count

import pytest

from nacre import Nacre, RememberReport, ScopedNacre, Settings
from tests.conftest import MovableClock

pytestmark = pytest.mark.spec("M6")

# The second of each says otherwise than the first.
UPDATES = [
    ("The harbour fee is 18 euros a night", "The harbour fee went up to 22 euros a night"),
    ("Low tide on the slipway is at 6:40", "Correction: low tide on the slipway is at 7:10"),
    ("Our accountant is Mrs Okafor", "Mr Lind replaced Mrs Okafor as our accountant"),
    ("The bakery opens at 7:00", "The bakery opens at 6:30 now"),
    ("Juno's vet appointment is on March 12", "Juno's vet appointment was rescheduled to March 19"),
    ("The greenhouse needs 40 litres of water", "The greenhouse now needs 55 litres of water"),
    ("The choir sings in St Olav", "The choir no longer sings in St Olav"),
    ("The cottage is booked for August 2", "The booking for the cottage was moved to August 9"),
    ("The licence costs 120 dollars", "The licence costs 140 dollars"),
    ("Rasmus runs the book club", "Ingrid took over the book club from Rasmus"),
    ("The build server is called otter", "The build server was renamed from otter to badger"),
    ("The maximum file size is 8 MB", "The maximum file size was raised to 20 MB"),
    ("The vault door code is 5512", "The vault door code is 9034 now"),
    ("Elif's working hours are 9 to 17", "Elif's working hours are now 8 to 16"),
    ("The regatta starts on May 14", "The regatta starts on May 21"),
    ("We ship with DHL", "We switched from DHL to UPS"),
    ("Practice is on Tuesdays", "Practice was moved to Thursdays"),
    ("El curso empieza el 4 de marzo", "El curso empieza el 11 de marzo"),
    ("La entrada cuesta 12 euros", "La entrada ahora cuesta 15 euros"),
    ("El responsable de compras es Julián", "El responsable de compras es ahora Nuria"),
    ("展览在5月3日开始", "展览改到5月10日开始"),
    ("面试是10点", "面试现在是11点"),
    ("The lease ends on June 30", "The lease was extended to December 31"),
    ("Pippa's seat is 14C", "Pippa's seat was changed to 22A"),
    ("The sales target is 300k", "The sales target was lowered to 260k"),
]
# Both of each are so.
BOTH = [
    ("The harbour fee is 18 euros a night", "The mooring deposit is 50 euros"),
    ("Low tide is at 6:40", "High tide is at 12:55"),
    ("The upper deck holds 30 people", "The lower deck holds 45 people"),
    ("Juno's vet appointment is on March 12", "Milo's vet appointment is on March 19"),
    ("The licence for students costs 40 dollars", "The licence for companies costs 400 dollars"),
    ("The cottage is booked for August", "The camper is booked for September"),
    ("Rasmus runs the book club", "Ingrid runs the chess club"),
    ("Elif ate 2 apples", "Elif ate 3 apples"),
    ("The April bill is 61 euros", "The May bill is 58 euros"),
    ("Gate 7 opens at 9:00", "Gate 8 opens at 9:30"),
    ("The regatta starts on May 14", "The regatta dinner is on May 16"),
    ("The northern trail is 12 km long", "The southern trail is 19 km long"),
    ("Pippa sat in seat 14C on the way there", "Pippa sat in seat 22A on the way back"),
    ("Our accountant is Mrs Okafor", "Our lawyer is Mr Lind"),
    ("Tove knits hats", "Tove knits scarves now"),
    ("Yusuf speaks Turkish", "Yusuf speaks Dutch"),
    ("The morning class has 8 pupils", "The evening class has 11 pupils"),
    ("Season 1 has 10 episodes", "Season 2 has 8 episodes"),
    ("We paid 80 euros for the ferry in July", "We paid 95 euros for the ferry in August"),
    ("The red kayak is 4 metres long", "The green kayak is 5 metres long"),
    ("La entrada de adultos cuesta 12 euros", "La entrada de niños cuesta 6 euros"),
    ("El curso de cocina empieza el 4 de marzo", "El curso de baile empieza el 11 de marzo"),
    ("成人票是50元", "儿童票是25元"),
    ("Farid was hired on June 1", "Farid was promoted on October 1"),
    ("The bakery is open on Sundays", "The bakery is also open on Mondays"),
    ("Oskar might move the party to May 9", "The party is on May 2"),
]

Save = Callable[[str, str], tuple[ScopedNacre, RememberReport]]


@pytest.fixture
def save(sqlite_url: str, clock: MovableClock) -> Iterator[Save]:
    """Saves a pair of memories, two days apart, for a user of their own."""
    users = count()
    with Nacre(sqlite_url, settings=Settings(worker="off"), clock=clock) as nacre:

        def saved(old: str, new: str) -> tuple[ScopedNacre, RememberReport]:
            scope = nacre.scope("assistant", user=f"user-{next(users)}")
            scope.remember(old)
            clock.advance(days=2)
            made = scope.remember(new)
            clock.advance(days=-2)
            return scope, made

        yield saved


def test_most_updates_are_resolved_or_offered_for_review(save):
    results = {pair: save(*pair)[1] for pair in UPDATES}
    resolved = [pair for pair, made in results.items() if made.replaced]
    seen = [pair for pair, made in results.items() if made.replaced or made.proposals]

    assert len(seen) >= 0.85 * len(UPDATES)
    assert len(resolved) >= 0.7 * len(UPDATES)


@pytest.mark.parametrize(("old", "new"), BOTH)
def test_nothing_is_ended_that_still_holds(save, old, new):
    scope, made = save(old, new)

    assert made.replaced == ()
    assert {match.memory.content for match in scope.memories.search()} == {old, new}
