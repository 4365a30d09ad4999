"""Follow-ups of calls: learning and jobs, done behind them in this process unless others do that."""

from nacre.domain.scopes import Scope
from nacre.work.fillings import Fillings
from nacre.work.learning import LearningThread
from nacre.work.reading import ModelWorker
from nacre.work.workers import Worker


class FollowUps:
    """Wakes what works behind the calls: jobs where this process `works`, learning where extraction `writes`, too."""

    def __init__(
        self,
        worker: Worker,
        model_worker: ModelWorker | None,
        learning: LearningThread,
        fillings: Fillings,
        *,
        works: bool,
        writes: bool,
    ) -> None:
        self._worker, self._model_worker = worker, model_worker
        self._learning, self._fillings = learning, fillings
        self._works, self._learns = works, works and writes

    def visit(self, scope: Scope) -> None:
        """Look after what earlier processes left to do, in a scope that this one has not worked with before."""
        if self._works:
            self._worker.visit()
            if self._model_worker:
                self._model_worker.visit()
        if self._learns:
            self._learning.start()
        self._fillings.visit(scope)

    def work_later(self) -> None:
        """Have the jobs that were just enqueued done."""
        if self._works:
            self._worker.wake()

    def learn_later(self, scope: Scope) -> None:
        """Have what a scope was told learned."""
        if self._learns:
            self._learning.wake(scope)


def follow_learning(fillings: Fillings, model_worker: ModelWorker | None, scope: Scope) -> None:
    """Have done what follows when everything of a scope was learned, in whichever process learned it."""
    fillings.compare_later(scope)
    fillings.pack_later(scope)
    if model_worker:
        model_worker.wake()
