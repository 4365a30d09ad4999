"""Of several numbers in a text each takes the place of the one that its own name had."""

from datetime import UTC, datetime, timedelta

import pytest

from nacre.memory.named_amounts import by_name
from nacre.memory.pairs import Update
from nacre.memory.statements import read_statements

pytestmark = pytest.mark.spec("N11")
AT = datetime(2026, 1, 5, 9, tzinfo=UTC)
MILK = "milk is 2 and the crate of apples 14"
SUGAR = "blood sugar is 148, metformin 500mg"


def named(older: str, newer: str, value: str, new_value: str) -> list[tuple[str, str]]:
    """What becomes of one update between two texts."""
    update = Update(
        quote=(0, len(older)), newer_quote=(0, len(newer)), value=value, new_value=new_value, because="It is more now."
    )
    new, old = read_statements(newer, AT + timedelta(days=9)), read_statements(older, AT)
    return [(each.value, each.new_value) for each in by_name([update], new, old)]


@pytest.mark.parametrize(
    ("older", "newer", "crossed", "right"),
    [
        (MILK, "apples went up to 16, milk down to 1", ("2", "16"), [("14", "16"), ("2", "1")]),
        (MILK, "apples went up to 16, milk still 2", ("2", "16"), [("14", "16")]),
        (MILK, "apples went up to 16", ("2", "16"), [("14", "16")]),
        (SUGAR, "metformin bumped up to 850. sugar down to 121", ("148", "850"), [("500mg", "850"), ("148", "121")]),
        ("el agua son 25 y la luz 60", "la luz ha bajado a 52", ("25", "52"), [("60", "52")]),
        # Nothing names these, or the same name has several.
        (MILK, "they want 3 now", ("2", "3"), [("2", "3")]),
        ("invoice 1043 is 400, invoice 1044 is 650", "invoice 1044 is 700 now", ("400", "700"), [("400", "700")]),
        # A number of another size is of something else, whatever words stand by it.
        (
            "the gate code is 4471",
            "they reset all gates after the break-in at number 9, so it's 8026 now",
            ("4471", "8026"),
            [("4471", "8026")],
        ),
        # What is told of in passing is no new value.
        ("2 kids, rent is 900", "rent is 950 now, the kids had 3 friends over", ("900", "950"), [("900", "950")]),
        ("the gym moved to Bath Street", "now the gym is on Mill Lane", ("Bath", "Mill"), [("Bath", "Mill")]),
    ],
)
def test_a_number_takes_the_place_of_the_one_that_had_its_name(older, newer, crossed, right):
    assert named(older, newer, *crossed) == right
