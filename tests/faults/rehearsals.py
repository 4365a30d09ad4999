"""A rehearsal of what the processes of the fault tests do: those that are forked after it need not learn it each.

The first recall of a process loads what it reads with, and takes as long as thirty others.
"""

from nacre import Nacre, Settings

with Nacre(":memory:", settings=Settings(worker="off")) as nacre:
    scope = nacre.scope("faults")
    scope.observe("user", "storm near harbour", session="rehearsal")
    scope.recall("storm", session="rehearsal")
    scope.context("what happened near the harbour?", session="rehearsal")
