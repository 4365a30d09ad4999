"""Facts that rest on words which became outdated end with them, and come back with them."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from nacre import Nacre
from nacre.domain.ids import SourceId
from nacre.domain.operations import UpdateLink
from nacre.domain.outdated_marks import MarkOutdated
from nacre.domain.recording_operations import RecordLink
from nacre.extraction import outdated_facts
from tests.extraction.tellings import beliefs, tell

pytestmark = pytest.mark.spec("N11")
DAY = timedelta(days=1)


@pytest.fixture
def nacre(sqlite_url, clock, brain_settings):
    """What is said is read alike on every database."""
    with Nacre(sqlite_url, settings=brain_settings, clock=clock) as brain:
        yield brain


@pytest.mark.parametrize(
    "told",
    [
        ("I use Docker. I use Redis.", "Ditched Redis today, good riddance.", "tool Redis", "tool Docker"),
        ("My dog is called Rufus. I live in Porto.", "We said goodbye to Rufus at the vet.", "Rufus", "in Porto"),
        (
            "I work at Acme. Tom works at Acme.",
            "Got my goodbye cake at Acme.",
            "ana works_at Acme",
            "Tom works_at Acme",
        ),
        ("My rent is $900. My gym costs $40.", "My rent went up to $950", "$900", "$40"),
        ("My boss is Oksana. I live in Porto.", "Jens signs off now since Oksana went on to Oslo.", "Oksana", "Porto"),
    ],
)
def test_what_is_said_to_be_over_by_its_name_ends_and_nothing_else(scope, clock, told):
    before, after, ended, kept = told
    known = tell(scope, clock, before)
    assert any(ended in each for each in known)
    known = tell(scope, clock, after)

    assert not any(each.endswith(ended) for each in known)
    assert any(kept in each for each in known)


@pytest.mark.parametrize(("after", "ends"), [("I use Valkey.", True), ("Valkey has a new logo.", False)])
def test_a_mark_in_doubt_ends_what_got_another_value_in_the_same_words(nacre, scope, clock, after, ends):
    before = scope.observe("user", "I use Redis.", session="s")
    clock.advance(days=1)
    newer = scope.observe("user", after, session="s")
    scope.learned()
    mark = MarkOutdated(
        older=before.id,
        newer=newer.id,
        at=clock(),
        doubtful=True,
        quote=(0, 12),
        newer_quote=(0, len(after)),
        value="Redis",
        new_value="Valkey",
    )

    with nacre.parts.database.read(scope.scope) as tx:
        assert bool(outdated_facts.end_facts(tx, [mark], {}, {}, sure=False)) is ends


def test_taking_the_end_back_brings_the_fact_back(scope, clock):
    tell(scope, clock, "I use Docker. I use Redis.", "Ditched Redis today, good riddance.")
    (end,) = [each for each in scope.history() if each.operation == "update_link"]

    scope.undo(end.id)

    assert "Ditched Redis" in end.reason
    assert "ana uses_tool Redis" in beliefs(scope)


def test_a_new_value_that_several_go_by_ends_the_old_one_and_stops_nobody(scope, clock):
    for kind in ("project", "person"):
        scope.graph.add("Valkey", type=kind)
    tell(scope, clock, "I use Redis.")
    known = tell(scope, clock, "Argh, Valkey, not Redis!", "I live in Porto.")

    assert scope.learned().unread == 0
    assert not any(each.endswith("tool Redis") for each in known)
    assert any(each.endswith("lives_in Porto") for each in known)


def test_what_was_said_at_the_same_moment_has_no_end(nacre, scope, clock):
    said = scope.observe("user", "I use Redis.", session="s")
    (link,) = scope.graph.links("Redis")
    words = {"older": said.id, "newer": uuid4(), "quote": (0, 12), "newer_quote": (0, 6), "value": "Redis"}
    marks = [MarkOutdated(**words, new_value="Valkey", at=link.valid_from + later) for later in (timedelta(), DAY)]

    with nacre.parts.database.read(scope.scope) as tx:
        at_once, later = (outdated_facts.end_facts(tx, [mark], {}, {}) for mark in marks)

    assert not any(at_once.values())
    assert [each.operation for each in later[marks[1].newer]] == [UpdateLink(link=link.id, valid_to=marks[1].at)]


def test_a_model_alone_ends_no_allergy(nacre, scope, clock):
    said = scope.observe("user", "I am allergic to peanuts.", session="s")
    scope.learned()
    words = {"older": said.id, "newer": uuid4(), "quote": (0, 25), "newer_quote": (0, 6), "value": "peanuts"}
    mark = MarkOutdated(**words, new_value="cleared", at=clock() + DAY)

    with nacre.parts.database.read(scope.scope) as tx:
        by_words, by_model = (outdated_facts.end_facts(tx, [mark], {}, {}, sure=sure) for sure in (True, False))

    assert [len(orders) for orders in by_words.values()] == [1]
    assert by_model == {}


@pytest.mark.parametrize(("new_value", "ends"), [("I start at 7", 0), ("Globex, 9 to 5", 1)])
def test_other_hours_alone_end_no_place_of_work(nacre, scope, clock, new_value, ends):
    said = scope.observe("user", "I work at Acme, 22 to 6.", session="s")
    scope.learned()
    words = {"older": said.id, "newer": uuid4(), "quote": (0, 24), "newer_quote": (0, 6), "value": "at Acme, 22 to 6"}
    mark = MarkOutdated(**words, new_value=new_value, at=clock() + DAY)

    with nacre.parts.database.read(scope.scope) as tx:
        found = outdated_facts.end_facts(tx, [mark], {}, {}, sure=False)

    assert len([each for some in found.values() for each in some if isinstance(each.operation, UpdateLink)]) == ends


@pytest.mark.parametrize(("new_value", "ends"), [("pumping in the store room", 0), ("boxes in the Porto flat", 1)])
def test_a_change_somewhere_ends_no_home_unless_it_names_a_place(nacre, scope, clock, new_value, ends):
    text = "I live in Nairobi and she sleeps in our room."
    said = scope.observe("user", text, session="s")
    scope.learned()
    words = {"older": said.id, "newer": uuid4(), "quote": (0, len(text)), "newer_quote": (0, 6), "value": text}
    mark = MarkOutdated(**words, new_value=new_value, at=clock() + DAY)

    with nacre.parts.database.read(scope.scope) as tx:
        found = outdated_facts.end_facts(tx, [mark], {}, {}, sure=False)

    assert len([each for some in found.values() for each in some if isinstance(each.operation, UpdateLink)]) == ends


@pytest.mark.parametrize(("new_value", "taken"), [("Valkey", ["Valkey"]), ("the elephant", [])])
def test_of_what_a_model_finds_a_name_takes_over_from_a_name(nacre, scope, clock, new_value, taken):
    older = scope.observe("user", "I use Redis.", session="s")
    text = f"I cancelled it, everything is in {new_value}"
    newer = scope.observe("user", text, session="s")
    scope.learned()
    place = (text.index(new_value), len(text))
    words = {"older": older.id, "newer": newer.id, "quote": (0, 12), "newer_quote": place, "value": "Redis"}
    mark = MarkOutdated(**words, new_value=new_value, at=clock() + DAY)

    with nacre.parts.database.read(scope.scope) as tx:
        (orders,) = outdated_facts.end_facts(tx, [mark], {newer.id: SourceId(newer.id)}, {}, sure=False).values()

    assert [each.operation.target for each in orders if isinstance(each.operation, RecordLink)] == taken


@pytest.mark.parametrize(
    ("held", "was", "now", "carried"),
    [
        ("£950 a month", "£950 a month", "1020 from april", "£1020 a month"),
        ("sertraline 50mg", "sertraline 50mg", "upped it, 100 now", "sertraline 100mg"),
        ("4", "4", "turned 5", "5"),
        ("1 june", "1 june", "3 july", None),
        ("20 mg", "20 mg", "40 %", None),
        ("8 hens", "8 hens", "12 ducks and 3 geese", None),
        ("Levothyroxine 50 micrograms", "50 micrograms", "75 micrograms", "Levothyroxine 75 micrograms"),
        ("24 guests", "24 guests", "26 and that's final", "26 guests"),
        ("4471#", "4471#", "8026# now", "8026#"),
        ("27 de marzo", "27 de marzo", "10 de abril", None),
        ("R89 a loaf", "R89 a loaf", "R72 at the market", "R72 a loaf"),
        ("mango4471", "mango4471", "tamarind902", "tamarind902"),
        ("allopurinol 100", "allopurinol 100", "200", "allopurinol 200"),
        ("room 100", "room 100", "200", None),
    ],
)
def test_one_amount_takes_over_from_another_of_its_kind(held, was, now, carried):
    at, place = datetime(2026, 5, 1, tzinfo=UTC), (0, 9)
    mark = MarkOutdated(older=uuid4(), newer=uuid4(), quote=place, newer_quote=place, value=was, new_value=now, at=at)

    amounts = outdated_facts.with_amounts(held, mark)

    assert (held.replace(amounts.value, amounts.new_value) if amounts else None) == carried


@pytest.mark.parametrize(
    ("before", "value"), [("Mr Bell is the stair cleaner.", "Mr Bell"), ("My flight is on 3 May.", "flight")]
)
def test_a_role_ends_with_whose_it_was_and_a_day_with_what_it_was_of(nacre, scope, clock, before, value):
    older = scope.observe("user", before)
    clock.advance(days=1)
    newer = scope.observe("user", "That is over.")
    scope.learned()
    mark = MarkOutdated(
        older=older.id,
        newer=newer.id,
        at=clock(),
        value=value,
        new_value="That",
        quote=(0, len(before)),
        newer_quote=(0, 4),
    )

    with nacre.parts.database.read(scope.scope) as tx:
        assert len(outdated_facts.end_facts(tx, [mark], {}, {})[newer.id]) == 1
