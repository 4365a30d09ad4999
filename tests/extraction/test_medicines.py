"""What somebody takes, and what it took the place of."""

import pytest

from nacre import Nacre
from nacre.text.medicines import medicine_in, of_one_family
from tests.extraction.tellings import tell

pytestmark = pytest.mark.spec("W1")

TAKES = "health/general/medicines"


@pytest.fixture
def nacre(sqlite_url, clock, brain_settings):
    """What is said is read alike on every database."""
    with Nacre(sqlite_url, settings=brain_settings, clock=clock) as brain:
        yield brain


def taken(scope, clock, *texts):
    """What is taken after something was told, by whom."""
    return {line.removeprefix("ana ") for line in tell(scope, clock, *texts) if "medicines" in line}


@pytest.mark.parametrize(
    ("told", "now"),
    [
        (("I take warfarin for my heart and amlodipine 5mg", "they have put me on apixaban instead"), "apixaban"),
        (("im on sertraline 50mg", "GP switched me to escitalopram last week"), "escitalopram"),
        (("I'm on lisinopril", "lisinopril gave me a cough so now it's losartan"), "losartan"),
        (("I take ramipril", "they swapped the ramipril for candesartan"), "candesartan"),
        (("I take sertraline 50mg", "I'm on sertraline 100mg"), "sertraline 100mg"),
        (("tomo metformina", "ya no la tomo, ahora me inyecto Ozempic"), "Ozempic"),
        (("the doctor has me on omeprazole", "she has prescribed lansoprazole in its place"), "lansoprazole"),
    ],
)
def test_what_one_is_switched_to_takes_the_place_of_one_for_the_same(nacre, clock, told, now):
    found = taken(nacre.scope("a", user="ana"), clock, *told)

    assert found - {f"{TAKES} amlodipine 5mg"} == {f"{TAKES} {now}"}
    assert (f"{TAKES} amlodipine 5mg" in found) == ("amlodipine" in told[0])


def test_what_is_taken_besides_ends_nothing(nacre, clock):
    found = taken(nacre.scope("a", user="ana"), clock, "I take metformin and atorvastatin", "started on ramipril too")

    assert found == {f"{TAKES} {name}" for name in ("metformin", "atorvastatin", "ramipril")}


def test_what_others_take_is_theirs(nacre, clock):
    scope = nacre.scope("a", user="ana")
    told = (
        "my mum takes metformin for her diabetes",
        "mum's been moved onto insulin now",
        "Leo is on amoxicillin",
        "the hamster has a cough, doxycycline twice a day",
    )

    assert taken(scope, clock, *told) == {"relations/mother/medicines insulin", f"Leo {TAKES} amoxicillin"}


@pytest.mark.parametrize(
    "text",
    [
        "can I take ibuprofen?",
        "I can't take ibuprofen",
        "I take the bus",
        "Dr. Rao has put the meeting on Monday",
        "should I be on statins?",
        "if I take codeine I feel sick",
    ],
)
def test_what_nobody_takes_is_not_learned(nacre, clock, text):
    assert taken(nacre.scope("a", user="ana"), clock, text) == set()


def test_medicines_are_known_by_name_and_by_ending():
    assert medicine_in("sertralina 50 mg") == "sertraline"
    assert medicine_in("Lercanidipine") == "lercanidipine"
    assert medicine_in("zanubrutinib") == "zanubrutinib"
    assert medicine_in("coffee, petrol and a protocol") is None
    assert of_one_family("warfarin", "apixaban 5mg")
    assert not of_one_family("warfarin", "amlodipine")
    assert not of_one_family("coffee", "tea")


def test_a_dose_goes_up_and_is_told_without_a_verb(nacre, clock):
    told = "It's official, type 2, metformin 500 with breakfast", "so they bumped the metformin up to 1000"

    assert taken(nacre.scope("a", user="ana"), clock, told[0]) == {f"{TAKES} metformin 500"}
    assert taken(nacre.scope("b", user="ana"), clock, *told) == {f"{TAKES} metformin up to 1000"}


def test_a_switch_from_one_of_two_for_the_same_ends_neither(nacre, clock):
    told = "I take lisinopril and amlodipine", "GP switched me to losartan"
    found = taken(nacre.scope("a", user="ana"), clock, *told)

    assert found == {f"{TAKES} {name}" for name in ("lisinopril", "amlodipine", "losartan")}
