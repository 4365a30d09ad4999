"""Reports on a whole graph are kept, and never older than the graph."""

from datetime import timedelta

from nacre import Nacre
from nacre.domain.recording_operations import RecordLink


def use(scope, name, **more):
    scope.ontology.apply([RecordLink(source="Billing", predicate="uses", target=name, **more)])


def test_reports_count_what_was_written_since(scope):
    assert (scope.knowledge.stats().dependency_count, scope.knowledge.health().links) == (0, 0)
    use(scope, "Redis")
    assert (scope.knowledge.stats().dependency_count, scope.knowledge.health().links) == (1, 1)
    assert scope.knowledge.stats() == scope.knowledge.stats()
    memory = scope.remember("Deploys happen on Mondays.").memory
    assert scope.knowledge.stats().memory_count == 1
    scope.forget(memory.id)
    assert scope.knowledge.stats().memory_count == 0


def test_a_report_ends_when_something_in_it_does(scope, clock):
    use(scope, "Redis", valid_to=clock.now + timedelta(days=2))
    assert (scope.knowledge.stats().dependency_count, scope.knowledge.health().walkable_links) == (1, 1)
    clock.advance(days=3)
    assert (scope.knowledge.stats().dependency_count, scope.knowledge.health().walkable_links) == (0, 0)


def test_no_scope_and_no_database_sees_the_report_of_another(nacre, tmp_path, clock, brain_settings):
    use(nacre.scope("one"), "Redis")
    with Nacre(tmp_path / "other.db", settings=brain_settings, clock=clock) as other:
        seen = [
            brain.scope(name).knowledge.stats().dependency_count for brain in (nacre, other) for name in ("one", "two")
        ]
    assert seen == [1, 0, 0, 0]
