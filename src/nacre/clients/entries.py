"""Entries of ours in the configuration of a client: how they are put there, recognised, and taken out."""

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nacre.clients import changes, json_texts
from nacre.clients.changes import FileChange
from nacre.clients.yaml_lines import YamlLines
from nacre.domain.errors import Invalid

BEGIN, END = "# nacre: begin (written by `nacre install`)", "# nacre: end"
Names = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonEntries:
    """Entries in a JSON file: values of our own at paths, and items in lists that others share."""

    path: Path
    values: Mapping[Names, object] = field(default_factory=dict)
    # A path is set only where nothing stands there, and taken out only while it holds what we put there.
    defaults: Mapping[Names, object] = field(default_factory=dict)
    items: Sequence[tuple[Names, object]] = ()
    # What is in every item of ours, whatever version wrote it.
    mark: str = ""

    def put(self, text: str | None) -> str:
        """The file with our entries, each once."""
        name = str(self.path)
        written = "{}\n" if text is None or not text.strip() else text
        for path, value in self.defaults.items():
            if json_texts.find(written, path, name) is None:
                written = json_texts.put(written, path, value, name)
        for path, value in self.values.items():
            written = json_texts.put(written, path, value, name)
        for path, value in self.items:
            written = self._with_item(written, path, value)
        return written

    def take(self, text: str | None) -> str | None:
        """The file without our entries, and without what they leave empty."""
        # What is empty in a file that has nothing of ours is somebody else's.
        if text is None or not self.present(text):
            return text
        name = str(self.path)
        for path in self.values:
            text = _pruned(json_texts.remove(text, path, name), path[:-1], name)
        for path, value in self.defaults.items():
            found = json_texts.find(text, path, name)
            if found and found.value == value and len(path) > 1:
                text = _pruned(json_texts.remove(text, path, name), path[:-1], name)
        for path, _ in self.items:
            for place in reversed(self._ours(text, path)):
                text = json_texts.remove(text, path, name, place)
            text = _pruned(text, path, name)
        return text

    def present(self, text: str | None) -> bool:
        """Whether any entry of ours is there."""
        if text is None:
            return False
        held = any(json_texts.find(text, path, str(self.path)) for path in self.values)
        return held or any(self._ours(text, path) for path, _ in self.items)

    def _with_item(self, text: str, path: Names, value: object) -> str:
        holder, ours = json_texts.find(text, path, str(self.path)), self._ours(text, path)
        if holder and len(ours) == 1 and holder.items[ours[0]].value == value:
            return text
        for place in reversed(ours):
            text = json_texts.remove(text, path, str(self.path), place)
        return json_texts.append(text, path, value, str(self.path))

    def _ours(self, text: str, path: Names) -> list[int]:
        holder = json_texts.find(text, path, str(self.path))
        if holder is None or not isinstance(holder.value, list):
            return []
        return [place for place, item in enumerate(holder.value) if self.mark in json.dumps(item)]


def _pruned(text: str, path: Names, name: str) -> str:
    """The text without the values on a path that hold nothing any more."""
    while path:
        node = json_texts.find(text, path, name)
        if node is None or node.value not in ({}, []):
            return text
        text = json_texts.remove(text, path, name)
        path = path[:-1]
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class TomlBlock:
    """A table of ours at the end of a TOML file, between two remarks."""

    path: Path
    table: Names
    text: str

    def put(self, text: str | None) -> str:
        """The file with our table, once."""
        left = self.take(text or "") or ""
        if _at(self._parsed(left), self.table) is not None:
            raise Invalid(
                "file", f"{self.path} has a table {'.'.join(self.table)} of another origin; it was left alone"
            )
        gap = "" if not left else "\n" if left.endswith("\n") else "\n\n"
        written = f"{left}{gap}{BEGIN}\n{self.text}{END}\n"
        self._parsed(written)
        return written

    def take(self, text: str | None) -> str | None:
        """The file without our table."""
        if text is None:
            return None
        self._parsed(text)
        start, end = text.find(BEGIN), text.find(END)
        if start < 0 or end < start:
            return text
        after = text[end + len(END) :].removeprefix("\r").removeprefix("\n")
        return text[:start].removesuffix("\n") + after if text[:start].endswith("\n\n") else text[:start] + after

    def present(self, text: str | None) -> bool:
        """Whether our table is there."""
        return text is not None and BEGIN in text

    def _parsed(self, text: str) -> dict[str, object]:
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise Invalid("file", f"{self.path} is not TOML ({error}), so it was left as it is") from error


def _at(held: object, path: Names) -> object | None:
    for name in path:
        held = held.get(name) if isinstance(held, dict) else None
    return held


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeFile:
    """A file that is ours alone, such as a plugin."""

    path: Path
    text: str

    def put(self, _text: str | None) -> str:
        """What the file holds."""
        return self.text

    def take(self, _text: str | None) -> None:
        """Nothing is left of it."""

    def present(self, text: str | None) -> bool:
        """Whether it is there."""
        return text is not None


Entries = JsonEntries | TomlBlock | WholeFile | YamlLines


def installing(every: Sequence[Entries]) -> list[FileChange]:
    """The changes that put entries where they belong."""
    return _changes(every, lambda entries, text: entries.put(text))


def uninstalling(client: str, every: Sequence[Entries]) -> list[FileChange]:
    """The changes that take entries out; a file that is as it was left gets back what it held before."""

    def without(entries: Entries, text: str | None) -> str | None:
        untouched, before = changes.original(client, entries.path)
        return before if untouched else entries.take(text)

    return _changes(every, without)


def _changes(every: Sequence[Entries], change: Callable[[Entries, str | None], str | None]) -> list[FileChange]:
    read = [(entries, changes.read(entries.path)) for entries in every]
    return changes.needed(
        FileChange(path=entries.path, before=text, after=change(entries, text)) for entries, text in read
    )
