"""Random operations, batches, merges, undos and restarts, beside a model simple enough to be believed."""

from copy import deepcopy
from dataclasses import dataclass, field
from itertools import count
from uuid import UUID

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from nacre import Conflict, Nacre, NotFound, Settings
from nacre.domain.claim_operations import AddClaimValue, SetClaimValue
from nacre.domain.commands import Operation
from nacre.domain.operations import (
    AddAlias,
    ArchiveEntity,
    MergeEntities,
    PinEntity,
    RenameEntity,
    UnpinEntity,
    UpsertEntity,
    UpsertLink,
)

NAMES = ["Ana", "Bo", "Cy", "Di"]
KEYS = ["home/city", "taste/drink"]
VALUES = ["red", "green", "blue"]
RUNS = count()

names = st.sampled_from(NAMES)


@dataclass
class Thing:
    """An entity as the model knows it."""

    names: set[str]
    pinned: bool = False
    claims: dict[str, set[str]] = field(default_factory=dict)


class Model:
    """What there should be: things by their present name, and links between them."""

    def __init__(self) -> None:
        self.things: dict[str, Thing] = {}
        self.links: set[tuple[str, str, str]] = set()

    def find(self, name: str) -> str | None:
        """The present name of the thing that goes by a name."""
        return next((present for present, thing in self.things.items() if name in thing.names), None)

    def ensure(self, name: str) -> str:
        present = self.find(name)
        if present is None:
            self.things[name] = Thing({name})
        return present or name

    def merge(self, target: str, source: str) -> None:
        gone = self.things.pop(source)
        kept = self.things[target]
        kept.names |= gone.names
        kept.pinned = kept.pinned or gone.pinned
        for key, held in gone.claims.items():
            kept.claims.setdefault(key, set()).update(held)
        moved = {(target if a == source else a, p, target if b == source else b) for a, p, b in self.links}
        self.links = {(a, p, b) for a, p, b in moved if a != b}

    def drop(self, name: str) -> None:
        self.things.pop(name)
        self.links = {(a, p, b) for a, p, b in self.links if name not in (a, b)}

    def rename(self, old: str, new: str) -> None:
        thing = self.things.pop(old)
        thing.names.add(new)
        self.things[new] = thing
        self.links = {(new if a == old else a, p, new if b == old else b) for a, p, b in self.links}


