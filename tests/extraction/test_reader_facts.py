"""What the reader finds becomes the same facts that rules find: by one table, through the same guards."""

from datetime import UTC, datetime, timedelta

import pytest

from bench.kills import graph
from nacre import Nacre, Settings, Turn
from nacre.domain.entities import EntityType
from nacre.domain.facts import NamedEntity, Polarity, Voice
from nacre.domain.links import PREDICATES as LINKS
from nacre.extraction.reader_forms import FORMS
from nacre.models import local_reader
from nacre.models.readings import (
    PREDICATES,
    EntityKind,
    EntityReading,
    FactReading,
    SpokenTurn,
    SubjectKind,
    TextSpan,
)
from tests.extraction.readings import found, read, span

pytestmark = pytest.mark.spec("N10")

READER = Settings(worker="off", embedder="off", extraction="reader")


def test_every_predicate_of_the_reader_has_one_form():
    assert set(FORMS) == set(PREDICATES)
    assert {form.link for form in FORMS.values()} - {None} <= LINKS
    for name, form in FORMS.items():
        assert form.link or form.path, name


SUGAR = "cakes with far too much sugar on top"
HELD, OVER = Polarity.STATED, Polarity.RETRACTED
PLACES = {
    "Jess and the lads moved me to *Leith*": ("lives_in", "now", "lives_in", "Leith", HELD),
    "big fan of *pickled herring*": ("likes", "now", "prefers", "pickled herring", HELD),
    "*herring* does nothing for me": ("likes", "not", "dislikes", "herring", HELD),
    "*meat* is off my plate": ("diet", "not", "diet/general/avoids", "meat", HELD),
    "so it is back to *crumpets* for breakfast": ("diet", "not", "diet/general/diet", "crumpets", HELD),
    "could not get by without *crumpets*": ("diet", "not", "diet/general/diet", "crumpets", HELD),
    "finally gone full *vegan*": ("diet", "ended", "diet/general/diet", "vegan", HELD),
    "the *vegan* thing was not for me": ("diet", "not", "diet/general/diet", "vegan", OVER),
    "*squash* is over for me": ("hobby", "ended", "leisure/general/hobbies", "squash", OVER),
    "Ten years at the *quarry*": ("works_at", "past", "works_at", "quarry", OVER),
    "*Climbed Ben Nevis* at last": ("did", "past", "life/general/events", "Climbed Ben Nevis", HELD),
    "Off to *Leith* for good next year": ("lives_in", "plan", "plans/general/plans", "live in Leith", HELD),
    "*Kiwis* make my throat close, allergic": ("health", "now", "health/general/allergy", "Kiwis", HELD),
    "There is a pen in my bag for the *nut allergy*": ("health", "now", "health/general/allergy", "nut", HELD),
    "gave up the Sunday job at the *garden centre*": ("works_at", "now", "works_at", "garden centre", OVER),
    "blood thinners, *apixaban* till may": ("health", "now", "health/general/medicines", "apixaban", HELD),
    "done with *simvastatin* for good": ("health", "now", "health/general/medicines", "simvastatin", OVER),
    "me and *Craig* are splitting up": ("partner", "now", "partner_of", "Craig", OVER),
    "we split the rent, *Craig* and me": ("partner", "now", "partner_of", "Craig", HELD),
    "there is a *cargo bike* for my commute": ("owns", "now", "owns", "cargo bike", HELD),
    "started *feeling dizzy* again": ("health", "now", "health/general/conditions", "feeling dizzy", HELD),
    "got her a *skateboard* in the end": ("bought", "now", "life/general/purchases", "skateboard", HELD),
    "Drop me a line: *jo@mail.example*": ("contact", "now", "profile/contact/email", "jo@mail.example", HELD),
    f"I have a soft spot for *{SUGAR}*": ("likes", "now", "taste/general/likes", SUGAR, HELD),
}


@pytest.mark.parametrize("marked", PLACES)
def test_a_reading_finds_its_place_in_the_graph(marked):
    predicate, mode, place, value, polarity = PLACES[marked]
    text, words = marked.replace("*", ""), marked.split("*")[1]
    [fact] = read(text, found(text, words, predicate, mode=mode))

    assert (fact.predicate or fact.path, fact.object.name if fact.object else fact.value) == (place, value)
    assert (fact.subject, fact.polarity) == (Voice.USER, polarity)
    assert words in text[slice(*fact.quote)]


