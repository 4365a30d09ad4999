"""Who introduces themselves says several things at once: each is kept, and none takes back another."""

from datetime import UTC, datetime
from functools import partial

import pytest

from nacre import Nacre, Settings
from nacre.domain.entities import EntityType
from nacre.domain.facts import Fact, NamedEntity, Voice
from nacre.extraction import ties
from nacre.extraction.name_directories import NameDirectory
from nacre.extraction.reader_words import is_ruled_out, relation_before, unlisted_name
from nacre.extraction.rule_extraction import extract
from nacre.models.readings import EntityKind, EntityReading, TextSpan
from tests.extraction.tellings import beliefs

pytestmark = pytest.mark.spec("N10")

AT = datetime(2026, 5, 4, 9, tzinfo=UTC)
READER = Settings(worker="off", embedder="off", extraction="reader")
RULES = Settings(worker="off", embedder="off", extraction="rules")


def test_a_denial_is_of_its_own_clause(new_sqlite):
    with Nacre(new_sqlite(), settings=READER) as nacre:
        scope = nacre.scope("a", user="meera")
        scope.observe("user", "i live in nagpur with my husband and i can't eat gluten")
        user = scope.graph.get("meera").id
        ends = [link.target for link in scope.graph.links(user) if link.target and link.predicate == "lives_in"]
        homes = [scope.graph.get(end).name for end in ends]
        claims = {claim.value for claim in scope.ontology.claims(user)}

    assert homes == ["Nagpur"]
    assert {"husband", "gluten"} <= claims


def test_a_home_stands_behind_all_whom_one_lives_with():
    told = extract("I live with my partner Jonah and our cat Biscuit in a small flat in Headingley", at=AT).facts

    assert [fact.object.name for fact in told if fact.predicate == "lives_in" and fact.object] == ["Headingley"]


def test_a_wish_at_the_end_takes_back_nothing():
    told = extract("I'm 17 and my sister plays the harp, wish I lived in Oslo", at=AT).facts

    assert [fact.value for fact in told if fact.path == "profile/general/age"] == ["17"]
    assert not any(fact.predicate == "lives_in" for fact in told)


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("i'm lactose intolerant", "diet/general/avoids lactose"),
        ("soy vegetariana e intolerante a la lactosa", "diet/general/avoids lactosa"),
        ("My brother Max has celiac disease.", "health/general/conditions celiac disease"),
        ("soy celíaca", "health/general/conditions celíaca"),
        ("yo no puedo comer marisco", "diet/general/avoids marisco"),
        ("i like most things but cant do wheat", "diet/general/avoids wheat"),
        ("my pay is £11.90 an hour", "prices/pay/price £11.90"),
    ],
)
def test_what_one_must_not_eat_and_what_one_earns_is_known_by_rules(said, known):
    assert known in [f"{fact.path} {fact.value}" for fact in extract(said, role="user", at=AT).facts]


@pytest.mark.parametrize(
    ("said", "never"),
    [
        ("the theatre offered me stage manager but nope, happy where i am", "stage manager"),
        ("had a dream we lived in Reykjavik and kept goats", "Reykjavik"),
        ("had a dream i went vegan lol", "vegan"),
        ("me propusieron ser encargada del almacen, les dije que no", "encargada"),
        ("my aunt Wilma is allergic to penicillin, gets a rash every time", "allergy gets a rash"),
        ("my aunt Wilma is allergic to penicillin, gets a rash every time", "allergy rash"),
        ("i cant have grapefruit because of my statin, and kofi is allergic to cashews", "allergy statin"),
        ("ahora tambien aspirina de 100 y atorvastatina por la noche", "age 100"),
        ("mi cuñado se toma ozempic y ha perdido 12 kilos", "meera health/general/medicines"),
        ("mi cuñado se toma ozempic y ha perdido 12 kilos", "medicines ha"),
    ],
)
def test_what_is_offered_dreamt_or_a_symptom_is_no_such_fact(new_sqlite, said, never):
    with Nacre(new_sqlite(), settings=READER) as nacre:
        scope = nacre.scope("a", user="meera")
        scope.observe("user", said)

        assert [told for told in beliefs(scope) if never in told] == []


def test_an_offer_that_is_taken_is_a_fact(new_sqlite):
    with Nacre(new_sqlite(), settings=READER) as nacre:
        scope = nacre.scope("a", user="meera")
        scope.observe("user", "they offered me stage manager and i accepted, so i'm the stage manager now")

        assert any("stage manager" in told for told in beliefs(scope))


