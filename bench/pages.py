"""The benchmark page: sections between two markers are rewritten, everything else on it is left alone."""

import textwrap
from pathlib import Path

from bench.sources import ROOT

PAGE = ROOT / "docs" / "benchmarks.md"
# Sections that stand on a page of their own, beside what is to be done about them.
PAGES = {
    "scale": ROOT / "docs" / "scale.md",
    "citus": ROOT / "docs" / "scale.md",
    "endure": ROOT / "docs" / "operations.md",
    "faults": ROOT / "docs" / "operations.md",
    "doors": ROOT / "docs" / "install.md",
}
LONGEST_LINE = 160
WIDTH = 140
HEADINGS = {
    "context": "Contexts",
    "fuzz": "Nonsense",
    "scale": "What one PostgreSQL carried",
    "citus": "What three nodes carried",
    "endure": "Half an hour of load",
    "faults": "When something fails",
    "doors": "What you wait for",
}

INTRO = """# Benchmarks

Use this page to judge what Nacre finds, learns and costs, and to measure it again.

Every figure on this page is written by `python -m bench`; `bench/README.md` says what is measured and how to run it.
Quality is measured through the public surface on a cold store, without a language model and without a key. Times
depend on the machine, so each stands beside a bare baseline measured in the same run.
"""


def publish(section: str, body: str, page: Path | None = None) -> None:
    """Put `body` between the section's markers; a page or a section that is not there yet is added."""
    page = page or PAGES.get(section, PAGE)
    text = page.read_text(encoding="utf-8") if page.is_file() else INTRO
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(rewritten(text, section, body), encoding="utf-8")


def rewritten(text: str, section: str, body: str) -> str:
    begin, end = markers(section)
    block = f"{begin}\n{fitted(body.strip())}\n{end}"
    start = text.find(begin)
    stop = text.find(end, start)
    if start < 0 or stop < 0:
        return f"{text.rstrip()}\n\n{block}\n"
    return text[:start] + block + text[stop + len(end) :]


def fitted(text: str) -> str:
    """The text with its long lines of prose broken; rows of tables stay whole."""
    return "\n".join(_broken(line) for line in text.split("\n"))


def _broken(line: str) -> str:
    if len(line) <= LONGEST_LINE or line.startswith("|"):
        return line
    return textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)


def markers(section: str) -> tuple[str, str]:
    return f"<!-- bench:{section}:begin -->", f"<!-- bench:{section}:end -->"