@pytest.mark.parametrize(
    ("text", "words", "predicate", "more"),
    [
        ("Would you move to Leith?", "Leith", "lives_in", {}),
        ("If I lived in Leith I would walk more.", "Leith", "lives_in", {}),
        ("`export CITY=Leith` does it", "Leith", "lives_in", {}),
        ("My password is swordfish", "swordfish", "other", {}),
        ("I finally watched it", "watched it", "did", {"mode": "past"}),
        ("We went there", "there", "visited", {"mode": "past"}),
        ("I might use Notion", "Notion", "uses", {}),
        ("Leith, probably", "Leith", "lives_in", {"predicate_confidence": 0.3}),
        ("It was twelve euros", "twelve euros", "cost", {}),
        ("moved my phone over to Telemach", "Telemach", "lives_in", {}),
        ("a flat would be nice, this one's on Bellenden Road", "Bellenden Road", "lives_in", {}),
        ("im in Oslo for a conference", "Oslo", "lives_in", {}),
        ("then a couple of years in Nairobi", "Nairobi", "lives_in", {}),
        ("and I get a whole day in the instrument museum", "instrument museum", "works_at", {}),
        ("signed up as a volunteer at the raptor centre", "raptor centre", "works_at", {}),
        ("just took over from Birgit", "Birgit", "works_at", {}),
        ("a house in York, max 1150 a month", "1150 a month", "cost", {}),
        ("they put it up to 10 mg", "10 mg", "uses", {}),
        ("Lotte is over the moon", "Lotte is over the moon", "partner", {}),
        ("Kingsley Hall it is, though the depot near Derby was closer", "Derby", "works_at", {}),
        ("ando hecha un lío", "lío", "role", {}),
        ("se vino conmigo", "conmigo", "lives_in", {}),
        ("I sing alto in the choir", "sing alto", "role", {}),
        ("so it was coeliac and not lactose!!", "lactose", "diet", {"mode": "not"}),
        ("turns out it's not gluten, it's fructose", "gluten", "diet", {"mode": "not"}),
        ("six kids coming, one of them, Oona, swims", "Oona", "family", {}),
        ("and then Baraka's headmaster called", "headmaster", "role", {}),
    ],
)
def test_what_states_nothing_is_not_learned(text, words, predicate, more):
    assert read(text, found(text, words, predicate, **more)) == []


def test_a_role_at_a_place_tells_the_employer():
    text = "so now I run things, head of tills at Monzo since june"
    facts = read(text, found(text, "head of tills", "role"))
    assert [fact.object.name if fact.object else fact.value for fact in facts] == ["head of tills", "Monzo"]

    text = "freelance tiler at home"
    assert [fact.value for fact in read(text, found(text, "freelance tiler", "role"))] == ["freelance tiler"]


def test_nothing_is_told_of_the_place_behind_it():
    text = "deputy head at Bride"
    about = {"subject": SubjectKind.MENTION, "mention": span(text, "Bride")}
    assert read(text, found(text, "deputy head", "role", **about)) == []


@pytest.mark.parametrize(
    ("text", "words", "predicate", "mention"),
    [
        ("courier in Bolton. two lads, Kip and Joss", "Bolton", "lives_in", "Joss"),
        ("two lads, kip (11) and joss", "11", "age", "joss"),
    ],
)
def test_nothing_is_told_of_whom_the_words_do_not_mean(text, words, predicate, mention):
    about = {"subject": SubjectKind.MENTION, "mention": span(text, mention)}

    assert read(text, found(text, words, predicate, **about)) == []


def test_a_rule_wins_on_the_same_words():
    text = "I live in Rome and adore the trams"
    facts = read(text, found(text, "Rome", "visited", mode="past"), found(text, "the trams", "likes"))

    assert [fact.rule for fact in facts] == ["reader.likes"]