class Machine(RuleBasedStateMachine):
    url = ""

    @initialize()
    def begin(self) -> None:
        self.user = f"user-{next(RUNS)}"
        self.model = Model()
        # Each batch that was done, with the model before it.
        self.done: list[tuple[UUID, Model]] = []
        self.open()

    def open(self) -> None:
        self.nacre = Nacre(self.url, settings=Settings(worker="off", embedder="off"))
        self.scope = self.nacre.scope("assistant", user=self.user)

    def teardown(self) -> None:
        self.nacre.close()

    def apply(self, *orders: Operation) -> None:
        applied = self.scope.ontology.apply(list(orders))
        if any(each.changes for each in applied):
            assert applied[0].record
            self.done.append((applied[0].record.batch, self.before))

    def remember(self) -> Model:
        self.before = deepcopy(self.model)
        return self.model

    @rule(name=names)
    def add(self, name: str) -> None:
        self.remember().ensure(name)
        self.apply(UpsertEntity(name=name, type="project"))

    @rule(name=names, key=st.sampled_from(KEYS), value=st.sampled_from(VALUES))
    def set(self, name: str, key: str, value: str) -> None:
        model = self.remember()
        model.things[model.ensure(name)].claims[key] = {value}
        aspect, claim = key.split("/")
        self.apply(SetClaimValue(entity=name, aspect=aspect, claim=claim, value=value))

    @rule(name=names, values=st.lists(st.sampled_from(VALUES), min_size=1, max_size=3))
    def add_values_in_a_batch(self, name: str, values: list[str]) -> None:
        model = self.remember()
        model.things[model.ensure(name)].claims.setdefault("stack/uses", set()).update(values)
        self.apply(*(AddClaimValue(entity=name, aspect="stack", claim="uses", value=value) for value in values))

    @rule(one=names, other=names)
    def link(self, one: str, other: str) -> None:
        model = self.remember()
        ends = model.ensure(one), model.ensure(other)
        model.links.add((ends[0], "knows", ends[1]))
        self.apply(UpsertLink(source=one, predicate="knows", target=other))

    @rule(name=names)
    def pin(self, name: str) -> None:
        present = self.remember().find(name)
        if present:
            self.model.things[present].pinned = True
            self.apply(PinEntity(entity=name))

    @rule(name=names)
    def unpin(self, name: str) -> None:
        present = self.remember().find(name)
        if present:
            self.model.things[present].pinned = False
            self.apply(UnpinEntity(entity=name))

    @rule(name=names, new=st.sampled_from([*NAMES, "Zed"]))
    def rename(self, name: str, new: str) -> None:
        model = self.remember()
        present, taken = model.find(name), model.find(new)
        if present is None:
            with pytest.raises(NotFound):
                self.scope.ontology.apply([RenameEntity(entity=name, new_name=new)])
        elif taken not in (None, present):
            with pytest.raises(Conflict):
                self.scope.ontology.apply([RenameEntity(entity=name, new_name=new)])
        else:
            model.rename(present, new)
            self.apply(RenameEntity(entity=name, new_name=new))

    @rule(name=names)
    def alias(self, name: str) -> None:
        model = self.remember()
        present, alias = model.find(name), f"also {name}"
        if present and model.find(alias) is None:
            model.things[present].names.add(alias)
            self.apply(AddAlias(entity=name, alias=alias))

    @rule(one=names, other=names)
    def merge(self, one: str, other: str) -> None:
        model = self.remember()
        kept, gone = model.find(one), model.find(other)
        if kept and gone and kept != gone:
            model.merge(kept, gone)
            self.apply(MergeEntities(target=one, source=other, force=True))

    @rule(name=names)
    def archive(self, name: str) -> None:
        present = self.remember().find(name)
        if present:
            self.model.drop(present)
            self.apply(ArchiveEntity(entity=name, force=True))

    @rule(name=names, other=names)
    def a_batch_that_fails_leaves_nothing(self, name: str, other: str) -> None:
        with pytest.raises(NotFound):
            self.scope.ontology.apply(
                [UpsertLink(source=name, predicate="likes", target=other), PinEntity(entity="Nobody")]
            )

    @precondition(lambda self: self.done)
    @rule()
    def undo_the_last(self) -> None:
        batch, before = self.done.pop()
        self.scope.ontology.undo(batch)
        self.model = before

    @precondition(lambda self: len(self.done) > 1)
    @rule(data=st.data())
    def undo_an_earlier_one_and_take_that_back(self, data: st.DataObject) -> None:
        """Either something later rests on it, or it can be undone, and undoing the undo leaves all as it was."""
        batch, _ = data.draw(st.sampled_from(self.done[:-1]))
        try:
            undone = self.scope.ontology.undo(batch)
        except Conflict:
            return
        assert undone.record
        self.scope.ontology.undo(undone.record.id)
        # Whoever is done last is undone first: the log has moved on, so these can no longer be told apart.
        self.done = []

    @rule()
    def restart(self) -> None:
        self.nacre.close()
        self.open()

    @invariant()
    def the_graph_is_as_the_model_says(self) -> None:
        if not hasattr(self, "nacre"):
            return
        graph, ontology = self.scope.graph, self.scope.ontology
        held = {entity.name: entity for entity in graph.search(limit=100)}
        assert set(held) == set(self.model.things)
        found = set()
        for name, thing in self.model.things.items():
            entity = held[name]
            assert {entity.name, *entity.aliases} == thing.names
            assert (entity.pinned_at is not None) == thing.pinned
            said: dict[str, set[str]] = {}
            for claim in ontology.claims(entity.id):
                said.setdefault(f"{claim.slot.aspect}/{claim.slot.claim}", set()).add(claim.value)
            assert said == thing.claims
            by_id: dict[object, str] = {each.id: each.name for each in held.values()}
            found |= {(by_id[link.source], link.predicate, by_id[link.target]) for link in graph.links(entity.id)}
        assert found == self.model.links


@pytest.mark.slow
@pytest.mark.spec("S7", "S9")
def test_random_histories_agree_with_the_model(database_url):
    examples = 12 if "postgresql" not in database_url else 5
    machine = type("MachineHere", (Machine,), {"url": database_url})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
