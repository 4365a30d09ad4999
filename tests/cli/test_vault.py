"""`nacre vault`, as a person uses it."""

import json
from pathlib import Path


def test_a_folder_is_synced_listed_searched_and_followed(nacre_command):
    notes = Path("notes")
    notes.mkdir()
    (notes / "ferry.md").write_text("# Ferry\n\nLeaves on May 3, see [[Budget]] and [[Gone]].")
    (notes / "money.md").write_text("# Budget\n\nNine thousand.")
    (notes / "bad.md").write_bytes(b"\xff")

    would = nacre_command("vault", "sync", "notes", "--user", "ana", "--dry-run").out
    assert would.startswith("A dry run: nothing was changed.\nadded\tnotes/ferry.md\n")
    done = nacre_command("vault", "sync", "notes", "--user", "ana").out.splitlines()
    assert done[:2] == ["added\tnotes/ferry.md", "added\tnotes/money.md"]
    assert done[2].startswith("skipped\tnotes/bad.md\t")
    report = json.loads(nacre_command("vault", "sync", "notes", "--user", "ana", "--json").out)
    assert (report["unchanged"], report["added"]) == (2, [])
    listed = json.loads(nacre_command("vault", "list", "--user", "ana", "--json").out)
    assert {each["path"]: each["title"] for each in listed} == {"notes/ferry.md": "Ferry", "notes/money.md": "Budget"}
    assert nacre_command("vault", "list", "--user", "ben").err == "Nothing found.\n"
    assert nacre_command("vault", "links", "notes/ferry.md", "--user", "ana").out.splitlines() == [
        "to\tnotes/money.md\tBudget",
        "to\t(broken)\tGone",
    ]
    assert nacre_command("vault", "links", "notes/money.md", "--user", "ana").out == "from\tnotes/ferry.md\tBudget\n"
    assert nacre_command("vault", "broken", "--user", "ana").out == "notes/ferry.md\t(broken)\tGone\n"
    found = nacre_command("vault", "search", "when does the ferry leave", "--user", "ana").out
    assert found.startswith("0.400\tvault\tFerry\tnotes/ferry.md\t# Ferry Leaves on May 3")
    assert "Leaves on May 3" in nacre_command("recall", "ferry", "--kind", "document", "--user", "ana").out


def test_a_document_is_added_printed_archived_restored_and_removed(nacre_command):
    add = ("vault", "add", "plan.md", "-", "--user", "ana")
    assert nacre_command(*add, stdin=b"# Plan\n\nFirst.\n").out == "plan.md: created.\n"
    assert nacre_command(*add, stdin=b"# Plan\n\nFirst.\n").out == "plan.md: unchanged.\n"
    assert nacre_command("vault", "get", "plan.md", "--user", "ana").out.strip() == "# Plan\n\nFirst."
    assert nacre_command("vault", "archive", "plan.md", "--user", "ana").out == "plan.md is archived.\n"
    assert nacre_command("vault", "list", "--archived", "--user", "ana").out.startswith("plan.md\tpersonal\t")
    assert nacre_command("vault", "restore", "plan.md", "--user", "ana").out == "plan.md: restored.\n"
    assert nacre_command("vault", "delete", "plan.md", "--user", "ana").out == "Purged 1 documents.\n"
    missing = nacre_command("vault", "get", "plan.md", "--user", "ana")
    assert (missing.code, missing.err.count("\n")) == (1, 1)
    assert nacre_command("vault", "get", "../plan.md", "--user", "ana").code == 2
    assert nacre_command("vault", "sync", "nowhere").code == 2


def test_the_file_at_a_documents_path_is_added(nacre_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.md").write_text("# Plan\n\nFrom the file.\n")

    assert nacre_command("vault", "add", "plan.md", "--user", "ana").out == "plan.md: created.\n"
    assert "From the file." in nacre_command("vault", "get", "plan.md", "--user", "ana").out


def test_teams_are_made_and_used(nacre_command):
    add = ("vault", "add", "plan.md", "-", "--team", "platform", "--user", "ana")
    assert nacre_command(*add, stdin=b"words").code == 1
    assert nacre_command("vault", "team", "assistant", "platform", "--member", "ana", "--member", "ben").code == 0
    assert json.loads(nacre_command("vault", "teams", "assistant", "--json").out) == {"platform": ["ana", "ben"]}
    assert nacre_command(*add, stdin=b"words").out == "plan.md: created.\n"
    assert nacre_command("vault", "get", "plan.md", "--user", "ben").out.strip() == "words"
    assert nacre_command("vault", "team", "assistant", "platform").code == 0
    assert nacre_command("vault", "get", "plan.md", "--user", "ben").code == 1
