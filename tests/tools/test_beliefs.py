"""An agent sets right what is believed, by words, and is told why something is."""

import pytest

from tests.tools.conftest import inside


def test_a_claim_is_corrected_by_words_and_its_past_is_explained(box, clock):
    box["observe"]("My favourite colour is blue.")
    clock.advance(days=10)
    reply = box["correct"]("user", "favourite colour", "green", said="No, my favourite colour is green.")
    assert reply == "ana: favourite colour is now green. It was blue."
    told = inside(box["explain"]("user", "colour"))
    assert told.splitlines() == [
        "ana — taste/general/favourite_colour: green (since 2026-05-11)",
        '  said: "my favourite colour is green" (user)',
        "  decided by extraction on 2026-05-11: favourite_colour holds one value at a time, and green is not blue.",
        "  before: blue (2026-05-01 to 2026-05-11, superseded)",
    ]
    assert inside(box["explain"]("ana", "colour", as_of="2026-05-05")).startswith(
        "ana — taste/general/favourite_colour: blue (since 2026-05-01 until 2026-05-11)"
    )


def test_words_that_extraction_does_not_understand_are_evidence_all_the_same(box):
    box["observe"]("My favourite colour is blue.")
    box["correct"]("ana", "favourite colour", "green", said="Grün, bitte!")
    told = box["explain"]("ana", "favourite colour")
    assert 'said: "Grün, bitte!" (user)' in told
    assert "decided by agent" in told


def test_a_link_is_corrected_and_the_old_one_stays_in_the_past(box, scope, clock):
    scope.graph.link("Ana", "lives_in", "Berlin")
    clock.advance(days=1)
    assert box["correct"]("Ana", "lives in", "Lisbon") == "Ana: lives in is now Lisbon. It was Berlin."
    assert [scope.graph.get(each.target).name for each in scope.graph.links("Ana")] == ["Lisbon"]
    assert "Ana --lives_in--> Lisbon" in box["explain"]("Ana", "lives in")
    assert "  before: Berlin" in box["explain"]("Ana", "lives in")
    assert "Berlin" in box["explain"]("Ana", "lives in", as_of="2026-05-01")


def test_a_link_to_a_plain_value_stays_one(box, scope):
    scope.graph.link("BTC", "has_price", value="50000")
    box["correct"]("BTC", "has price", "60000")
    assert [(each.target, each.value) for each in scope.graph.links("BTC")] == [(None, "60000")]


def test_one_of_several_values_is_corrected_where_the_wrong_one_is_named(box, scope):
    for tool in ("Redis", "Postgres"):
        scope.ontology.add("Ana", "work/tools_used", tool)
    assert box["correct"]("Ana", "tools used", "Valkey") == (
        "invalid: `wrong` is needed, because several values hold: Postgres, Redis. Change the argument and call again."
    )
    box["correct"]("Ana", "tools used", "Valkey", wrong="redis")
    assert {each.value for each in scope.ontology.claims("Ana")} == {"Valkey", "Postgres"}
    assert "must be what is known" in box["correct"]("Ana", "tools used", "Kafka", wrong="Mongo")


def test_words_that_fit_several_things_are_refused(box, scope):
    scope.ontology.set("Ana", "taste/favourite_colour", "blue")
    scope.ontology.set("Ana", "home/wall_colour", "white")
    reply = box["correct"]("Ana", "colour", "green")
    assert reply.startswith("invalid: `what` fits several things: home/general/wall_colour, taste/general/favour")
    assert box["correct"]("Ana", "home/wall_colour", "green").endswith("It was white.")


def test_what_nobody_knew_becomes_known(box, scope):
    assert box["correct"]("Bruno", "shoe size", "43") == ("Bruno: shoe size is now 43. Nothing was known of it before.")
    assert [(str(each.slot), each.value) for each in scope.ontology.claims("Bruno")] == [
        ("general/general/shoe_size", "43")
    ]
    box["correct"]("Bruno", "lives in", "Porto")
    assert [(each.predicate, each.value) for each in scope.graph.links("Bruno")] == [("lives_in", "Porto")]


