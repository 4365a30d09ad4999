"""`nacre export` and `nacre import`, as a person would run them."""

import json

MCP = '{"type":"entity","name":"Ana","entityType":"person","observations":["Drinks tea"]}\nnot json\n'


def test_a_scope_goes_through_a_file_into_another(nacre_command, tmp_path):
    nacre_command("remember", "Ana likes tea", "--user", "ana")

    out = nacre_command("export", "out.jsonl", "--user", "ana")
    back = nacre_command("import", "out.jsonl", "--user", "bo")

    assert (out.code, back.code) == (0, 0)
    assert out.out.startswith("Transferred ")
    assert "(jsonl)." in back.out
    assert "tea" in nacre_command("recall", "tea", "--user", "bo").out
    assert (tmp_path / "out.jsonl").exists()


def test_a_scope_goes_through_a_pipe(nacre_command):
    nacre_command("remember", "Ana likes tea", "--user", "ana")

    out = nacre_command("export", "-", "--user", "ana")
    back = nacre_command("import", "-", "--user", "bo", stdin=out.out.encode())

    assert json.loads(out.out.splitlines()[0])["format"] == "nacre-scope"
    assert out.err.startswith("Transferred ")
    assert (out.code, back.code) == (0, 0)
    assert "tea" in nacre_command("recall", "tea", "--user", "bo").out


def test_a_dry_run_says_what_would_come_in_and_what_would_not(nacre_command, tmp_path):
    (tmp_path / "memory.jsonl").write_text(MCP)

    tried = nacre_command("import", "memory.jsonl", "--dry-run")

    assert tried.code == 0
    assert "Would transfer 1 claims, 1 entities, 1 memories (mcp)." in tried.out
    assert "- line 2: `record` is not JSON." in tried.out
    assert nacre_command("recall", "tea").out == ""


def test_what_came_in_is_taken_back_by_the_command_that_it_names(nacre_command, tmp_path):
    (tmp_path / "memory.jsonl").write_text(MCP)

    came = nacre_command("import", "memory.jsonl")
    undo = next(line for line in came.out.splitlines() if "nacre undo" in line).rpartition(" ")[2]

    assert nacre_command("undo", undo).code == 0
    assert nacre_command("recall", "tea").out == ""


def test_the_report_is_json_for_programs(nacre_command, tmp_path):
    (tmp_path / "memory.jsonl").write_text(MCP)

    report = json.loads(nacre_command("import", "memory.jsonl", "--json").out)

    assert report["counts"] == {"claims": 1, "entities": 1, "memories": 1}
    assert [each["where"] for each in report["skipped"]] == ["line 2"]
    assert report["batch"]


def test_what_cannot_be_is_told_in_one_line(nacre_command, tmp_path):
    (tmp_path / "odd").write_text("hello")
    nacre_command("remember", "Ana likes tea")
    nacre_command("export", "out.jsonl")

    refused = [
        nacre_command("import", "nowhere"),
        nacre_command("import", "odd"),
        nacre_command("export", "no/such/folder/out.jsonl"),
        nacre_command("export", "x", "--format", "mem0"),
        nacre_command("import", "out.jsonl"),
    ]

    assert [each.code for each in refused] == [2, 2, 2, 2, 1]
    assert all(each.err.startswith("error: ") and each.err.count("\n") == 1 for each in refused)
