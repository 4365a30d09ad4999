"""Changes to files of other programs: shown first, written whole, with a backup, and taken back byte for byte."""

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import unified_diff
from hashlib import blake2b
from pathlib import Path

from nacre import environment
from nacre.background.stores import write_for_owner
from nacre.domain.errors import Invalid, Unavailable

LARGEST = 32 * 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """What a file holds now and what it is to hold; None is no file at all."""

    path: Path
    before: str | None
    after: str | None

    @property
    def diff(self) -> str:
        """The change as people read it."""
        lines = unified_diff(
            (self.before or "").splitlines(keepends=True),
            (self.after or "").splitlines(keepends=True),
            str(self.path) if self.before is not None else os.devnull,
            str(self.path) if self.after is not None else os.devnull,
            n=2,
        )
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def read(path: Path) -> str | None:
    """What a file holds, with its line ends as they are; None where there is none."""
    try:
        if path.stat().st_size > LARGEST:
            raise Invalid("file", f"{path} is far too large, so it was left as it is")
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise Invalid("file", f"{path} is not UTF-8, so it was left as it is") from error
    except OSError as error:
        raise Unavailable(f"{path} cannot be read: {os.strerror(error.errno or 0)}.") from error


def needed(changes: Iterable[FileChange]) -> list[FileChange]:
    """The changes that change something."""
    return [each for each in changes if each.before != each.after]


def write(client: str, changes: Sequence[FileChange]) -> list[Path]:
    """Write the changes, all checked before the first; the backups of what was there before."""
    for each in changes:
        if read(each.path) != each.before:
            raise Unavailable(f"{each.path} was changed in the meantime; try again.")
    backups = [backup for each in changes if (backup := _backup(client, each))]
    for each in changes:
        _note(client, each)
        _write(each.path, each.after)
    return backups


def original(client: str, path: Path) -> tuple[bool, str | None]:
    """Whether a file is as Nacre left it, and if so what it held before; None is no file."""
    note = _note_file(client, path)
    try:
        kept = json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False, None
    return kept["after"] == read(path), kept["before"]


def forget(client: str, paths: Iterable[Path]) -> None:
    """Keep no more notes about files that are as they were."""
    for path in paths:
        _note_file(client, path).unlink(missing_ok=True)


def _write(path: Path, text: str | None) -> None:
    # A link to a file elsewhere stays a link.
    place = path.resolve()
    try:
        if text is None:
            place.unlink(missing_ok=True)
            # The folder of a plugin is ours as well.
            if place.parent.name == "nacre" and not any(place.parent.iterdir()):
                place.parent.rmdir()
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        mode = place.stat().st_mode & 0o777 if place.exists() else 0o600
        made = place.with_name(f".{place.name}.nacre-{os.getpid()}")
        made.write_bytes(text.encode("utf-8"))
        made.chmod(mode)
        made.replace(place)
    except OSError as error:
        raise Unavailable(f"{path} cannot be written: {os.strerror(error.errno or 0)}.") from error


def _folder(client: str) -> Path:
    place = Path(environment.state_folder()) / "installed" / client
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return place


def _backup(client: str, change: FileChange) -> Path | None:
    if change.before is None:
        return None
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    backup = _folder(client) / f"{change.path.name}.{moment}"
    write_for_owner(backup, change.before)
    return backup


def _note(client: str, change: FileChange) -> None:
    """Note what a file held before Nacre's first change, and what it holds after the last."""
    untouched, before = original(client, change.path)
    first = before if untouched else change.before
    write_for_owner(_note_file(client, change.path), json.dumps({"before": first, "after": change.after}))


def _note_file(client: str, path: Path) -> Path:
    return _folder(client) / f"{blake2b(str(path).encode(), digest_size=8).hexdigest()}.json"
