"""Random lives of a scope: what people say, keep, correct, merge, forget and take back."""

import io
import json
from typing import Any

from hypothesis import strategies as st

from nacre import NacreError, ScopedNacre
from nacre.domain.operations import AddAlias, ArchiveEntity, MergeEntities, PinEntity, RenameEntity
from nacre.domain.plain import plain
from tests.conftest import MovableClock

NAMES = ["Ana", "Bo", "Łukasz", "東京"]
PATHS = ["home/city", "taste/drinks/tea"]
names, paths = st.sampled_from(NAMES), st.sampled_from(PATHS)
# Whatever a text may hold: signs that end lines elsewhere, other alphabets, quotes, nothing that no database stores.
words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20).map(
    lambda text: f"tea \u2028{text}!"
)

steps = st.lists(
    st.one_of(
        st.tuples(st.just("say"), names, words),
        st.tuples(st.just("keep"), words, st.sampled_from(["general", "project/x-1"])),
        st.tuples(st.just("set"), names, paths, words),
        st.tuples(st.just("link"), names, names),
        st.tuples(st.just("value"), names, words),
        st.tuples(st.just("merge"), names, names),
        st.tuples(st.just("rename"), names, names),
        st.tuples(st.just("alias"), names),
        st.tuples(st.just("pin"), names),
        st.tuples(st.just("archive"), names),
        st.tuples(st.just("forget")),
        st.tuples(st.just("undo"), st.integers(0, 3)),
        st.tuples(st.just("scribble"), words),
        st.tuples(st.just("skill"), words),
        st.tuples(st.just("propose"), names),
    ),
    min_size=3,
    max_size=14,
)


def live(scope: ScopedNacre, clock: MovableClock, history: list[tuple[Any, ...]]) -> None:
    """Carry steps out, a minute apart; one that is refused is as good as any."""
    for step, *given in history:
        clock.advance(minutes=1)
        try:
            _STEPS[step](scope, *given)
        except NacreError:
            continue


def _undo(scope: ScopedNacre, back: int) -> None:
    done = scope.history(limit=10)
    if done:
        scope.undo(done[min(back, len(done) - 1)].id)


def _forget(scope: ScopedNacre) -> None:
    for match in scope.memories.search(limit=1):
        scope.forget(match.memory.id)


_STEPS: dict[str, Any] = {
    "say": lambda scope, name, text: scope.observe("user", f"{name} lives in Paris. {text}", session="s", ref="r"),
    "keep": lambda scope, text, category: scope.remember(text, category=category, tags=["t"], metadata={"k": text}),
    "set": lambda scope, name, path, value: scope.ontology.set(name, path, value),
    "link": lambda scope, one, other: scope.graph.link(one, "knows", other, confidence=0.3, properties={"a": "b"}),
    "value": lambda scope, name, value: scope.graph.link(
        name, "says", value=value, valid_from=scope._parts.database.clock()
    ),
    "merge": lambda scope, one, other: scope.ontology.apply([MergeEntities(target=one, source=other, force=True)]),
    "rename": lambda scope, one, other: scope.ontology.apply([RenameEntity(entity=one, new_name=f"{other} II")]),
    "alias": lambda scope, name: scope.ontology.apply([AddAlias(entity=name, alias=f"dear {name}")]),
    "pin": lambda scope, name: scope.ontology.apply([PinEntity(entity=name)]),
    "archive": lambda scope, name: scope.ontology.apply([ArchiveEntity(entity=name, force=True)]),
    "forget": _forget,
    "undo": _undo,
    "scribble": lambda scope, text: scope.working("session/s").save("note", text),
    "skill": lambda scope, text: scope.skills.save("brew", content=text, summary="how to brew"),
    "propose": lambda scope, name: scope.ontology.propose([PinEntity(entity=name)]),
}


def exported(scope: ScopedNacre) -> str:
    """The scope as lines of JSON."""
    out = io.StringIO()
    scope.transfer.export(out)
    return out.getvalue()


def rows(text: str) -> list[str]:
    """What of an export says nothing of whose it is, and when it was made."""
    return text.split("\n")[1:]


def seen(scope: ScopedNacre) -> dict[str, Any]:
    """What a caller sees of a scope."""
    graph, ontology = scope.graph, scope.ontology
    entities = sorted(graph.search(limit=100), key=lambda entity: entity.id)
    told: dict[str, Any] = {
        "recall": scope.recall("tea in Paris", limit=50),
        "memories": scope.memories.search(limit=100),
        "entities": entities,
        "links": {str(each.id): graph.links(each.id) for each in entities},
        "link_history": {
            str(link.id): ontology.link_history(link.id) for each in entities for link in graph.links(each.id)
        },
        "claims": {str(each.id): ontology.claims(each.id) for each in entities},
        "versions": {
            f"{each.id}/{claim.slot}": ontology.versions(each.id, str(claim.slot))
            for each in entities
            for claim in ontology.claims(each.id)
            if claim.slot.claim
        },
        "history": scope.history(limit=100),
        "turns": scope.conversations.last("s"),
        "skills": scope.skills.list(),
        "proposals": ontology.proposals.list(),
    }
    shown: dict[str, Any] = json.loads(json.dumps(plain(told)))
    return shown
