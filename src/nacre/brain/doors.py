"""The door that every caller from outside comes through: who calls is checked before anything is read or written."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NoReturn
from uuid import UUID

from nacre.access import grants, idempotency, tokens
from nacre.access.limits import SharedLimiter
from nacre.brain.agents import Agent
from nacre.brain.brains import Nacre
from nacre.brain.probing import probed
from nacre.brain.scoped import ScopedNacre
from nacre.domain.access import LOCAL, Grant, GrantKind, KeyedReply, Permission, Principal
from nacre.domain.audits import CALLER
from nacre.domain.errors import Denied, Misconfigured, Unauthenticated
from nacre.domain.forgetting import ForgetReport
from nacre.domain.ids import ScopeId
from nacre.domain.sharing import own_scope
from nacre.wiring import Parts

# Told of each way in that a caller takes: who, for what, and the scope it leads to where it leads to one.
OnEntry = Callable[[Principal, Permission, ScopeId | None], None]


@probed("grants", redacts=False)
class Grants:
    """Codes, access tokens and refresh tokens; each carries the rights of a token, and ends with it."""

    def __init__(self, parts: Parts) -> None:
        secret = parts.settings.oauth_secret
        if secret is None:
            raise Misconfigured("Sign-ins need a secret to be signed with: set NACRE_OAUTH_SECRET.")
        self._parts = parts
        self._secret = secret.get_secret_value().encode()
        self._database = parts.database

    def issue(
        self,
        kind: GrantKind,
        token: UUID,
        *,
        client: str,
        family: str | None = None,
        details: Mapping[str, str] | None = None,
    ) -> str:
        """A grant of a token's rights to a client; one of a `family` ends with the others of it."""
        return grants.issue(self._database, self._secret, kind, token, client=client, family=family, details=details)

    def read(self, kind: GrantKind, text: str) -> Grant | None:
        """The grant that a client holds; nothing where it does not hold, or is of another kind."""
        return grants.read(self._database, self._secret, kind, text)

    def spend(self, grant: Grant) -> bool:
        """Use up a grant; False where it was used before, and then all that came from the same consent is over."""
        return grants.spend(self._database, grant)

    def revoke(self, grant: Grant) -> None:
        """End a grant and all that came from the same consent."""
        grants.revoke(self._database, grant)

    def principal(self, text: str) -> Principal:
        """The caller that an access token stands for; `Unauthenticated` where it opens nothing."""
        grant = self.read(GrantKind.ACCESS, text)
        if grant is None:
            raise Unauthenticated("The sign-in is not valid here: unknown, over or revoked.")
        return grant.principal


class Door:
    """What one caller may reach with one call. Whatever it may not is `Denied` and kept on record."""

    def __init__(
        self, nacre: Nacre, principal: Principal, permission: Permission, called: str, opened: OnEntry | None = None
    ) -> None:
        self._nacre = nacre
        self._permission = permission
        self._called = called
        self._opened = opened
        self.principal = principal

    def scope(self, agent: str | None = None, user: str | None = None, chat: str | None = None) -> ScopedNacre:
        """A scope, if the caller may. Who is not named is whom the token is bound to, else the settings' agent."""
        named = self._agent(agent)
        speaking = self.principal.user if user is None else user
        self._check(named, speaking)
        found = self._nacre.scope(named, speaking, chat)
        self._tell(found.scope.id)
        return found

    def agent(self, agent: str | None = None) -> Agent:
        """What belongs to an agent as a whole: no token of one user opens it."""
        named = self._agent(agent)
        self._check(named, None)
        self._tell(own_scope(named).id)
        return self._nacre.agent(named)

    def forget_user(self, agent: str, user: str, *, purge: bool) -> ForgetReport:
        """Forget everything of a user with an agent, in every chat: no token of one user does that."""
        self.agent(agent)
        return self._nacre.forget_user(agent, user, purge=purge)

    def server(self) -> Nacre:
        """What belongs to nobody in particular: no token of one agent opens it."""
        self._check(None, None)
        self._tell(None)
        return self._nacre

    def actor(self, named: str | None = None) -> str:
        """Who changes are written down to: a token's own name. Only at the machine itself may a caller name another."""
        if self.principal == LOCAL:
            return CALLER if named is None else named
        if named not in (None, self.principal.name):
            self._refuse(f"This token signs as `{self.principal.name}` alone.", None, None)
        return self.principal.name

    def _agent(self, name: str | None) -> str:
        return name if name is not None else self.principal.agent or self._nacre.parts.settings.agent

    def _tell(self, scope: ScopeId | None) -> None:
        if self._opened:
            self._opened(self.principal, self._permission, scope)

    def _check(self, agent: str | None, user: str | None) -> None:
        refusal = self.principal.refusal(self._permission, agent, user)
        if refusal:
            self._refuse(refusal, agent, user)

    def _refuse(self, refusal: str, agent: str | None, user: str | None) -> NoReturn:
        tokens.deny(
            self._nacre.parts.database,
            refusal,
            called=self._called,
            principal=self.principal,
            permission=self._permission,
            agent=agent,
            user=user,
        )
        raise Denied(refusal)