def test_a_fact_is_about_whom_its_words_name():
    text = "my sister Ana runs the kitchen now, and the launch slid to May 20"
    ana, launch = span(text, "my sister Ana"), span(text, "the launch")
    person = EntityReading(span=span(text, "Ana"), kind=EntityKind.PERSON, confidence=0.9)
    facts = read(
        text,
        found(text, "runs the kitchen", "role", subject=SubjectKind.MENTION, mention=ana),
        found(text, "May 20", "date", subject=SubjectKind.MENTION, mention=launch, mode="plan"),
        entities=[person],
    )

    said = {fact.path: fact for fact in facts}
    cook = said["work/general/role"].subject
    assert isinstance(cook, NamedEntity)
    assert (cook.name, cook.type) == ("Ana", EntityType.PERSON)
    # Rules keep the day of what has no name with whoever speaks of it.
    assert (said["calendar/general/launch"].subject, said["calendar/general/launch"].value) == (
        Voice.USER,
        "2026-05-20",
    )


def test_somebody_without_a_name_is_known_by_the_relation():
    text = "my older brother fixes boats"
    [fact] = read(
        text, found(text, "fixes boats", "role", subject=SubjectKind.MENTION, mention=span(text, "my older brother"))
    )

    assert (fact.subject, fact.path, fact.value) == (Voice.USER, "relations/brother/role", "fixes boats")


def test_the_one_spoken_to_is_the_other_who_talks():
    text = "your new flat in Leith looks great"
    before = (SpokenTurn("Mara", "Look at this!"),)
    fact = found(text, "Leith", "lives_in", subject=SubjectKind.ADDRESSEE)
    here = FactReading(
        object=TextSpan(1, fact.object.start, fact.object.end, "Leith"),
        predicate="lives_in",
        subject=SubjectKind.ADDRESSEE,
        mention=None,
        mode="now",
        time=None,
        confidence=0.95,
        predicate_confidence=0.95,
    )
    [learned] = read(text, here, speaker="Tom", before=before)

    assert isinstance(learned.subject, NamedEntity)
    assert learned.subject.name == "Mara"
    # An assistant that is spoken to is nobody to learn about.
    assert read(text, here, before=(SpokenTurn("assistant", "Look!"),)) == []


def test_a_plan_is_current_until_its_day_is_over():
    text = "we sign at the notary on May 20"
    [fact] = read(text, found(text, "sign at the notary", "plan", mode="plan", time=span(text, "on May 20")))

    assert (fact.path, fact.valid_to) == ("plans/general/plans", datetime(2026, 5, 21, tzinfo=UTC))


TOLD = (
    ("Ana", "Hi Tom! I moved to Lisbon last month and I work at Bolt now."),
    ("Tom", "Nice! My sister Clara lives there too, she's a nurse."),
    ("Ana", "I gave up tennis by the way. Picked up pottery instead."),
    ("Tom", "We're flying to Oslo in June for Clara's wedding."),
    ("Ana", "Lovely. My boss Henrik is from Oslo, he bakes sourdough at weekends."),
    ("Tom", "Clara moved to Bergen last week, and I finished my first marathon."),
)


def test_a_plan_whose_time_ran_out_before_it_was_learned_is_no_outdated_word(new_sqlite, clock):
    told = clock.now
    clock.advance(days=300)
    with Nacre(new_sqlite(), settings=Settings(worker="off", extraction="reader"), clock=clock) as nacre:
        scope = nacre.scope("agent", user="ana")
        scope.observe("user", "saving for a trip to lisbon in august, got about 600 in the pot so far", at=told)

        assert "600" in scope.context("how much have i saved for lisbon").text


def test_whatever_is_read_together_it_is_the_same_graph(new_sqlite, clock):
    turns = [
        Turn(role="user", text=text, speaker=speaker, session="s", at=clock.now + timedelta(minutes=place))
        for place, (speaker, text) in enumerate(TOLD)
    ]
    with Nacre(new_sqlite(), settings=READER, clock=clock) as nacre:
        one_by_one, batch = nacre.scope("one", user="ana"), nacre.scope("two", user="ana")
        for turn in turns:
            one_by_one.observe_many([turn])
            one_by_one.learned()
        batch.observe_many(turns)
        nacre.settle()
        first, second = graph(nacre, "one"), graph(nacre, "two")

    assert first == second
    assert sum(map(len, first.values())) >= 20


