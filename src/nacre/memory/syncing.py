"""A folder of Markdown files becomes documents, again and again: what is new, changed or gone since the last time."""

import os
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from nacre.domain import checks
from nacre.domain.documents import SkippedFile, SyncReport, Visibility, check_path, check_visibility
from nacre.domain.errors import Conflict, Invalid
from nacre.domain.scopes import Scope
from nacre.memory.vault import DocumentDraft, DocumentVault, ExpectedDigest, archive_in
from nacre.store.base import sharing
from nacre.store.base.databases import Database
from nacre.store.evidence import documents
from nacre.store.evidence.documents import DocumentVersion

TRIES = 10
_SUFFIXES = (".md", ".markdown")


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A folder, the prefix of its documents, and for whom they are."""

    root: Path
    prefix: str
    visibility: Visibility | None = None
    team: str | None = None

    def __post_init__(self) -> None:
        if not self.root.is_dir():
            raise Invalid("folder", f"must be a folder, and `{self.root}` is none")
        object.__setattr__(self, "prefix", check_path("prefix", checks.name("prefix", self.prefix).removesuffix("/")))
        object.__setattr__(self, "visibility", check_visibility(self.visibility, self.team))


class Syncer:
    """Keeps documents in step with folders. Several may work on one folder: none undoes what another saw later."""

    def __init__(self, database: Database, vault: DocumentVault, clean: Callable[[str], str]) -> None:
        self._database = database
        self._vault = vault
        self._clean = clean

    def sync(self, scope: Scope, folder: Folder, *, dry_run: bool = False) -> SyncReport:
        """Make the documents below the folder's prefix what its files are; a dry run only says what would change."""
        run = _FolderPass(self._database, self._vault, self._clean, scope, folder, dry_run)
        run.go()
        return SyncReport(
            added=tuple(run.added),
            changed=tuple(run.changed),
            archived=tuple(run.archived),
            unchanged=run.unchanged,
            skipped=tuple(run.skipped),
            dry_run=dry_run,
        )


@dataclass(slots=True)
class _FolderPass:
    """One pass over a folder."""

    database: Database
    vault: DocumentVault
    clean: Callable[[str], str]
    scope: Scope
    folder: Folder
    dry_run: bool
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    archived: list[str] = field(default_factory=list)
    unchanged: int = 0
    skipped: list[SkippedFile] = field(default_factory=list)

    def go(self) -> None:
        # Read before the folder is: a file that another one brings in meanwhile is not taken for one that is gone.
        known = self._known()
        there: set[str] = set()
        for file in sorted(_files(self.folder.root)):
            path = f"{self.folder.prefix}/{_relative(file, self.folder.root)}"
            there.add(path)
            try:
                self._bring_in(path, file, known.get(path))
            except (Invalid, OSError, UnicodeDecodeError) as error:
                self.skipped.append(SkippedFile(path=path.encode("utf-8", "replace").decode(), why=_why(error)))
        for path, version in sorted(known.items()):
            if path not in there:
                self.archived.append(path)
                if not self.dry_run:
                    self._archive(path, version)

    def _known(self) -> dict[str, DocumentVersion]:
        """The documents in force that are the folder's, by path."""
        with self.database.read(self.scope) as tx:
            home = sharing.home_of_documents(tx, self.folder.visibility, self.folder.team)
            found = documents.below(sharing.moved(tx, home), self.folder.prefix)
        return {path: each for path, each in found.items() if each.in_force and path != self.folder.prefix}

    def _bring_in(self, path: str, file: Path, seen: DocumentVersion | None) -> None:
        for _ in range(TRIES):
            content = self.clean(_content(file, self.folder.root))
            draft = DocumentDraft(path=path, content=content, visibility=self.folder.visibility, team=self.folder.team)
            if seen and seen.digest == draft.digest:
                self.unchanged += 1
                return
            try:
                if not self.dry_run:
                    self.vault.save(self.scope, draft, ExpectedDigest(seen.digest if seen else None))
            except Conflict:
                # Somebody was faster, and may have read another state of the file: look at both again.
                seen = self._known().get(path)
                continue
            (self.changed if seen else self.added).append(path)
            return
        self.skipped.append(SkippedFile(path=path, why="Others keep changing it; try again."))

    def _archive(self, path: str, version: DocumentVersion) -> None:
        with self.database.write(self.scope) as tx:
            home = sharing.moved(tx, sharing.home_of_documents(tx, self.folder.visibility, self.folder.team))
            # It may be back by now.
            if not (self.folder.root / path.removeprefix(f"{self.folder.prefix}/")).is_file():
                archive_in(home, version.document.id, version.digest)


def _files(root: Path) -> Iterator[Path]:
    """The Markdown files below a folder; what is hidden is left out, and no link is followed to another folder."""
    for where, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            if name.lower().endswith(_SUFFIXES) and not name.startswith("."):
                yield Path(where) / name


def _relative(file: Path, root: Path) -> str:
    return unicodedata.normalize("NFC", file.relative_to(root).as_posix())


def _content(file: Path, root: Path) -> str:
    if not file.resolve().is_relative_to(root.resolve()):
        raise Invalid("file", "is a link that leads out of the folder")
    if not file.is_file():
        raise Invalid("file", "is no plain file")
    with file.open("rb") as stream:
        # Four bytes are the most that a character takes: what is longer is not read whole.
        data = stream.read(4 * checks.MAX_TEXT + 1)
    if len(data) > 4 * checks.MAX_TEXT:
        raise Invalid("content", f"is longer than {checks.MAX_TEXT:,} characters")
    return data.decode("utf-8-sig")


def _why(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"It is not UTF-8: byte {error.start} cannot be read."
    return f"It cannot be read: {error.strerror}." if isinstance(error, OSError) else str(error)
