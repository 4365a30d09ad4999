"""A scope's proposals: changes that wait for somebody to decide."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from uuid import UUID

from nacre.brain.probing import probed
from nacre.domain import checks, ids
from nacre.domain.audits import CALLER
from nacre.domain.duplicates import MAX_GROUPS, MergePlan
from nacre.domain.errors import Invalid, Unavailable
from nacre.domain.navigation import check_offset
from nacre.domain.operations import Selector
from nacre.domain.proposals import MAX_LISTED, ClaimConflict, Proposal, ProposalCitation, ProposalStatus
from nacre.domain.scopes import Scope
from nacre.domain.suggestions import ProposalConsolidation, Suggestions
from nacre.graph.operations import duplicates, proposals
from nacre.store.base.homes import Homes
from nacre.wiring import Parts


@probed("proposals")
class Proposals:
    """Operations that passed a dry run and wait. `Ontology.propose` makes them; here they are seen and decided."""

    def __init__(self, parts: Parts, scope: Scope, graphs: Homes | None = None) -> None:
        self._parts = parts
        self._scope = scope
        self._graphs = graphs or parts.graphs
        # Whose memories proposals may be about, too: not where another agent's graph is read.
        self._keeper = scope if self._graphs is parts.graphs else None

    def get(self, proposal: UUID | str) -> Proposal:
        """A proposal, decided or not."""
        key = ids.parse("proposal", proposal)
        with self._graphs.read(self._scope) as tx:
            return proposals.get(proposals.home(tx, self._keeper, key), key)

    def evidence(self, proposal: UUID | str) -> list[ProposalCitation]:
        """The words that a proposal rests on, and where they were said."""
        key = ids.parse("proposal", proposal)
        with self._graphs.read(self._scope) as tx:
            return proposals.evidence(proposals.home(tx, self._keeper, key), key)

    def apply(self, proposal: UUID | str, *, actor: str = CALLER) -> Proposal:
        """Carry out a proposal that is pending.

        One that cannot be right is marked as failed for good before `Invalid` is raised. What is refused for now, as
        `NotFound` or `Conflict`, leaves it pending.
        """
        checks.name("actor", actor)
        key = ids.parse("proposal", proposal)
        with self._graphs.write(self._scope) as tx:
            decided, error = proposals.apply(proposals.home(tx, self._keeper, key), key, actor=actor)
        if error:
            raise error
        return decided

    def edit(
        self,
        proposal: UUID | str,
        payload: Mapping[str, object] | None = None,
        *,
        rationale: str | None = None,
        confidence: float | None = None,
        actor: str = CALLER,
    ) -> Proposal:
        """Change a proposal that is pending; what is not given stays. It is tried again, as when it was made.

        `payload` takes the place of the whole payload of the same operation.
        """
        checks.name("actor", actor)
        given = {
            "payload": payload,
            "rationale": None if rationale is None else checks.text("rationale", rationale, limit=2_000),
            "confidence": None if confidence is None else checks.fraction("confidence", confidence),
        }
        changes = {name: value for name, value in given.items() if value is not None}
        if not changes:
            raise Invalid("payload", "or another change must be given")
        key = ids.parse("proposal", proposal)
        with self._graphs.write(self._scope) as tx:
            return proposals.edit(proposals.home(tx, self._keeper, key), key, changes, actor=actor)

    def reject(self, proposal: UUID | str, *, reason: str | None = None, actor: str = CALLER) -> Proposal:
        """Decide against a proposal that is pending."""
        checks.name("actor", actor)
        key = ids.parse("proposal", proposal)
        with self._graphs.write(self._scope) as tx:
            return proposals.reject(proposals.home(tx, self._keeper, key), key, actor=actor, reason=reason)

    def conflicts(self, *, limit: int = 50, offset: int = 0) -> list[ClaimConflict]:
        """The claims for which more than one value is proposed."""
        checks.count("limit", limit, maximum=MAX_LISTED)
        start = check_offset(offset)
        with self._graphs.read(self._scope) as tx:
            return proposals.conflicts(tx, limit=start + limit)[start:]

    def repair_duplicates(self, *, limit: int = 25, propose: bool = False, actor: str = CALLER) -> list[MergePlan]:
        """How entities that have one name would be merged; `propose` keeps the merges that are possible for review."""
        checks.name("actor", actor)
        checks.count("limit", limit, maximum=MAX_GROUPS)
        with self._graphs.write(self._scope) if propose else self._graphs.read(self._scope) as tx:
            plans = duplicates.duplicates(tx, limit=limit)
            if not propose:
                return plans
            return [
                each if each.risk == duplicates.BLOCKED else duplicates.propose(tx, each, actor=actor) for each in plans
            ]

    def merge_plan(
        self, target: Selector, sources: Sequence[Selector], *, propose: bool = False, actor: str = CALLER
    ) -> MergePlan:
        """What it would mean to make entities part of another; `propose` keeps the merges for review."""
        checks.name("actor", actor)
        if isinstance(sources, str):
            raise Invalid("sources", "must be a list of entities")
        with self._graphs.write(self._scope) if propose else self._graphs.read(self._scope) as tx:
            planned = duplicates.plan(tx, target, sources)
            return duplicates.propose(tx, planned, actor=actor) if propose else planned

    def extract(
        self,
        text: str | None = None,
        *,
        session: str | None = None,
        source: UUID | str | None = None,
        use_provider: bool = False,
        write_proposals: bool = False,
        write_assertions: bool = False,
        limit: int = 100,
        actor: str = CALLER,
    ) -> Suggestions:
        """What a text, the users' turns of a session, or a piece of evidence says, as operations.

        It is only shown, unless it is to be proposed, or written down as assertions of who said what. It is read by
        rules, or by the language model where `use_provider` asks for that.
        """
        from nacre.extraction.suggestions import Suggester, SuggestionRequest  # noqa: PLC0415 - all rules

        wanted = SuggestionRequest(
            text=text,
            session=session,
            source=source,
            use_provider=use_provider,
            write_proposals=write_proposals,
            write_assertions=write_assertions,
            limit=limit,
        )
        suggester = Suggester(self._parts.database, self._graphs, self._parts.extractor)
        return suggester.suggest(self._scope, wanted, actor=checks.name("actor", actor))

    def consolidate(
        self, *, limit: int = 50, use_provider: bool = False, dry_run: bool = False, actor: str = CALLER
    ) -> ProposalConsolidation:
        """Put the proposals that have waited longest in order: what says the same waits once, rivals are named.

        Where `use_provider` asks for it, the language model says which rival it would apply. It decides nothing.
        """
        checks.name("actor", actor)
        checks.count("limit", limit, maximum=MAX_LISTED)
        model = self._parts.language_model if use_provider else None
        if use_provider and model is None:
            raise Invalid("use_provider", "needs a language model; set NACRE_LLM_MODEL")
        with self._graphs.write(self._scope) as tx, tx.tried() if dry_run else nullcontext():
            done = proposals.consolidate(tx, limit=limit, actor=actor)
        if model is None or not done.rivals:
            return done
        from nacre.upkeep import advice  # noqa: PLC0415 - for those who have a language model
        from nacre.upkeep.meters import Meter  # noqa: PLC0415

        meter = Meter(model)
        try:
            advised = advice.advise(meter, done.rivals, self._parts.settings.directives)
        except Unavailable as error:
            return replace(done, notes=(f"The language model gave no advice: {error}",))
        with self._graphs.write(self._scope) as tx:
            meter.note(tx, advice.PURPOSE)
        return replace(done, rivals=tuple(advised))

    def list(self, status: ProposalStatus | str | None = None, *, limit: int = 50, offset: int = 0) -> list[Proposal]:
        """Proposals, the last one first: all of them, or those of a status."""
        checks.count("limit", limit, maximum=MAX_LISTED)
        if isinstance(offset, bool) or not isinstance(offset, int) or offset < 0:
            raise Invalid("offset", f"must be a whole number from 0, not {offset!r}")
        wanted = None if status is None else ProposalStatus(checks.choice("status", status, list(ProposalStatus)))
        with self._graphs.read(self._scope) as tx:
            return proposals.newest(tx, self._keeper, wanted, limit=limit, offset=offset)