def enter(
    nacre: Nacre,
    secret: str | None,
    permission: Permission,
    *,
    called: str,
    address: str,
    at_home: bool,
    opened: OnEntry | None = None,
    granted: bool = False,
) -> Door:
    """The door for a caller with a token, or without one where the settings allow it.

    `called` and `address` say what was called from where; `at_home` whether that is this very machine. `opened` is
    told of what the caller was let in to, before anything is read or written there. With `granted`, whoever was let in
    by the holder of a token comes in too.
    """
    principal = _principal(nacre, secret, called=called, address=address, at_home=at_home, granted=granted)
    return Door(nacre, principal, permission, called, opened)


def _principal(
    nacre: Nacre, secret: str | None, *, called: str, address: str, at_home: bool, granted: bool
) -> Principal:
    parts = nacre.parts
    if secret is None and at_home and parts.settings.auth in ("local", "hybrid"):
        return LOCAL
    try:
        principal = _verified(nacre, secret, at_home=at_home, granted=granted)
    except Unauthenticated as error:
        # Who guesses is slowed down, and cannot fill the record.
        parts.limiter.take(address)
        tokens.deny(parts.database, str(error), called=called)
        raise
    parts.limiter.take(principal.token)
    return principal


def _verified(nacre: Nacre, secret: str | None, *, at_home: bool, granted: bool) -> Principal:
    if nacre.parts.settings.auth == "local" and not at_home:
        raise Unauthenticated("This server answers callers on its own machine alone.")
    if granted and secret and secret.startswith(grants.BRAND):
        return Grants(nacre.parts).principal(secret)
    return tokens.verify(nacre.parts.database, secret)


class IdempotencyKeys:
    """Keys under which calls are carried out once."""

    def __init__(self, nacre: Nacre) -> None:
        self._database = nacre.parts.database

    def take(
        self, key: bytes, call: bytes, about: UUID | None, owed: Iterable[tuple[bytes, bytes]]
    ) -> KeyedReply | None:
        """Take a key for a call; None when it was free, else what it was taken for. `owed` keys are given back."""
        return idempotency.take(self._database, key, call, about, owed)

    def keep(self, key: bytes, call: bytes, about: UUID | None, *, status: int, body: bytes, may_purge: bool) -> None:
        """Keep what a call was answered; one that `may_purge` may have taken its own key along."""
        idempotency.keep(self._database, key, call, about, status=status, body=body, may_purge=may_purge)

    def release(self, key: bytes, call: bytes) -> None:
        """Give back the key of a call that came to nothing."""
        idempotency.release(self._database, key, call)


def prepare_call_counts(file: Path) -> None:
    """Make the file in which the processes of one server count the calls of each caller together."""
    SharedLimiter.prepare(file)


@contextmanager
def shared_call_counts(nacre: Nacre, file: Path) -> Iterator[None]:
    """Count the calls of a brain's callers in the file that its server's other processes count in."""
    with closing(SharedLimiter(nacre.parts.settings.rate_limit, file)) as limiter:
        nacre.parts.limiter = limiter
        yield
