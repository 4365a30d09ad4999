"""The circuit breaker: who asks to take or add too much at once gets none of it, until somebody has looked."""

from nacre.domain.dreams import PassName
from nacre.domain.scopes import Scope
from nacre.store.base.databases import Transaction
from nacre.store.base.homes import Homes
from nacre.store.work import dreams

MAX_LOSS = 0.10
MAX_GROWTH = 0.20
# A small memory may change by this much, whatever part of it that is.
ALWAYS = 5


def allowed_loss(in_force: int) -> int:
    """How many entries a cycle may take."""
    return max(ALWAYS, int(in_force * MAX_LOSS))


def allowed_growth(in_force: int) -> int:
    """How many entries a cycle may add."""
    return max(ALWAYS, int(in_force * MAX_GROWTH))


def objection(in_force: int, *, taken: int, added: int) -> str | None:
    """Why a change is too much to be made at all; None where it is not. What takes another's place is no loss."""
    if taken - added > allowed_loss(in_force):
        return f"It would take {taken - added} of {in_force} entries; a cycle may take {allowed_loss(in_force)}."
    if added - taken > allowed_growth(in_force):
        return f"It would add {added - taken} entries to {in_force}; a cycle may add {allowed_growth(in_force)}."
    return None


def pause(tx: Transaction, name: PassName, why: str) -> None:
    """Let a pass change nothing until it is reset."""
    dreams.trip_breaker(tx, name.value, why)


def paused(tx: Transaction, name: PassName) -> str | None:
    """Why a pass changes nothing, and since when; None where it may."""
    opened = dreams.breaker_of(tx, name.value)
    return None if opened is None else f"Paused since {opened.at:%Y-%m-%d %H:%M} UTC: {opened.why}"


def reset(homes: Homes, scope: Scope, name: PassName) -> bool:
    """Let a pass work again; whether it was paused."""
    with homes.write(scope) as tx:
        return dreams.reset_breaker(tx, name.value)