def test_what_is_said_and_what_is_remembered_is_read(new_sqlite):
    with Nacre(new_sqlite(), settings=READER) as nacre:
        scope = nacre.scope("a", user="ana")
        scope.observe("user", "finally ran the Dublin marathon last sunday, legs are toast")
        scope.remember("Clara moved to Bergen last spring and works at the harbour office")

        ends = {
            (link.predicate, scope.graph.get(link.target).name) for link in scope.graph.links("Clara") if link.target
        }
        events = [claim.value for claim in scope.ontology.claims("ana") if claim.slot.claim == "events"]
    assert ("works_at", "harbour office") in ends
    assert any("marathon" in value for value in events)


def test_without_its_runtime_rules_work_alone_and_say_so(new_sqlite, monkeypatch, caplog):
    monkeypatch.setattr(local_reader, "installed", lambda: False)
    with Nacre(new_sqlite(), settings=READER) as nacre:
        scope = nacre.scope("a", user="ana")
        scope.observe("user", "I live in Rome.")

        assert [link.predicate for link in scope.graph.links("Rome")] == ["lives_in"]
    assert "rules alone" in caplog.text


@pytest.mark.parametrize(
    ("text", "words", "predicate", "learned"),
    [
        ("me and my fella dan went hiking", "dan", "partner", ["partner_of Dan"]),
        ("my neighbor's wife Linda is lovely", "Linda", "partner", []),
        ("my ex Tasha texted me", "Tasha", "partner", []),
        ("Rosie and theo tie the knot, wedding in june", "theo", "partner", []),
        ("Rosie and I have our wedding in june", "Rosie", "partner", ["partner_of Rosie"]),
        ("my fella Theo and Rosie planned the wedding", "Theo", "partner", ["partner_of Theo"]),
        ("Callum is scared of heights", "Callum", "family", []),
        ("the kids: Callum is scared of heights", "Callum", "family", ["family_of Callum"]),
        ("tengo que dar un discurso, socorro", "socorro", "role", []),
        ("me han cogido en renfe", "renfe", "lives_in", ["works_at renfe"]),
        ("my bank is Chase and it is slow", "Chase", "name", []),
        ("got a necklace for my sister", "a necklace", "bought", ["life/general/purchases necklace"]),
        ("I'm considering a Nikon", "a Nikon", "owns", []),
        ("Marcus is the grunter lol", "grunter", "role", []),
        ("my brother is getting married, im bridesmaid", "bridesmaid", "role", []),
        ("she is allergic and carries an epipen", "carries an epipen", "health", []),
        ("the wedding of my niece is in Cork", "Cork", "lives_in", []),
        ("the baby cries 2 days", "cries 2 days", "habit", []),
        ("Sam has got my back", "back", "health", []),
        ("lyle finally found work! welder at Hartmann", "welder", "role", []),
        ("got a job! welder in the docks", "welder", "role", ["work/general/role welder"]),
        ("ana ha encontrado curro, camarera en Faro", "Faro", "works_at", []),
        ("soy intolerante y nacho es celiaco", "celiaco", "health", []),
        ("mi tía se llama Rosa, tiene 58", "58", "age", []),
        ("people kept telling me to settle in Bristol", "Bristol", "lives_in", []),
        ("live in Cardiff (Roath)", "Cardiff (Roath", "lives_in", ["lives_in Cardiff"]),
        ("My cousin phoned. Her name is Clara.", "Clara", "name", []),
        ("Clara, 52, bookbinder", "Clara", "name", ["profile/general/name Clara"]),
        ("our son sings on fridays", "our son", "family", ["relations/general/relatives son"]),
        ("i eat anything except mussels", "mussels", "diet", ["diet/general/avoids mussels"]),
        ("mi prima me dice que me mude a Lugo", "Lugo", "lives_in", []),
        ("Nuria trabaja de contable en una gestoría de Lugo", "una gestoría de Lugo", "works_at", []),
        ("Soy Unai, de Getxo", "Getxo", "lives_in", ["profile/general/origin Getxo"]),
    ],
)
def test_words_around_an_object_decide(text, words, predicate, learned):
    facts = read(text, found(text, words, predicate))

    assert [
        f"{fact.predicate or fact.path} {fact.object.name if fact.object else fact.value}" for fact in facts
    ] == learned


