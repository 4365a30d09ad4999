"""Who is meant by a name: the user, another speaker, somebody known by another name, or one of two of one name."""

import pytest

from nacre.domain.entities import EntityType
from nacre.domain.facts import ExtractedFacts, Fact, NamedEntity, Voice
from nacre.extraction import reader_words

USER = None


def tell(nacre, *lines, user="u1"):
    """A scope in which these lines were said, each as (speaker, text); without a speaker, the user says it."""
    scope = nacre.scope(agent="companion", user=user)
    for speaker, text in lines:
        scope.observe("user", text, speaker=speaker, session="s1")
    return scope


def people(scope):
    """The persons of a graph, each by all their names."""
    return {frozenset((each.name, *each.aliases)) for each in scope.graph.search(None, type="person", limit=50)}


def homes(scope, name):
    entity = scope.graph.get(name)
    links = [link for link in scope.graph.links(entity.id) if link.source == entity.id]
    return {scope.graph.get(link.target).name for link in links if link.predicate == "lives_in"}


@pytest.mark.parametrize(
    "introduction",
    [
        "My name is Maya.",
        "my name is maya",
        "I'm Maya by the way.",
        "im maya btw",
        "This is Maya.",
        "Hi, this is Maya from the gym.",
        "Please call me Maya.",
        "Me llamo Maya.",
        "soy maya, por cierto",
        "Llámame Maya.",
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_the_name_of_the_user_is_the_user_whether_said_before_or_after(nacre, introduction, first):
    lines = [(USER, introduction), ("Bob", "Maya lives in Rome.")]
    scope = tell(nacre, *(lines if first else reversed(lines)))

    assert homes(scope, "u1") == {"Rome"}
    assert scope.graph.get("Maya").id == scope.graph.get("u1").id


@pytest.mark.parametrize("before", ["My sister Maya is ill.", "I live in Oslo."])
def test_somebody_of_the_users_name_of_whom_other_things_are_known_waits_for_a_person(nacre, before):
    scope = tell(nacre, ("Bob", "Maya lives in Rome."), (USER, before), (USER, "My name is Maya."))

    assert scope.graph.get("Maya").id != scope.graph.get("u1").id
    assert [{each.entity_a, each.entity_b} for each in scope.graph.duplicates()] == [
        {scope.graph.get("Maya").id, scope.graph.get("u1").id}
    ]


def test_a_speaker_with_the_users_name_is_the_user(nacre):
    scope = tell(nacre, ("Maya", "I live in Rome."), (USER, "I like tea."), user="maya")

    assert people(scope) == {frozenset({"Maya"})}


@pytest.mark.parametrize(
    ("label", "called"), [("Melanie", "Mel"), ("Melanie", "Melany"), ("Speaker 2", "Mel"), ("Robert Smith", "Bob")]
)
def test_who_is_addressed_in_a_talk_of_two_is_the_other(nacre, label, called):
    scope = tell(nacre, (label, "I live in Rome."), ("Caroline", f"Hi {called}, how are you?"))

    assert people(scope) == {frozenset({label, called}), frozenset({"Caroline"})}


def test_among_three_nobody_is_guessed(nacre):
    scope = tell(nacre, ("Ann", "I live in Rome."), ("Speaker 2", "Hello there."), ("Tom", "Hi Rachel, how are you?"))

    assert frozenset({"Rachel"}) in people(scope)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Tom Baker lives in Oslo.", "Tom said hi."),
        ("Tom lives in Oslo.", "Tom Baker called me."),
        ("Thomas lives in Oslo.", "Tommy told me so."),
        ("Tom Baker lives in Oslo.", "Dr. Baker told me so."),
        ("Tom Baker lives in Bergen.", "Tommy moved to Oslo."),
        ("Tom lives in Bergen.", "Tom Baker lives in Oslo now."),
    ],
)
def test_names_of_one_person_join(nacre, first, second):
    scope = tell(nacre, (USER, first), (USER, second))

    assert len(people(scope)) == 1
    (name, *_), *_ = people(scope)
    assert homes(scope, name) == {"Oslo"}


