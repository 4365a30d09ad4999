"""JSON files of other programs, changed in place: what is not ours keeps its bytes.

Comments, commas before a closing bracket, names without quotes and single quotes are read, as some clients allow
them. What is written is plain JSON, in the indentation of the file.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from nacre.domain.errors import Invalid

_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_DOUBLE = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_SINGLE = re.compile(r"'(?:[^'\\\n]|\\.)*'")
_PLAIN = re.compile(r"[^\s,:\[\]{}\"'/]+")


@dataclass(slots=True)
class JsonNode:
    """A value in a text: where it stands, and what it holds."""

    start: int
    end: int = 0
    value: Any = None
    # Of an object, by name: where the name begins, and the value.
    members: dict[str, tuple[int, "JsonNode"]] = field(default_factory=dict)
    items: list["JsonNode"] = field(default_factory=list)

    @property
    def parts(self) -> list[tuple[int, int]]:
        """Where each member or item begins and ends."""
        named = [(start, node.end) for start, node in self.members.values()]
        return named or [(node.start, node.end) for node in self.items]


def parse(text: str, name: str) -> JsonNode:
    """The object that a text is; `Invalid` where it is none."""
    try:
        node = _value(text, _skip(text, 0))
        whole = _skip(text, node.end) == len(text)
    except (IndexError, ValueError, RecursionError) as error:
        raise Invalid("file", f"{name} is not JSON, so it was left as it is") from error
    if not whole or not isinstance(node.value, dict):
        raise Invalid("file", f"{name} is no JSON object, so it was left as it is")
    return node


def find(text: str, path: Sequence[str], name: str) -> JsonNode | None:
    """The value at a path of names."""
    node = parse(text, name)
    for key in path:
        if key not in node.members:
            return None
        node = node.members[key][1]
    return node


def put(text: str, path: Sequence[str], value: object, name: str) -> str:
    """The text with a value at a path; objects on the way are made where they are missing."""
    *way, key = path
    holder = find(text, way, name)
    if holder is None:
        return put(text, way, {key: value}, name)
    _check(holder, dict, way, name)
    if key in holder.members:
        node = holder.members[key][1]
        if node.value == value:
            return text
        return text[: node.start] + _written(value, _indent(text, node.start), text) + text[node.end :]
    return _added(text, holder, f"{json.dumps(key)}: ", value)


def append(text: str, path: Sequence[str], value: object, name: str) -> str:
    """The text with a value at the end of the list at a path, which is made where it is missing."""
    holder = find(text, path, name)
    if holder is None:
        return put(text, path, [value], name)
    _check(holder, list, path, name)
    return _added(text, holder, "", value)


def remove(text: str, path: Sequence[str], name: str, place: int | None = None) -> str:
    """The text without what stands at a path, or without one item of the list there."""
    holder = find(text, path if place is not None else path[:-1], name)
    if holder is None or (place is None and path[-1] not in holder.members):
        return text
    index = list(holder.members).index(path[-1]) if place is None else place
    parts = holder.parts
    start, end = parts[index]
    if len(parts) == 1:
        return text[: holder.start + 1] + text[holder.end - 1 :]
    if index + 1 < len(parts):
        return text[:start] + text[parts[index + 1][0] :]
    return text[: parts[index - 1][1]] + text[end:]


def _check(node: JsonNode, kind: type, path: Sequence[str], name: str) -> None:
    if not isinstance(node.value, kind):
        raise Invalid("file", f"`{'.'.join(path)}` in {name} is not what it should be, so it was left as it is")


def _added(text: str, holder: JsonNode, label: str, value: object) -> str:
    """The text with one more member or item at the end of an object or a list."""
    outer = _indent(text, holder.start)
    parts = holder.parts
    if not parts:
        inner = outer + _unit(text)
        written = f"\n{inner}{label}{_written(value, inner, text)}\n{outer}"
        return text[: holder.start + 1] + written + text[holder.end - 1 :]
    start, end = parts[-1]
    spread = "\n" in text[holder.start : start]
    inner = _indent(text, start) if spread else outer
    # A comma may stand there already.
    comma = _skip(text, end)
    trailing = text[comma] == ","
    at = comma + 1 if trailing else end
    between = f"\n{inner}" if spread else " "
    return text[:at] + ("" if trailing else ",") + f"{between}{label}{_written(value, inner, text)}" + text[at:]


def _written(value: object, indent: str, text: str) -> str:
    return json.dumps(value, indent=_unit(text), ensure_ascii=False).replace("\n", f"\n{indent}")


def _indent(text: str, place: int) -> str:
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip())]


def _unit(text: str) -> str:
    """One step of the text's indentation."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found else "  "


def _skip(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _value(text: str, start: int) -> JsonNode:
    match text[start]:
        case "{":
            return _object(text, start)
        case "[":
            return _list(text, start)
        case '"' | "'":
            value, end = _string(text, start)
            return JsonNode(start, end, value)
        case _:
            found = _PLAIN.match(text, start)
            if found is None:
                raise ValueError(start)
            return JsonNode(start, found.end(), json.loads(found[0]))


def _object(text: str, start: int) -> JsonNode:
    node = JsonNode(start, value={})
    place = _skip(text, start + 1)
    while text[place] != "}":
        begins = place
        if text[place] in "\"'":
            key, place = _string(text, place)
        elif found := _NAME.match(text, place):
            key, place = found[0], found.end()
        else:
            raise ValueError(place)
        place = _skip(text, place)
        if text[place] != ":" or key in node.members:
            raise ValueError(place)
        child = _value(text, _skip(text, place + 1))
        node.members[key] = (begins, child)
        node.value[key] = child.value
        place = _next(text, child.end, "}")
    node.end = place + 1
    return node


def _list(text: str, start: int) -> JsonNode:
    node = JsonNode(start, value=[])
    place = _skip(text, start + 1)
    while text[place] != "]":
        child = _value(text, place)
        node.items.append(child)
        node.value.append(child.value)
        place = _next(text, child.end, "]")
    node.end = place + 1
    return node


def _next(text: str, place: int, closing: str) -> int:
    place = _skip(text, place)
    if text[place] == ",":
        return _skip(text, place + 1)
    if text[place] != closing:
        raise ValueError(place)
    return place


def _string(text: str, start: int) -> tuple[str, int]:
    found = (_DOUBLE if text[start] == '"' else _SINGLE).match(text, start)
    if found is None:
        raise ValueError(start)
    if text[start] == '"':
        return json.loads(found[0]), found.end()
    inner = found[0][1:-1].replace("\\'", "'").replace('"', '\\"')
    return json.loads(f'"{inner}"'), found.end()
