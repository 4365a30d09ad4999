"""The constellation: the graph of the demo in a real browser, selected, filtered, and moved through time."""

import base64
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from nacre import Nacre, ScopedNacre, Settings
from nacre.domain.constellations import Constellation
from tests.dashboard.conftest import served

# How many points of a picture have a colour; the page itself decodes the picture.
COUNT = """async ([picture, colour]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, image.width, image.height);
  const wanted = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  let count = 0;
  for (let at = 0; at < data.length; at += 4) if (wanted.every((part, index) => data[at + index] === part)) count++;
  return count;
}"""

Open = Callable[..., Page]


@pytest.fixture
def page(site: str, open_page: Open) -> Page:
    """The first view of the demo."""
    return open_page(site)


def drawn(scope: ScopedNacre, as_of: datetime | None = None) -> Constellation:
    """What the page asks for first."""
    return scope.knowledge.constellation(limit=150, aspects=8, attributes=6, dependencies=500, as_of=as_of)


def ids(picture: Constellation) -> dict[str, str]:
    return {each.entity.name: str(each.entity.id) for each in picture.entities}


def near(picture: Constellation, entity: str) -> set[str]:
    """The neighbours of an entity, by id."""
    pairs = [(str(edge.source), str(edge.target)) for edge in picture.dependencies]
    return {other for pair in pairs if entity in pair for other in pair} - {entity}


def stage(page: Page) -> Locator:
    """The stage, once the stars have found their places."""
    found = page.get_by_role("application", name=re.compile("^Graph of"))
    expect(found).to_have_attribute("data-layout", "done")
    return found


def selected(page: Page, entity: str) -> None:
    expect(stage(page)).to_have_attribute("data-selected", entity)


def held(page: Page, name: str) -> str:
    return stage(page).get_attribute(f"data-{name}") or ""


def place(page: Page) -> tuple[float, float]:
    """Where the selected star is on the page."""
    expect(stage(page)).to_have_attribute("data-at", re.compile(","))
    x, y = (float(part) for part in held(page, "at").split(","))
    box = stage(page).bounding_box()
    assert box is not None
    return box["x"] + x, box["y"] + y


def colour(page: Page, kind: str) -> str:
    """The colour of a kind in the theme in view."""
    read = "(name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()"
    return str(page.evaluate(read, f"--type-{kind}"))


def points(page: Page, kind: str) -> int:
    """How much of the stage is drawn in the full colour of a kind."""
    seen = stage(page).screenshot(mask=[page.get_by_role("region", name="Legend")])
    picture = base64.b64encode(seen).decode()
    return int(page.evaluate(COUNT, [picture, colour(page, kind)]))


@pytest.mark.spec("G10")
def test_a_selected_node_and_its_neighbours_stand_out_and_the_rest_is_dimmed(page: Page, scope: ScopedNacre) -> None:
    picture = drawn(scope)
    meadow = ids(picture)["Meadow"]
    stage(page)
    lit = points(page, "organization")
    page.get_by_role("button", name="List").click()
    entities = page.get_by_role("region", name="Entities").get_by_role("button")
    entities.filter(has_text="Meadow").filter(has_text="7 links").click()

    selected(page, meadow)
    expect(stage(page)).to_have_attribute("data-highlighted", str(len(near(picture, meadow))))
    for standing, count in (("selected", 1), ("near", len(near(picture, meadow)))):
        expect(page.locator(f"[data-standing={standing}]")).to_have_count(count)
    dimmed = len(picture.entities) - 1 - len(near(picture, meadow))
    expect(page.locator("[data-standing=dimmed]")).to_have_count(dimmed)
    panel = page.get_by_role("complementary", name="Meadow")
    for words in ("system", "Jun 2, 2026", "readings retention", "five years"):
        expect(panel).to_contain_text(words)
    # No organization is linked with Meadow, so none is left in full colour.
    assert lit > 500
    assert points(page, "organization") == 0

    panel.get_by_role("button", name="runs on Hetzner").click()
    selected(page, ids(picture)["Hetzner"])
    page.go_back()
    selected(page, meadow)
    page.get_by_role("complementary", name="Meadow").get_by_role("button", name="Close").click()
    selected(page, "")
    # The camera has stayed, so it is still in the middle.
    stage(page).click()
    selected(page, meadow)


@pytest.mark.spec("G10")
def test_a_change_of_theme_recolours_and_moves_nothing(open_page: Open, site: str, scope: ScopedNacre) -> None:
    orchard = ids(drawn(scope))["Orchard Pilot"]
    page = open_page(f"{site}/#/?entity={orchard}", color_scheme="dark")
    at = place(page)
    dark = held(page, "colour")
    assert dark == colour(page, "project")

    page.get_by_role("button", name="Light theme").click()
    expect(stage(page)).not_to_have_attribute("data-colour", dark)
    assert held(page, "colour") == colour(page, "project")
    assert (place(page), held(page, "layouts")) == (at, "1")
    assert points(page, "project") > 100


