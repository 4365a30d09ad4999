"""Suggestions that texts make for the ontology, and proposals that wait, put in order."""

from dataclasses import dataclass

from nacre.domain.assertions import Assertion
from nacre.domain.commands import Command
from nacre.domain.dreams import Method
from nacre.domain.ids import ProposalId, SourceId
from nacre.domain.proposals import ClaimConflict, Proposal

MAX_SUGGESTED = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestions:
    """What texts would add to the ontology, and what of it was kept: proposals that wait, and who said what.

    `orders` are all that was found, in the order in which they can be carried out. `notes` say what was left out.
    """

    sources: tuple[SourceId, ...]
    method: Method
    orders: tuple[Command, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    notes: tuple[str, ...] = ()
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedProposals:
    """Proposals that say the same: the one that still waits, and those that were rejected for it."""

    kept: ProposalId
    rejected: tuple[ProposalId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """Which of several rivals a language model would apply, and why. It decides nothing."""

    proposal: ProposalId
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rivals:
    """A claim for which several values wait, and what a model says of them where one was asked."""

    conflict: ClaimConflict
    advice: Advice | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalConsolidation:
    """What became of the proposals that wait: repetitions were rejected, rivals are left to a person."""

    examined: int
    repeated: tuple[RepeatedProposals, ...] = ()
    rivals: tuple[Rivals, ...] = ()
    notes: tuple[str, ...] = ()
