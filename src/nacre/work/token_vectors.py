"""Token vectors made behind the write, by the ranker."""

from collections.abc import Callable, Mapping, Sequence

from nacre.domain.scopes import Scope
from nacre.domain.turns import Role, StoredTurn, Turn
from nacre.models.local_ranker import LocalRanker
from nacre.models.reader_windows import TURNS_BEFORE
from nacre.models.readings import Conversation, SpokenTurn
from nacre.models.token_vectors import SPACE
from nacre.store.base import scopes
from nacre.store.base.databases import Database, Transaction
from nacre.store.evidence import passages, token_vectors, turns
from nacre.store.reads import hit_rows

# Few, because whoever closes a brain waits for those at hand.
BATCH = 8
# Of a text no more is looked at: its vectors end with its first windows.
MAX_READ = 4_000


def fill_missing(
    database: Database, ranker: LocalRanker, scope: Scope, goes_on: Callable[[], bool] = lambda: True
) -> int:
    """Give every passage that lacks them the vectors of its tokens, while it `goes_on`; return how many got some.

    What is missing is read from the rows themselves, so a stopped process loses nothing, and two processes that do the
    same passage at once leave one row.
    """
    given, after = 0, 0
    while goes_on():
        with database.read(scope) as tx:
            state = scopes.state(tx)
            seqs = token_vectors.missing(tx, SPACE, after_seq=after, limit=BATCH)
            texts = _conversations(tx, seqs)
        if not seqs:
            break
        packed = {seq: ranker.turn_vectors(said) for seq, said in texts.items()}
        with database.write(scope) as tx:
            if not scopes.is_unpurged(tx, state):
                after = 0
                continue
            token_vectors.keep_only(tx, SPACE)
            present = passages.keep_present(tx, list(packed))
            token_vectors.add(tx, SPACE, {seq: data for seq, data in packed.items() if seq in present})
        given, after = given + len(present), max(seqs)
    return given


def _conversations(tx: Transaction, seqs: Sequence[int]) -> dict[int, Conversation]:
    """Passages as the ranker reads them: turns with those before them, anything else alone."""
    said = turns.by_seq(tx, seqs)
    rest = hit_rows.searchable(tx, [seq for seq in seqs if seq not in said])
    alone = {seq: Conversation((SpokenTurn(Role.USER, text[:MAX_READ]),)) for seq, text in rest.items()}
    return _in_context(tx, said) | alone


def _in_context(tx: Transaction, turns_by_seq: Mapping[int, StoredTurn]) -> dict[int, Conversation]:
    sofar: dict[str, list[StoredTurn]] = {}
    found = {}
    for seq, each in sorted(turns_by_seq.items()):
        session = each.turn.session
        before: list[StoredTurn] = []
        if session:
            if session not in sofar:
                sofar[session] = turns.last(tx, session, TURNS_BEFORE, before=seq)
            before = sofar[session][-TURNS_BEFORE:]
            sofar[session].append(each)
        spoken = [*(_spoken(one.turn) for one in before), _spoken(each.turn)]
        found[seq] = Conversation(tuple(spoken), first=len(before))
    return found


def _spoken(turn: Turn) -> SpokenTurn:
    return SpokenTurn(turn.speaker or turn.role, turn.text[:MAX_READ])
