"""`nacre extract` and `nacre dream`, as a person runs them."""

import json
from pathlib import Path

import pytest


def test_a_file_becomes_part_of_the_graph(nacre_command):
    Path("notes.txt").write_text("John lives in Vilnius. Marta works at Hostinger.")

    ran = nacre_command("extract", "notes.txt")

    assert ran.code == 0
    assert "Found 4 new entities, 2 links and 0 claims, by rules." in ran.out
    assert "Reading notes.txt" in ran.err


def test_a_dry_run_says_so_and_keeps_nothing(nacre_command):
    Path("notes.txt").write_text("John lives in Vilnius.")

    first = json.loads(nacre_command("extract", "notes.txt", "--dry-run", "--json").out)
    second = json.loads(nacre_command("extract", "notes.txt", "--json").out)

    assert (first["entities"], second["entities"]) == (2, 2)
    assert (second["method"], second["failed"]) == ("rules", [])


@pytest.mark.parametrize(("content", "said"), [(b"", "must not be empty"), (b"\xff\xfe\x00", "not UTF-8")])
def test_a_file_that_cannot_be_read_is_one_line_and_exit_code_2(nacre_command, content, said):
    Path("notes.txt").write_bytes(content)

    ran = nacre_command("extract", "notes.txt")

    assert ran.code == 2
    assert said in ran.err


def test_a_file_that_is_not_there_is_one_line_and_exit_code_2(nacre_command):
    ran = nacre_command("extract", "nowhere.txt")

    assert (ran.code, ran.out) == (2, "")
    assert "nowhere.txt" in ran.err


@pytest.mark.spec("D1")
def test_a_dream_reports_each_pass_and_what_it_did(nacre_command):
    nacre_command("remember", "The launch moved to May 3.")

    ran = nacre_command("dream")

    assert ran.code == 0
    assert "consolidation: done, by rules" in ran.out
    assert "graph: done" in ran.err


@pytest.mark.spec("D1")
def test_one_pass_can_be_run_alone_and_dry(nacre_command):
    ran = nacre_command("dream", "--pass", "contradictions", "--dry-run", "--json")

    dream = json.loads(ran.out)
    assert dream["dry_run"]
    assert [each["name"] for each in dream["passes"]] == ["contradictions"]


def test_an_unknown_pass_is_refused(nacre_command):
    ran = nacre_command("dream", "--pass", "nightmare")

    assert ran.code == 2
    assert "nightmare" in ran.err
