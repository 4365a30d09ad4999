"""Text that tries to give orders to whoever reads it: found at write, and harmless where it is shown.

What people say about instructions is not one: only phrases that speak to a language model are looked for.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from nacre.domain.fences import ROLE_MARKER, break_role_markers
from nacre.domain.short_calls import CALLS
from nacre.text.letters import small_letters

INSTRUCTION = "instruction"
MARKER = "role_marker"
HIDDEN = "hidden_text"
EXFILTRATION = "exfiltration"

_QUOTED = "[quoted instruction: "

# Controls that change what is seen, and tags that are never seen: no language is written with them.
_HIDDEN = re.compile("[\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]+")
_EARLIER = (
    r"(?:(?:all|any|every|the|your|my|these|those|of) ){0,3}"
    r"(?:previous|prior|above|earlier|preceding|foregoing|existing|original|system)"
)
_ORDERS = r"(?:instructions?|prompts?|messages?|directions?|rules?|guidelines?|context|orders?)"
_EARLIER_ES = r"(?:(?:todas?|todos?|las?|los?|tus?|mis?) ){0,3}"
_ORDERS_ES = (
    r"(?:instrucciones|indicaciones|órdenes|reglas|mensajes)(?: (?:anteriores|previas|previos|de arriba|del sistema))"
)
# How each phrase begins, and how it goes on.
_PHRASES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("ignore", "disregard", "forget", "override", "bypass", "discard"), rf" {_EARLIER} {_ORDERS}"),
    (
        ("ignore", "disregard", "forget"),
        r" (?:everything|anything|all)(?: that \w+)?(?: said| written| told)? (?:above|before)",
    ),
    (("do not",), r" (?:follow|obey) (?:the|your|any) (?:previous|system|above|original) \w+"),
    (("from now on", "starting now", "henceforth"), r",? (?:you are|you will|you must|act as|respond)"),
    (
        ("you are",),
        r" (?:now|no longer) (?:in \w+ mode|dan\b|an? (?:\w+ ){0,3}(?:ai|assistant|bot|model|agent|persona)\b)",
    ),
    (
        ("enter", "switch to", "enable", "activate"),
        r" (?:developer|debug|god|jailbreak|unrestricted|dan) mode",
    ),
    (
        ("reveal", "print", "repeat", "show", "leak"),
        r"(?: me| us)? (?:your|the) (?:system|hidden|initial) (?:prompt|instructions)",
    ),
    (("new", "updated", "real", "actual"), r" (?:system )?instructions?:"),
    (("system", "developer"), r" (?:override|message|notice):"),
    (("do not", "don't", "never"), r" (?:tell|inform|alert|mention (?:this|it) to|let) the user"),
    (("without",), r" (?:telling|informing|asking) the user"),
    (("ignora", "olvida", "descarta", "desobedece"), rf" {_EARLIER_ES}{_ORDERS_ES}"),
    (("a partir de ahora", "desde ahora"), r",? (?:eres|actúa|responde|debes)"),
    (("no se lo digas",), r" al usuario"),
    (("sin",), r" (?:decírselo|informar|avisar) al usuario"),
)
_ORDERED = "|".join(f"(?:{'|'.join(starts)}){rest}" for starts, rest in _PHRASES)
_INSTRUCTION = re.compile(rf"(?<!{re.escape(_QUOTED)})\b(?:{_ORDERED})", re.IGNORECASE)
_STARTS = tuple(dict.fromkeys(start for starts, _ in _PHRASES for start in starts))
# One of these is in every phrase above; most texts hold none of them.
_HINTS = (
    "ignor", "disregard", "forget", "overrid", "bypass", "discard", "not follow", "not obey", "from now",
    "starting now", "henceforth", "you are now", " mode", "prompt", "instruct", "system", "developer", "the user",
    "olvida", "descarta", "desobedece", "ahora", "usuario",
)  # fmt: skip
_LONGEST_START = max(map(len, (*_HINTS, *_STARTS)))
# A picture from elsewhere is fetched as soon as it is shown, and its address can carry anything away.
_EXFILTRATION = re.compile(r"!\[([^\]\n]{0,200})\]\(\s*(https?://(?:[^\s)!]|!(?!\[)){1,2000})\s*\)", re.IGNORECASE)
# What holds Python's lock until it has gone through all that it was given is given a long text in pieces.
PIECE = 20_000
# A text in small letters, in pieces with their places.
Pieces = Sequence[tuple[int, str]]


def flags(text: str) -> tuple[str, ...]:
    """What a reader should be wary of in a text."""
    # Patterns are tried only where they can begin: trying them everywhere takes a hundred times as long.
    found = []
    pieces = list(_lowered_pieces(text))
    if _holds(pieces, _HINTS) and any(map(partial(_INSTRUCTION.match, text), _places(pieces, _STARTS))):
        found.append(INSTRUCTION)
    if any(map(partial(ROLE_MARKER.match, text), _marker_places(text, pieces))):
        found.append(MARKER)
    if not text.isascii() and any(_HIDDEN.search(text, at, at + PIECE) for at in _piece_starts(text)):
        found.append(HIDDEN)
    if "![" in text and any(map(partial(_EXFILTRATION.match, text), _places(pieces, ("![",)))):
        found.append(EXFILTRATION)
    return tuple(found)


def _marker_places(text: str, pieces: Pieces) -> Iterator[int]:
    """Where a marker may begin: at a bracket, or with a line."""
    yield from _places(pieces, ("<", "["))
    if "#" in text or ":" in text:
        yield 0
        yield from (at + 1 for at in _places(pieces, ("\n",)))


def _places(pieces: Pieces, starts: Sequence[str]) -> Iterator[int]:
    """Where any of some words begins in a text, however its letters are written."""
    for begin, lowered in pieces:
        for start in starts:
            at = lowered.find(start)
            while at >= 0:
                yield begin + at
                at = lowered.find(start, at + 1)


def _holds(pieces: Pieces, hints: Sequence[str]) -> bool:
    for _, lowered in pieces:
        for hint in hints:
            if hint in lowered:
                return True
    return False


def _lowered_pieces(text: str) -> Iterator[tuple[int, str]]:
    """Pieces of a text, each with its place; they overlap, so that no word is cut in all of them."""
    for begin in _piece_starts(text):
        yield begin, small_letters(text[begin : begin + PIECE + _LONGEST_START])


def _piece_starts(text: str) -> Iterator[int]:
    """Where pieces of a text begin; calls come in between those of a long one."""
    for begin in range(0, len(text), PIECE):
        if begin:
            CALLS.give_way()
        yield begin


def neutral(text: str) -> str:
    """The text with its orders quoted, its markers broken and what is hidden in it gone; nothing else changes."""
    seen = _HIDDEN.sub("", text)
    seen = _EXFILTRATION.sub(r"[picture: \1 at \2]", seen)
    seen = break_role_markers(seen)
    return _INSTRUCTION.sub(lambda match: f"{_QUOTED}{match[0]}]", seen)
