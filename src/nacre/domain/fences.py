"""Fences: tags around what is shown to a model, which nothing that is shown can close, open or imitate."""

import re
import unicodedata
from collections.abc import Collection

# What is never seen: controls, what changes the direction of a line, and characters without width. Joiners and marks
# of direction stay, since languages and emoji are written with them; a tag is found in spite of them.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u00ad\u180e\u200b\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]+"
)
# Ends of lines that are not written as one: a reader may see one there.
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# What stays and is not seen, or sits on the letter before.
_UNSEEN = "\u0300-\u036f\u061c\u115f\u1160\u180b-\u180f\u200c-\u200f\u20d0-\u20ff\u3164\ufe00-\ufe0f\uffa0"
# A bracket, however it is written, and the word behind it.
_BRACKETS = "<＜﹤"
_BRACKET = re.compile(rf"[{_BRACKETS}](?=[\s/\\|／∕⁄{_UNSEEN}]*+([^\s<＜﹤>＞﹥]*+))")
_TAG_END = re.compile(r"\W|$")
_TAGS = "system|assistant|user|human|instructions?|prompt|tool_call|tool_result|function_calls?|tool_use|invoke"
# Marks by which chat templates and transcripts tell who speaks.
ROLE_MARKER = re.compile(
    rf"<(?P<pipe>\|[a-z_]{{2,30}}\|)>"
    rf"|<(?P<tag>/?(?:{_TAGS})(?:\s[^<>]{{0,200}})?)>"
    r"|<<(?P<sys>/?SYS)>>"
    r"|\[(?P<inst>/?INST)\]"
    r"|^(?P<head>[ \t]*#{1,6} ?(?:system|instructions?|assistant|user))(?=:?[ \t]*$)"
    r"|^(?P<speaker>[ \t]*(?:system|assistant|developer))(?P<colon>[ \t]*:)",
    re.IGNORECASE | re.MULTILINE,
)
# A line of a turn that begins as our own lines of a conversation do.
_SPEAKER = re.compile(r"^([ \t]*(?:user|human|tool|ai))[ \t]*:", re.IGNORECASE | re.MULTILINE)


def harmless(text: str, labels: Collection[str]) -> str:
    """A text without what is hidden in it, and with every tag of a label broken; nothing else changes."""
    # Whole contexts come through here, and few have anything to hide: that is told without reading them thrice.
    printable = text.replace("\n", "").isprintable()
    seen = text if printable else _LINE_ENDS.sub(_written_end, text)
    if not (printable and seen.isascii()):
        seen = _HIDDEN.sub("", seen)
    if not any(bracket in seen for bracket in _BRACKETS):
        return seen
    return _BRACKET.sub(lambda match: "‹" if _names(match[1], labels) else match[0], seen)


def harmless_turn(text: str) -> str:
    """What somebody said, so that none of its lines looks like another's turn: role marks broken, lines set in."""
    lines = "\n".join(_HIDDEN.sub("", line) for line in text.splitlines())
    spoken = _SPEAKER.sub(r"\1 –", break_role_markers(lines))
    return spoken.replace("\n", "\n  ")


def break_role_markers(text: str) -> str:
    """A text in which no mark says that somebody else speaks."""
    return ROLE_MARKER.sub(_broken, text)


def _written_end(match: re.Match[str]) -> str:
    return "\n" if match[0] == "\r\n" else " "


def _names(word: str, labels: Collection[str]) -> bool:
    """Whether a word behind a bracket is a label, whatever is put on, between and behind its letters."""
    if not word.isascii():
        word = "".join(letter for letter in unicodedata.normalize("NFKD", word) if not _is_unseen(letter))
    return _TAG_END.split(word.casefold(), maxsplit=1)[0] in labels


def _is_unseen(letter: str) -> bool:
    return unicodedata.category(letter) in ("Mn", "Me", "Cf") or letter in "\u115f\u1160\u3164\uffa0"


def _broken(match: re.Match[str]) -> str:
    if match["head"]:
        return match["head"].replace("#", "›")
    if match["speaker"]:
        return f"{match['speaker']} –"
    return f"‹{next(filter(None, (match['pipe'], match['tag'], match['sys'], match['inst'])))}›"
