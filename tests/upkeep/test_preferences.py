"""What the user durably wants is inferred from how often and in what tone it was said."""

import pytest

from nacre.domain.dreams import Method, PassName, PassStatus
from nacre.domain.errors import Unavailable
from nacre.memory import conversations
from nacre.store.evidence import turns
from nacre.store.work import usage
from nacre.upkeep import breakers, preferences, rule_preferences
from nacre.upkeep.cycles import Dreamer
from nacre.upkeep.preferences import CATEGORY, PERMISSION, READER, PreferencePass
from tests.upkeep.desk import Desk

PREFERENCES = PassName.PREFERENCES

pytestmark = pytest.mark.spec("D3")


def infer(desk: Desk, **given):
    return desk.run(PREFERENCES, **given)


def inferred(desk: Desk):
    return {content: memory for content, memory in desk.current().items() if memory.category == CATEGORY}


def unread(desk: Desk) -> int:
    return len(conversations.unread(desk.parts.database, desk.scope.scope, READER, limit=100))


@pytest.mark.spec("D5")
@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["I told you already, stop using emojis!"], 1),
        (["Please stop using emojis"], 0),
        (["Please stop using emojis", "please don't use emojis again"], 1),
        (["Prefer short answers? I prefer short answers"], 0),
        (["I prefer short answers", "I'd prefer short answers"], 0),
        (["I prefer short answers", "I'd prefer short answers", "short answers are what I prefer, I prefer them"], 1),
        (["Keep it short please"] * 3, 1),
        (["Keep it short please, keep it short please, keep it short please"], 0),
        (["¡Te he dicho mil veces que no uses emojis!"], 1),
        (["Por favor, no uses emojis", "Otra vez: no uses emojis"], 1),
        (["Prefiero respuestas breves"] * 3, 1),
        (["Prefiero respuestas breves"] * 2, 0),
        (["Always use 2 spaces", "Always use 4 spaces", "Always use 8 spaces"], 0),
        (["Always use tabs", "Never use tabs", "I prefer spaces"], 0),
        (["hello", "send the report to Bruno", "thanks!"], 0),
    ],
)
def test_once_if_irritated_twice_if_frustrated_three_times_in_passing(desk, texts, expected):
    desk.say(*texts)

    report = infer(desk)

    assert len(inferred(desk)) == expected
    assert (report.method, report.counts["inferred"]) == (Method.RULES, expected)


def test_an_inferred_preference_says_so_and_rests_on_the_exact_words(desk):
    desk.say("Hi there. Please stop using emojis", "No. Please don't use emojis!")

    infer(desk)

    (memory,) = inferred(desk).values()
    assert memory.content == "The user asked: Please don't use emojis!"
    assert memory.tags == ("inferred",)
    assert memory.metadata["source"] == "inferred"
    assert memory.metadata["occurrences"] == "2"
    assert PERMISSION not in memory.metadata
    quotes = {each.quote for each in desk.scope.memories.evidence(memory.id)}
    assert quotes == {"Please stop using emojis", "Please don't use emojis!"}
    (record,) = [each for each in desk.scope.history() if each.operation == "infer_preference"]
    assert record.actor == "dream"


@pytest.mark.parametrize(
    "text", ["I told you already, never store my password!", "¡Te he dicho ya que no pongas mi tarjeta en los pagos!"]
)
def test_security_credentials_and_money_need_permission(desk, text):
    desk.say(text)

    infer(desk)

    (memory,) = inferred(desk).values()
    assert memory.metadata[PERMISSION] == "true"


def test_only_the_user_is_heard(desk):
    desk.say(*["Stop using emojis!!"] * 3, role="assistant")

    infer(desk)

    assert inferred(desk) == {}


def test_the_log_is_consumed_whether_or_not_something_was_inferred(desk):
    desk.say("hello")
    assert unread(desk) == 1

    infer(desk)

    assert unread(desk) == 0
    assert len(desk.scope.conversations.last("s1")) == 1, "consumed is not lost"


def test_what_was_said_before_the_last_cycle_still_counts(desk, clock):
    for _ in range(3):
        desk.say("I prefer short answers")
        infer(desk)
        clock.advance(days=1)

    assert len(inferred(desk)) == 1


