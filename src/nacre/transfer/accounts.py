"""Exports of accounts: conversations in `conversations.json`, or in several such files, in an archive or alone."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from nacre.domain.errors import Invalid
from nacre.domain.transfers import SkippedRecord
from nacre.transfer.streams import elements, members, objects

FILES = re.compile(r"(?:^|/)conversations(?:[-_]\d+)?\.json$")


def conversations(
    source: Path | bytes, fits: Callable[[dict[str, Any]], bool], *, foreign: str, broken: Invalid
) -> Iterator[tuple[str, dict[str, Any]] | SkippedRecord]:
    """Each conversation of an export, and where it stands; one that does not fit is skipped as `broken`.

    Where the first one does not fit the file is of another kind or version, which `foreign` says.
    """
    read = 0
    for name, file in members(source, FILES):
        for where, conversation in objects(elements(file, name)):
            if isinstance(conversation, SkippedRecord):
                yield conversation
            elif fits(conversation):
                read += 1
                yield where, conversation
            elif not read:
                raise Invalid("file", foreign)
            else:
                yield SkippedRecord(where=where, why=str(broken))
