"""The pass that sums up sessions that have come to rest."""

from datetime import timedelta
from pathlib import Path

from nacre.domain.dreams import Method, PassChange, PassName, PassReport, PassStatus
from nacre.domain.errors import Busy, NotFound
from nacre.domain.summaries import SummaryMethod, SummaryReport
from nacre.memory.summarizing import summarize
from nacre.models.embedders import Embedder
from nacre.store.evidence import summaries
from nacre.upkeep.cycles import PassContext

QUIET = timedelta(minutes=30)
NOTHING_DUE = "nothing is due"


class SummaryPass:
    """Sums up every session that changed and has been quiet for a while. Summaries are derived: nothing to undo."""

    name = PassName.SUMMARIES

    def __init__(self, embedder: Embedder | None, *, directives: Path | None = None) -> None:
        self._embedder = embedder
        self._directives = directives

    def fingerprint(self, night: PassContext) -> str | None:
        """Whether any session is due. Time alone makes one so: nothing need change for that."""
        return None if self._due(night) else NOTHING_DUE

    def run(self, night: PassContext) -> PassReport:
        """Sum up what is due; a dry run only says which sessions are."""
        due = self._due(night)
        if night.dry_run:
            changes = tuple(PassChange(what="Would be summed up.", why="It changed.", items=(each,)) for each in due)
            return PassReport(name=self.name, status=PassStatus.DONE, changes=changes, counts={"sessions": len(due)})
        done: list[SummaryReport] = []
        status = PassStatus.DONE
        for session in due:
            if night.disturbed():
                status = PassStatus.STOPPED
                break
            try:
                made = summarize(
                    night.database,
                    self._embedder,
                    night.scope,
                    session,
                    model=night.model,
                    directives=self._directives,
                )
            except (Busy, NotFound):
                # Somebody is forgetting its turns just now; what is left of it is due next time.
                continue
            done.append(made)
        return self._report(done, status)

    def _due(self, night: PassContext) -> list[str]:
        with night.database.read(night.scope) as tx:
            return summaries.due(tx, tx.now - QUIET)

    def _report(self, done: list[SummaryReport], status: PassStatus) -> PassReport:
        written = [each for each in done if each.summary.method is SummaryMethod.ABSTRACTIVE]
        return PassReport(
            name=self.name,
            status=status,
            method=Method.MODEL if written else Method.RULES,
            changes=tuple(
                PassChange(
                    what=f"{each.summary.turns} turns were summed up, {each.summary.method.value}.",
                    why="The session changed and came to rest.",
                    items=(each.summary.session,),
                )
                for each in done
            ),
            refused=tuple(
                PassChange(what="A language model's summary was not taken.", why=note, items=(each.summary.session,))
                for each in done
                for note in each.notes
            ),
            counts={"sessions": len(done), "abstractive": len(written)},
            input_tokens=sum(each.input_tokens for each in done),
            output_tokens=sum(each.output_tokens for each in done),
        )
