"""Duplicates: certain ones merge, possible ones wait, decided ones stay decided."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from nacre import Nacre, NotFound, Settings


@pytest.fixture
def twins(scope):
    """Two entities that are one person, and one that is not."""
    scope.graph.add("Katherine Johnson", type="person", description="Mathematician at NASA", confidence=0.7)
    scope.graph.add("Catherine Johnson", type="person", description="Mathematician at NASA", confidence=0.9)
    scope.graph.add("Rosalind Franklin", type="person", description="Chemist in London")
    return scope


@pytest.mark.spec("G5")
def test_a_scan_queues_pairs_that_can_be_listed_dismissed_and_merged(twins):
    assert twins.graph.scan_duplicates() == 1
    (candidate,) = twins.graph.duplicates()
    names = {twins.graph.get(key).name for key in (candidate.entity_a, candidate.entity_b)}
    assert names == {"Katherine Johnson", "Catherine Johnson"}
    assert twins.graph.scan_duplicates() == 0

    twins.graph.dismiss_duplicate(candidate.id)
    assert twins.graph.duplicates() == []
    assert twins.graph.scan_duplicates() == 0
    with pytest.raises(NotFound):
        twins.graph.dismiss_duplicate(candidate.id)


@pytest.mark.spec("G5")
def test_a_merge_decides_the_pair_and_its_undo_reopens_it(twins):
    twins.graph.scan_duplicates()
    merged = twins.graph.merge("Catherine Johnson", "Katherine Johnson")
    assert twins.graph.duplicates() == []
    twins.graph.undo(merged.record.id)
    assert len(twins.graph.duplicates()) == 1


@pytest.mark.spec("G4")
def test_certain_duplicates_merge_into_the_surer_one_and_possible_ones_are_flagged(twins):
    sure = twins.graph.add("NASA", type="organization", slug="nasa-1", confidence=0.9)
    twin = twins.graph.add("Nasa", type="organization", slug="nasa-2", confidence=0.6)

    resolved = twins.graph.resolve([twin.id, "Katherine Johnson"])

    assert [applied.outcome.entity for applied in resolved.merged] == [sure.id]
    assert resolved.flagged == 1
    assert twins.graph.get("nasa").id == sure.id
    twins.graph.undo(resolved.merged[0].record.id)
    assert twins.graph.get(twin.id).name == "Nasa"
    assert twins.graph.resolve([twin.id]).merged == ()


@pytest.mark.spec("G4")
def test_without_an_embedder_names_decide(database_url):
    with Nacre(database_url, settings=Settings(embedder="off", worker="off")) as nacre:
        scope = nacre.scope("a")
        for slug in ("tokyo-a", "tokyo-b"):
            scope.graph.add("東京タワー", type="place", slug=slug)
        scope.graph.add("Jonathan Smith", type="person")
        scope.graph.add("Jonathon Smith", type="person")
        resolved = scope.graph.resolve(["tokyo-b", "Jonathon Smith"])
        assert len(resolved.merged) == 1
        assert resolved.flagged == 1


@pytest.mark.spec("G4")
def test_concurrent_resolutions_of_a_scope_take_turns(database_url):
    with Nacre(database_url, settings=Settings(worker="off")) as nacre, ThreadPoolExecutor(4) as pool:
        scope = nacre.scope("a")
        for number in range(4):
            scope.graph.add("NASA", type="organization", slug=f"nasa-{number}", confidence=0.5 + number / 10)
        everyone = [scope.graph.get(f"nasa-{number}").id for number in range(4)]

        def run(_: int) -> int:
            try:
                return len(scope.graph.resolve(everyone).merged)
            except NotFound:
                return 0

        assert sum(pool.map(run, range(4))) == 3
        assert scope.graph.stats().entity_count == 1
        assert scope.graph.get("nasa").slug == "nasa-3"
