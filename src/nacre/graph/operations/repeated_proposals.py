"""Proposals that wait, put in order: what is proposed twice waits once."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from nacre.domain.claims import Slot, normalized
from nacre.domain.proposals import MAX_LISTED, Proposal
from nacre.domain.suggestions import ProposalConsolidation, RepeatedProposals, Rivals
from nacre.graph.operations import proposals
from nacre.store.base.databases import Transaction
from nacre.store.graph import proposals as stored

# Why something is proposed, and how sure somebody is of it, does not make it another proposal.
_GROUNDS = {"confidence", "importance", "reason", "evidence", "said", "memory"}
_SELECTORS = {"entity", "source", "target"}


def consolidate(tx: Transaction, *, limit: int, actor: str) -> ProposalConsolidation:
    """Reject what an older or surer proposal says as well, and name the claims for which rivals wait."""
    waiting = stored.oldest(tx, limit)
    alike: dict[str, list[Proposal]] = defaultdict(list)
    for each in waiting:
        alike[_meaning(tx, each)].append(each)
    repeated = [_settled(tx, group, actor) for group in alike.values() if len(group) > 1]
    rivals = [Rivals(conflict=each) for each in proposals.conflicts(tx, limit=MAX_LISTED)]
    return ProposalConsolidation(examined=len(waiting), repeated=tuple(repeated), rivals=tuple(rivals))


def _settled(tx: Transaction, group: Sequence[Proposal], actor: str) -> RepeatedProposals:
    """The surest one waits on; of several, the one that has waited longest."""
    kept = max(group, key=lambda each: each.confidence or 0.0)
    others = [each.id for each in group if each.id != kept.id]
    for key in others:
        proposals.reject(tx, key, actor=actor, reason=f"The proposal `{kept.id}` says the same.")
    return RepeatedProposals(kept=kept.id, rejected=tuple(others))


def _meaning(tx: Transaction, proposal: Proposal) -> str:
    """What a proposal comes to, whoever proposes it and however it is spelled."""
    payload: Mapping[str, Any] = proposal.payload
    held = {name: _plainly(tx, name, value) for name, value in payload.items() if name not in _GROUNDS}
    if {"aspect", "group", "claim"} <= held.keys():
        slot = Slot.of(payload["aspect"], payload["group"], payload["claim"])
        held |= {"aspect": slot.aspect, "group": slot.group, "claim": slot.claim}
    return json.dumps([proposal.operation, held], sort_keys=True)


def _plainly(tx: Transaction, name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return proposals.known_as(tx, value)[0] if name in _SELECTORS else normalized(value)