@pytest.mark.parametrize("user", ["user", "walter"])
def test_a_first_name_is_of_the_user_who_gave_the_whole_name(new_sqlite, user):
    with Nacre(new_sqlite(), settings=READER) as nacre:
        scope = nacre.scope("a", user=user)
        scope.observe("user", "hi im rosa delgado, i bind books")
        scope.observe("user", "Rosa is vegetarian. Rosa Lindgren is a vet.")
        told = beliefs(scope)

    assert f"{user} diet/general/diet vegetarian" in told
    assert not any("vet" in each.split() for each in told if each.startswith(user))


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("im doing slimming world with my sister breege on wednesdays", "meera family_of Breege"),
        ("two grown lads, fergal and conor", "meera family_of Fergal"),
        ("married to declan, he drives the recycling lorry", "Declan work/general/role drives the recycling lorry"),
        ("mi hermana maricarmen vive en soria", "Maricarmen lives_in Soria"),
        ("picking up nana and the kids from the station", "meera relations/general/relatives nana"),
        ("my husband is cathal", "meera partner_of Cathal"),
    ],
)
def test_a_name_in_small_letters_is_a_person_though_no_list_has_it(new_sqlite, said, known):
    with Nacre(new_sqlite(), settings=READER) as nacre:
        scope = nacre.scope("a", user="meera")
        scope.observe("user", said)

        assert known in beliefs(scope)


@pytest.mark.parametrize(
    ("said", "words", "name"),
    [
        ("with my sister breege", "breege", "Breege"),
        ("with my sister breege", "my sister breege", "Breege"),
        ("the lads are here", "the lads", None),
        ("our breege is here", "breege", None),
        ("two kids", "two kids", None),
        ("both dads came", "dads", None),
        ("lives with ama serwaa", "ama serwaa", "Ama Serwaa"),
    ],
)
def test_words_for_people_are_no_names(said, words, name):
    start = said.index(words)
    span = TextSpan(turn=0, start=start, end=start + len(words), text=words)

    named = unlisted_name(said, EntityReading(span=span, kind=EntityKind.PERSON, confidence=0.9))

    assert named == name


def test_a_relation_is_found_behind_letters_that_are_two_in_small():
    said = "İİİ, my sister breege"
    start = said.index("breege")

    assert relation_before(said, TextSpan(turn=0, start=start, end=len(said), text="breege")) == "sister"


@pytest.mark.parametrize(
    ("told", "partners"),
    [
        (("married to declan, he drives a lorry", "conor and herself moved in with us til easter"), {"Declan"}),
        (("my brother sean stays with me", "sean and i are off to cork for the weekend"), set()),
        (("married to declan, he drives a lorry", "declan and i are off to cork"), {"Declan"}),
        (("Carys and I go Thursdays these days",), set()),
        (("Javi ha abierto un bar en Zaragoza con su mujer, Elena",), set()),
    ],
)
def test_who_comes_to_a_couple_and_a_relative_is_no_partner(new_sqlite, told, partners):
    with Nacre(new_sqlite(), settings=READER) as nacre:
        scope = nacre.scope("a", user="meera")
        for place, said in enumerate(told):
            scope.observe("user", said, session=f"s{place}")

        assert {each.rpartition(" ")[2] for each in beliefs(scope) if "partner" in each} == partners


@pytest.mark.parametrize(
    ("told", "now", "later"),
    [
        (("I work at Tesco", "last day at tesco tomorrow, finally"), {"Tesco"}, set()),
        (("I work at Tesco", "last week in rome was lovely"), {"Tesco"}, {"Tesco"}),
        (("first day at the bakery today",), {"bakery"}, {"bakery"}),
        (("today was my first day at Siemens",), {"Siemens"}, {"Siemens"}),
        (("First morning at the Tamworth payroll office. They have a cat!",), {"office"}, {"office"}),
        (("first day at the gym and i'm dead",), set(), set()),
        (("I'm starting at Google next week as a recruiter",), set(), {"Google"}),
        (("hoping to start at Google next week",), set(), set()),
        (("i started at Lidl in may, if you don't mind",), {"Lidl"}, {"Lidl"}),
        (("I work at Tesco", "got a job at Aldi, I start next monday"), {"Tesco"}, {"Aldi"}),
        (("trabajo en Repsol", "he encontrado trabajo en Indra, empiezo el lunes que viene"), {"Repsol"}, {"Indra"}),
    ],
)
def test_a_job_begins_and_ends_on_its_day(new_sqlite, clock, told, now, later):
    """What begins next week is no plan that lapses then: it holds from that day on."""

    def jobs(scope):
        return {each.rpartition(" ")[2] for each in beliefs(scope) if "works_at" in each}

    with Nacre(new_sqlite(), settings=READER, clock=clock) as nacre:
        scope = nacre.scope("a", user="meera")
        for place, said in enumerate(told):
            scope.observe("user", said, session=f"s{place}")
            clock.advance(hours=1)

        assert jobs(scope) == now
        clock.advance(days=14)
        assert jobs(scope) == later


@pytest.mark.parametrize(
    ("said", "tie"),
    [
        ("My husband Alun can't eat gluten.", "meera partner_of Alun"),
        ("My sister Bethan doesn't drive.", "meera family_of Bethan"),
        ("My boss, Keith, won't approve it.", "meera reports_to Keith"),
        ("Our dog Rufus never barks.", "meera owns Rufus"),
        ("Mi marido Alun no come gluten.", "meera partner_of Alun"),
        ("My sister Bethan used to live in Cardiff.", "meera family_of Bethan"),
    ],
)
def test_what_somebody_does_not_do_denies_not_what_they_are(new_sqlite, said, tie):
    with Nacre(new_sqlite(), settings=RULES) as nacre:
        scope = nacre.scope("a", user="meera")
        scope.observe("user", said)

        assert tie in beliefs(scope)


