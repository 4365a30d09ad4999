"""Files of other kinds as Markdown: PDF by pages, Word and HTML by their headings, plain text as it is.

The libraries for that are an extra, loaded when such a file comes. All of them are fed with files of strangers, so
whatever they raise means that the file cannot be read.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from pathlib import PurePosixPath
from types import ModuleType

from nacre.domain import checks
from nacre.domain.errors import Invalid

MAX_BYTES = 50 * 2**20
# What a packed file may unpack to.
_MAX_UNPACKED = 200 * 2**20
_MAX_PAGES = 5_000
_HEADING = re.compile(r"^([ \t]{0,200})(#{1,6}\s)", re.MULTILINE)
_BLANKS = re.compile(r"(?<![ \t])[ \t]++\n")
_GAPS = re.compile(r"\n{3,}")
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_BROKEN = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    zipfile.BadZipFile,
    zlib.error,
)
# Tags that nothing needs to close.
_OPEN = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
_MAX_NESTING = 400
# Nothing in them is said to a reader.
_UNREAD = ("script", "style", "noscript", "template", "svg", "head")


def to_markdown(name: str, data: bytes) -> str:
    """What a file says, as Markdown. Its name tells what it is, or its first bytes where they are plain."""
    if len(data) > MAX_BYTES:
        raise Invalid("file", f"is larger than {MAX_BYTES // 2**20} MiB")
    kind = _kind(name, data)
    try:
        text = _READERS[kind](data)
    except UnicodeDecodeError as error:
        raise Invalid("file", f"is not UTF-8: byte {error.start} cannot be read") from error
    except _BROKEN as error:
        raise Invalid("file", f"is broken, or no {kind.upper()} file: it cannot be read") from error
    tidy = text if kind in _AS_THEY_ARE else _GAPS.sub("\n\n", _BLANKS.sub("\n", _UNSEEN.sub("", text))).strip()
    if not tidy.strip():
        raise Invalid("file", "holds no text" + (": its pages may be pictures" if kind == "pdf" else ""))
    if len(tidy) > checks.MAX_TEXT:
        raise Invalid("file", f"says more than {checks.MAX_TEXT:,} characters; split it")
    return tidy


def _kind(name: str, data: bytes) -> str:
    if data.startswith(b"%PDF-"):
        return "pdf"
    suffix = PurePosixPath(name).suffix.lower().removeprefix(".")
    known = _SUFFIXES.get(suffix)
    if known is None:
        raise Invalid("file", f"must be one of {', '.join(sorted(_SUFFIXES))}, not `{suffix or name}`")
    return known


def _library(name: str) -> ModuleType:
    try:
        return __import__(name)
    except ImportError as error:
        why = "is of a kind that needs more libraries where Nacre runs: `pip install nacre[documents]`"
        raise Invalid("file", why) from error


def _from_text(data: bytes) -> str:
    return data.decode("utf-8-sig")


def _from_pdf(data: bytes) -> str:
    """The pages of a PDF, each under a heading with its number."""
    pypdf = _library("pypdf")
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise Invalid("file", "is locked with a password")
        if len(reader.pages) > _MAX_PAGES:
            raise Invalid("file", f"has more than {_MAX_PAGES:,} pages; split it")
        pages = [page.extract_text() for page in reader.pages]
        title = str((reader.metadata and reader.metadata.title) or "").strip()
    except pypdf.errors.DependencyError as error:
        raise Invalid("file", "is locked in a way that cannot be opened") from error
    except pypdf.errors.PyPdfError as error:
        raise Invalid("file", "is broken, or no PDF file: it cannot be read") from error
    told = [f"## Page {number}\n\n{_plain(text)}" for number, text in enumerate(pages, start=1) if text.strip()]
    return "\n\n".join([*([f"# {' '.join(title.split())}"] if title and told else []), *told])


def _plain(text: str) -> str:
    """Words of a page, none of which is a heading of ours."""
    return _HEADING.sub(r"\1\\\2", text)


def _from_docx(data: bytes) -> str:
    mammoth = _library("mammoth")
    _library("markdownify")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(info.file_size for info in archive.infolist()) > _MAX_UNPACKED:
            raise Invalid("file", f"unpacks to more than {_MAX_UNPACKED // 2**20} MiB")
    ignored = mammoth.images.img_element(lambda _image: {})
    return _from_markup(mammoth.convert_to_html(io.BytesIO(data), convert_image=ignored).value)


class _DepthParser(HTMLParser):
    """Finds out how deeply a page is nested, before anything is built of it that is as deep."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self._depth += tag not in _OPEN
        if self._depth > _MAX_NESTING:
            raise Invalid("file", f"is nested more than {_MAX_NESTING} levels deep")

    def handle_endtag(self, tag: str) -> None:
        self._depth -= tag not in _OPEN


def _from_html(data: bytes) -> str:
    _DepthParser().feed(data.decode("utf-8", "replace"))
    markup = _library("bs4").BeautifulSoup(data, "html.parser")
    title = markup.title.get_text(" ", strip=True) if markup.title else ""
    for tag in markup(_UNREAD):
        tag.decompose()
    words = _from_markup(str(markup))
    return f"# {title}\n\n{words}" if title and words.strip() and not words.lstrip().startswith("# ") else words


def _from_markup(markup: str) -> str:
    made: str = _library("markdownify").markdownify(markup, heading_style="ATX", strip=["img"])
    return made


_READERS: Mapping[str, Callable[[bytes], str]] = {
    "pdf": _from_pdf,
    "docx": _from_docx,
    "html": _from_html,
    "text": _from_text,
}
_AS_THEY_ARE = ("text",)
_SUFFIXES = {
    "pdf": "pdf",
    "docx": "docx",
    "html": "html",
    "htm": "html",
    "txt": "text",
    "md": "text",
    "markdown": "text",
}
