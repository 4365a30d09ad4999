"""Every error Nacre raises on purpose.

NacreError
  NotFound        nothing there, or nothing the caller may see
  Denied          the caller may not do this, or not from here
    Unauthenticated   nobody knows who calls
  Invalid         the input cannot be right
  Conflict        a rule or a newer write forbids the change
    Full              a namespace of working memory holds all it may
    Ambiguous         several entities go by the name
    SlotConstrained   an active constraint holds the claim's slot
    StillRunning      the same call is being carried out right now
  Unavailable     the database or a model cannot answer now; trying again may help
    CommitLost        the database went while it committed
    Busy              other writers held the database for too long
  RateLimited     the caller calls too often
  Misconfigured   a setting or the installation must change first
    SchemaTooNew      the database was written by a newer version of Nacre
  Damaged         a backup was cut or changed, or is none
  Closed          the brain is not open
"""

import math


class NacreError(Exception):
    """Base class. Clients match on `code`, so a code is never renamed."""

    code = "nacre_error"


def in_full(error: BaseException) -> str:
    """What an error says, with what is noted beside it for operators: no caller from elsewhere is told that."""
    return " ".join([str(error), *getattr(error, "__notes__", ())])


class NotFound(NacreError):
    """Nothing there, or nothing the caller may see."""

    code = "not_found"

    def __init__(self, kind: str, key: str) -> None:
        super().__init__(f"No {kind} `{key}` in this scope.")


class Denied(NacreError):
    """The caller may not do this, or not from here."""

    code = "denied"


class Unauthenticated(Denied):
    """Nobody knows who calls: there is no token, or none that is valid."""

    code = "unauthenticated"


class Invalid(NacreError):
    """The input cannot be right; `field` names the part that is not."""

    code = "invalid"

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"`{field}` {problem}.")
        self.field = field
        self.problem = problem


class Conflict(NacreError):
    """A rule or a newer write forbids the change."""

    code = "conflict"


class Full(Conflict):
    """A namespace of working memory holds all it may."""

    code = "namespace_full"

    def __init__(self, namespace: str, limit: int) -> None:
        super().__init__(
            f"The namespace `{namespace}` is full: it holds {limit} entries, and more are not allowed. "
            "Overwrite or delete one, or wait until one expires."
        )


class Ambiguous(Conflict):
    """Several entities go by the name; `candidates` are their slugs."""

    code = "ambiguous"

    def __init__(self, name: str, candidates: list[str]) -> None:
        super().__init__(f"`{name}` names several entities. Say which: {', '.join(candidates)}.")
        self.candidates = candidates


class SlotConstrained(Conflict):
    """An active constraint holds the claim's slot."""

    code = "slot_constrained"

    def __init__(self, slot: str) -> None:
        super().__init__(f"A constraint holds `{slot}`. It is only replaced by force.")


class StillRunning(Conflict):
    """The same call, sent under the same key, is being carried out right now; ask again in `retry_after` seconds."""

    code = "still_running"
    retry_after = 1

    def __init__(self) -> None:
        super().__init__("The same call is being carried out right now. Ask again in a moment.")


class Unavailable(NacreError):
    """The database or a model cannot answer now; trying again may help."""

    code = "unavailable"


class CommitLost(Unavailable):
    """The database went while it committed: nobody knows whether the change was kept."""

    code = "commit_lost"

    def __init__(self) -> None:
        super().__init__("The database went while it kept the change. Look whether it is there before making it again.")


class Busy(Unavailable):
    """Other writers held the database for too long."""

    code = "busy"


class RateLimited(NacreError):
    """The caller calls too often; `retry_after` is how many seconds to wait."""

    code = "rate_limited"

    def __init__(self, retry_after: float) -> None:
        self.retry_after = max(1, math.ceil(retry_after))
        super().__init__(f"Too many calls. Try again in {self.retry_after} s.")


class Misconfigured(NacreError):
    """A setting or the installation must change before this can work."""

    code = "misconfigured"


class SchemaTooNew(Misconfigured):
    """The database was written by a newer version of Nacre."""

    code = "schema_too_new"

    def __init__(self, revision: str) -> None:
        super().__init__(f"The database is at schema `{revision}`, which this version does not know. Upgrade Nacre.")


class Damaged(NacreError):
    """A backup was cut or changed since it was made, or is none."""

    code = "damaged"


class Closed(NacreError):
    """The brain is not open, or no longer."""

    code = "closed"

    def __init__(self, message: str = "This brain was closed. Open a new `Nacre`.") -> None:
        super().__init__(message)