def test_a_rule_is_not_corrected_away(box, scope):
    scope.ontology.set("Deploys", "policy/friday", "never", kind="constraint")
    assert box["correct"]("Deploys", "friday", "always").startswith("slot_constrained: ")
    assert [each.value for each in scope.ontology.claims("Deploys")] == ["never"]


def test_a_correction_points_at_memories_that_still_say_the_old(box, scope):
    scope.ontology.set("Ana", "taste/favourite_colour", "blue")
    kept = scope.remember("Ana's favourite colour is blue").memory
    scope.remember("Ana's dog is called Blu")
    assert box["correct"]("Ana", "favourite colour", "green").splitlines()[1:] == [
        "Memories that mention the old value; forget those that are wrong:",
        f"- [{kept.short}] Ana's favourite colour is blue",
    ]


def test_saying_it_again_changes_nothing(box, scope):
    box["correct"]("Ana", "favourite colour", "green")
    before = scope.history()
    assert box["correct"]("Ana", "favourite colour", "Green.").startswith("Ana: favourite colour is now Green.")
    assert scope.history() == before


def test_a_correction_can_be_undone(box, scope):
    scope.graph.link("Ana", "lives_in", "Berlin")
    box["correct"]("Ana", "lives in", "Lisbon")
    box["undo"](str(scope.history()[0].batch))
    assert [scope.graph.get(each.target).name for each in scope.graph.links("Ana")] == ["Berlin"]


def test_a_memory_is_explained_by_its_words_and_its_life(box, scope):
    memory = scope.remember("Ana plays the oboe", category="user-preferences/music").memory
    assert inside(box["explain"](f"[{memory.short}]")).splitlines() == [
        f"[{memory.short}] (user-preferences/music, active): Ana plays the oboe",
        '  said: "Ana plays the oboe"',
        "  2026-05-01: remember by caller",
    ]
    assert box["explain"](str(memory.id)) == box["explain"](memory.short)


def test_what_is_not_believed_is_answered_with_what_was_said(box):
    box["observe"]("Zaphod may come on Friday.")
    told = inside(box["explain"]("Zaphod", "arrival"))
    assert told.startswith("Nothing is believed of Zaphod about arrival.")
    assert "Zaphod may come on Friday." in told


def test_much_that_is_believed_is_cut_with_a_hint(box, scope):
    for number in range(12):
        scope.ontology.set("Ana", f"numbers/number_{number:02}", str(number))
    assert inside(box["explain"]("Ana")).endswith("4 more; say `what` to see them.")
    assert inside(box["explain"]("Ana", "number 07")).count("\n") == 2


@pytest.mark.parametrize("name", ["Анна", "東京", 'O\'Neil "Bo"', "a" * 200, "Zoë de la Cruz"])
def test_names_of_any_alphabet_are_corrected_and_explained(box, name):
    box["correct"](name, "favourite colour", "青")
    assert "favourite_colour: 青" in box["explain"](name)


@pytest.mark.parametrize(
    "case", [("city", "Lisbon", "lives_in"), ("employer", "Globex", "works_at"), ("husband", "Marco", "partner_of")]
)
def test_another_word_for_what_is_held_corrects_that(box, scope, clock, case):
    what, value, predicate = case
    for held, target in (("lives_in", "Porto"), ("works_at", "Acme"), ("partner_of", "Frank")):
        scope.graph.link("Ines", held, target)
    clock.advance(days=1)
    box["correct"]("Ines", what, value)

    links = [link for link in scope.graph.links("Ines") if link.predicate == predicate]
    assert [scope.graph.get(link.target).name for link in links] == [value]
    assert len(scope.graph.links("Ines")) == 3
    assert scope.ontology.claims("Ines") == []


def test_a_correction_ends_what_other_words_say(box, scope, clock):
    scope.graph.link("Ines", "lives_in", "Porto")
    scope.ontology.set("Ines", "profile/city", "Porto")
    clock.advance(days=1)
    box["correct"]("Ines", "city", "Lisbon")

    assert [claim.value for claim in scope.ontology.claims("Ines")] == ["Lisbon"]
    assert scope.graph.links("Ines") == []
