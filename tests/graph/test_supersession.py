"""Whether a new value replaces what its slot holds."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre.domain import ids
from nacre.domain.claims import Cardinality, Claim, ClaimKind, ClaimStatus, Slot, normalized
from nacre.domain.ids import AspectId, ClaimId, EntityId
from nacre.graph.beliefs import contradictions
from nacre.graph.beliefs.supersession import ENDING, Action, judge

START = datetime(2026, 3, 2, 12, tzinfo=UTC)  # a Monday
LATER = START + timedelta(days=30)
ANA = EntityId(ids.new(START))
ASPECT = AspectId(ids.new(START))


def slot(claim: str | None) -> Slot:
    return Slot.of("profile", None, claim)


def claim(
    value: str,
    key: str | None = "favourite_colour",
    *,
    since: datetime = START,
    kind: ClaimKind = ClaimKind.ATTRIBUTE,
    entity: EntityId = ANA,
    **more: Any,
) -> Claim:
    new = ClaimId(ids.new(since))
    return Claim(
        id=new,
        entity=entity,
        aspect=ASPECT,
        slot=slot(key),
        value=value,
        created_at=since,
        updated_at=since,
        kind=kind,
        root=new,
        actor="test",
        **more,
    )


def decide(
    key: str | None,
    old: str | Sequence[str | Claim],
    new: str,
    said: str | None = None,
    *,
    at: datetime = LATER,
    cardinality: Cardinality | None = None,
    kind: ClaimKind = ClaimKind.ATTRIBUTE,
) -> tuple[Action, list[str]]:
    """The action, and the held values that it is about."""
    held = [each if isinstance(each, Claim) else claim(each, key) for each in ([old] if isinstance(old, str) else old)]
    verdict = judge(slot(key), cardinality, held, new, at=at, kind=kind, said=said)
    assert verdict.because.endswith(".")
    assert 0 < verdict.confidence <= 1
    return verdict.action, [each.value for each in held if each.id in verdict.over]


@pytest.mark.spec("S4")
def test_blue_gives_way_to_green_without_a_marker():
    assert decide("favourite_colour", "blue", "green") == (Action.REPLACE, ["blue"])
    assert decide("favourite_colour", "favourite colour is blue", "favourite colour is green")[0] is Action.REPLACE
    assert decide(None, "favourite colour is blue", "favourite colour is green")[0] is Action.REPLACE


@pytest.mark.spec("S4")
def test_postgres_and_redis_both_stay():
    assert decide("uses", "Postgres", "Redis", "The billing service uses Redis.") == (Action.ADD, [])
    assert decide(None, "billing service uses Postgres", "billing service uses Redis") == (Action.ADD, [])


@pytest.mark.spec("S4")
def test_a_declared_cardinality_outweighs_the_key():
    assert decide("favourite_colour", "blue", "green", cardinality=Cardinality.MULTI) == (Action.ADD, [])
    assert decide("uses", "Postgres", "Redis", cardinality=Cardinality.SINGLE) == (Action.REPLACE, ["Postgres"])


@pytest.mark.spec("S4")
def test_a_slot_of_unknown_cardinality_that_holds_several_values_holds_several():
    assert decide("venue", "Lyceum", "Globe")[0] is Action.REVIEW
    assert decide("venue", ["Lyceum", "Globe"], "Old Vic") == (Action.ADD, [])


@pytest.mark.spec("S4")
def test_event_time_decides_and_an_old_fact_lands_in_the_past():
    early = START - timedelta(days=900)

    verdict = judge(slot("city"), None, [claim("Lisbon", "city")], "Berlin", at=early)

    assert verdict.action is Action.LATE
    assert verdict.until == START
    assert decide("uses", "Postgres", "Redis", at=early) == (Action.ADD, [])
    assert decide("city", "Lisbon", "Lisbon", at=early) == (Action.REPEAT, ["Lisbon"])


@pytest.mark.spec("S4")
def test_a_retraction_from_before_ends_nothing():
    early = START - timedelta(days=900)

    assert decide("uses", "Kafka", "Kafka", "We no longer use Kafka.", at=early) == (Action.RETRACT, [])


@pytest.mark.spec("S4")
@pytest.mark.parametrize("said", [None, "It is green now.", "Actually green, not blue.", "It is not blue."])
def test_a_constraint_is_never_replaced(said):
    rule = claim("blue", kind=ClaimKind.CONSTRAINT)

    assert decide("favourite_colour", [rule], "green", said) == (Action.REFUSE, ["blue"])
    assert decide("favourite_colour", [rule], "green", said, kind=ClaimKind.CONSTRAINT) == (Action.REFUSE, ["blue"])


@pytest.mark.spec("S4")
def test_a_list_of_rules_takes_another_rule():
    rule = claim("never deploy on Fridays", "rules", kind=ClaimKind.CONSTRAINT)

    assert decide("rules", [rule], "review every change", kind=ClaimKind.CONSTRAINT) == (Action.ADD, [])
    assert decide("rules", [rule], "review every change") == (Action.ADD, [])


def test_a_retraction_of_a_rule_is_refused():
    rule = claim("Redis", "uses", kind=ClaimKind.CONSTRAINT)

    assert decide("uses", [rule], "Redis", "We no longer use Redis.") == (Action.REFUSE, ["Redis"])


@pytest.mark.parametrize(
    ("key", "old", "new", "said", "action"),
    [
        ("workshop", "Kiln", "Loom", "Ana knows Loom.", Action.REVIEW),
        ("workshop", "Kiln", "Loom", "Ana is now at Loom.", Action.REPLACE),
        ("pets", "3 cats", "5 cats", None, Action.REPLACE),
        ("pets", "three cats", "3 cats", None, Action.REPEAT),
        ("height", "1.68 m", "1.86 m", None, Action.REPLACE),
        ("ratio", "1.5 points", "1.25 points", None, Action.REPLACE),
        ("python_version", "3.1", "3.10", None, Action.REPLACE),
        ("limit", "1,000", "1000", None, Action.REPEAT),
        ("favourite_city", "东京", "大阪", None, Action.REPLACE),
        ("likes", "咖啡", "茶", None, Action.ADD),
        ("rooms", "room 101", "room 102", None, Action.ADD),
        ("dialled", "0421", "421", None, Action.REVIEW),
        ("email", "a@x.com", "b@x.com", None, Action.REPLACE),
        ("likes", "plan", "plan A", None, Action.ADD),
        ("birthday", "March 3", "3 March", None, Action.REPEAT),
    ],
)
def test_whole_words_small_numbers_decimals_and_other_alphabets_count(key, old, new, said, action):
    assert decide(key, old, new, said)[0] is action


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Redis", "Redis", "We no longer use Redis."),
        ("Redis", "Redis", "We don't use Redis."),
        ("Redis", "Redis", "We dropped Redis."),
        ("Redis", "Redis", "Ya no usamos Redis."),
        ("Redis", "Redis", "We used to run Redis."),
        ("Redis", "Redis", "我们不再使用Redis。"),
        ("uses Redis", "no longer uses Redis", None),
        ("Redis", "no longer uses Redis", None),
        ("uses Redis", "does not use Redis", None),
    ],
)
def test_a_negation_retracts_that_value_only(old, new, said):
    assert decide("uses", [old, "Postgres"], new, said) == (Action.RETRACT, [old])


def test_a_retraction_of_something_else_ends_nothing():
    assert decide("uses", "Postgres", "Redis", "We no longer use Redis.") == (Action.RETRACT, [])
    assert decide("city", "New York", "York", "She never lived in York.") == (Action.RETRACT, [])


def test_what_is_denied_can_be_affirmed_again():
    assert decide("smoker", "doesn't smoke", "smokes") == (Action.REPLACE, ["doesn't smoke"])
    assert decide("open_source", "yes", "no") == (Action.REPLACE, ["yes"])


def test_a_negation_that_does_not_name_the_value_is_not_about_it():
    assert decide("diet", "vegetarian", "vegetarian", "I don't eat meat.") == (Action.REPEAT, ["vegetarian"])
    assert decide("diet", "omnivore", "vegetarian", "I don't eat meat anymore.") == (Action.REPLACE, ["omnivore"])


def test_a_negation_can_speak_for_a_dislike():
    assert decide("dislikes", "olives", "olives", "She doesn't like olives.") == (Action.REPEAT, ["olives"])
    assert decide("dislikes", "olives", "beetroot", "She can't stand beetroot.") == (Action.ADD, [])
    assert decide("dislikes", "olives", "olives", "She doesn't mind olives any more.") == (Action.RETRACT, ["olives"])


def test_a_text_too_long_to_compare_stands_beside_the_others():
    prose = "It rained and the harbour was grey. " * 200

    assert decide("uses", prose, prose + "Then it stopped.", prose) == (Action.ADD, [])
    assert decide("uses", prose, prose.upper()) == (Action.REPEAT, [prose])


def test_nothing_at_all_retracts_everything():
    assert decide("allergies", ["nuts", "dust"], "none") == (Action.RETRACT, ["nuts", "dust"])


@pytest.mark.parametrize(
    ("said", "until"),
    [
        ("She is in Paris this week.", datetime(2026, 3, 9, tzinfo=UTC)),
        ("She is in Paris today.", datetime(2026, 3, 4, tzinfo=UTC)),
        ("She is in Paris until Friday.", datetime(2026, 3, 7, tzinfo=UTC)),
        ("She is in Paris for two weeks.", datetime(2026, 3, 17, 12, tzinfo=UTC)),
        ("Está en Paris este mes.", datetime(2026, 4, 1, tzinfo=UTC)),
    ],
)
def test_a_passing_state_stands_beside_the_lasting_one_and_has_an_end(said, until):
    tuesday = START + timedelta(days=1)

    verdict = judge(slot("city"), None, [claim("Berlin", "city")], "Paris", at=tuesday, said=said)

    assert (verdict.action, verdict.over, verdict.until) == (Action.ADD, (), until)


def test_a_passing_state_without_an_end_is_for_a_person():
    assert decide("city", "Berlin", "Paris", "She is in Paris for the time being.")[0] is Action.REVIEW
    assert decide("city", "Berlin", "Berlin", "She isn't in Berlin this week.")[0] is Action.REVIEW


@pytest.mark.parametrize(
    "said", ["Today I moved to Paris.", "She has been in Paris for two weeks.", "From Monday she lives in Paris."]
)
def test_a_lasting_change_may_name_a_day(said):
    assert decide("city", "Berlin", "Paris", said) == (Action.REPLACE, ["Berlin"])


def test_a_passing_state_that_is_over_is_no_obstacle():
    ended = claim("Paris", "city", valid_to=START + timedelta(days=3))

    assert decide("city", [ended], "Rome") == (Action.ADD, [])


def test_a_former_name_lands_in_the_past_and_a_new_one_replaces():
    assert decide("name", "Nacre", "Pearl", "Nacre was called Pearl before.") == (Action.LATE, ["Nacre"])
    assert decide("name", "Pearl", "Nacre", "Pearl is now called Nacre.") == (Action.REPLACE, ["Pearl"])


def test_each_clause_speaks_for_its_own_value():
    said = "She used to work at Acme, but now works at Globex."

    assert decide("works_at", "Acme", "Globex", said) == (Action.REPLACE, ["Acme"])
    assert decide("works_at", ["Acme", "Globex"], "Acme", said) == (Action.RETRACT, ["Acme"])


def test_working_at_a_second_place_needs_a_marker_to_replace_the_first():
    assert decide("works_at", "Acme", "Globex", "He works at Globex.")[0] is Action.REVIEW
    assert decide("works_at", "Acme", "Globex", "He left Acme for Globex.") == (Action.REPLACE, ["Acme"])
    assert decide("works_at", "Acme", "Globex", "He also works at Globex.") == (Action.ADD, [])


def test_a_correction_replaces_what_it_names_in_a_slot_of_several():
    assert decide("members", ["Jon", "Priya"], "John", "It's John, not Jon.") == (Action.REPLACE, ["Jon"])
    assert decide("age", "41", "42", "No, it is 42.") == (Action.REPLACE, ["41"])
    assert decide("members", ["Jon", "Priya"], "John", "Sorry, I meant John.")[0] is Action.REVIEW


def test_a_correction_older_than_what_is_held_is_for_a_person():
    assert decide("age", "42", "41", "Actually 41.", at=START - timedelta(days=9))[0] is Action.REVIEW


@pytest.mark.parametrize(
    ("one", "many"), [("dog", "dogs"), ("cherry", "Cherries"), ("nuez", "nueces"), ("a cat", "cat")]
)
def test_plurals_and_articles_are_the_same_value(one, many):
    assert decide("likes", one, many) == (Action.REPEAT, [one])
    assert decide("likes", many, one) == (Action.REPEAT, [many])


def test_a_name_is_not_the_plural_of_another():
    assert decide("surname", "William", "Williams") == (Action.REPLACE, ["William"])


def test_a_more_precise_value_refines_and_a_vaguer_one_repeats():
    assert decide("city", "Lisbon", "Lisbon, Portugal") == (Action.REFINE, ["Lisbon"])
    assert decide("city", "Lisbon, Portugal", "Lisbon") == (Action.REPEAT, ["Lisbon, Portugal"])
    assert decide("uses", ["Postgres", "Redis"], "Postgres 16") == (Action.REFINE, ["Postgres"])
    assert decide("uses", "React", "React Native") == (Action.ADD, [])
    assert decide("city", "New York", "York")[0] is Action.REVIEW


def test_one_more_value_of_a_single_slot_is_for_a_person():
    assert decide("city", "Berlin", "Rome", "She also lives in Rome.")[0] is Action.REVIEW


@pytest.mark.spec("S4")
def test_older_contradictions_are_found_within_one_slot_only():
    blue, green = claim("blue"), claim("green", since=LATER)
    city = claim("Lisbon", "city", since=LATER)
    elsewhere = claim("red", since=LATER, entity=EntityId(ids.new(LATER)))
    rule = claim("white", since=LATER, kind=ClaimKind.CONSTRAINT)
    gone = claim("pink", since=LATER, status=ClaimStatus.SUPERSEDED)

    found = contradictions.pairs([green, city, elsewhere, rule, gone, blue], None)

    assert [(each.older.value, each.newer.value) for each in found] == [("blue", "green")]


def test_compatible_facts_are_no_contradiction():
    facts = [claim("Postgres", "uses"), claim("Redis", "uses", since=LATER)]
    facts += [claim(value, "venue", since=LATER) for value in ("Lyceum", "Globe", "Old Vic")]
    facts += [claim("the API uses Postgres", None), claim("the API uses Redis", None, since=LATER)]

    assert contradictions.pairs(facts, None) == []


def test_each_older_value_is_contradicted_once():
    chain = [claim(value, since=START + timedelta(days=day)) for day, value in enumerate(("red", "blue", "green"))]

    found = contradictions.pairs(chain, None)

    assert [(each.older.value, each.newer.value) for each in found] == [("red", "blue"), ("blue", "green")]


texts = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        [
            "blue",
            "green",
            "not blue",
            "3 cats",
            "5 cats",
            "Redis",
            "Redis 7",
            "no longer uses Redis",
            "",
            "不喝酒",
            "none",
        ]
    ),
)
sentences = st.one_of(
    st.none(),
    st.text(max_size=60),
    st.builds(
        "{} {} {}".format,
        st.sampled_from(["We no longer use", "It is now", "Actually,", "She also likes", "Not Redis but", "Hasta hoy"]),
        texts,
        st.sampled_from(["", "today.", "instead of Redis.", "before.", "until Friday."]),
    ),
)
claim_keys = st.sampled_from([None, "favourite_colour", "uses", "venue", "age"])
kinds = st.sampled_from(ClaimKind)
days = st.integers(-2, 2).map(lambda day: START + timedelta(days=day))
helds = st.lists(st.tuples(texts, days, kinds), max_size=4)
cardinalities = st.none() | st.sampled_from(Cardinality)


@given(key=claim_keys, cardinality=cardinalities, held=helds, value=texts, at=days, kind=kinds, said=sentences)
def test_every_verdict_is_sound(*, key, cardinality, held, value, at, kind, said):
    """No constraint ends, nothing newer ends, the order of what is held is of no account, and a reason is given."""
    claims = [claim(old, key, since=since, kind=each) for old, since, each in held]

    verdicts = {
        judge(slot(key), cardinality, order, value, at=at, kind=kind, said=said) for order in permutations(claims)
    }

    (verdict,) = verdicts
    over = [each for each in claims if each.id in verdict.over]
    assert len(over) == len(verdict.over)
    assert verdict.because.strip()
    if verdict.action in ENDING:
        assert all(each.kind is ClaimKind.ATTRIBUTE and each.since <= at for each in over)
    if verdict.action in (Action.REPLACE, Action.REFINE, Action.LATE, Action.REPEAT, Action.REFUSE, Action.REVIEW):
        assert over


@given(key=claim_keys, cardinality=cardinalities, value=texts, held=helds, at=days, kind=kinds)
def test_an_equal_value_is_a_repeat(*, key, cardinality, value, held, at, kind):
    claims = [claim(old, key, since=since, kind=each) for old, since, each in [*held, (value, START, kind)]]

    verdict = judge(slot(key), cardinality, claims, f" {value.upper()}  ", at=at, kind=kind)

    if normalized(value.upper()) == normalized(value):
        assert verdict.action is Action.REPEAT


@given(helds, cardinalities)
def test_a_contradiction_is_between_an_older_and_a_newer_fact(held, cardinality):
    claims = [claim(old, since=since, kind=kind) for old, since, kind in held]

    for each in contradictions.pairs(claims, cardinality):
        assert each.older.since <= each.newer.since
        assert each.older.id != each.newer.id
        assert {each.older.kind, each.newer.kind} == {ClaimKind.ATTRIBUTE}
