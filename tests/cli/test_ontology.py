"""`nacre ontology` and `nacre knowledge`, as people and programs use them."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def told(nacre_command):
    """Runs a command that must succeed, and reads its JSON."""

    def invoke(*arguments: str, stdin: bytes = b""):
        ran = nacre_command(*arguments, "--json", stdin=stdin)
        assert ran.code == 0, ran.err
        return json.loads(ran.out)

    return invoke


def done(report):
    """The one thing that a write came to."""
    [applied] = report["applied"]
    return applied["outcome"]


@pytest.mark.spec("S20")
def test_an_entity_is_made_renamed_pinned_merged_archived_and_back(told):
    ana = done(told("ontology", "entity", "create", "Ana", "--type", "person", "--alias", "Anna", "--property", "k=v"))
    told("ontology", "entity", "rename", "Ana", "Ana Petrova", "--reason", "her whole name")
    told("ontology", "entity", "pin", "Anna")
    assert [each["name"] for each in told("knowledge", "pinned")] == ["Ana Petrova"]
    told("ontology", "entity", "unpin", "Anna")
    told("ontology", "entity", "alias", "Anna", "AP")
    told("ontology", "entity", "unalias", "Anna", "AP")
    for name in ("A. Petrova", "Petrova, A."):
        told("ontology", "entity", "create", name, "--type", "person")
    told("ontology", "entity", "merge", "Anna", "A. Petrova", "Petrova, A.")

    shown = told("ontology", "entity", "show", "Anna")

    assert (shown["id"], shown["name"], shown["properties"]) == (ana["entity"], "Ana Petrova", {"k": "v"})
    assert {"Ana", "Anna", "A. Petrova", "Petrova, A."} <= set(shown["aliases"])
    assert "AP" not in shown["aliases"]
    told("ontology", "entity", "archive", "Anna")
    assert told("knowledge", "entities")["items"] == []
    told("ontology", "entity", "restore", ana["entity"])
    assert [each["entity"]["name"] for each in told("knowledge", "entities", "--type", "person")["items"]] == [
        "Ana Petrova"
    ]


@pytest.mark.spec("S20")
def test_a_claim_is_set_superseded_restored_and_explained(told, nacre_command):
    said = told("observe", "It is green now.")
    colour = ("Ana", "taste/favourite_colour")
    blue = done(told("ontology", "claim", "add", *colour, "blue"))["claim"]
    words = ("--quote", "green now", "--said-in", said["id"], "--reason", "she said so")
    green = done(told("ontology", "claim", "set", *colour, "green", *words))["claim"]
    assert [each["value"] for each in told("ontology", "claim", "versions", *colour)] == ["green", "blue"]
    assert [each["quote"] for each in told("ontology", "claim", "evidence", green)] == ["green now"]
    done(told("ontology", "claim", "supersede", green, "red"))
    assert [each["value"] for each in told("ontology", "claim", "list", "Ana")] == ["red"]
    back = done(told("ontology", "claim", "restore", blue))["claim"]
    [why] = told("ontology", "claim", "explain", back)
    assert why["claim"]["value"] == "blue"
    assert "blue" in nacre_command("ontology", "claim", "explain", "--entity", "Ana").out
    told("ontology", "claim", "archive", back)
    assert told("ontology", "claim", "list", "Ana") == []
    told("ontology", "claim", "declare", "taste/general/favourite_colour", "single")


@pytest.mark.spec("S20")
def test_constraints_give_way_to_force_alone(told, nacre_command):
    told("ontology", "claim", "set", "Deploys", "rules/approval", "two people", "--kind", "constraint")

    refused = nacre_command("ontology", "claim", "set", "Deploys", "rules/approval", "nobody")

    assert refused.code == 1
    assert refused.err.startswith("error: A constraint holds")
    assert done(told("ontology", "claim", "set", "Deploys", "rules/approval", "nobody", "--force"))["claim"]


@pytest.mark.spec("S20")
def test_a_dry_run_changes_nothing_and_a_proposal_waits(told):
    tried = told("ontology", "entity", "create", "Ana", "--dry-run")
    assert (tried["dry_run"], tried["applied"][0]["record"]) == (True, None)
    assert told("knowledge", "entities")["items"] == []
    proposed = told("ontology", "entity", "create", "Ana", "--propose", "--quote", "Ana", "--actor", "reviewer")
    [waiting] = proposed["proposals"]
    assert told("knowledge", "entities")["items"] == []
    assert [each["id"] for each in told("ontology", "proposals", "list", "--status", "pending")] == [waiting["id"]]
    assert [each["quote"] for each in told("ontology", "proposals", "evidence", waiting["id"])] == ["Ana"]
    assert told("ontology", "proposals", "show", waiting["id"])["created_by"] == "reviewer"
    told("ontology", "proposals", "apply", waiting["id"])
    assert len(told("knowledge", "entities")["items"]) == 1
    [second] = told("ontology", "entity", "pin", "Ana", "--propose")["proposals"]
    rejected = told("ontology", "proposals", "reject", second["id"], "--reason", "not now")
    assert rejected["status"] == "rejected"


def test_proposals_that_contradict_each_other_are_shown_together(told, nacre_command):
    for value in ("blue", "green"):
        told("ontology", "claim", "add", "Ana", "taste/favourite_colour", value, "--propose")

    [conflict] = told("ontology", "proposals", "conflicts")

    assert {each["value"] for each in conflict["values"]} == {"blue", "green"}
    assert "favourite_colour" in nacre_command("ontology", "proposals", "conflicts").out


def test_merges_are_planned_and_proposed(told, nacre_command):
    told("ontology", "entity", "create", "Ana", "--slug", "ana-1")
    told("ontology", "entity", "create", "Ana Petrova", "--slug", "ana-2")

    plan = told("ontology", "proposals", "merge-plan", "ana-1", "ana-2", "--propose")

    assert (plan["target"]["slug"], len(plan["proposals"])) == ("ana-1", 1)
    assert "into Ana" in nacre_command("ontology", "proposals", "merge-plan", "ana-1", "ana-2").out
    assert told("ontology", "proposals", "repair", "duplicates") == []


@pytest.mark.spec("S20")
def test_aspects_and_links_have_their_commands(told, nacre_command):
    told("ontology", "entity", "create", "Ana")
    told("ontology", "aspect", "create", "Ana", "taste", "--weight", "0.9")
    told("ontology", "aspect", "rename", "Ana", "taste", "likings")
    assert [each["name"] for each in told("ontology", "aspect", "list", "Ana")] == ["likings"]
    told("ontology", "aspect", "archive", "Ana", "likings", "--reason", "unused")
    link = done(told("ontology", "link", "create", "Ana", "works_on", "Nacre", "--confidence", "0.8"))["link"]
    told("ontology", "link", "update", link, "--strength", "0.4")
    assert [each["event"] for each in told("ontology", "link", "history", link)] == ["insert", "update"]
    assert told("ontology", "link", "evidence", link) == []
    [found] = told("knowledge", "dependencies", "Ana")
    assert (found["link"]["strength"], found["target_name"]) == (0.4, "Nacre")
    assert "works_on" in nacre_command("ontology", "link", "explain", link).out
    told("ontology", "link", "archive", link)
    assert told("ontology", "link", "list", "Ana") == []
    assert done(told("ontology", "link", "create", "Ana", "has_role", "--value", "maintainer"))["links"] == 1
    assert nacre_command("ontology", "link", "create", "Ana", "related_to", "Nacre").code == 2
    told("ontology", "link", "create", "Ana", "related_to", "Nacre", "--reason", "she wrote it")


@pytest.mark.spec("S20")
def test_assertions_have_their_commands(told):
    claim = done(told("ontology", "claim", "set", "Ana", "taste/drink", "tea"))["claim"]
    first = done(told("ontology", "assertion", "add", "Ana", "prefers", "tea", "--speaker", "Bob"))["assertion"]
    told("ontology", "assertion", "link-claim", first, claim)
    assert told("ontology", "assertion", "show", first)["claim"] == claim
    second = done(told("ontology", "assertion", "supersede", first, "green tea"))["assertion"]
    assert [each["content"] for each in told("ontology", "assertion", "list", "--entity", "Ana")] == ["green tea"]
    told("ontology", "assertion", "archive", second)
    assert told("ontology", "assertion", "list") == []
    assert len(told("ontology", "assertion", "list", "--status", "all")) == 2


LINES = [
    {"operation": "create_entity", "payload": {"name": "Ana", "entity_type": "person"}},
    {"operation": "set_claim_value", "payload": {"entity": "Ana", "aspect": "taste", "claim": "drink", "value": "tea"}},
]


@pytest.mark.spec("S20")
@pytest.mark.parametrize("way", ["file", "stdin"])
def test_a_stream_is_applied_from_a_file_or_from_standard_input(told, way):
    lines = "\n".join(map(json.dumps, LINES))
    Path("changes.jsonl").write_text(lines)
    source = {"stdin": b""} if way == "file" else {"stdin": lines.encode()}

    report = told("ontology", "stream", "apply", "changes.jsonl" if way == "file" else "-", **source)

    assert report["count"] == 2
    assert [each["value"] for each in told("ontology", "claim", "list", "Ana")] == ["tea"]


@pytest.mark.spec("S20")
def test_a_dry_run_of_a_stream_tells_all_that_is_wrong_and_fails(nacre_command):
    broken = [*map(json.dumps, LINES), '{"operation": "pin_entity", "payload": {"entity": "Nobody"}}', "not json"]
    Path("changes.jsonl").write_text("\n".join(broken))

    ran = nacre_command("ontology", "stream", "apply", "changes.jsonl", "--dry-run")
    shown = json.loads(nacre_command("ontology", "stream", "apply", "changes.jsonl", "--dry-run", "--json").out)
    applied = nacre_command("ontology", "stream", "apply", "changes.jsonl")

    assert ran.code == 1
    assert "line 3" in ran.out
    assert [each["line"] for each in shown["errors"]] == [3, 4]
    assert (applied.code, applied.err.count("\n")) == (2, 1)


def test_operations_come_as_one_object_or_as_a_list(told, nacre_command):
    Path("one.json").write_text(json.dumps(LINES[0]))
    Path("many.json").write_text(json.dumps({"operations": LINES}))
    Path("text.json").write_text('"Ana"')

    assert done(told("ontology", "operations", "apply", "one.json"))["entities"] == 1
    assert told("ontology", "operations", "batch", "many.json", "--propose")["count"] == 2
    for wrong in (("apply", "many.json"), ("batch", "text.json"), ("apply", "text.json"), ("apply", "nowhere.json")):
        ran = nacre_command("ontology", "operations", *wrong)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)


@pytest.mark.spec("S20")
def test_what_a_file_says_is_shown_proposed_and_put_in_order(told, nacre_command):
    Path("notes.txt").write_text("Marta works at Acme.")

    assert "Found 3, proposed 0" in nacre_command("ontology", "extract", "notes.txt").out
    assert told("ontology", "proposals", "list") == []
    assert len(told("ontology", "extract", "notes.txt", "--propose")["proposals"]) == 3
    told("ontology", "extract", "notes.txt", "--propose")
    assert told("ontology", "consolidate", "--dry-run")["examined"] == 6
    assert "said what others say" in nacre_command("ontology", "consolidate").out
    assert {each["operation"] for each in told("ontology", "proposals", "list", "--status", "rejected")} >= {
        "create_entity"
    }
    assert nacre_command("ontology", "extract").code == 2
    assert nacre_command("ontology", "consolidate", "--use-provider").code == 2


@pytest.mark.spec("S20")
def test_knowledge_is_looked_through_from_entity_to_value(told, nacre_command):
    told("ontology", "claim", "set", "Ana", "taste/drinks/morning", "tea")
    told("ontology", "claim", "set", "Ana", "taste/drinks/evening", "wine")
    told("ontology", "link", "create", "Ana", "works_on", "Nacre")

    assert told("knowledge", "entity", "ana")["attribute_count"] == 2
    assert told("knowledge", "tree", "Ana")["items"][0]["groups"][0]["claim_count"] == 2
    assert [each["aspect"]["name"] for each in told("knowledge", "aspects", "Ana")] == ["taste"]
    assert [each["group_key"] for each in told("knowledge", "groups", "Ana", "taste")] == ["drinks"]
    assert len(told("knowledge", "claims", "Ana", "taste", "drinks")) == 2
    assert [each["value"] for each in told("knowledge", "attributes", "Ana", "taste", "drinks", "morning")] == ["tea"]
    assert told("knowledge", "stats")["entity_count"] == 2
    assert told("knowledge", "health")["links"] == 1
    assert told("knowledge", "expand", "Ana")["entity"]["name"] == "Ana"
    assert len(told("knowledge", "constellation")["entities"]) == 2
    assert told("knowledge", "hygiene")["totals"]["entities"] == 2
    assert told("knowledge", "communities")["items"] == []
    told("knowledge", "refresh-communities")
    for words in (("tree", "Ana"), ("expand", "Ana"), ("hygiene",), ("constellation",), ("stats",), ("entities",)):
        shown = nacre_command("knowledge", *words)
        assert (shown.code, shown.err) == (0, "")
        assert shown.out
    assert "morning: tea" in nacre_command("knowledge", "tree", "Ana").out


def test_names_in_any_alphabet_and_control_characters_are_shown_safely(told, nacre_command):
    told("ontology", "entity", "create", "田中 太郎")
    told("ontology", "claim", "set", "田中 太郎", "taste/drink", "tea \x1b]0;owned\x07\nand more")

    for words in (("tree", "田中"), ("expand", "田中 太郎"), ("attributes", "田中 太郎", "taste")):
        shown = nacre_command("knowledge", *words).out
        assert "owned" in shown
        assert "\x1b" not in shown
    assert nacre_command("knowledge", "attributes", "田中 太郎", "taste").out.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("knowledge", "tree", "Nobody"), 1),
        (("knowledge", "entities", "--limit", "0"), 2),
        (("knowledge", "attributes", "Nobody", "x", "--status", "odd"), 2),
        (("ontology", "entity", "rename", "Nobody", "Somebody"), 1),
        (("ontology", "entity", "create", ""), 2),
        (("ontology", "entity", "create", "Ana", "--dry-run", "--propose"), 2),
        (("ontology", "claim", "set", "Ana", "nopath", "x"), 2),
        (("ontology", "claim", "set", "Ana", "a/colour", "x", "--said-in", "0192f0c1-5c7e-7a31-9d0e-3f2b8c1a4d5e"), 2),
        (("ontology", "claim", "archive", "garbage"), 2),
        (("ontology", "claim", "explain"), 2),
        (("ontology", "link", "create", "Ana", "knows"), 2),
        (("ontology", "proposals", "apply", "0192f0c1-5c7e-7a31-9d0e-3f2b8c1a4d5e"), 1),
        (("ontology", "stream", "apply", "nowhere.jsonl"), 2),
        (("ontology", "stream", "apply", "."), 2),
    ],
)
def test_what_cannot_be_is_one_line_and_an_exit_code(nacre_command, arguments, code):
    ran = nacre_command(*arguments)

    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("error: ")
    assert ran.err.count("\n") == 1
