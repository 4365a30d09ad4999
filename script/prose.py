"""How readable the pages are: words, sentences, long lines, and clicks from the README; `--wrap` breaks long lines.

python script/prose.py [--wrap]
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LONGEST_LINE = 160
WIDTH = 140
# Blocks of code, and sections that `python -m bench` writes, are not prose.
_FENCE = re.compile(r"^```.*?^```[^\n]*$", re.MULTILINE | re.DOTALL)
_WRITTEN = re.compile(r"<!-- bench:\S+:begin -->.*?<!-- bench:\S+:end -->", re.DOTALL)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_ITEM = re.compile(r"^(\s*)([-*]|\d+\.) ")
# A line that began like this would become something else.
_MARK = re.compile(r"([-*+#>|]|\d+[.)])(\s|$)")
# What stays on one line: code, links, bold words.
_WHOLE = re.compile(r"`[^`]*`|!?\[[^\]]*\]\([^)]*\)|\*\*[^*]*\*\*")


@dataclass(frozen=True, slots=True)
class Figures:
    """One page in figures: all its words, those in sentences, the sentences, and lines that are too long."""

    words: int
    spoken: int
    sentences: int
    long_lines: int

    @property
    def per_sentence(self) -> float:
        """Words a sentence."""
        return self.spoken / max(1, self.sentences)


def pages(root: Path = ROOT) -> list[Path]:
    """The README and the documentation, in order."""
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def figures(text: str) -> Figures:
    """A page in figures."""
    found = _sentences(text)
    spoken = sum(len(re.findall(r"[\w’'-]+", each)) for each in found)
    long_lines = [line for line in _own(text).splitlines() if len(line) > LONGEST_LINE and not line.startswith("|")]
    return Figures(len(text.split()), spoken, len(found), len(long_lines))


def reached(root: Path = ROOT) -> tuple[set[Path], set[Path]]:
    """The pages that one click from the README leads to, and those that two do."""
    first = _links(root / "README.md")
    return first, first.union(*(_links(page) for page in first if page.is_file()))


def wrapped(text: str) -> str:
    """A page whose long lines of prose are broken; nothing else changes."""
    kept = [(found.start(), found.end()) for each in (_FENCE, _WRITTEN) for found in each.finditer(text)]
    lines, place = [], 0
    for line in text.split("\n"):
        inside = any(start <= place < end for start, end in kept)
        lines += [line] if inside or len(line) <= LONGEST_LINE or line.startswith("|") else _broken(line)
        place += len(line) + 1
    return "\n".join(lines)


def _broken(line: str) -> list[str]:
    item = _ITEM.match(line)
    indent = " " * (item.end() if item else len(line) - len(line.lstrip()))
    # What must stay whole has no spaces while the line is broken.
    words = _WHOLE.sub(lambda found: found[0].replace(" ", "\0"), line.strip()).split(" ")
    lines = [line[: len(line) - len(line.lstrip())] + words[0]]
    for place, word in enumerate(words[1:], 1):
        if len(lines[-1]) + 1 + len(word) > WIDTH and not _MARK.match(" ".join(words[place : place + 2])):
            lines.append(indent + word)
        else:
            lines[-1] += " " + word
    return [each.replace("\0", " ") for each in lines]


def _own(text: str) -> str:
    return _WRITTEN.sub("", _FENCE.sub("", text))


def _sentences(text: str) -> list[str]:
    prose = "\n".join(line for line in _own(text).splitlines() if not line.startswith(("|", "#", "!", "<")))
    found: list[str] = []
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", _LINK.sub(r"\1", prose)):
        plain = re.sub(r"`[^`]*`", "code", " ".join(block.split())).replace("**", "")
        found += re.split(r"(?<=[.!?])[\"”)]?\s+(?=[A-Z“\"(0-9]|code)", re.sub(r"^(?:[-*]|\d+\.) ", "", plain))
    return [each for each in found if re.search(r"\w", each)]


def _links(page: Path) -> set[Path]:
    targets = re.findall(r"\]\(([^)#: ]+\.md)", _FENCE.sub("", page.read_text(encoding="utf-8")))
    return {(page.parent / target).resolve() for target in targets}


def main() -> None:
    """Print the figures of every page and of all."""
    for page in pages() if "--wrap" in sys.argv else []:
        page.write_text(wrapped(page.read_text(encoding="utf-8")), encoding="utf-8")
    each = {page: figures(page.read_text(encoding="utf-8")) for page in pages()}
    for page, found in each.items():
        print(f"{page.name:24}{found.words:7}{found.per_sentence:7.1f}{found.long_lines:5}")
    everything = list(each.values())
    spoken = sum(found.spoken for found in everything)
    sentences = sum(found.sentences for found in everything)
    first, second = reached()
    docs = set(each) - {ROOT / "README.md"}
    print(
        f"{len(each)} pages, {sum(found.words for found in everything)} words, {spoken / sentences:.1f} a sentence, "
        f"{sum(found.long_lines for found in everything)} lines over {LONGEST_LINE}; "
        f"of {len(docs)} pages {len(docs & first)} in one click, {len(docs & second)} in two"
    )


if __name__ == "__main__":
    main()
