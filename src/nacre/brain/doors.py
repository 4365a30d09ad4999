"""The door that every caller from outside comes through: who calls is checked before anything is read or written."""

from nacre.access import tokens
from nacre.brain.agents import Agent
from nacre.brain.brains import Nacre
from nacre.brain.scoped import ScopedNacre
from nacre.domain.access import LOCAL, Permission, Principal
from nacre.domain.errors import Denied, Unauthenticated


class Door:
    """What one caller may reach with one call. Whatever it may not is `Denied` and kept on record."""

    def __init__(self, nacre: Nacre, principal: Principal, permission: Permission, called: str) -> None:
        self._nacre = nacre
        self._permission = permission
        self._called = called
        self.principal = principal

    def scope(self, agent: str | None = None, user: str | None = None, chat: str | None = None) -> ScopedNacre:
        """A scope, if the caller may. Who is not named is whom the token is bound to, else the settings' agent."""
        named = self._agent(agent)
        speaking = self.principal.user if user is None else user
        self._check(named, speaking)
        return self._nacre.scope(named, speaking, chat)

    def agent(self, agent: str | None = None) -> Agent:
        """What belongs to an agent as a whole: no token of one user opens it."""
        named = self._agent(agent)
        self._check(named, None)
        return self._nacre.agent(named)

    def server(self) -> Nacre:
        """What belongs to nobody in particular: no token of one agent opens it."""
        self._check(None, None)
        return self._nacre

    def _agent(self, named: str | None) -> str:
        return named if named is not None else self.principal.agent or self._nacre.parts.settings.agent

    def _check(self, agent: str | None, user: str | None) -> None:
        refusal = self.principal.refusal(self._permission, agent, user)
        if refusal:
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
    nacre: Nacre, secret: str | None, permission: Permission, *, called: str, address: str, at_home: bool
) -> Door:
    """The door for a caller with a token, or without one where the settings allow it.

    `called` and `address` say what was called from where; `at_home` whether that is this very machine.
    """
    return Door(nacre, _principal(nacre, secret, called=called, address=address, at_home=at_home), permission, called)


def _principal(nacre: Nacre, secret: str | None, *, called: str, address: str, at_home: bool) -> Principal:
    parts = nacre.parts
    if secret is None and at_home and parts.settings.auth in ("local", "hybrid"):
        return LOCAL
    try:
        principal = tokens.verify(parts.database, secret)
    except Unauthenticated as error:
        # Who guesses is slowed down, and cannot fill the record.
        parts.limiter.take(address)
        tokens.deny(parts.database, str(error), called=called)
        raise
    parts.limiter.take(principal.token)
    return principal
