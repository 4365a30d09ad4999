"""A folder of Markdown becomes documents, and stays in step with them."""

import os
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacre import Denied, Invalid, Nacre, Settings
from nacre.domain.documents import SyncReport
from nacre.store.base.databases import Database


@pytest.fixture
def folder(tmp_path):
    """A folder with two notes, and much that is none."""
    root = tmp_path / "notes"
    for path, text in {
        "a.md": "# Alpha\n\nSee [[Beta]].",
        "sub/b.md": "# Beta",
        "sub/picture.png": "no",
        ".obsidian/config.md": "hidden",
        "sub/.draft.md": "hidden",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


@pytest.mark.spec("G14")
def test_a_folder_is_synced_again_and_again(scope, folder, clock):
    assert scope.vault.sync(folder) == SyncReport(added=("notes/a.md", "notes/sub/b.md"))
    assert scope.vault.sync(folder) == SyncReport(unchanged=2)
    assert [link.document and link.document.path for link in scope.vault.links("notes/a.md").outgoing] == [
        "notes/sub/b.md"
    ]

    clock.advance(minutes=1)
    (folder / "a.md").write_text("# Alpha\n\nChanged.")
    (folder / "sub/b.md").rename(folder / "sub/renamed.md")

    done = SyncReport(added=("notes/sub/renamed.md",), changed=("notes/a.md",), archived=("notes/sub/b.md",))
    assert scope.vault.sync(folder) == done
    assert scope.vault.get("notes/a.md").content == "# Alpha\n\nChanged."
    assert [each.path for each in scope.vault.list(archived=True)] == ["notes/sub/b.md"]
    assert scope.vault.sync(folder) == SyncReport(unchanged=2)
    (folder / "sub/renamed.md").rename(folder / "sub/b.md")
    assert scope.vault.sync(folder) == SyncReport(
        added=("notes/sub/b.md",), archived=("notes/sub/renamed.md",), unchanged=1
    )
    assert scope.vault.list(archived=True)[0].path == "notes/sub/renamed.md"


def test_a_dry_run_says_what_would_change_and_changes_nothing(scope, folder):
    would = scope.vault.sync(folder, dry_run=True)
    assert would == SyncReport(added=("notes/a.md", "notes/sub/b.md"), dry_run=True)
    assert scope.vault.list() == []
    scope.vault.sync(folder)
    (folder / "a.md").unlink()
    assert scope.vault.sync(folder, dry_run=True) == SyncReport(archived=("notes/a.md",), unchanged=1, dry_run=True)
    assert len(scope.vault.list()) == 2


def test_only_what_is_below_the_prefix_is_archived(nacre, scope, folder):
    scope.vault.save("notes.md", "beside")
    scope.vault.save("notes2/a.md", "beside")
    scope.vault.save("Notes/a.md", "beside, in another case")
    scope.vault.save("notes/a.md", "shared", visibility="shared")
    scope.vault.save("notes/gone.md", "below")

    assert scope.vault.sync(folder, prefix="notes/").archived == ("notes/gone.md",)
    assert scope.vault.sync(folder, prefix="vaults/mine").added == ("vaults/mine/a.md", "vaults/mine/sub/b.md")

    assert {each.path for each in scope.vault.list()} == {
        "notes.md", "notes2/a.md", "Notes/a.md", "notes/a.md", "notes/sub/b.md",
        "vaults/mine/a.md", "vaults/mine/sub/b.md",
    }  # fmt: skip
    assert [each.path for each in scope.vault.list(prefix="vaults")] == ["vaults/mine/sub/b.md", "vaults/mine/a.md"]


def test_a_folder_can_be_for_a_team_or_for_all(nacre, scope, folder):
    with pytest.raises(Denied):
        scope.vault.sync(folder, team="platform")
    nacre.agent("assistant").teams.set("platform", ["ana", "ben"])
    scope.vault.sync(folder, team="platform")
    scope.vault.sync(folder, prefix="all", visibility="shared")

    seen = {each.path: each.visibility for each in nacre.scope("assistant", user="ben").vault.list()}
    assert seen == {"notes/a.md": "team", "notes/sub/b.md": "team", "all/a.md": "shared", "all/sub/b.md": "shared"}
    assert {each.path for each in nacre.scope("assistant", user="cleo").vault.list()} == {"all/a.md", "all/sub/b.md"}


def test_what_cannot_be_read_is_told_and_left_as_it_was(scope, folder, tmp_path):
    scope.vault.save("notes/bad.md", "was fine once")
    (folder / "bad.md").write_bytes(b"\xff\xfe\x00")
    (folder / "empty.md").write_text("\n")
    (folder / "huge.md").write_text("x" * 1_000_001)
    (folder / ("n" * 200 + ".md")).write_text("a long name")
    os.mkfifo(folder / "pipe.md")
    (tmp_path / "outside.md").write_text("secret of another folder")
    (folder / "link.md").symlink_to(tmp_path / "outside.md")
    (folder / "dangling.md").symlink_to(folder / "nowhere.md")
    (folder / "inside.md").symlink_to(folder / "a.md")
    (folder / "loop").symlink_to(folder)

    done = scope.vault.sync(folder)

    assert {each.path.removeprefix("notes/")[:9] for each in done.skipped} == {
        "bad.md", "empty.md", "huge.md", "nnnnnnnnn", "pipe.md", "link.md", "dangling.",
    }  # fmt: skip
    assert all(each.why for each in done.skipped)
    assert done.added == ("notes/a.md", "notes/inside.md", "notes/sub/b.md")
    assert done.archived == ()
    assert scope.vault.get("notes/bad.md").content == "was fine once"
    assert list(scope.recall("secret of another folder", kinds=["document"])) == []


def test_byte_order_marks_line_ends_and_unicode_names(scope, folder):
    (folder / "bom.md").write_bytes("\ufeff# Título\r\n\r\nWörter\r\n".encode())
    (folder / unicodedata.normalize("NFD", "café 计划.md")).write_text("words")

    scope.vault.sync(folder)

    assert scope.vault.get("notes/bom.md").content == "# Título\r\n\r\nWörter\r\n"
    assert scope.vault.get("notes/bom.md").title == "Título"
    assert scope.vault.get("notes/café 计划.md").content == "words"
    assert scope.vault.sync(folder) == SyncReport(unchanged=4)


def test_a_folder_that_is_none_is_refused(scope, folder, tmp_path):
    for bad in (tmp_path / "nowhere", folder / "a.md"):
        with pytest.raises(Invalid):
            scope.vault.sync(bad)
    for prefix in ("..", "/", "", "a//b"):
        with pytest.raises(Invalid):
            scope.vault.sync(folder, prefix=prefix)


def test_two_syncs_at_once_leave_what_the_folder_holds(database_url, folder):
    for number in range(12):
        (folder / f"n{number}.md").write_text(f"# Note {number}\n\nWords {number}.")
    chosen = Settings(worker="off", embedder="off", extraction="off")
    with Nacre(database_url, settings=chosen) as one, Nacre(database_url, settings=chosen) as two:
        scopes = [each.scope("assistant", user="ana") for each in (one, two, one, two)]
        with ThreadPoolExecutor(4) as pool:
            done = list(pool.map(lambda scope: scope.vault.sync(folder), scopes))

        assert all(not each.skipped and not each.archived for each in done)
        assert len(one.scope("assistant", user="ana").vault.list()) == 14
        assert len(two.scope("assistant", user="ana").recall("words", kinds=["document"], limit=50)) == 12
        assert one.scope("assistant", user="ana").vault.sync(folder) == SyncReport(unchanged=14)


def test_a_slow_sync_does_not_undo_a_faster_one(scope, folder, monkeypatch):
    """The slow one has read the old file when the fast one brings in the new; then it must look again."""
    scope.vault.sync(folder)
    file = folder / "a.md"
    file.write_text("# Alpha\n\nOld news.")
    writes: list[object] = []
    write = Database.write

    def slow(self, of):
        if not writes:
            writes.append(of)
            file.write_text("# Alpha\n\nNew news.")
            scope.vault.sync(folder)
        return write(self, of)

    monkeypatch.setattr(Database, "write", slow)
    scope.vault.sync(folder)

    assert writes
    assert scope.vault.get("notes/a.md").content == "# Alpha\n\nNew news."


names = st.sampled_from(["a.md", "b.md", "sub/c.md", "sub/deep/d.md"])
states = st.dictionaries(names, st.sampled_from(["# One", "# Two", "[[a]] three"]))


@settings(max_examples=5)
@given(st.lists(states, min_size=1, max_size=5))
def test_after_every_sync_the_documents_are_the_files(tmp_path_factory, history):
    root = tmp_path_factory.mktemp("vault") / "notes"
    root.mkdir()
    with Nacre(":memory:", settings=Settings(worker="off", embedder="off", extraction="off")) as nacre:
        scope = nacre.scope("assistant", user="ana")
        before: dict[str, str] = {}
        for files in history:
            for name in before.keys() - files.keys():
                (root / name).unlink()
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            done = scope.vault.sync(root)

            held = {each.path.removeprefix("notes/"): scope.vault.get(each.id).content for each in scope.vault.list()}
            assert held == files
            assert {path.removeprefix("notes/") for path in done.added} == files.keys() - before.keys()
            assert {path.removeprefix("notes/") for path in done.archived} == before.keys() - files.keys()
            before = files
