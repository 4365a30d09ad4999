"""Every error a benchmark raises on purpose.

BenchError
  MissingData     a data file is not where it should be
  UnknownSet      no question set has this name
  BadResult       a file is not a result of this benchmark
  BadSizes        the sizes of a speed run cannot be measured
  NotPublishable  a run on part of the questions would replace whole figures
  UnknownSystem   no peer has this name
  NotInstalled    a peer's packages could not be installed
  PeerEnded       a peer's process ended in the middle of a measurement
  CitusMissing    there is no PostgreSQL with Citus where one was looked for
  NodeFailed      a node of a cluster could not be made, started or stopped
"""

from pathlib import Path


class BenchError(Exception):
    """Base class. The message is one sentence for a person; the exit code is 2."""


class MissingData(BenchError):
    def __init__(self, path: Path) -> None:
        super().__init__(
            f"No `{path.name}` in `{path.parent}`: point --data at the folder that holds the benchmark data."
        )


class UnknownSet(BenchError):
    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(f"No question set `{name}`; there are {', '.join(known)}.")


class BadResult(BenchError):
    def __init__(self, path: Path) -> None:
        super().__init__(f"`{path}` is not a result file written by this benchmark.")


class BadSizes(BenchError):
    def __init__(self, written: str) -> None:
        super().__init__(f"`{written}` is not a list of sizes: write numbers from 1,000 up, such as 1000,10000.")


class NotPublishable(BenchError):
    def __init__(self) -> None:
        super().__init__("Figures from a sample are not published: leave out --questions or --publish.")


class ServerEnded(BenchError):
    def __init__(self) -> None:
        super().__init__("The server ended before it answered; what it printed above says why.")


class UnknownSystem(BenchError):
    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(f"No system `{name}`; there are {', '.join(known)}.")


class NotInstalled(BenchError):
    def __init__(self, title: str, log: Path) -> None:
        super().__init__(f"{title} could not be installed; `{log}` says why.")


class PeerEnded(BenchError):
    def __init__(self, title: str, command: str, last_words: str) -> None:
        super().__init__(f"{title} ended at `{command}`: {last_words}")
        self.command = command


class CitusMissing(BenchError):
    def __init__(self, found: str) -> None:
        super().__init__(
            f"{found}: name the programs of one that Citus was installed into with --postgres. "
            "docs/scale.md says how to build it."
        )


class NodeFailed(BenchError):
    def __init__(self, program: str, said: str) -> None:
        super().__init__(f"`{program}` failed: {said}")
