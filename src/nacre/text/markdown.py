"""Markdown, as far as a vault must understand it: pure functions over a text and offsets into it."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nacre.text.letters import fold

Span = tuple[int, int]
Properties = dict[str, str | list[str]]

MAX_PIECE = 1_200
# A section that is shorter goes together with what follows.
_MIN_PIECE = 200
_MAX_TITLE = 200
# What is longer is no list of properties.
_MAX_FRONT = 64 * 2**10
_MAX_PROPERTY = 100

_FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n(?P<lines>.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")
# Backticks in what follows make it inline code.
_FENCE = re.compile(r"[ \t>]*(?P<mark>`{3,}(?=[^`\n]*$)|~{3,})(?P<info>[^\n]*)")
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})[ \t]+(?P<text>[^\n]*)")
_TICKS = re.compile("`+")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
_WIKILINK = re.compile(
    r"!?\[\[(?P<target>[^\[\]|#\n]{1,300})(?:#(?P<heading>[^\[\]|\n]{0,300}))?(?:\|(?P<label>[^\[\]\n]{0,300}))?\]\]"
)
_LINK = re.compile(r"!?\[(?=[^\[\]\n]{0,300}\]\()|\]\([^()\n]{0,1000}\)")
_EMPHASIS = re.compile(r"\*+|~~|(?<!\w)_+|_+(?!\w)")
_MARKUP = re.compile(r"[*_`\[\]]+")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f]+")
_EXTENSION = re.compile(r"\.(?:md|markdown)\Z", re.IGNORECASE)
_WORD_ENDS = re.compile(r"[/_.\-]+")
# Where a text may be cut, best first: between paragraphs, between lines, after a sentence, between words.
_PAUSES = (_BLANK_LINE, re.compile(r"\n"), re.compile(r"(?<=[.!?。！？])\s*"), re.compile(r"\s"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wikilink:
    """`[[target#heading|label]]`, or `![[target]]` where `embed`; `start` and `end` hold all of it."""

    target: str
    heading: str | None
    label: str | None
    embed: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPiece:
    """A part of a document, and what it stands under: the document's title and path, and the headings above it."""

    start: int
    end: int
    under: str

    def within(self, text: str) -> str:
        """The piece of a text as search sees it: with what it stands under."""
        return f"{self.under}\n{text[self.start : self.end]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedDocument:
    """What a document says of itself; its pieces are the whole text, in order."""

    title: str
    properties: Properties
    pieces: tuple[DocumentPiece, ...]
    links: tuple[Wikilink, ...]


def read(path: str, text: str) -> ParsedDocument:
    """Read a document that is kept under a path such as `notes/launch.md`."""
    properties, body = front_matter(text)
    code = _code(text, body)
    headings = list(_headings(text, body, code))
    title = _title(path, properties, headings)
    about = " ".join([title, _WORD_ENDS.sub(" ", _EXTENSION.sub("", path))])
    pieces = [
        DocumentPiece(start=start, end=end, under="\n".join([about, *_trail(headings, start)]))
        for start, end in spans(text, [each.start for each in headings], code)
    ]
    return ParsedDocument(title=title, properties=properties, pieces=tuple(pieces), links=tuple(_wikilinks(text, code)))


def name_of(path: str) -> str:
    """What a document is called by the end of its path: `notes/Launch.md` is `Launch`."""
    name = path.rpartition("/")[2]
    return _EXTENSION.sub("", name) or name


