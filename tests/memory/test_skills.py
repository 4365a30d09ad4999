"""Skills: kept by name, found by what they say, offered by summary, loaded on demand."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Invalid, Nacre, NotFound, Settings
from nacre.brain.skills import Skills
from nacre.domain.skills import SkillSummary, check_summary
from tests.cases import in_turn


@pytest.fixture
def skills(nacre, scope) -> Skills:
    return Skills(nacre.parts, scope.scope)


def keep(skills: Skills, *names: str) -> None:
    for name in names:
        skills.save(name, summary=f"How to {name}", content=f"Steps of {name}")


@pytest.mark.spec("M18")
def test_a_skill_is_offered_by_summary_and_loaded_whole(skills):
    skills.save(
        "email/reply",
        summary="Answer an email in the user's voice",
        content="1. Read the thread.\n2. Draft a reply.\n3. Ask before sending.",
        see_also=["email/search"],
    )
    skills.save("plan-trip", summary="Book flights and hotels", content="Compare fares, then reserve rooms.")

    assert skills.offer("please answer this email") == (
        "Skills that may help (load one with get_skill):\n- email/reply: Answer an email in the user's voice"
    )
    loaded = skills.get("email/reply")
    assert loaded.content.splitlines()[2] == "3. Ask before sending."
    assert loaded.see_also == ("email/search",)


@pytest.mark.spec("M18")
@pytest.mark.parametrize("query", ["quarterly ledger", "closing the books", "reconcile the accounts"])
def test_skills_are_ranked_by_name_summary_and_content_together(skills, query):
    keep(skills, "water-plants", "bake-bread", "walk-dog")
    skills.save("quarterly-ledger", summary="Closing the books", content="Reconcile the accounts with the bank.")

    assert skills.search(query)[0] == SkillSummary(name="quarterly-ledger", summary="Closing the books")


def test_search_needs_no_embedder(database_url):
    with Nacre(database_url, settings=Settings(embedder="off")) as nacre:
        skills = Skills(nacre.parts, nacre.scope("a").scope)
        keep(skills, "water-plants", "bake-bread")
        assert [each.name for each in skills.search("bread")] == ["bake-bread"]


def test_search_gives_at_most_as_many_as_asked_and_five_unless_told(skills):
    keep(skills, *(f"bake-bread-{number}" for number in range(9)))

    assert len(skills.search("bread")) == 5
    assert len(skills.search("bread", limit=2)) == 2
    assert len(skills.search("bread", limit=100)) == 9
    assert skills.offer("bread").count("\n- ") == 5


def test_nothing_is_offered_when_nothing_fits(skills):
    assert skills.offer("bread") is None
    keep(skills, "water-plants")
    assert skills.offer("%%% ???") is None
    assert skills.search("%%% ???") == []


def test_saving_again_replaces_all_but_the_time_of_making(skills, clock):
    first = skills.save("bake-bread", summary="Old", content="Old steps", see_also=["water-plants"])
    clock.advance(hours=1)
    second = skills.save("bake-bread", summary="New", content="New steps")

    assert second == skills.get("bake-bread")
    assert (second.summary, second.content, second.see_also) == ("New", "New steps", ())
    assert (second.created_at, second.updated_at) == (first.created_at, clock.now)
    assert len(skills.list()) == 1
    assert skills.search("old steps")[0].summary == "New"


def test_the_list_is_by_name_and_holds_no_content(skills):
    keep(skills, "b", "a-b", "a/b", "B", "a")

    assert [each.name for each in skills.list()] == sorted(["b", "a-b", "a/b", "B", "a"])
    assert all(type(each) is SkillSummary for each in skills.list())


def test_see_also_may_name_skills_that_are_still_to_come(skills):
    keep(skills, "bake-bread")
    saved = skills.save("bake", summary="Bake", content="x", see_also=["bake-cake", "bake-bread", "bake-cake"])
    assert (saved.see_also, saved.missing) == (("bake-cake", "bake-bread"), ("bake-cake",))

    keep(skills, "bake-cake")
    assert skills.get("bake").missing == ()
    skills.delete("bake-bread")
    assert skills.get("bake").missing == ("bake-bread",)


def test_a_deleted_skill_is_gone(skills):
    keep(skills, "bake-bread")

    assert skills.delete("bake-bread") is True
    assert skills.delete("bake-bread") is False
    with pytest.raises(NotFound, match="bake-bread"):
        skills.get("bake-bread")
    assert skills.search("bread") == skills.list() == []


def test_skills_of_another_scope_are_not_there(nacre, skills):
    keep(skills, "bake-bread")
    other = Skills(nacre.parts, nacre.scope("assistant", user="bob").scope)

    assert other.list() == other.search("bread") == []
    assert other.delete("bake-bread") is False
    with pytest.raises(NotFound):
        other.get("bake-bread")
    keep(other, "bake-bread")
    other.delete("bake-bread")
    assert skills.get("bake-bread").content == "Steps of bake-bread"


def test_skills_survive_a_restart(database_url):
    with Nacre(database_url) as nacre:
        saved = Skills(nacre.parts, nacre.scope("a").scope).save("bake", summary="烤面包", content="步骤 😀\n" * 100)
    with Nacre(database_url) as nacre:
        skills = Skills(nacre.parts, nacre.scope("a").scope)
        assert skills.get("bake") == saved
        assert [each.name for each in skills.search("面包")] == ["bake"]


def test_many_writers_of_one_name_leave_one_whole_skill(skills):
    def save(number: int) -> None:
        skills.save("bake", summary=f"Summary {number}", content=f"Content {number}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(save, range(24)))

    kept = skills.get("bake")
    assert kept.summary.split()[1] == kept.content.split()[1]
    assert len(skills.list()) == 1


@in_turn(
    ("field", "wrong"),
    [
        ("name", {"name": ""}),
        ("name", {"name": "with space"}),
        ("name", {"name": "/leading"}),
        ("name", {"name": "trailing/"}),
        ("name", {"name": "a//b"}),
        ("name", {"name": "../up"}),
        ("name", {"name": "面包"}),
        ("name", {"name": "n" * 201}),
        ("name", {"name": None}),
        ("summary", {"summary": ""}),
        ("summary", {"summary": "two\nlines"}),
        ("summary", {"summary": "two\u2028lines"}),
        ("summary", {"summary": "s" * 501}),
        ("summary", {"summary": 5}),
        ("content", {"content": "  "}),
        ("content", {"content": "c" * 1_000_001}),
        ("content", {"content": "nul\x00"}),
        ("content", {"content": "lone \ud800"}),
        ("see_also", {"see_also": "other"}),
        ("see_also", {"see_also": None}),
        ("see_also", {"see_also": ["bad name"]}),
        ("see_also", {"see_also": ["bake"]}),
        ("see_also", {"see_also": [f"n{number}" for number in range(51)]}),
    ],
)
def test_bad_skills_are_refused_by_name_and_not_kept(skills, field, wrong):
    given = {"name": "bake", "summary": "Bake", "content": "Steps", **wrong}
    with pytest.raises(Invalid) as refused:
        skills.save(given.pop("name"), **given)
    assert refused.value.field == field
    assert skills.list() == []


def test_a_skill_may_be_as_long_as_any_text(skills):
    skills.save("long", summary="s" * 500, content="c" * 1_000_000)
    assert len(skills.get("long").content) == 1_000_000


@in_turn(
    ("field", "attempt"),
    [
        ("query", lambda s: s.search("")),
        ("query", lambda s: s.offer(None)),
        ("limit", lambda s: s.search("x", limit=0)),
        ("limit", lambda s: s.search("x", limit=1_001)),
        ("name", lambda s: s.get("a b")),
        ("name", lambda s: s.delete(7)),
    ],
)
def test_bad_questions_are_refused_by_name(skills, field, attempt):
    with pytest.raises(Invalid) as refused:
        attempt(skills)
    assert refused.value.field == field


@given(st.text(max_size=520))
def test_a_summary_that_is_taken_stays_one_line(text):
    """Or a summary could write lines of its own into the block that offers it."""
    try:
        summary = check_summary(text)
    except Invalid:
        return
    assert summary == text
    assert len(summary.splitlines()) == 1
