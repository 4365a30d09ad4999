"""A scope's export and import."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from nacre.brain.probing import probed
from nacre.brain.vault import Vault
from nacre.domain.errors import Invalid
from nacre.domain.scopes import Scope
from nacre.domain.transfers import Format, SkippedRecord, Transfer, export_format, import_format
from nacre.transfer import detection, exporting, files, importing
from nacre.wiring import Parts


@probed("transfers", redacts=False)
class Transfers:
    """What goes out of the scope into files, and what comes in from them."""

    def __init__(self, parts: Parts, scope: Scope) -> None:
        self._parts = parts
        self._scope = scope

    def export(self, target: str | Path | TextIO, *, format: str = "jsonl") -> Transfer:  # noqa: A002 - its name everywhere
        """Write the scope to a path or an open file, as it is at one moment.

        `jsonl` holds every row and can be imported into an empty scope; the others hold what is in force. A file is
        there whole or not at all. `rockbot` is a folder, and `markdown` is one where the path has no suffix.
        """
        wanted, database = export_format(format), self._parts.database
        # A copy knows all that was said, and need not learn it again.
        self._parts.learner.settle(self._scope)
        if isinstance(target, str | Path):
            return exporting.write_to(database, self._scope, wanted, Path(target))
        return exporting.write(database, self._scope, wanted, target)

    def load(
        self,
        source: str | Path | bytes,
        *,
        format: str | None = None,  # noqa: A002 - its name everywhere
        dry_run: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> Transfer:
        """Bring in what a file or a folder holds, or the bytes of a file; `format` is told from it if left out.

        An exported scope comes back whole, into a scope that holds nothing. What other systems wrote becomes operations
        of one batch, which `undo` takes back; conversations become turns, and a folder of Markdown documents. What is
        there already stays as it is, so an import that was stopped is simply run again. What cannot be read is listed.
        `progress` hears how many records are done.
        """
        found = source if isinstance(source, bytes) else files.existing(Path(source))
        wanted = detection.format_of(found) if format is None else import_format(format)
        parts, tell = self._parts, progress or (lambda _done: None)
        # What was said before is learned before, unless that would take long.
        parts.learner.settle_for_caller(self._scope)
        if wanted is Format.MARKDOWN:
            return self._documents(found, dry_run=dry_run)
        if wanted is Format.JSONL:
            done = importing.restore(parts.database, self._scope, found, dry_run=dry_run)
        else:
            done = self._taken_in(wanted, found, dry_run=dry_run, tell=tell)
        if wanted is Format.BASIC_MEMORY:
            done = _joined(done, self._documents(found, dry_run=dry_run))
        parts.fillings.embed_later(parts.memories.of(self._scope))
        parts.follow_ups.work_later()
        return done

    def _taken_in(
        self, chosen_format: Format, source: Path | bytes, *, dry_run: bool, tell: Callable[[int], None]
    ) -> Transfer:
        """What another system remembers becomes operations of one batch; what was said there becomes turns."""
        parts = self._parts
        learns = parts.listener.writes
        done = importing.take_in(
            parts.database,
            parts.embedder,
            self._scope,
            chosen_format,
            source,
            clean=parts.cleaned,
            learns=learns,
            dry_run=dry_run,
            tell=tell,
        )
        if dry_run or not learns or not done.counts.get("turns"):
            return done
        parts.fillings.embed_later(self._scope)
        parts.follow_ups.learn_later(self._scope)
        waiting = parts.learner.unread(self._scope).unread
        return replace(done, notes=(*done.notes, f"The graph learns from them by and by: {waiting:,} turns wait."))

    def _documents(self, folder: Path | bytes, *, dry_run: bool) -> Transfer:
        """A folder of Markdown becomes documents of the vault."""
        if isinstance(folder, bytes) or not folder.is_dir():
            raise Invalid("path", "must be a folder of Markdown files")
        synced = Vault(self._parts, self._scope).sync(folder, dry_run=dry_run)
        counts = {name: len(getattr(synced, name)) for name in ("added", "changed", "archived")}
        return Transfer(
            format=Format.MARKDOWN,
            counts={**counts, "unchanged": synced.unchanged},
            skipped=tuple(SkippedRecord(where=each.path, why=each.why) for each in synced.skipped),
            dry_run=dry_run,
        )


def _joined(records: Transfer, documents: Transfer) -> Transfer:
    """The report of notes that came in as documents and as what they state."""
    counts = {**records.counts, **{f"documents_{name}": count for name, count in documents.counts.items() if count}}
    return replace(records, counts=counts, skipped=records.skipped + documents.skipped)
