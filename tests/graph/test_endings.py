"""What is retracted ends, by its name, by other words, or as the only one there is; and what cannot hold beside it."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from nacre import Invalid, Nacre
from nacre.domain.claim_operations import RecordClaim
from nacre.domain.facts import Fact, Polarity, Voice
from nacre.domain.operations import AddAlias
from nacre.domain.recording_operations import RecordLink
from nacre.graph.beliefs.references import Referent, meant


@pytest.fixture
def nacre(sqlite_url, clock, brain_settings):
    """What is retracted ends alike on every database."""
    with Nacre(sqlite_url, settings=brain_settings, clock=clock) as brain:
        yield brain


def state(scope, clock, *links, **more):
    for predicate, target in links:
        scope.ontology.apply([RecordLink(source="Ana", predicate=predicate, target=target, **more)])
        clock.advance(minutes=1)


def ends(scope, predicate, name="Ana"):
    mine = [link for link in scope.graph.links(name) if link.predicate == predicate]
    return sorted(scope.graph.get(link.target).name for link in mine)


REX, MIA, BO = (
    Referent(key=UUID(int=place), names=(name,), detail=kind)
    for place, (name, kind) in enumerate([("Rex", "dog"), ("Mia", "cat"), ("Bo", "dog")])
)
CANON, ACME, GLOBEX = (
    Referent(key=UUID(int=place), names=names)
    for place, names in enumerate([("Canon camera",), ("Acme", "Acme Corporation"), ("Globex",)])
)


@pytest.mark.parametrize(
    ("predicate", "words", "held", "expected"),
    [
        ("owns", "rex", [REX, MIA], [REX]),
        ("owns", "dog", [REX, MIA], [REX]),
        ("owns", "dog", [REX, MIA, BO], []),
        ("owns", "dog Rex", [REX, MIA, BO], [REX]),
        ("owns", "pet", [REX], [REX]),
        ("owns", "pet", [REX, MIA], []),
        ("owns", "camera", [CANON, REX], [CANON]),
        ("owns", "bicycle", [CANON, REX], []),
        ("works_at", "job", [ACME], [ACME]),
        ("works_at", "job", [ACME, GLOBEX], []),
        ("works_at", "acme corporation", [ACME, GLOBEX], [ACME]),
        ("works_at", None, [ACME], [ACME]),
        ("works_at", None, [ACME, GLOBEX], []),
        ("works_at", "smoking", [ACME], []),
        ("partner_of", "husband", [REX], [REX]),
    ],
)
def test_words_mean_what_goes_by_them_or_the_one_thing_that_they_describe(predicate, words, held, expected):
    assert meant(predicate, words, held) == expected


def test_a_retraction_without_an_end_ends_the_one_link_there_is(scope, clock):
    state(scope, clock, ("works_at", "Acme"), ("lives_in", "Porto"))
    scope.ontology.apply([RecordLink(source="Ana", predicate="works_at", retracted=True)])
    clock.advance(minutes=1)

    assert (ends(scope, "works_at"), ends(scope, "lives_in")) == ([], ["Porto"])
    scope.graph.undo(scope.graph.history(limit=1)[0].batch)
    assert ends(scope, "works_at") == ["Acme"]


def test_a_retraction_may_use_another_name(scope, clock):
    state(scope, clock, ("works_at", "Acme"), ("works_at", "Globex"))
    scope.ontology.apply([AddAlias(entity="Acme", alias="Acme Rockets")])
    scope.ontology.apply([RecordLink(source="Ana", predicate="works_at", value="acme rockets", retracted=True)])
    clock.advance(minutes=1)

    assert ends(scope, "works_at") == ["Globex"]
    assert not scope.graph.search("rockets company")


@pytest.mark.parametrize("more", [{"target": "Frank"}, {"value": "frank"}, {}])
def test_a_couple_parts_whoever_of_them_was_said_to_have_the_other(scope, clock, more):
    scope.ontology.apply([RecordLink(source="Frank", predicate="partner_of", target="Ana")])
    clock.advance(minutes=1)
    scope.ontology.apply([RecordLink(source="Ana", predicate="partner_of", retracted=True, **more)])
    clock.advance(minutes=1)

    assert ends(scope, "partner_of", "Frank") == []


@pytest.mark.parametrize(
    ("key", "value", "left"),
    [
        ("marital_status", "divorced", {"works_at"}),
        ("marital_status", "viuda", {"works_at"}),
        ("marital_status", "married", {"works_at", "partner_of"}),
        ("status", "retired", {"partner_of"}),
        ("employment_status", "unemployed", {"partner_of"}),
        ("mood", "single", {"works_at", "partner_of"}),
    ],
)
def test_a_standing_ends_the_links_that_cannot_hold_beside_it(scope, clock, key, value, left):
    state(scope, clock, ("works_at", "Acme"), ("partner_of", "Frank"))
    scope.ontology.apply([RecordClaim(entity="Ana", aspect="profile", claim=key, value=value)])
    clock.advance(minutes=1)

    assert {link.predicate for link in scope.graph.links("Ana")} == left


def test_what_somebody_without_a_name_is_ends_nothing_of_the_speaker(scope, clock):
    state(scope, clock, ("works_at", "Acme"))
    scope.ontology.apply([RecordClaim(entity="Ana", aspect="relations", group="boss", claim="status", value="retired")])

    assert ends(scope, "works_at") == ["Acme"]


def test_an_earlier_standing_does_not_end_a_later_link(scope, clock):
    before = clock() - timedelta(days=30)
    state(scope, clock, ("works_at", "Acme"), valid_from=clock() - timedelta(days=2))
    scope.ontology.apply(
        [RecordClaim(entity="Ana", aspect="work", claim="status", value="unemployed", valid_from=before)]
    )

    assert ends(scope, "works_at") == ["Acme"]


@pytest.mark.parametrize(("values", "left"), [(["May 20"], []), (["May 20", "June 3"], ["June 3", "May 20"])])
def test_a_claim_without_a_value_is_retracted_where_there_is_one(scope, clock, values, left):
    for value in values:
        scope.ontology.add("Ana", "calendar/general/exam", value)
    clock.advance(minutes=1)
    scope.ontology.apply([RecordClaim(entity="Ana", aspect="calendar", claim="exam", retracted=True)])

    assert sorted(claim.value for claim in scope.ontology.claims("Ana")) == left


def test_only_a_retraction_may_name_nothing():
    given: dict[str, Any] = {"subject": Voice.USER, "quote": (0, 2), "confidence": 0.9, "rule": "t"}
    given["predicate"] = "works_at"

    assert Fact(**given, polarity=Polarity.RETRACTED).value is None
    with pytest.raises(Invalid, match="object"):
        Fact(**given)
    with pytest.raises(Invalid, match="target"):
        RecordLink(source="Ana", predicate="works_at")
    with pytest.raises(Invalid, match="value"):
        RecordClaim(entity="Ana", aspect="work", claim="role")
