"""The reader that ships: what it finds in plain talk, where it says it stands, and what it leaves alone."""

import pytest

from nacre.models import local_reader
from nacre.models.local_reader import LocalReader
from nacre.models.reader_windows import LENGTH, TARGET, TurnTokenizer, windows
from nacre.models.readings import Conversation, EntityKind, FactReading, SpokenTurn, SubjectKind, TurnReading
from nacre.models.static_embedder import DATA as VOCABULARY

TALK = Conversation(
    (
        SpokenTurn("Ana", "Hi Tom! I moved to Lisbon last month and I work at Bolt now."),
        SpokenTurn("Tom", "Nice! My sister Clara lives there too, she's a nurse."),
        SpokenTurn("Ana", "I gave up tennis by the way. I don't eat meat any more either."),
    )
)


@pytest.fixture(scope="module")
def reader() -> LocalReader:
    return local_reader.load()


@pytest.fixture(scope="module")
def readings(reader: LocalReader) -> list[TurnReading]:
    return reader.read([TALK])[0]


def fact_of(readings: list[TurnReading], words: str) -> FactReading:
    return next(fact for reading in readings for fact in reading.facts if fact.object.text == words)


@pytest.mark.parametrize(
    ("words", "predicate", "subject", "mode"),
    [
        ("Lisbon", "lives_in", SubjectKind.SPEAKER, "now"),
        ("Bolt", "works_at", SubjectKind.SPEAKER, "now"),
        ("Clara", "family", SubjectKind.SPEAKER, "now"),
        ("tennis", "hobby", SubjectKind.SPEAKER, "ended"),
        ("meat", "diet", SubjectKind.SPEAKER, "not"),
    ],
)
def test_a_plain_statement_is_read(readings, words, predicate, subject, mode):
    fact = fact_of(readings, words)

    assert (fact.predicate, fact.subject, fact.mode) == (predicate, subject, mode)


def test_a_fact_about_another_names_the_one_it_is_about(readings):
    fact = fact_of(readings, "nurse")

    assert fact.subject is SubjectKind.MENTION
    assert fact.mention is not None
    assert (fact.mention.turn, fact.mention.text) == (1, "Clara")


def test_time_words_belong_to_their_fact(readings):
    time = fact_of(readings, "Lisbon").time

    assert time is not None
    assert time.text == "last month"


def test_spans_are_the_characters_of_their_turn(readings):
    spans = [
        span for each in readings for fact in each.facts for span in (fact.object, fact.mention, fact.time) if span
    ]
    spans += [entity.span for each in readings for entity in each.entities]

    assert spans
    assert all(TALK.turns[span.turn].text[span.start : span.end] == span.text for span in spans)


def test_entities_have_types(readings):
    kinds = {entity.span.text: entity.kind for each in readings for entity in each.entities}

    assert kinds["Lisbon"] is EntityKind.PLACE
    assert kinds["Clara"] is EntityKind.PERSON


def test_turns_before_the_first_are_context_only(reader):
    alone = reader.read([Conversation(TALK.turns, first=2)])[0]

    assert [each.turn for each in alone] == [2]
    assert "tennis" in {fact.object.text for fact in alone[0].facts}


def test_small_talk_and_questions_say_nothing(reader):
    idle = Conversation((SpokenTurn("Ana", "Good morning, how are you?"), SpokenTurn("Tom", "Haha thanks, you too!")))

    assert [each.facts for each in reader.read([idle])[0]] == [(), ()]


def test_a_higher_threshold_keeps_the_surest(reader, readings):
    surest = [fact for each in reader.read([TALK], threshold=0.95)[0] for fact in each.facts]

    assert 0 < len(surest) < sum(len(each.facts) for each in readings)
    assert all(fact.confidence >= 0.95 for fact in surest)


def test_each_conversation_gets_its_own_readings(reader):
    other = Conversation((SpokenTurn("user", ""), SpokenTurn("user", "I live in Oslo.")))

    empty, oslo = reader.read([Conversation(()), other])

    assert empty == []
    assert [each.turn for each in oslo] == [0, 1]
    assert fact_of(oslo, "Oslo").predicate == "lives_in"


def test_a_long_turn_is_read_to_its_end(reader):
    text = "The weather was grey and nothing much happened at all. " * 60 + "I live in Oslo."

    readings = reader.read([Conversation((SpokenTurn("user", text),))])[0]

    assert fact_of(readings, "Oslo").object.start == text.index("Oslo")


def test_odd_characters_keep_their_places(reader):
    text = "\ud83d 👋🏽 I live in İzmir 🏠, and my dog is called Çılgın."

    readings = reader.read([Conversation((SpokenTurn("\udfff", text),))], threshold=0.1)[0]

    for fact in readings[0].facts:
        assert text[fact.object.start : fact.object.end] == fact.object.text


def test_no_window_is_too_long():
    tokenizer = TurnTokenizer(VOCABULARY / "vocab.txt")
    turns = [SpokenTurn("A rather long name of somebody", "word " * size) for size in (1, 400, 3, TARGET, 90, 7, 1)]

    made = list(windows(tokenizer.segments(turns)))

    assert max(map(len, made)) <= LENGTH
    assert sum(int(window.targets().sum()) for window in made) == sum(len(turn.text.split()) for turn in turns)
