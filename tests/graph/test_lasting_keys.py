"""Kin, friends and things hold however short a while the words speak of."""

from datetime import UTC, datetime

import pytest

from nacre.domain.claims import Slot
from nacre.graph.beliefs.supersession import judge

pytestmark = pytest.mark.spec("W1")


def test_a_brother_does_not_end_with_the_day_on_which_he_is_spoken_of():
    said, start = "Today my brother is at work.", datetime(2026, 5, 1, tzinfo=UTC)

    assert judge(Slot.at("family/general/relatives"), None, [], "brother", at=start, said=said).until is None
