"""PDF, Word and HTML files become Markdown; what cannot be read is refused in words."""

import io
import sys
import zipfile

import pytest

from nacre import Invalid, Nacre, Settings
from nacre.text import conversions
from nacre.text.conversions import to_markdown

pypdf = pytest.importorskip("pypdf", reason="the extra `documents` is not installed")
pytest.importorskip("mammoth", reason="the extra `documents` is not installed")
pytest.importorskip("markdownify", reason="the extra `documents` is not installed")

HTML = b"""<html><head><title>Boat plan</title><style>x {}</style></head>
<body><h2>Crew</h2><p>Ana &amp; Ben sail.</p><script>steal()</script></body></html>"""
_WORDS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def pdf(*pages, title="Harbour book", password=None):
    from pypdf.generic import DictionaryObject, NameObject, StreamObject

    writer = pypdf.PdfWriter()
    kind = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
    font = DictionaryObject({NameObject(name): NameObject(value) for name, value in kind.items()})
    for text in pages:
        page, words = writer.add_blank_page(300, 300), StreamObject()
        words.set_data(f"BT /F1 12 Tf 20 200 Td ({text}) Tj ET".encode())
        page[NameObject("/Contents")] = words
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
        )
    writer.add_metadata({"/Title": title})
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def docx(body):
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Override PartName="/word/document.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r" '
        'Target="word/document.xml" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{_WORDS}"><w:body>{body}</w:body></w:document>',
        "word/styles.xml": f'<w:styles xmlns:w="{_WORDS}"><w:style w:type="paragraph" w:styleId="Heading1">'
        '<w:name w:val="heading 1"/></w:style></w:styles>',
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


def paragraph(text, style=""):
    shown = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{shown}<w:r><w:t>{text}</w:t></w:r></w:p>"


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("plan.html", HTML, "# Boat plan\n\n## Crew\n\nAna & Ben sail."),
        (
            "book.pdf",
            pdf("The ferry leaves at nine.", "# Ana steers."),
            "# Harbour book\n\n## Page 1\n\nThe ferry leaves at nine.\n\n## Page 2\n\n\\# Ana steers.",
        ),
        ("crew.docx", docx(paragraph("Crew", "Heading1") + paragraph("Ana steers.")), "# Crew\n\nAna steers."),
        ("note.txt", b"\xef\xbb\xbfTwo  words\n", "Two  words\n"),
    ],
)
def test_a_file_becomes_markdown(name, data, expected):
    assert to_markdown(name, data) == expected


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.pdf", pdf("secret", password="pw"), "locked with a password"),
        ("a.pdf", pdf("cut")[:400], "broken, or no PDF file"),
        ("a.pdf", pdf(""), "its pages may be pictures"),
        ("a.docx", b"no archive", "broken, or no DOCX file"),
        ("a.docx", docx("")[:-80], "broken, or no DOCX file"),
        ("a.html", b"<div>" * 100_000, "nested more than 400 levels deep"),
        ("a.html", b"<p>" + b"x" * 1_000_001, "says more than 1,000,000 characters"),
        ("a.txt", b"\xff\xfe", "not UTF-8: byte 0"),
        ("a.exe", b"MZ", "must be one of docx"),
        ("a.docx", docx(" " * 2_000_000), "unpacks to more than"),
        ("a.pdf", b"%PDF-" + b" " * 3_000_000, "is larger than"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(monkeypatch, name, data, why):
    monkeypatch.setattr(conversions, "MAX_BYTES", 2**21)
    monkeypatch.setattr(conversions, "_MAX_UNPACKED", 2**20)
    with pytest.raises(Invalid, match=why):
        to_markdown(name, data)


@pytest.mark.parametrize(("name", "library"), [("a.pdf", "pypdf"), ("a.docx", "mammoth"), ("a.html", "bs4")])
def test_without_the_libraries_a_file_is_refused_with_what_to_install(monkeypatch, name, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(Invalid, match=r"pip install nacre\[documents\]"):
        to_markdown(name, b"<p>x</p>")


@pytest.mark.spec("N14")
def test_a_hit_in_a_file_says_its_page(sqlite_url):
    with Nacre(sqlite_url, settings=Settings(worker="off")) as nacre:
        ana = nacre.scope("a", user="ana")
        saved = ana.vault.add_file("books/harbour.pdf", pdf("The ferry leaves at nine.", "Ana steers the tug boat."))

        hit = ana.recall("Who steers the tug boat?")[0]

        assert (saved.document.title, hit.source.ref) == ("Harbour book", "books/harbour.pdf")
        place = ana.vault.get("books/harbour.pdf").content.index("Ana steers")
        assert hit.source.start <= place < hit.source.end
        assert ana.vault.headings("books/harbour.pdf", place) == ("Harbour book", "Page 2")
