"""The vault: documents with wikilinks, and one search over documents, episodes and the graph."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from uuid import UUID

from nacre.brain.probing import probed
from nacre.domain import checks
from nacre.domain.documents import (
    Document,
    DocumentInfo,
    DocumentLink,
    DocumentLinks,
    FoundIn,
    SavedDocument,
    SyncReport,
    VaultHits,
    VaultQuery,
    Visibility,
    check_path,
    check_visibility,
)
from nacre.domain.errors import Invalid
from nacre.domain.forgetting import ForgetReport
from nacre.domain.memories import Status
from nacre.domain.navigation import check_offset
from nacre.domain.scopes import Scope
from nacre.domain.sharing import own_scope
from nacre.memory import vault, wikilinks
from nacre.memory.syncing import Folder
from nacre.memory.vault import DocumentDraft
from nacre.text import conversions, markdown
from nacre.wiring import Parts


@probed("vault")
class Vault:
    """The documents that one scope may see.

    A document is `personal`, for a `team` or `shared` among all users of the agent; who names no visibility means all
    of them, or keeps a document for oneself. What belongs to an agent without a user is shared.
    """

    def __init__(self, parts: Parts, scope: Scope) -> None:
        self._parts = parts
        self._scope = scope

    def save(self, path: str, content: str, *, visibility: str | None = None, team: str | None = None) -> SavedDocument:
        """Keep a Markdown document under a path such as `notes/launch.md`; the outcome says what that changed.

        What was there before stays readable as of then. The title is that of the front matter, else the first
        heading, else the name.
        """
        chosen = check_visibility(visibility, team)
        draft = DocumentDraft(path=path, content=content, visibility=chosen, team=team)
        saved = self._parts.vault.save(self._scope, draft)
        self._follow_up(chosen, team)
        return saved

    def add_file(
        self,
        path: str,
        data: bytes,
        *,
        name: str | None = None,
        visibility: str | None = None,
        team: str | None = None,
    ) -> SavedDocument:
        """Keep what a PDF, Word, HTML, Markdown or text file says, under a path; `name` tells its kind, else the path.

        It becomes Markdown: a page of a PDF stands under a heading `Page 3`, the rest under its own headings.
        """
        content = conversions.to_markdown(checks.name("name", path if name is None else name), data)
        return self.save(path, content, visibility=visibility, team=team)

    def headings(
        self, document: str | UUID, at: int, *, visibility: str | None = None, team: str | None = None
    ) -> tuple[str, ...]:
        """The headings that a place in a document stands under, such as the page of a hit's `source.start`."""
        found = self.get(document, visibility=visibility, team=team)
        return markdown.headings_at(found.content, at)

    def get(
        self,
        document: str | UUID,
        *,
        visibility: str | None = None,
        team: str | None = None,
        as_of: datetime | None = None,
    ) -> Document:
        """A document by its path or its id, or by the id of a hit; with `as_of`, as it was then."""
        moment = checks.optional_instant("as_of", as_of)
        with self._parts.database.read(self._scope) as tx:
            return vault.get(tx, document, visibility, team, moment)

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        visibility: str | None = None,
        team: str | None = None,
        prefix: str | None = None,
        origins: Iterable[str] | None = None,
    ) -> VaultHits:
        """Search documents (0.4), episodes (0.3) and the graph (0.3) at once, each scored by how well it fits.

        `visibility`, `team` and `prefix` narrow the documents; `origins` says where to look: `vault`, `episodes`,
        `graph`.
        """
        self._parts.traffic.note(self._scope)
        asked = VaultQuery(
            text=query,
            limit=limit,
            visibility=check_visibility(visibility, team),
            team=team,
            prefix=prefix,
            origins=_origins(origins),
        )
        return self._parts.vault_search.search(self._scope, asked)

    def sync(
        self,
        folder: str | Path,
        *,
        prefix: str | None = None,
        visibility: str | None = None,
        team: str | None = None,
        dry_run: bool = False,
    ) -> SyncReport:
        """Keep the Markdown files of a folder as documents below a prefix, which is the folder's name if left out.

        Files that are gone are archived. Run it again as often as you like; `dry_run` only says what would change.
        """
        root = Path(folder).expanduser()
        named = root.resolve().name if prefix is None else prefix
        chosen = Folder(root=root, prefix=named, visibility=check_visibility(visibility, team), team=team)
        synced = self._parts.syncer.sync(self._scope, chosen, dry_run=dry_run)
        self._follow_up(chosen.visibility, team)
        return synced

    def archive(self, document: str | UUID, *, visibility: str | None = None, team: str | None = None) -> DocumentInfo:
        """Take a document out of force, with what the graph learned from it alone; it stays readable as of before."""
        return self._parts.vault.archive(self._scope, document, visibility, team)

    def restore(self, document: str | UUID, *, visibility: str | None = None, team: str | None = None) -> SavedDocument:
        """Put an archived document back in force."""
        saved = self._parts.vault.restore(self._scope, document, visibility, team)
        self._follow_up(saved.document.visibility, saved.document.team)
        return saved

    def delete(self, document: str | UUID, *, visibility: str | None = None, team: str | None = None) -> ForgetReport:
        """Remove a document for good, with all it ever said and what was learned from it alone."""
        home, report = self._parts.vault.purge(self._scope, document, visibility, team)
        return self._parts.scrubber.scrub(home, report)

    def links(self, document: str | UUID, *, visibility: str | None = None, team: str | None = None) -> DocumentLinks:
        """The wikilinks of a document with the documents they lead to, and those that lead to it."""
        with self._parts.database.read(self._scope) as tx:
            home, found = vault.locate(tx, document, visibility, team)
            return wikilinks.links_of(tx, home, found.document)

    def broken(self, *, limit: int = 100, offset: int = 0) -> list[DocumentLink]:
        """The wikilinks that lead to no document that the scope may see."""
        checks.count("limit", limit)
        start = check_offset(offset)
        with self._parts.database.read(self._scope) as tx:
            return wikilinks.broken(tx, start + limit)[start:]

    def _follow_up(self, visibility: Visibility | None, team: str | None) -> None:
        shared = own_scope(self._scope.agent) if visibility is Visibility.SHARED else self._scope
        self._parts.fillings.embed_later(Scope(agent=shared.agent, team=team) if team else shared)
        # Long documents are read on.
        self._parts.follow_ups.work_later()

    # Last, because below it `list` would mean this method.
    def list(
        self,
        *,
        prefix: str | None = None,
        visibility: str | None = None,
        team: str | None = None,
        archived: bool = False,
        as_of: datetime | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[DocumentInfo]:
        """Documents without their words, the last changed first; with `as_of`, those in force then, as they were."""
        checks.count("limit", limit)
        check_offset(offset)
        below = None if prefix is None else check_path("prefix", checks.name("prefix", prefix).removesuffix("/"))
        moment = checks.optional_instant("as_of", as_of)
        status = Status.ARCHIVED if archived else Status.ACTIVE
        with self._parts.database.read(self._scope) as tx:
            homes = vault.seen(tx, check_visibility(visibility, team), team)
            return vault.listed(homes, prefix=below, status=status, as_of=moment, limit=limit, offset=offset)


def _origins(values: Iterable[str] | None) -> frozenset[FoundIn]:
    if values is None:
        return frozenset(FoundIn)
    if isinstance(values, str):
        raise Invalid("origins", "must be a list of origins")
    return frozenset(FoundIn(checks.choice("origins", value, FoundIn)) for value in values)
