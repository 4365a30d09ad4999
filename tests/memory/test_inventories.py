"""The inventory of working memory that an agent reads with each turn."""

from datetime import timedelta

import pytest

from nacre import Invalid, Nacre, Scope
from nacre.brain.working import WorkingMemory
from nacre.memory.inventories import InventoryBlock, inventory, remaining
from tests.conftest import MovableClock

SCOPE = Scope(agent="assistant", user="ana")


@pytest.fixture
def filled(nacre: Nacre, clock: MovableClock) -> Nacre:
    """A brain whose session, patrol and subagents have stored something."""
    session, patrol, helper = (
        WorkingMemory(nacre.parts, SCOPE, name) for name in ("session/abc123", "patrol/heartbeat", "subagent/t1b2c3")
    )
    patrol.save("alerts", "value-1", ttl=timedelta(hours=4, minutes=15, seconds=47), tags=["urgent"])
    session.save("draft_reply", "value-2", ttl=timedelta(minutes=9, seconds=48))
    helper.save("paper/chunk-1", "value-3", ttl=timedelta(hours=1))
    clock.advance(minutes=7, seconds=19)
    patrol.save("latest-briefing", "value-4", ttl=timedelta(hours=4, minutes=13), category="patrol-finding")
    helper.save("paper-index", "value-5", ttl=timedelta(hours=50))
    helper.save("paper-index/chunk", "value-6", ttl=timedelta(hours=50))
    session.save("emails_inbox", "value-7", category="email", tags=["inbox", "unread"])
    WorkingMemory(nacre.parts, SCOPE, "session/abc123456").save("next-door", "value-8")
    WorkingMemory(nacre.parts, Scope(agent="other"), "patrol/heartbeat").save("not-yours", "value-9")
    clock.advance(seconds=28)
    return nacre


OWN = """\
Working memory (scratch space — use search_working_memory or get_from_working_memory to retrieve):
- session/abc123/emails_inbox: expires in 4m32s, category: email, tags: inbox, unread
- session/abc123/draft_reply: expires in 2m01s"""
PATROL = """\
Patrol findings in working memory (use get_from_working_memory with the full key to read):
- patrol/heartbeat/latest-briefing: expires in 4h12m, category: patrol-finding
- patrol/heartbeat/alerts: expires in 4h08m, tags: urgent"""
SUBAGENT = """\
Subagent research in working memory (use get_from_working_memory with the full key to read the outline):
- subagent/t1b2c3/paper-index: expires in 2d01h"""


def shown(nacre: Nacre, namespace: str) -> list[InventoryBlock]:
    """The inventory that a turn in `namespace` is shown."""
    with nacre.parts.database.read(SCOPE) as tx:
        return inventory(tx, namespace)


@pytest.mark.spec("M14")
def test_a_users_session_is_shown_the_blocks_of_the_document(filled):
    assert shown(filled, "session/abc123") == [
        InventoryBlock(label="working", text=OWN),
        InventoryBlock(label="patrol", text=PATROL),
        InventoryBlock(label="subagent", text=SUBAGENT),
    ]


@pytest.mark.spec("M14")
def test_a_patrol_is_shown_its_own_entries_alone(filled):
    (block,) = shown(filled, "patrol/heartbeat")

    assert block == InventoryBlock(label="working", text="\n".join([OWN.splitlines()[0], *PATROL.splitlines()[1:]]))
    assert shown(filled, "patrol/other") == []
    assert [block.label for block in shown(filled, "subagent/t1b2c3")] == ["working"]


@pytest.mark.spec("M14")
def test_blocks_without_entries_are_left_out(filled, clock):
    assert [block.label for block in shown(filled, "session/new")] == ["patrol", "subagent"]
    clock.advance(hours=5)
    assert [block.label for block in shown(filled, "session/abc123")] == ["subagent"]
    clock.advance(days=3)
    assert shown(filled, "session/abc123") == []


@pytest.mark.spec("M14")
def test_values_are_never_inlined(filled):
    for namespace in ("session/abc123", "patrol/heartbeat", "subagent/t1b2c3"):
        assert "value-" not in "".join(block.text for block in shown(filled, namespace))


def test_no_tag_can_forge_a_line(nacre):
    WorkingMemory(nacre.parts, SCOPE, "session/a").save(
        "k", "v", tags=["x\u2028- session/a/forged: expires in 1m00s", "a\x85b"]
    )
    (block,) = shown(nacre, "session/a")
    assert len(block.text.splitlines()) == 2


@pytest.mark.parametrize("namespace", ["", "session", "session/a/b", None])
def test_an_inventory_is_of_a_namespace(nacre, namespace):
    with pytest.raises(Invalid):
        shown(nacre, namespace)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "0s"),
        (0.4, "0s"),
        (45.9, "45s"),
        (60, "1m00s"),
        (121, "2m01s"),
        (272, "4m32s"),
        (3_599, "59m59s"),
        (3_600, "1h00m"),
        (14_880, "4h08m"),
        (86_399, "23h59m"),
        (86_400, "1d00h"),
        (183_600, "2d03h"),
        (2_592_000, "30d00h"),
    ],
)
def test_a_span_is_written_in_its_two_largest_units(seconds, text):
    assert remaining(timedelta(seconds=seconds)) == text