@pytest.mark.spec("G10")
def test_heavy_kinds_are_drawn_larger_and_four_links_make_a_star_glow(
    open_page: Open, site: str, scope: ScopedNacre
) -> None:
    known = {each.entity.name: each for each in drawn(scope).entities}
    page = open_page(site)
    looks = {}
    for name in ("Plastika", "Thistle", "Sam", "Caseworks"):
        page.goto(f"{site}/#/?entity={known[name].entity.id}")
        selected(page, str(known[name].entity.id))
        place(page)
        looks[name] = (float(held(page, "size")), float(held(page, "glow")))

    assert [known[name].degree for name in looks] == [4, 5, 4, 3]
    assert looks["Plastika"][0] > looks["Thistle"][0] > looks["Sam"][0]
    assert [glow > 0 for _, glow in looks.values()] == [True, True, True, False]


@pytest.mark.spec("G10")
def test_with_more_entities_than_the_limit_the_most_connected_are_drawn(
    open_page: Open, site: str, scope: ScopedNacre
) -> None:
    picture = drawn(scope)
    page = open_page(f"{site}/#/?limit=50&drawer=list")

    expect(stage(page)).to_have_attribute("data-nodes", "50")
    expect(page.get_by_text(f"50 of {picture.totals.entities} entities, the most connected")).to_be_visible()
    kept = page.get_by_role("region", name="Entities").get_by_role("button").filter(has_text="link")
    names = [each.entity.name for each in picture.entities[:50]]
    assert [text.split("\n")[0] for text in kept.all_inner_texts()] == names


@pytest.mark.spec("S21")
def test_the_slider_shows_what_was_known_at_an_earlier_moment(open_page: Open, site: str, scope: ScopedNacre) -> None:
    launch = ids(drawn(scope))["Launch Day"]
    page = open_page(f"{site}/#/?entity={launch}&drawer=list")
    panel = page.get_by_role("complementary", name="Launch Day")
    expect(panel).to_contain_text("September 1")
    at = place(page)
    listed = page.get_by_role("region", name="Entities")
    expect(listed).to_contain_text("Pebble Pro")

    page.get_by_role("slider", name="Moment in view").press("Home")
    expect(stage(page)).not_to_have_attribute("data-as-of", "now")
    moment = datetime.fromisoformat(held(page, "as-of"))
    (then,) = (claim.value for claim in scope.ontology.claims("Launch Day", as_of=moment) if claim.slot.claim == "date")
    assert then != "September 1"
    expect(panel).to_contain_text(then)
    expect(stage(page)).to_have_attribute("data-nodes", str(len(drawn(scope, moment).entities)))
    expect(listed).not_to_contain_text("Pebble Pro")
    expect(page.get_by_role("status").filter(has_text="Compared with now")).to_contain_text("entities")
    assert place(page) == at

    page.get_by_role("button", name="Now", exact=True).click()
    expect(panel).to_contain_text("September 1")
    expect(listed).to_contain_text("Pebble Pro")


@pytest.mark.spec("S21")
def test_claims_and_proposals_unfold_around_an_entity_and_dreams_are_at_hand(
    open_page: Open, site: str, scope: ScopedNacre
) -> None:
    picture = drawn(scope)
    pro = next(each for each in picture.entities if each.entity.name == "Pebble Pro")
    claims = sum(len(side.attributes) for side in pro.aspects)
    page = open_page(f"{site}/#/?entity={pro.entity.id}&drawer=dreams")

    panel = page.get_by_role("complementary", name="Pebble Pro")
    waiting = panel.get_by_role("link", name=re.compile("Set Pebble Pro"))
    expect(waiting).to_have_count(2)
    expect(stage(page)).to_have_attribute("data-satellites", str(len(pro.aspects) + claims + 2))
    for side in pro.aspects:
        for claim in side.attributes:
            expect(panel).to_contain_text(claim.value)
    expect(page.get_by_role("region", name="Dreams").locator("ol > li")).to_have_count(len(picture.dreams))

    shared = next(each for each in picture.entities if each.agent != "demo")
    page.goto(f"{site}/#/?entity={shared.entity.id}")
    panel = page.get_by_role("complementary", name=shared.entity.name, exact=True)
    expect(panel).to_contain_text(f"shared by {shared.agent}")


def test_the_search_moves_the_camera_to_what_it_finds(page: Page, scope: ScopedNacre) -> None:
    stage(page)
    box = page.get_by_role("combobox", name="Find in the constellation")
    box.fill("orch")
    expect(page.get_by_role("option", name=re.compile("Orchard Pilot"))).to_be_visible()
    box.press("Enter")

    selected(page, ids(drawn(scope))["Orchard Pilot"])
    x, y = place(page)
    frame = stage(page).bounding_box()
    assert frame is not None
    assert abs(x - frame["x"] - frame["width"] / 2) < 3
    assert abs(y - frame["y"] - frame["height"] / 2) < 3


