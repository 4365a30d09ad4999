"""Lines of ours in a YAML file of another program: everything else keeps its bytes.

Only what this needs of YAML is read: names at the left edge, and what is indented below them. What is written
differently is refused and not touched.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nacre.domain.errors import Invalid

MARK = "  # nacre"
_TOP = re.compile(r"(?P<name>[\w-]+):(?P<rest>\s.*|)$")
_CHILD = re.compile(r"(?P<indent> +)(?P<name>[\w-]+):(?P<rest>\s.*|)$")
# Values that say that nothing was chosen.
_EMPTY = ("", "''", '""', "null", "~", "none", "builtin")


@dataclass(frozen=True, slots=True, kw_only=True)
class YamlLines:
    """Values below names at the left edge of a YAML file, each on a line of its own that says whose it is."""

    path: Path
    # The name, the one below it, and the value.
    values: Sequence[tuple[str, str, object]]

    def put(self, text: str | None) -> str:
        """The file with our lines, each once."""
        lines = (self.take(text) or "").splitlines(keepends=True)
        self._check(lines)
        for top, name, value in self.values:
            self._add(lines, top, name, value)
        return "".join(lines)

    def take(self, text: str | None) -> str | None:
        """The file without our lines."""
        if text is None:
            return None
        return "".join(line for line in text.splitlines(keepends=True) if not line.rstrip("\r\n").endswith(MARK))

    def present(self, text: str | None) -> bool:
        """Whether any line of ours is there."""
        return text is not None and self.take(text) != text

    def _add(self, lines: list[str], top: str, name: str, value: object) -> None:
        line = f"{name}: {json.dumps(value)}{MARK}\n"
        place = next(
            (at for at, each in enumerate(lines) if (found := _TOP.match(each)) and found["name"] == top), None
        )
        if place is None:
            if lines and not lines[-1].endswith("\n"):
                lines[-1] += "\n"
            lines += [f"{top}:{MARK}\n", f"  {line}"]
            return
        if _bare(lines[place].partition(":")[2]):
            raise self._refused(f"`{top}` is not written as lines below it")
        below = lines[place + 1 :]
        end = next(
            (at for at, each in enumerate(below) if each.strip() and not each.startswith((" ", "#"))), len(below)
        )
        children = [found for each in below[:end] if (found := _CHILD.match(each))]
        indent = children[0]["indent"] if children else "  "
        for child in children:
            if child["indent"] == indent and child["name"] == name and _bare(child["rest"]) not in _EMPTY:
                raise self._refused(f"`{top}.{name}` is set to something else; take that out first")
        # Of two lines with one name the last counts, so one that says nothing goes aside.
        kept = [each for each in below[:end] if not _is(each, indent, name)]
        lines[place + 1 : place + 1 + end] = [f"{indent}{line}", *kept]

    def _check(self, lines: Sequence[str]) -> None:
        for number, line in enumerate(lines, 1):
            plain = line.strip()
            if plain and not line.startswith((" ", "#", "-", "..")) and not _TOP.match(line):
                raise self._refused(f"line {number} cannot be read")

    def _refused(self, why: str) -> Invalid:
        return Invalid("file", f"{self.path}: {why}, so it was left as it is")


def _is(line: str, indent: str, name: str) -> bool:
    found = _CHILD.match(line)
    return bool(found and found["indent"] == indent and found["name"] == name)


def _bare(value: str) -> str:
    return value.partition(" #")[0].strip()
