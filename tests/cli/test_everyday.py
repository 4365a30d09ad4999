"""`nacre recall` and `nacre context`: what narrows them, and what they say aside."""

import json
import re

import pytest

LAUNCH = "When is the launch of the rocket?"


@pytest.fixture(autouse=True)
def embedder(surroundings: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranking by meaning too, which is what scores were calibrated with."""
    monkeypatch.delenv("NACRE_EMBEDDER")


@pytest.fixture
def told(nacre_command):
    """A brain that was told of a launch."""
    nacre_command("remember", "The rocket launch is on May 3", "--category", "work/rocket")
    nacre_command("remember", "A rocket launch makes Ana nervous", "--category", "taste")
    nacre_command("observe", "The launch of the rocket was moved to the harbour", "--session", "s0")
    return nacre_command


def test_recall_keeps_to_categories_and_what_is_below_them(told):
    def found(*options):
        return {line.split("\t")[-1] for line in told("recall", LAUNCH, *options).out.splitlines()}

    assert found("--category", "work") == {"The rocket launch is on May 3"}
    both = {"The rocket launch is on May 3", "A rocket launch makes Ana nervous"}
    assert found("--category", "work", "--category", "taste") == both
    assert both < found()


def test_recall_says_aside_when_nothing_is_relevant_enough(told):
    assert told("recall", LAUNCH, "--min-score", "0.1").out != ""

    shown = told("recall", LAUNCH, "--min-score", "0.9")

    assert (shown.code, shown.out) == (0, "")
    assert shown.err == "note: Nothing that is known bears on this with a score of 0.9 or more.\nNothing found.\n"


def test_a_context_is_made_as_its_options_say(told):
    plainly = told("context", LAUNCH, "--session", "s1").out
    assert "- [" in plainly
    assert "(work/rocket): The rocket launch is on May 3" not in plainly
    assert "harbour" in plainly

    shown = told("context", LAUNCH, "--block", "recalled_memories", "--block", "conversation").out
    assert "(work/rocket): The rocket launch is on May 3" in shown
    assert "harbour" not in shown
    assert len(told("context", LAUNCH, "--ids").out) > len(plainly)


def test_a_context_begins_with_what_is_known_of_the_user_unless_it_is_not_wanted(nacre_command):
    nacre_command("observe", "I live in Porto", "--user", "ana", "--session", "s0")
    asked = ("context", "Hello there", "--session", "s1", "--user", "ana")

    assert "lives in Porto" in nacre_command(*asked).out
    assert nacre_command(*asked, "--no-profile").out == ""


@pytest.mark.parametrize("options", [("--min-score", "0.9"), ("--seen", "omit")])
def test_a_context_that_is_empty_says_so_aside(told, options):
    told("context", LAUNCH, "--session", "s1")

    shown = told("context", LAUNCH, "--session", "s1", *options)

    assert (shown.code, shown.out) == (0, "")
    assert shown.err == "Nothing that is known bears on this, or it was shown before.\n"


def test_a_context_says_aside_how_much_did_not_fit(told):
    assert told("context", LAUNCH).err == ""
    tight = ("context", LAUNCH, "--budget", "75")
    left_out = json.loads(told(*tight, "--json").out)["left_out"]
    assert left_out > 0
    assert re.fullmatch(rf"note: {left_out} relevant lines? did not fit into the budget\.\n", told(*tight).err)
