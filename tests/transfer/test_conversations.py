"""What was said to other assistants comes in as turns: every one once, however often it is read."""

import multiprocessing
import time
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from nacre import Invalid, Nacre, Settings
from nacre.cli.transfer import lines as told
from tests.transfer import exports
from tests.transfer.exports import SESSION

SAID = [
    ("user", "My boat is called Brisa."),
    ("assistant", "A fine name."),
    ("user", "Me gusta el té verde."),
]
FILES = {
    "claude-code": exports.CLAUDE_CODE,
    "codex": exports.CODEX,
    "codex of before": exports.OLD_CODEX,
    "chatgpt": exports.CHATGPT,
    "claude": exports.CLAUDE,
    "letta": exports.LETTA,
    "letta of before": exports.OLD_LETTA,
}


@pytest.fixture
def brain_settings():
    return Settings(worker="off", embedder="off")


@pytest.fixture
def here(sqlite_url, brain_settings):
    """A scope where the database makes no difference."""
    with Nacre(sqlite_url, settings=brain_settings) as nacre:
        yield nacre.scope("a", user="ana")


def spoken(scope, name):
    session = f"{name.split()[0]}/{SESSION}"
    return [(said.turn.role, said.turn.text) for said in scope.conversations.last(session, limit=1_000)]


@pytest.mark.spec("N14")
@pytest.mark.parametrize("name", FILES)
def test_people_and_assistants_speak_and_nobody_else(scope, name):
    """Tools, thoughts, commands, other branches and what the client adds are passed over, and counted."""
    file = FILES[name].encode()

    report = scope.transfer.load(file)

    assert spoken(scope, name) == SAID
    assert (report.format.value, report.skipped) == (name.split()[0], ())
    assert (report.counts["turns"], report.counts["sessions"]) == (3, 1)
    assert all(said.at.year < 2027 for said in scope.conversations.last(f"{name.split()[0]}/{SESSION}"))
    again = scope.transfer.load(file)
    assert again.counts["already_there"] >= 3
    assert "turns" not in again.counts
    assert spoken(scope, name) == SAID


def test_a_report_says_what_came_and_what_was_passed_over(here):
    shown = "\n".join(told(here.transfer.load(exports.CLAUDE_CODE.encode())))

    assert shown.startswith("Transferred 1 sessions, 3 turns (claude-code).")
    assert "1 commands, 2 events, 1 messages of subagents, 1 messages of tools" in shown


def test_a_block_of_letta_is_a_memory(here):
    report = here.transfer.load(exports.LETTA.encode())

    (block,) = [match.memory for match in here.memories.search(category="letta")]
    assert (block.content, block.tags) == ("The human sails at weekends.", ("human",))
    here.undo(report.batch)
    assert here.memories.search(category="letta") == []


def test_what_a_hook_heard_is_not_told_twice(here):
    """Not even where the hook left out long code, or put the words on other lines."""
    here.observe("user", "My boat  is called\nBrisa.", session=f"claude-code/{SESSION}")
    here.observe("assistant", "A fine name. [code]", session=f"claude-code/{SESSION}")
    file = exports.CLAUDE_CODE.replace("A fine name.", "A fine name.\\n```\\nbrisa = 1\\n```")

    report = here.transfer.load(file.encode())

    assert (report.counts["already_there"], report.counts["turns"]) == (2, 1)


def test_folders_and_archives_are_read_through(here, tmp_path):
    """A session that was taken up again repeats the old one under its own name: it comes in once."""
    projects, archive = tmp_path / "projects", tmp_path / "export.zip"
    (projects / "-home-ana-boat").mkdir(parents=True)
    (projects / "-home-ana-boat" / "one.jsonl").write_text(exports.CLAUDE_CODE)
    (projects / "-home-ana-boat" / "two.jsonl").write_text(exports.CLAUDE_CODE.replace(SESSION, "resumed"))
    (projects / "-home-ana-boat" / "odd.jsonl").write_text('{"event": "no transcript"}\n')
    with zipfile.ZipFile(archive, "w") as out:
        out.writestr("user.json", "{}")
        out.writestr("conversations-000.json", exports.chatgpt_export(2, 2))
        out.writestr("conversations-001.json", exports.CHATGPT)

    folder, packed = here.transfer.load(projects), here.transfer.load(archive)

    assert (folder.counts["turns"], folder.counts["already_there"]) == (3, 3)
    assert [skipped.where for skipped in folder.skipped] == ["-home-ana-boat/odd.jsonl"]
    assert (packed.format.value, packed.counts["turns"], packed.counts["sessions"]) == ("chatgpt", 7, 3)


@pytest.mark.parametrize(
    ("format", "file", "why"),
    [
        ("chatgpt", '[{"id": "c", "messages": []}]', "no export of ChatGPT as of 2023 to 2026"),
        ("claude", '[{"uuid": "c", "messages": []}]', "no export of Claude as of 2024 to 2026"),
        ("claude-code", '{"kind": "message"}', "no transcript of Claude Code"),
        ("codex", '{"type": "turn.started"}', "no transcript of Codex"),
        ("letta", '{"agent": {}}', "no agent file of Letta"),
        ("chatgpt", '{"conversations": []}', "must hold a JSON array"),
    ],
)
def test_a_file_of_another_version_is_refused(here, format, file, why):  # noqa: A002
    with pytest.raises(Invalid, match=why):
        here.transfer.load(file.encode(), format=format)


def test_a_file_that_was_cut_gives_what_is_whole(here):
    whole = exports.chatgpt_export(3, 2)

    report = here.transfer.load(whole[: whole.index('"c2"')].encode())

    assert report.counts["turns"] == 4
    assert [skipped.where for skipped in report.skipped] == ["[2]"]


def load(address: str, file: str) -> None:
    """What the other process does until it is killed."""
    with Nacre(address, settings=Settings(worker="off", embedder="off")) as nacre:
        nacre.scope("a", user="ana").transfer.load(Path(file))


def test_an_import_that_was_killed_is_run_again(here, sqlite_url, tmp_path):
    """Every turn is there once."""
    file = tmp_path / "conversations.json"
    file.write_text(exports.chatgpt_export(150, 10))
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["nacre", "tests.transfer.test_conversations"])
    process = context.Process(target=load, args=(sqlite_url, str(file)))
    process.start()
    until = time.monotonic() + 60
    while not here.conversations.sessions(limit=1) and time.monotonic() < until:
        time.sleep(0.01)
    process.kill()
    process.join()
    before = sum(session.turns for session in here.conversations.sessions(limit=1_000))

    report = here.transfer.load(file)

    assert 0 < before < 1_500
    assert report.counts["turns"] == 1_500 - before
    assert report.counts["already_there"] == before
    held = Counter(said.turn.text for said in here.conversations.unread("reader", limit=1_000))
    assert set(held.values()) == {1}
    assert sum(session.turns for session in here.conversations.sessions(limit=1_000)) == 1_500