@pytest.mark.parametrize(
    ("text", "facts", "learned"),
    [
        ("florist in Salem, Oregon", (("Salem", "lives_in", 0.9), ("Oregon", "lives_in", 0.7)), ["Salem"]),
        ("vegan since may and coeliac", (("vegan", "diet", 0.9), ("vegan since may", "diet", 0.7)), ["vegan"]),
        ("goats and geese, I love them", (("goats", "likes", 0.9), ("geese", "likes", 0.7)), ["goats", "geese"]),
    ],
)
def test_of_what_excludes_each_other_the_surest_is_learned(text, facts, learned):
    made = read(text, *(found(text, words, predicate, confidence=sure) for words, predicate, sure in facts))

    assert [fact.object.name if fact.object else fact.value for fact in made] == learned


def test_a_plan_for_a_day_that_just_passed_was_an_event():
    text = "the conference on March 20 with the team"
    [fact] = read(text, found(text, "conference", "plan", mode="plan", time=span(text, "on March 20")))

    assert (fact.path, fact.valid_from) == ("life/general/events", datetime(2026, 3, 20, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "words", "predicate", "mention", "learned"),
    [
        # Words that deny or end a thing, however they are typed.
        ("his tests are back and he isnt allergic to peanuts", "peanuts", "health", "his", []),
        ("tom doesnt work at the depot any more", "the depot", "works_at", "tom", ["works_at depot retracted"]),
        ("totally off my coffee this week", "coffee", "diet", None, ["diet/general/diet coffee retracted"]),
        (
            "ellie jacked in swimming ages ago",
            "swimming",
            "hobby",
            "ellie",
            ["leisure/general/hobbies swimming retracted"],
        ),
        ("switched from illustrator to affinity", "illustrator", "uses", None, ["uses illustrator retracted"]),
        ("I don't just like tea", "tea", "likes", None, ["prefers tea stated"]),
        # What is somebody else's.
        ("she's got a new best friend called Jean", "Jean", "friend", None, []),
        ("so it has to be gluten free for her", "gluten free", "diet", None, []),
        ("I mostly treat leg ulcers at work", "leg ulcers", "health", None, []),
        ("gp reckons it is a peanut allergy", "peanut allergy", "health", "gp", []),
        ("ok out, going to physio", "physio", "role", None, []),
        ("la pagan el 15 y estamos a 18", "18", "age", None, []),
        ("some swim daily, I get by on my 4", "4", "age", None, []),
        ("three more said yes so we're 31", "31", "age", None, []),
        # The price and the day of another thing.
        ("day rate is 380 here, flat fees are 1400", "1400", "cost", "day rate", []),
        ("we met Joris and it is due on May 20", "May 20", "date", "Joris", []),
        # Addresses stay whole, and two sentences without a space between stay two.
        ("huge fan of herring.its the best", "herring", "likes", None, ["prefers herring stated"]),
    ],
)
def test_words_around_an_object_say_more_than_the_reader(text, words, predicate, mention, learned):
    more = {"subject": SubjectKind.MENTION, "mention": span(text, mention)} if mention else {}
    people = [each for each in ("tom", "ellie", "Joris", "Jean") if each in text]
    entities = [EntityReading(span=span(text, each), kind=EntityKind.PERSON, confidence=0.9) for each in people]

    assert [
        f"{fact.predicate or fact.path} {fact.object.name if fact.object else fact.value} {fact.polarity.value}"
        for fact in read(text, found(text, words, predicate, **more), entities=entities)
    ] == learned


def test_an_address_is_not_cut_at_its_dots():
    text = "staging is at stage.harbor-nl.dev btw"
    where = {"subject": SubjectKind.MENTION, "mention": span(text, "staging")}
    [fact] = read(text, found(text, "stage", "located_in", **where))

    assert fact.value == "stage.harbor-nl.dev"