@pytest.mark.parametrize(
    ("first", "second", "queued"),
    [
        ("Tom Baker lives in Oslo.", "Tom Smith lives in Rome.", False),
        ("Tom and Tommy came by.", "Tommy said hi.", False),
        ("Dan said hi.", "Dana said hi.", True),
        ("My brother Tom lives in Oslo.", "Tom from accounting said hi.", False),
        ("Tom from the gym lives in Oslo.", "I met Tom from accounting.", False),
        ("My uncle Tom lives in Oslo.", "My brother Tom lives in Rome.", False),
        ("Tom lives in Oslo.", "Another Tom told me so.", False),
        ("Tom lives in Oslo.", "Tom Baker lives in Rome.", True),
    ],
)
def test_two_people_stay_two_and_doubts_are_queued(nacre, first, second, queued):
    scope = tell(nacre, (USER, first), (USER, second))
    called = scope.graph.search("To", type="person") + scope.graph.search("Da", type="person")

    assert len(called) == 2
    assert bool(scope.graph.duplicates()) is queued


def test_what_tells_two_of_one_name_apart_tells_later_whom_is_meant(nacre):
    scope = tell(
        nacre,
        (USER, "My brother Tom lives in Oslo."),
        (USER, "Tom from accounting lives in Rome."),
        (USER, "Tom from accounting moved to Lima."),
        (USER, "My brother Tom moved to Bergen."),
    )
    found = scope.graph.search("Tom", type="person")

    assert {frozenset(homes(scope, each.id)) for each in found} == {frozenset({"Lima"}), frozenset({"Bergen"})}
    assert scope.graph.resolve([each.id for each in found]).merged == ()


def test_a_join_that_is_taken_back_is_not_made_again(nacre):
    scope = tell(nacre, (USER, "Tom lives in Oslo."), (USER, "Tommy told me so."), (USER, "Tom likes tea."))
    join = next(each for each in scope.graph.history() if each.operation == "merge_entities")

    scope.graph.undo(join.id)
    scope.observe("user", "Tommy lives in Rome.")

    assert homes(scope, "Tom") == {"Oslo"}
    assert homes(scope, "Tommy") == {"Rome"}


def test_known_names_are_recognised_in_lower_case_and_first_in_a_sentence(nacre):
    scope = tell(nacre, (USER, "My friend Zofka works at Qumulex."), (USER, "zofka lives in rome"))
    scope.observe("user", "i work at qumulex")

    assert homes(scope, "Zofka") == {"Rome"}
    assert {link.predicate for link in scope.graph.links("Qumulex")} == {"works_at"}
    assert len(scope.graph.links("Qumulex")) == 2


def test_a_name_that_was_said_once_is_no_node_until_more_is_known(nacre):
    scope = tell(nacre, (USER, "We talked about the Perseid shower."))

    assert scope.graph.get("Perseid").mentions == 1
    assert not scope.graph.picture().entities
    assert scope.graph.stats().entity_count == 0
    scope.observe("user", "We saw the Perseid shower again.")
    assert [each.name for each in scope.graph.picture().entities] == ["Perseid"]


def test_a_reader_may_mark_more_than_the_name():
    ana = NamedEntity(name="my sister ana", type=EntityType.PERSON, start=0, end=13)
    rome = NamedEntity(name="rome", type=EntityType.LOCATION, start=23, end=27)
    sister = NamedEntity(name="my sister", type=EntityType.PERSON, start=0, end=9)
    fact = Fact(subject=ana, predicate="lives_in", object=rome, quote=(0, 27), confidence=0.9, rule="reader")
    nameless = Fact(subject=sister, predicate="lives_in", object=rome, quote=(0, 27), confidence=0.9, rule="reader")

    found = reader_words.plain(ExtractedFacts(names=(ana, rome), facts=(fact, nameless)), Voice.USER)

    assert [(each.name, each.start) for each in found.names] == [("Ana", 10), ("Rome", 23)]
    assert (found.facts[1].subject, found.facts[1].path, found.facts[1].value) == (
        Voice.USER,
        "relations/sister/lives_in",
        "Rome",
    )


@pytest.mark.parametrize("user", ["ana", "Ana", "ANA"])
@pytest.mark.parametrize("text", ["I'm Ana. I live in Porto.", "My name is Ana, and I live in Porto."])
def test_who_is_known_by_the_name_that_is_given_is_one_person(nacre, user, text):
    scope = nacre.scope("assistant", user=user)
    scope.observe("user", text)

    assert [link.predicate for link in scope.graph.links(user)] == ["lives_in"]