def test_filters_leave_out_what_does_not_pass_and_stand_in_the_address(page: Page, scope: ScopedNacre) -> None:
    kinds = [each.entity.type.value for each in drawn(scope).entities]
    types = page.get_by_role("list", name="Types")
    types.get_by_role("button", name=re.compile("^person")).click()
    expect(stage(page)).to_have_attribute("data-nodes", str(kinds.count("person")))
    types.get_by_role("button", name=re.compile("^event")).click()
    both = str(kinds.count("person") + kinds.count("event"))
    expect(stage(page)).to_have_attribute("data-nodes", both)

    page.reload()
    expect(stage(page)).to_have_attribute("data-nodes", both)
    page.get_by_role("button", name="Filters (1)").click()
    page.get_by_role("button", name="Clear filters").click()
    expect(stage(page)).to_have_attribute("data-nodes", str(len(kinds)))
    certain = sum(each.entity.confidence == 1 for each in drawn(scope).entities)
    page.get_by_role("slider", name=re.compile("^Confidence")).press("End")
    expect(stage(page)).to_have_attribute("data-nodes", str(certain))


def test_the_keyboard_alone_selects_from_the_list_walks_on_and_pins(page: Page, scope: ScopedNacre) -> None:
    picture = drawn(scope)
    stage(page)
    page.get_by_role("button", name="List").press("Enter")
    page.get_by_role("region", name="Entities").get_by_role("button", name=re.compile("^Pebble ")).first.focus()
    page.keyboard.press("End")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    second = picture.entities[1].entity
    selected(page, str(second.id))

    stage(page).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(stage(page)).not_to_have_attribute("data-selected", str(second.id))
    assert held(page, "selected") in near(picture, str(second.id))

    page.goto(re.sub(r"#.*", f"#/?entity={ids(picture)['Thistle']}", page.url))
    page.get_by_role("button", name="Pin", exact=True).press("Enter")
    expect(page.get_by_role("button", name="Unpin")).to_be_visible()
    assert scope.graph.get("Thistle").pinned_at is not None


def test_who_knows_nothing_yet_is_told_how_that_changes(open_page: Open, tmp_path: Path) -> None:
    with Nacre(tmp_path / "new.db", settings=Settings(agent="new", worker="off")) as nacre:
        nacre.scope("new").remember("Tea is green.")
        with served(nacre) as site:
            page = open_page(site)
            expect(page.get_by_role("heading", name="Nothing is known here yet")).to_be_visible()


def test_a_path_is_found_between_two(page: Page, site: str, scope: ScopedNacre) -> None:
    known = ids(drawn(scope))
    page.goto(f"{site}#/?entity={known['Tom']}")
    selected(page, known["Tom"])
    page.get_by_role("combobox", name="Find a path to").fill("Ines Duarte")
    page.get_by_role("option", name="Ines Duarte").click()

    path = page.get_by_role("region", name="Path")
    expect(path.get_by_role("listitem")).to_have_count(3)
    expect(path.get_by_role("listitem").nth(1)).to_contain_text("→ works at")
    expect(stage(page)).to_have_attribute("data-lit", "3")
    path.get_by_role("button", name="Larkspur").click()
    selected(page, known["Larkspur"])
    expect(stage(page)).to_have_attribute("data-lit", "0")


def test_what_is_not_drawn_is_drawn_on_demand_and_the_picture_is_saved(
    page: Page, site: str, scope: ScopedNacre
) -> None:
    known = ids(drawn(scope))
    page.goto(f"{site}#/?entity={known['Pebble']}&limit=50")
    selected(page, known["Pebble"])
    before = int(held(page, "nodes"))
    page.get_by_role("button", name="Draw them").click()
    expect(page.get_by_text("entities that are not drawn")).to_have_count(0)
    assert int(held(page, "nodes")) > before

    for kind, begins in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save the picture").click()
            page.get_by_role("button", name=kind).click()
        content = saved.value.path().read_bytes()
        assert content.startswith(begins)
        assert kind == "PNG" or b">Pebble</text>" in content


def test_no_two_kinds_look_alike(page: Page, scope: ScopedNacre) -> None:
    stage(page)
    looks = (
        page.get_by_role("list", name="Types")
        .locator("svg")
        .evaluate_all("all => all.map(each => `${getComputedStyle(each).color} ${each.dataset.shape}`)")
    )

    assert len(looks) == len({each.entity.type for each in drawn(scope).entities})
    assert len(set(looks)) == len(looks) > 12
