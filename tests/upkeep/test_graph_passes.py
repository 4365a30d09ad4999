"""The passes that keep the graph: entities, graph, contradictions, communities."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from nacre import Nacre, NotFound, Settings
from nacre.domain.dreams import Method, PassName, PassStatus
from nacre.domain.operations import PinEntity
from nacre.store.work import dreams, jobs
from tests.models import llm_service
from tests.models.llm_service import LanguageModelService


@pytest.fixture
def service() -> Iterator[LanguageModelService]:
    with llm_service.running() as running:
        yield running


@pytest.fixture
def modelled(database_url, clock, service):
    """A scope with a language model that says what a test tells it to."""
    settings = Settings(worker="off", extraction="off", llm_model="tiny", llm_endpoint=service.url)
    with Nacre(database_url, settings=settings, clock=clock) as nacre:
        yield nacre.scope("assistant", user="ana")


def run(scope, name, **options):
    return scope.dreams.run([name], **options).passes[0]


@pytest.mark.spec("D4", "D5")
def test_turns_that_nobody_heard_are_read_by_rules(database_url, clock):
    with Nacre(database_url, settings=Settings(worker="off", extraction="off"), clock=clock) as nacre:
        nacre.scope("assistant", user="ana").observe("user", "John lives in Vilnius.", session="s1")
    with Nacre(database_url, settings=Settings(worker="off"), clock=clock) as nacre:
        scope = nacre.scope("assistant", user="ana")
        report = run(scope, "entities")

        assert (report.method, report.counts["entities"], report.counts["links"]) == (Method.RULES, 2, 1)
        assert scope.graph.get("John").mentions == 1
        again = run(scope, "entities")
        assert again.counts["turns"] == 0


@pytest.mark.spec("D4")
def test_a_model_reads_sessions_and_each_fact_rests_on_the_turn_that_says_it(modelled, service):
    modelled.observe("user", "Pebble is our sync engine.", session="s1")
    said = modelled.observe("user", "Ana Lima runs Pebble.", session="s1")
    service.answer = lambda _question: {
        "entities": [
            {"id": "ana-lima", "name": "Ana Lima", "type": "person", "confidence": 0.9},
            {"id": "pebble", "name": "Pebble", "type": "project", "confidence": 0.9},
        ],
        "relations": [
            {
                "source": "ana-lima",
                "relation": "manages",
                "target": "pebble",
                "quote": "Ana Lima runs Pebble",
                "confidence": 0.9,
            },
            # Words across two turns say nothing.
            {
                "source": "pebble",
                "relation": "uses",
                "target": "ana-lima",
                "quote": "engine.\n\nUser: Ana",
                "confidence": 0.9,
            },
        ],
    }

    report = run(modelled, "entities")

    assert (report.method, report.counts["links"], report.input_tokens) == (Method.MODEL, 1, 100)
    link = modelled.graph.links("Pebble")[0]
    assert (link.evidence, link.quote) == (said.id, (0, len("Ana Lima runs Pebble")))


@pytest.mark.spec("D5")
def test_a_model_that_fails_leaves_the_log_to_rules_and_the_report_says_so(modelled, service):
    service.mood = "failing"
    modelled.observe("user", "John lives in Vilnius.", session="s1")

    report = run(modelled, "entities")

    assert report.method is Method.RULES
    assert "did not answer" in report.notes[0]
    assert modelled.graph.get("John").name == "John"


def test_a_dry_run_reads_and_changes_nothing(database_url, clock):
    with Nacre(database_url, settings=Settings(worker="off", extraction="off"), clock=clock) as nacre:
        scope = nacre.scope("assistant", user="ana")
        scope.observe("user", "John lives in Vilnius.")

        assert run(scope, "entities", dry_run=True).counts["entities"] == 2
        assert scope.graph.search() == []
        assert run(scope, "entities").counts["entities"] == 2


@pytest.mark.spec("D4", "D5")
def test_orphans_and_links_nobody_said_twice_leave_the_graph_and_can_be_brought_back(scope, clock):
    scope.graph.add("Zorp", type="concept")
    scope.graph.add("Marta", type="person")
    scope.graph.link("Acme", "uses", "Redis", confidence=0.3)
    scope.graph.link("Acme", "uses", "Postgres", confidence=0.9)
    clock.advance(minutes=60 * 24 * 40)

    report = run(scope, "graph")

    assert report.counts["entities"] == 1
    assert report.counts["links"] == 1
    with pytest.raises(NotFound):
        scope.graph.get("Zorp")
    assert scope.graph.get("Marta").name == "Marta"
    assert {link.confidence for link in scope.graph.links("Acme")} == {0.9}
    for record in [each for each in scope.graph.history() if each.actor == "dream"]:
        scope.graph.undo(record.id)
    assert scope.graph.get("Zorp").name == "Zorp"


@pytest.mark.spec("D4")
def test_a_model_may_not_take_people_pins_sure_links_or_what_was_never_shown(modelled, service, clock):
    for number in range(60):
        modelled.graph.link(f"Service {number}", "uses", f"Tool {number}", confidence=0.5)
    person = modelled.graph.add("Marta", type="person")
    pinned = modelled.graph.add("Pebble", type="project")
    modelled.ontology.apply([PinEntity(entity=pinned.id)])
    sure = modelled.graph.link("Acme", "uses", "Redis", confidence=0.9)
    idea = modelled.graph.add("meeting", type="concept")
    clock.advance(minutes=60 * 24 * 40)
    wanted = [str(person.id), str(pinned.id), str(idea.id), "not-an-id"]
    service.answer = lambda _question: {"deleteEntities": wanted, "deleteTriples": [str(sure.id)]}

    report = run(modelled, "graph")

    assert {change.why for change in report.refused} == {
        "people stay",
        "it is pinned",
        "it was not in the list",
        "a link of 0.90 stays",
    }
    assert report.counts["entities"] == 1
    with pytest.raises(NotFound):
        modelled.graph.get("meeting")


@pytest.mark.spec("D4")
def test_who_asks_to_take_too_much_is_trusted_with_none_of_it(modelled, service, clock):
    made = [modelled.graph.add(f"Thing {number}", type="concept") for number in range(30)]
    clock.advance(minutes=60 * 24 * 40)
    service.answer = lambda _question: {"deleteEntities": [str(each.id) for each in made[:20]], "deleteTriples": []}

    report = run(modelled, "graph")

    assert report.status is PassStatus.PAUSED
    assert len(modelled.graph.search(limit=100)) == 30
    service.answer = lambda _question: {"deleteEntities": [], "deleteTriples": []}
    assert run(modelled, "graph").status is PassStatus.PAUSED
    assert modelled.dreams.reset("graph")
    assert run(modelled, "graph").status is PassStatus.DONE


@pytest.mark.spec("S4")
def test_older_contradictions_are_proposed_once_and_nothing_is_ended(scope, clock):
    scope.ontology.add("Ana", "taste/favourite_colour", "blue")
    clock.advance(minutes=5)
    scope.ontology.add("Ana", "taste/favourite_colour", "green")
    scope.ontology.add("Ana", "stack/uses", "Postgres")
    scope.ontology.add("Ana", "stack/uses", "Redis")

    report = run(scope, "contradictions")

    assert report.counts["proposed"] == 1
    assert {claim.value for claim in scope.ontology.claims("Ana")} == {"blue", "green", "Postgres", "Redis"}
    proposal = scope.ontology.proposals.list(status="pending")[0]
    assert run(scope, "contradictions").counts["proposed"] == 0
    scope.ontology.proposals.apply(proposal.id)
    assert {claim.value for claim in scope.ontology.claims("Ana")} == {"green", "Postgres", "Redis"}


def test_communities_are_refreshed(scope):
    for one, other in [("A1", "A2"), ("A2", "A3"), ("A1", "A3"), ("B1", "B2"), ("B2", "B3"), ("B1", "B3")]:
        scope.graph.link(one, "works_with", other)

    report = run(scope, "communities")

    assert report.counts["communities"] == 2


@pytest.mark.spec("D1")
def test_passes_run_in_order_and_unchanged_input_is_skipped(scope, clock):
    scope.observe("user", "John lives in Vilnius.", session="s1")
    first = scope.dreams.run()

    assert [each.name for each in first.passes] == list(PassName)
    clock.advance(minutes=1)
    second = scope.dreams.run()
    skipped = {each.name for each in second.passes if each.status is PassStatus.SKIPPED}
    assert {PassName.ENTITIES, PassName.GRAPH, PassName.CONTRADICTIONS, PassName.COMMUNITIES} <= skipped
    assert [kept.id for kept in scope.dreams.history()][:2] == [second.id, first.id]


@pytest.mark.spec("D1")
def test_scheduled_dreams_wait_for_quiet_and_come_once_a_day(nacre, scope, clock):
    database = nacre.parts.database
    scope.observe("user", "John lives in Vilnius.", session="s1")
    with database.read_all() as everywhere:
        assert dreams.due(everywhere, every=timedelta(hours=24), quiet=timedelta(minutes=15)) == []
    clock.advance(minutes=60)
    nacre.parts.worker.drain()

    # The worker's hourly round asked for the dream, and the job was done, unless people are here.
    assert len(scope.dreams.history()) == 1
    with database.read(scope.scope) as tx:
        assert [job.status for job in jobs.newest(tx, None, 10) if job.kind == "dream"] == ["done"]


@pytest.mark.spec("D1")
def test_live_traffic_comes_first(nacre, scope):
    scope.observe("user", "John lives in Vilnius.", session="s1")
    dream = nacre.parts.dreamer.dream(scope.scope, disturbed=lambda: nacre.parts.traffic.is_live(scope.scope))

    assert {each.status for each in dream.passes} == {PassStatus.STOPPED}


@pytest.mark.spec("D1")
def test_directive_files_override_the_built_in_prompts(database_url, clock, service, tmp_path):
    (tmp_path / "entity-dream.md").write_text("Only dragons.")
    (tmp_path / "graph-consolidation-dream.md").write_text("Only griffins.")
    settings = Settings(worker="off", extraction="off", llm_model="tiny", llm_endpoint=service.url, directives=tmp_path)
    with Nacre(database_url, settings=settings, clock=clock) as nacre:
        scope = nacre.scope("assistant", user="ana")
        scope.graph.add("Marta", type="person")
        scope.observe("user", "Smaug sleeps.", session="s1")
        scope.dreams.run(["entities", "graph"])

    told = str([body["messages"] for body in service.asked])
    assert "Only dragons." in told
    assert "Only griffins." in told


def test_the_graph_passes_are_left_out_where_the_graph_is_off(database_url, clock):
    with Nacre(database_url, settings=Settings(worker="off", graph="off"), clock=clock) as nacre:
        scope = nacre.scope("assistant", user="ana")
        scope.observe("user", "John lives in Vilnius.", session="s1")

        names = {each.name for each in scope.dreams.run().passes}

    assert names == {PassName.CONSOLIDATION, PassName.PREFERENCES, PassName.SUMMARIES, PassName.DECAY}