@pytest.mark.parametrize("said", ["My husband is not Alun.", "Alun isn't my husband any more."])
def test_who_is_said_not_to_be_somebody_is_not(new_sqlite, said):
    with Nacre(new_sqlite(), settings=RULES) as nacre:
        scope = nacre.scope("a", user="meera")
        scope.observe("user", said)

        assert [each for each in beliefs(scope) if "partner_of" in each] == []


@pytest.mark.parametrize(
    "said",
    [
        "My sister Bethan came over with her two cats, Pip and Sooty.",
        "Met Tom with his wife, Elena.",
        "Laura's brother Pete is a cook.",
    ],
)
def test_who_is_anothers_is_not_ones_own(new_sqlite, said):
    with Nacre(new_sqlite(), settings=READER) as nacre:
        scope = nacre.scope("a", user="meera")
        scope.observe("user", said)

        own = {each.rpartition(" ")[2] for each in beliefs(scope) if each.startswith("meera ")}
        assert own.isdisjoint({"Pip", "Sooty", "Elena", "Pete"})


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("my gf loves peonies and hates roses, her name's Maeve", {"meera partner_of Maeve", "Maeve prefers peonies"}),
        ("I am married to a beekeeper. Her name is Ottilie.", {"meera partner_of Ottilie"}),
        ("my mum's name is Halina and she's a midwife", {"meera family_of Halina", "Halina work/general/role midwife"}),
        ("My boss is Renske Vos and she hates olives.", {"meera reports_to Renske Vos", "Renske Vos dislikes olives"}),
        ("Ines, who's my roommate, is vegan.", {"meera knows Ines"}),
        ("Peter from accounting is my cousin.", {"meera family_of Peter"}),
        ("Remind me to send a card, my godmother Agnes is 80.", {"meera family_of Agnes"}),
        ("It's for my niece Zuzana.", {"meera family_of Zuzana"}),
    ],
)
def test_who_is_named_anywhere_is_known_by_that_name(new_sqlite, said, known):
    with Nacre(new_sqlite(), settings=RULES) as nacre:
        scope = nacre.scope("a", user="meera")
        scope.observe("user", said)

        assert known <= beliefs(scope)


@pytest.mark.parametrize(
    "said",
    [
        "Is my boss called Renske?",
        "My sister has a dog and Tom has a cat, his name is Rex.",
        "La perrita de mi amiga Ximena se llama Frida.",
        "My boss said the book is called Emma.",
    ],
)
def test_a_name_of_somebody_or_something_else_is_not_theirs(new_sqlite, said):
    with Nacre(new_sqlite(), settings=RULES) as nacre:
        scope = nacre.scope("a", user="meera")
        scope.observe("user", said)

        own = {each.rpartition(" ")[2] for each in beliefs(scope) if each.startswith("meera ")}
        assert own.isdisjoint({"Renske", "Rex", "Frida", "Emma"})


def test_a_partner_is_not_called_family_as_well(new_sqlite):
    with Nacre(new_sqlite(), settings=RULES) as nacre:
        scope = nacre.scope("a", user="meera")
        scope.observe("user", "My husband Alun drives a lorry.")
        scope.learned()
        read = Fact(
            subject=Voice.USER,
            predicate="family_of",
            object=NamedEntity(name="Alun", type=EntityType.PERSON, start=0, end=4),
            quote=(0, 4),
            confidence=0.8,
            rule="reader.family",
        )
        with nacre.parts.database.read(scope.scope) as tx:
            people = NameDirectory(tx, "meera")
            people.read(["Alun", "meera"])
            subject = partial(people.subject, speaker=None)
            left = ties.without_bystanders(tx, [read], "Alun came along.", subject, people.people_called)

        assert left == ()


@pytest.mark.parametrize("letter", ["İ", "ı"])
def test_a_letter_that_patterns_take_for_an_i_stops_nothing(letter):
    sister = extract(f"My s{letter}ster Lotte lives in Ghent.", at=AT).facts
    status = extract(f"I'm marr{letter}ed.", at=AT).facts

    assert [(fact.subject.name, fact.predicate) for fact in sister if fact.object and fact.object.name == "Ghent"]
    assert {fact.value for fact in status} <= {f"marr{letter}ed"}


@pytest.mark.parametrize(
    ("words", "after", "ruled_out"),
    [
        ("drive a beat", " up 2012 Fiesta", True),
        ("coach my daughter's football team", ".", True),
        ("drive a school bus", "", False),
        ("drives a lorry", " for DHL", False),
        ("coach of the first team", "", False),
    ],
)
def test_who_drives_a_car_or_coaches_a_child_has_no_job_by_it(words, after, ruled_out):
    assert is_ruled_out("role", words, after) is ruled_out
