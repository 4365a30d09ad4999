"""Where wikilinks lead, for one reader: among the documents that it may see, by path, then by name, then by title."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from nacre.domain.documents import DocumentInfo, DocumentLink, DocumentLinks
from nacre.memory.vault import seen
from nacre.store.base.databases import Transaction
from nacre.store.evidence import documents
from nacre.text import markdown
from nacre.text.markdown import Wikilink

# How many documents are looked through at a time.
TOGETHER = 200


@dataclass(frozen=True, slots=True)
class _Place:
    """A document that links may lead to, and how near its scope is to the reader."""

    document: DocumentInfo
    rank: int
    path: str
    title: str


@dataclass(slots=True)
class WikilinkDirectory:
    """What targets mean to the reader of a transaction; each is looked up once."""

    homes: Sequence[Transaction]
    _known: dict[str, list[_Place]] = field(default_factory=dict)

    def read(self, targets: Collection[str]) -> None:
        """Look up many targets at once."""
        keys = {key for target in targets for key in _keys(target)} - set(self._known)
        for key in keys:
            self._known[key] = []
        for rank, home in enumerate(self.homes):
            for document in documents.called(home, keys) if keys else ():
                place = _Place(document, rank, markdown.key(document.path), markdown.key(document.title))
                for key in {place.title, documents.last_part(place.path)} & keys:
                    self._known[key].append(place)

    def find(self, target: str, start: DocumentInfo) -> DocumentInfo | None:
        """The document that a target means in a document: where several do, one of the same scope, else the nearest."""
        whole = markdown.key(target).strip("/")
        found = {place.document.id: place for key in _keys(target) for place in self._known[key]}
        ranked = [(rank, place) for place in found.values() if (rank := _how(whole, place)) is not None]
        if not ranked:
            return None
        same = (start.visibility, start.team)
        best = min(
            ranked,
            key=lambda each: (
                each[0],
                (each[1].document.visibility, each[1].document.team) != same,
                each[1].rank,
                len(each[1].path),
                each[1].path,
                each[1].document.path,
            ),
        )
        return best[1].document


def links_of(tx: Transaction, home: Transaction, document: DocumentInfo) -> DocumentLinks:
    """Where a document leads, and what leads to it, as far as the transaction's scope may see."""
    homes = seen(tx)
    directory = WikilinkDirectory(homes)
    keys = {documents.last_part(markdown.key(each)) for each in (document.path, document.title)}
    linking = [link for place in homes for link in _written(place, documents.linking(place, keys))]
    # Of what these documents link to, only what may mean this one is looked up.
    written = [(each, link) for each, link in linking if not keys.isdisjoint(_keys(link.target))]
    own = _written(home, [document])
    directory.read({link.target for _, link in [*own, *written]})
    back = [link for link in _resolved(directory, written) if link.document and link.document.id == document.id]
    return DocumentLinks(document=document, outgoing=tuple(_resolved(directory, own)), backlinks=tuple(back))


def broken(tx: Transaction, limit: int) -> list[DocumentLink]:
    """The links that lead nowhere, as far as the transaction's scope may see; those of the last changed first."""
    homes = seen(tx)
    directory = WikilinkDirectory(homes)
    document_links: list[DocumentLink] = []
    for home in homes:
        every = documents.linking(home)
        for start in range(0, len(every), TOGETHER):
            written = _written(home, every[start : start + TOGETHER])
            directory.read({link.target for _, link in written})
            document_links += [link for link in _resolved(directory, written) if link.document is None]
            if len(document_links) >= limit:
                return document_links[:limit]
    return document_links


def _how(whole: str, place: _Place) -> int | None:
    """How a target means a document: by its path, by the end of it, or by its title; None where it does not."""
    if place.path == whole:
        return 0
    if place.path.endswith(f"/{whole}"):
        return 1
    return 2 if place.title == whole else None


def _keys(target: str) -> tuple[str, str]:
    key = markdown.key(target)
    return key, documents.last_part(key)


def _written(home: Transaction, some: Sequence[DocumentInfo]) -> list[tuple[DocumentInfo, Wikilink]]:
    held = documents.links(home, [each.id for each in some])
    return [(each, link) for each in some for link in held[each.id]]


def _resolved(directory: WikilinkDirectory, written: Sequence[tuple[DocumentInfo, Wikilink]]) -> list[DocumentLink]:
    return [
        DocumentLink(
            source=document,
            target=link.target,
            heading=link.heading,
            label=link.label,
            embed=link.embed,
            start=link.start,
            end=link.end,
            document=directory.find(link.target, document),
        )
        for document, link in written
    ]