def key(text: str) -> str:
    """What a title, a path or the target of a link is compared by: case, accents and the extension do not matter."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", _EXTENSION.sub("", text)).casefold())
    return fold(" ".join(plain.split()))


def front_matter(text: str) -> tuple[Properties, int]:
    """The properties at the head of a text, which are YAML, and where its body begins.

    Names with a text or a list of texts are read; deeper structure is left alone, and so is what is no YAML.
    """
    found = _FRONT.match(text)
    if found is None:
        return {}, 0
    return _properties(found["lines"]), found.end()


def headings_at(text: str, place: int) -> tuple[str, ...]:
    """The headings that a place of a text stands under, with the one that begins there, the outermost first."""
    _, body = front_matter(text)
    above = [each for each in _headings(text, body, _code(text, body)) if each.start <= place]
    return (*above[-1].under, above[-1].text) if above else ()


def prose(text: str) -> str:
    """The text as long as it is, with everything blanked that is no running text: code, comments, marks, addresses."""
    _, body = front_matter(text)
    code = _code(text, body)
    blanked = [(0, body), *code]
    for link in _wikilinks(text, code):
        shown = link.label or link.target
        # What is shown stands last, before the brackets; without a label, a heading may follow it.
        at = text.rindex(shown, link.start, link.end) if link.label else text.index(shown, link.start)
        blanked += [(link.start, at), (at + len(shown), link.end)]
    for marks in (_COMMENT, _LINK, _EMPHASIS):
        blanked += [each.span() for each in marks.finditer(text)]
    return _without(text, blanked)


def spans(text: str, headings: Iterable[int] = (), code: Iterable[Span] = (), limit: int = MAX_PIECE) -> list[Span]:
    """Where each piece begins and ends: together they are the whole text, and none is longer than `limit`.

    A piece ends before a heading, else between paragraphs, else where the text pauses.
    """
    fenced = list(code)
    sections = sorted(headings)
    paragraphs = [end for end in (each.end() for each in _BLANK_LINE.finditer(text)) if not _within(fenced, end)]
    found, start = [], 0
    while start < len(text):
        end = _piece_end(text, start, min(start + limit, len(text)), sections, paragraphs)
        found.append((start, end))
        start = end
    return found


def snippet(text: str, words: Iterable[str], width: int = 240) -> str:
    """The part of a text, on one line, in which most of some words stand."""
    line = " ".join(text.split())
    if len(line) <= width:
        return line
    places = sorted(
        (match.start(), word)
        for word in dict.fromkeys(words)
        for _, match in zip(range(20), re.finditer(re.escape(word), line, re.IGNORECASE), strict=False)
    )
    held = [(len({word for at, word in places if start <= at < start + width // 2}), -start) for start, _ in places]
    start = max(-max(held)[1] - width // 4, 0) if held else 0
    # Whole words, where there are any near.
    begin = line.find(" ", start, start + 20) + 1 if start else 0
    shown = line[begin or start : (begin or start) + width]
    return f"{'…' if start else ''}{shown}{'…' if (begin or start) + width < len(line) else ''}"


@dataclass(frozen=True, slots=True)
class _Heading:
    start: int
    level: int
    text: str
    under: tuple[str, ...]


def _properties(lines: str) -> Properties:
    # Loaded where it is needed: most commands never see a document.
    import yaml  # noqa: PLC0415

    if len(lines) > _MAX_FRONT:
        return {}
    try:
        # Everything stays the text that was written: no number, no date, no object.
        held = yaml.load(lines, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # noqa: S506
    except (yaml.YAMLError, RecursionError, ValueError):
        return {}
    named = held.items() if isinstance(held, dict) else []
    return {name.strip()[:_MAX_PROPERTY]: value for name, value in named if _is_plain(name, value)}


def _is_plain(name: object, value: object) -> bool:
    texts = value if isinstance(value, list) else [value]
    return isinstance(name, str) and bool(name.strip()) and all(isinstance(each, str) for each in texts)


def _title(path: str, properties: Properties, headings: Iterable[_Heading]) -> str:
    given = properties.get("title")
    first = next((each.text for each in headings if each.level == 1), None)
    titles = (each for each in (given, first, name_of(path)) if isinstance(each, str))
    shown = (" ".join(_UNSEEN.sub(" ", each).split())[:_MAX_TITLE] for each in titles)
    return next((each for each in shown if each), path)


def _headings(text: str, body: int, code: list[Span]) -> Iterator[_Heading]:
    above: tuple[_Heading, ...] = ()
    for line in _LINE.finditer(text, body):
        found = _HEADING.match(line[0])
        if found and not _within(code, line.start()):
            said = _MARKUP.sub("", found["text"].strip().rstrip("#").rstrip())
            level = len(found["marks"])
            above = tuple(each for each in above if each.level < level)
            yield _Heading(line.start(), level, said, tuple(each.text for each in above))
            above = (*above, _Heading(line.start(), level, said, ()))


def _trail(headings: list[_Heading], start: int) -> tuple[str, ...]:
    """The headings that what begins at `start` stands under, its own left out."""
    place = bisect_left(headings, start, key=lambda heading: heading.start)
    if place < len(headings) and headings[place].start == start:
        return headings[place].under
    before = headings[place - 1] if place else None
    return (*before.under, before.text) if before else ()


def _code(text: str, body: int) -> list[Span]:
    """Where code stands: fenced blocks, and what is between backticks."""
    fenced = list(_fenced(text, body))
    ticks = [each.span() for each in _TICKS.finditer(text, body) if not _within(fenced, each.start())]
    return sorted([*fenced, *_inline(text, ticks)])


def _fenced(text: str, body: int) -> Iterator[Span]:
    opened: tuple[int, str] | None = None
    for line in _LINE.finditer(text, body):
        found = _FENCE.match(line[0])
        if opened is None:
            opened = (line.start(), found["mark"]) if found else None
        elif found and found["mark"].startswith(opened[1]) and not found["info"].strip():
            yield opened[0], line.end()
            opened = None
    if opened:
        yield opened[0], len(text)


def _inline(text: str, ticks: list[Span]) -> Iterator[Span]:
    """As many backticks end what so many began, in the same paragraph."""
    following: dict[int, int] = {}
    partner: list[int | None] = [None] * len(ticks)
    for place in range(len(ticks) - 1, -1, -1):
        length = ticks[place][1] - ticks[place][0]
        partner[place] = following.get(length)
        following[length] = place
    place = 0
    while place < len(ticks):
        other = partner[place]
        if other is None or _BLANK_LINE.search(text, ticks[place][1], ticks[other][0]):
            place += 1
        else:
            yield ticks[place][0], ticks[other][1]
            place = other + 1


def _wikilinks(text: str, code: list[Span]) -> Iterator[Wikilink]:
    for found in _WIKILINK.finditer(text):
        # In a table the bar before a label is escaped.
        target = found["target"].removesuffix("\\").strip()
        if target and not _within(code, found.start()):
            yield Wikilink(
                target=target,
                heading=(found["heading"] or "").removesuffix("\\").strip() or None,
                label=(found["label"] or "").strip() or None,
                embed=found[0].startswith("!"),
                start=found.start(),
                end=found.end(),
            )


def _within(regions: list[Span], place: int) -> bool:
    """Whether a place lies in one of some regions, which are in order."""
    before = bisect_right(regions, place, key=lambda region: region[0]) - 1
    return before >= 0 and place < regions[before][1]


def _piece_end(text: str, start: int, stop: int, sections: list[int], paragraphs: list[int]) -> int:
    section = bisect_left(sections, start + _MIN_PIECE)
    if section < len(sections) and sections[section] <= stop:
        return sections[section]
    if stop == len(text):
        return stop
    paragraph = bisect_right(paragraphs, stop) - 1
    if paragraph >= 0 and paragraphs[paragraph] > start + (stop - start) // 4:
        return paragraphs[paragraph]
    half = start + (stop - start) // 2
    for pause in _PAUSES:
        places = [each.end() for each in pause.finditer(text, half, stop) if half < each.end() <= stop]
        if places:
            return places[-1]
    return stop


def _without(text: str, regions: Iterable[Span]) -> str:
    kept, place = [], 0
    for start, end in sorted(regions):
        begin = max(start, place)
        if end > begin:
            kept += [text[place:begin], re.sub(r"[^\n]", " ", text[begin:end])]
            place = end
    return "".join([*kept, text[place:]])
