"""Memories: find, look into, weigh, pin, forget, delete for good, add."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from nacre import NotFound, ScopedNacre
from nacre.domain.memories import Memory, Status

SAID = "The heron sculpture stands in the atrium."


@pytest.fixture
def memory(scope: ScopedNacre) -> Memory:
    """A memory to work on."""
    made = scope.remember(SAID, category="house/art", tags=["sculpture"]).memory
    scope.remember("The piano is tuned in March.", category="house/music")
    return made


@pytest.fixture
def found(page: Page, site: str, memory: Memory) -> Locator:
    """The memory, unfolded by its address."""
    page.goto(f"{site}#/memories/{memory.id}?category=house")
    return page.get_by_role("article", name="Memory")


@pytest.mark.usefixtures("memory")
def test_search_and_categories_narrow_the_table(page: Page, site: str) -> None:
    page.goto(f"{site}#/memories")
    page.get_by_role("navigation", name="Categories").get_by_role("button", name="house 2").click()
    table = page.get_by_role("region", name="Memories")
    expect(table.get_by_role("button")).to_have_count(2)
    page.get_by_label("Search").fill("heron")
    expect(table.get_by_role("button").first).to_have_text(SAID)
    page.get_by_label("Tags").fill("sculpture")
    expect(page).to_have_url(re.compile(r"#/memories\?category=house&q=heron&tags=sculpture$"))
    expect(table.get_by_role("button")).to_have_count(1)


def test_a_memory_shows_its_evidence_and_history_and_is_weighed_and_pinned(
    page: Page, found: Locator, scope: ScopedNacre, memory: Memory
) -> None:
    expect(found.get_by_role("blockquote")).to_have_text(SAID)
    found.get_by_label("Importance").fill("90")
    found.get_by_label("Importance").press("ArrowLeft")
    expect(found.get_by_text("Importance 50 % → 85 %")).to_be_visible()
    found.get_by_role("button", name="Pin").click()
    history = found.get_by_role("list", name="History")
    expect(history.get_by_role("listitem").first).to_contain_text("Pin")
    kept = scope.memories.get(memory.id)
    assert (kept.importance, kept.pinned) == (0.85, True)

    history.get_by_role("button", name="Take back").first.click()
    expect(found.get_by_role("button", name="Pin", exact=True)).to_be_visible()
    assert not scope.memories.get(memory.id).pinned
    expect(page.get_by_text("Taken back.")).to_be_visible()


def test_a_memory_is_forgotten_and_taken_back(page: Page, found: Locator, scope: ScopedNacre, memory: Memory) -> None:
    found.get_by_role("button", name="Forget").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget").click()
    table = page.get_by_role("region", name="Memories")
    expect(table.get_by_role("button", name=SAID)).to_have_count(0)
    assert scope.memories.get(memory.id).status is Status.ARCHIVED

    page.get_by_role("button", name="Undo").click()
    expect(table.get_by_role("button", name=SAID)).to_be_visible()
    assert scope.memories.get(memory.id).status is Status.ACTIVE


def test_deleting_for_good_asks_twice_and_leaves_nothing(
    page: Page, found: Locator, scope: ScopedNacre, memory: Memory
) -> None:
    found.get_by_role("button", name="Delete for good").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Delete for good").click()
    assert scope.memories.get(memory.id)

    dialog.get_by_label("I know that this is final").check()
    dialog.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_text("Deleted for good.")).to_be_visible()
    with pytest.raises(NotFound):
        scope.memories.get(memory.id)


def test_a_memory_is_added(page: Page, site: str, scope: ScopedNacre) -> None:
    page.goto(f"{site}#/memories")
    page.get_by_role("button", name="Add a memory").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("What to remember").fill(SAID)
    dialog.get_by_label("Category").fill("not a category")
    dialog.get_by_role("button", name="Remember").click()
    expect(dialog.get_by_role("alert")).to_contain_text("category")
    dialog.get_by_label("Category").fill("house/art")
    dialog.get_by_label("Tags").fill("sculpture, heron")
    dialog.get_by_role("button", name="Remember").click()

    expect(page.get_by_role("button", name=re.compile(SAID))).to_be_visible()
    [match] = scope.memories.search(category="house/art")
    assert (match.memory.content, match.memory.tags) == (SAID, ("sculpture", "heron"))