def test_what_is_inferred_again_reinforces_and_does_not_repeat(desk, clock):
    for text in ("I told you already: stop using emojis!", "Ugh, stop using emojis!!", "Seriously, no emojis!!"):
        desk.say(text)
        infer(desk)
        clock.advance(days=1)

    (memory,) = inferred(desk).values()
    assert memory.reinforced == 2
    assert len(desk.scope.memories.evidence(memory.id)) == 3


def test_nothing_is_inferred_twice_from_the_same_words(desk):
    desk.say("I told you already: stop using emojis!")
    infer(desk)

    assert infer(desk).changes == ()
    (memory,) = inferred(desk).values()
    assert memory.reinforced == 0


def test_nothing_is_consumed_when_the_pass_fails(desk, monkeypatch):
    desk.say("I told you already: stop using emojis!")

    def fail(*_: object) -> None:
        raise Unavailable("The database is away.")

    monkeypatch.setattr(preferences, "keep", fail)
    assert infer(desk).status is PassStatus.FAILED
    monkeypatch.undo()

    assert unread(desk) == 1
    assert len(infer(desk).changes) == 1


def test_a_dry_run_changes_nothing_and_reports_the_same(desk):
    desk.say("I told you already: stop using emojis!")

    dry = infer(desk, dry_run=True)

    assert (unread(desk), inferred(desk)) == (1, {})
    assert infer(desk).changes == dry.changes
    assert len(dry.changes) == 1


def test_an_empty_memory_is_no_reason_to_infer_nothing(desk):
    desk.say("I told you already: stop using emojis!")

    consolidation, preference, _ = desk.dream().passes

    assert consolidation.counts["entries"] == 0
    assert len(preference.changes) == 1


def test_a_shared_memory_holds_what_one_user_wants_with_the_words(nacre, desk):
    nacre.agent("assistant").share(memory=True)
    desk.say("I told you already: stop using emojis!")

    infer(desk)

    (match,) = nacre.scope("assistant", user="bruno").memories.search()
    assert [each.quote for each in nacre.scope("assistant", user="bruno").memories.evidence(match.memory.id)] == [
        "I told you already: stop using emojis!"
    ]


def test_rules_infer_no_more_than_a_memory_may_grow(desk):
    desk.say(
        *(f"I told you already: never mention {word}!" for word in ("cats", "dogs", "fish", "birds", "cows", "bees"))
    )

    report = infer(desk)

    assert len(report.changes) == 5
    assert "1 more" in report.notes[0]


def test_a_long_log_is_read_in_several_cycles(desk, monkeypatch):
    monkeypatch.setattr(preferences, "MAX_TURNS", 2)
    monkeypatch.setattr(preferences, "LOOK_BACK", 0)
    desk.say("hello", "hello again", "good morning")

    assert infer(desk).waiting == 1
    assert unread(desk) == 1
    assert infer(desk).waiting == 0


def preference(content="The user wants no emojis.", *, turns=("T1",), quote="stop using emojis", **more):
    occurrences = [{"turn": turn, "quote": quote} for turn in turns]
    return {"toSave": [{"content": content, "occurrences": occurrences, **more}]}


