"""Tasks: entities whose life has an end."""

from datetime import datetime, timedelta

import pytest

from nacre import Invalid, NotFound
from nacre.domain.kind_operations import SetTask
from nacre.domain.operations import MergeEntities
from nacre.store.graph import tasks

STATUSES = ["open", "in_progress", "blocked", "done", "cancelled"]


def names(found):
    return [task.name for task in found]


@pytest.mark.spec("S6")
@pytest.mark.parametrize("status", STATUSES)
def test_a_task_is_in_one_of_five_statuses(scope, status):
    scope.ontology.set_task("Ship it", status)

    listed = scope.ontology.tasks(finished=status in ("done", "cancelled"))
    assert [(task.name, task.status) for task in listed] == [("Ship it", status)]
    assert scope.ontology.tasks(finished=status not in ("done", "cancelled")) == []
    assert scope.graph.get("Ship it").type == "task"


@pytest.mark.spec("S6")
def test_a_task_that_expired_is_not_listed(scope, clock):
    scope.ontology.set_task("Soon", expires_at=clock() + timedelta(hours=1))
    scope.ontology.set_task("Later", expires_at=clock() + timedelta(days=1))
    scope.ontology.set_task("Whenever")
    assert names(scope.ontology.tasks()) == ["Soon", "Later", "Whenever"]

    clock.advance(hours=1)

    assert names(scope.ontology.tasks()) == ["Later", "Whenever"]
    assert scope.graph.get("Soon").status == "active"


@pytest.mark.spec("S6")
def test_a_task_says_how_long_it_is_to_be_kept(nacre, scope, clock):
    until = clock() + timedelta(days=30)
    scope.ontology.set_task("Old", "done", retention_until=until)
    scope.ontology.set_task("Kept", "done")

    with nacre.parts.database.read(scope.scope) as tx:
        assert tasks.past_retention(tx, until - timedelta(seconds=1)) == []
        assert names(tasks.past_retention(tx, until)) == ["Old"]
    assert {task.name: task.retention_until for task in scope.ontology.tasks(finished=True)} == {
        "Old": until,
        "Kept": None,
    }


@pytest.mark.spec("S6")
@pytest.mark.parametrize("status", ["done", "cancelled"])
def test_a_task_is_completed_when_it_is_first_finished(scope, clock, status):
    scope.ontology.set_task("Ship it")
    finished = clock.advance(hours=1)
    scope.ontology.set_task("Ship it", status)
    clock.advance(hours=1)
    scope.ontology.set_task("Ship it", "done")

    task = scope.ontology.tasks(finished=True)[0]
    assert (task.completed_at, task.created_at) == (finished, finished - timedelta(hours=1))


@pytest.mark.spec("S6")
def test_a_task_that_is_reopened_is_no_longer_completed(scope, clock):
    scope.ontology.set_task("Ship it", "done")
    clock.advance(hours=1)
    scope.ontology.set_task("Ship it", "in_progress")

    assert [(task.status, task.completed_at) for task in scope.ontology.tasks()] == [("in_progress", None)]


@pytest.mark.spec("S6")
def test_what_is_not_given_stays(scope, clock):
    expires, kept = clock() + timedelta(days=1), clock() + timedelta(days=9)
    scope.ontology.set_task("Ship it", "blocked", expires_at=expires, retention_until=kept)
    scope.ontology.set_task("Ship it", expires_at=expires + timedelta(days=1))

    task = scope.ontology.tasks()[0]
    assert (task.status, task.retention_until) == ("blocked", kept)
    assert task.expires_at == expires + timedelta(days=1)


@pytest.mark.spec("S6")
def test_a_step_of_a_task_is_undone(scope, clock):
    made = scope.ontology.set_task("Ship it", "blocked")
    clock.advance(hours=1)
    done = scope.ontology.set_task("Ship it", "done")

    scope.ontology.undo(done.record.id)
    assert [(task.status, task.completed_at) for task in scope.ontology.tasks()] == [("blocked", None)]
    scope.ontology.undo(made.record.id)
    assert scope.ontology.tasks() == []
    with pytest.raises(NotFound):
        scope.graph.get("Ship it")


def test_an_archived_task_is_not_listed(scope):
    scope.ontology.set_task("Ship it")
    scope.graph.archive("Ship it")

    assert scope.ontology.tasks() == []


def test_a_task_outlives_a_merge(scope, clock):
    scope.ontology.set_task("Ship it", "blocked", expires_at=clock() + timedelta(days=1))
    before = scope.ontology.tasks()
    scope.graph.add("The shipping", type="task")
    merged = scope.ontology.apply([MergeEntities(target="The shipping", source="Ship it")])[0]

    task = scope.ontology.tasks()[0]
    assert (task.name, task.status, task.expires_at) == ("The shipping", "blocked", before[0].expires_at)
    scope.ontology.undo(merged.record.id)
    assert scope.ontology.tasks() == before


def test_a_merge_of_two_tasks_keeps_the_targets(scope):
    scope.ontology.set_task("One", "blocked")
    scope.ontology.set_task("Two", "in_progress")
    scope.ontology.apply([MergeEntities(target="One", source="Two")])

    assert [(task.name, task.status) for task in scope.ontology.tasks()] == [("One", "blocked")]


def test_another_tenants_tasks_are_not_listed(nacre, scope):
    scope.ontology.set_task("Ship it")

    assert nacre.scope(agent="assistant", user="bob").ontology.tasks() == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"status": "finished"},
        {"status": 5},
        {"entity": ""},
        {"expires_at": "tomorrow"},
        {"retention_until": datetime(2026, 1, 1)},  # noqa: DTZ001 - on purpose
    ],
)
def test_bad_input_is_refused(wrong):
    with pytest.raises(Invalid):
        SetTask(**{"entity": "Ship it", **wrong})


def test_a_task_needs_an_entity_of_this_scope(nacre, scope):
    theirs = nacre.scope(agent="assistant", user="bob").graph.add("Ship it")

    with pytest.raises(NotFound):
        scope.ontology.set_task(theirs.id, "done")