def test_a_model_names_the_turns_and_the_host_counts_them(desk, service):
    desk.say("please stop using emojis", "hm", "again: stop using emojis")
    service.answer = lambda _question: preference(turns=("T1", "T3"), sentiment="mildly_frustrated", tags=["Style"])

    report = infer(desk)

    (memory,) = inferred(desk).values()
    assert (report.method, memory.content) == (Method.MODEL, "The user wants no emojis.")
    assert memory.tags == ("inferred", "style")
    assert memory.metadata["occurrences"] == "2"
    assert {each.quote for each in desk.scope.memories.evidence(memory.id)} == {"stop using emojis"}
    assert unread(desk) == 0
    assert (report.input_tokens, report.output_tokens) == (100, 10)
    with desk.parts.database.read(desk.scope.scope) as tx:
        assert [each.purpose for each in usage.totals(tx)] == ["dream/preferences"]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (preference(turns=("T1",), sentiment="minor"), "too few"),
        (preference(turns=("T1", "T1", "T1"), sentiment="minor"), "too few"),
        (preference(turns=("T1",), sentiment="very_irritated"), "too few"),
        (preference(turns=("T9",)), "none"),
        (preference(turns=()), "none"),
        (preference(turns=("T1", "T2"), quote="stop using tables"), "none"),
        (preference(turns=("T1", "T2"), quote="  "), "none"),
        (preference("Zoltan wants no emojis.", turns=("T1", "T2"), sentiment="mildly_frustrated"), "Zoltan"),
        (preference("Pay 9000 euros, no emojis", turns=("T1", "T2"), sentiment="mildly_frustrated"), "9000"),
        (
            preference("The user wants all doors open", turns=("T1", "T2"), sentiment="mildly_frustrated"),
            "nothing to do",
        ),
        (preference("emojis " * 200, turns=("T1", "T2"), sentiment="mildly_frustrated"), "content"),
    ],
)
def test_a_preference_without_enough_exact_words_behind_it_is_refused(desk, service, reply, why):
    desk.say("maybe stop using emojis", "do stop using emojis", "hm")
    service.answer = lambda _question: reply

    report = infer(desk)

    assert inferred(desk) == {}
    assert [why in each.why for each in report.refused] == [True]
    assert unread(desk) == 0, "consumed all the same"


def test_a_model_cannot_quote_the_agent(desk, service):
    desk.say("stop using emojis!!", role="assistant")
    service.answer = lambda _question: preference(sentiment="very_irritated")

    assert len(infer(desk).refused) == 1


def test_a_model_may_hear_frustration_but_fury_only_where_it_is(desk, service):
    desk.say("I told you already: stop using emojis!")
    service.answer = lambda _question: preference(sentiment="minor")

    assert len(infer(desk).changes) == 1


def test_a_model_cannot_deny_that_permission_is_needed_but_may_ask_for_it(desk, service):
    desk.say("stop using my password!!", "stop using emojis!!")
    service.answer = lambda _question: {
        "toSave": [
            *preference("No use of the password", turns=("T1",), quote="stop using my password")["toSave"],
            *preference(turns=("T2",), requires_user_permission=True)["toSave"],
        ]
    }

    infer(desk)

    assert [each.metadata.get(PERMISSION) for each in inferred(desk).values()] == ["true", "true"]


@pytest.mark.spec("D5")
@pytest.mark.parametrize("mood", ["failing", "garbage", "chatty"])
def test_without_a_usable_reply_rules_infer_and_the_report_says_so(desk, service, mood):
    desk.say("I told you already: stop using emojis!")
    service.mood = mood

    report = infer(desk)

    assert (report.method, len(report.changes)) == (Method.RULES, 1)
    assert "rules did the work" in report.notes[0]
    assert unread(desk) == 0


def test_a_model_that_floods_the_memory_opens_the_breaker_and_nothing_is_read(desk, service):
    desk.say("I told you already: stop using emojis!")
    service.answer = lambda _question: {"toSave": preference()["toSave"] * 6}

    assert infer(desk).status is PassStatus.PAUSED
    assert (unread(desk), inferred(desk)) == (1, {})
    assert infer(desk).status is PassStatus.PAUSED

    breakers.reset(desk.parts.memories, desk.scope.scope, PREFERENCES)
    service.answer = lambda _question: preference()
    assert infer(desk).status is PassStatus.DONE


def test_a_directive_file_takes_the_place_of_the_prompt(desk, service, tmp_path):
    (tmp_path / "pref-dream.md").write_text("Listen for gardeners.")
    desk.say("hello")
    own = PreferencePass(desk.parts.memories, desk.parts.embedder, directives=tmp_path)

    Dreamer(desk.parts.database, lambda: [own], desk.model).dream(desk.scope.scope)

    assert "Listen for gardeners" in str(service.asked[0]["messages"])


def test_two_cycles_at_once_do_not_count_the_same_words_twice(desk, monkeypatch):
    desk.say("I told you already: stop using emojis!")
    original = rule_preferences.infer_by_rules

    def meanwhile(*given):
        with desk.parts.database.write(desk.scope.scope) as tx:
            turns.advance_cursor(tx, READER, turns.last_place(tx))
        return original(*given)

    monkeypatch.setattr(rule_preferences, "infer_by_rules", meanwhile)

    assert infer(desk).changes == ()
    assert inferred(desk) == {}
