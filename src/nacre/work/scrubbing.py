"""Scrubber: leaves nothing of a purge behind, and tries again for as long as somebody's reading stands in the way."""

import logging
import sys
from dataclasses import replace
from functools import lru_cache
from threading import Event, Lock, Thread

from nacre.domain.errors import Closed, NacreError
from nacre.domain.forgetting import ForgetReport
from nacre.domain.scopes import Scope
from nacre.domain.sharing import own_scope
from nacre.recall.indexes import Indexes
from nacre.store.base.cache import Cache
from nacre.store.base.databases import Database
from nacre.store.reads import nodes
from nacre.work.finalizers import STOP_SECONDS

log = logging.getLogger(__name__)

_TextCache = type(lru_cache(maxsize=2)(len))

RETRY_SECONDS = 5.0


class Scrubber:
    """One thread, which is there only while something is pending."""

    def __init__(self, database: Database, indexes: Indexes, cache: Cache | None) -> None:
        self._database = database
        self._indexes = indexes
        self._cache = cache
        self._stopping = Event()
        self._lock = Lock()
        self._thread: Thread | None = None

    def scrub(self, scope: Scope, report: ForgetReport) -> ForgetReport:
        """After a purge: hold nothing of the scope in memory or in the cache, and leave no bytes of it behind."""
        self._indexes.drop(scope.id)
        _forget_texts()
        if self._cache:
            # What the agent shares may have rested on it.
            for place in {scope, own_scope(scope.agent)}:
                self._cache.drop(nodes.group(place.id))
        return report if self._scrub_bytes() else replace(report, pending=True)

    def _scrub_bytes(self) -> bool:
        """Leave no bytes of deleted rows behind; False where that has to wait, and then it is seen to."""
        done = self._database.scrub()
        if not done:
            with self._lock:
                if self._thread is None or not self._thread.is_alive():
                    self._thread = Thread(target=self._try_again, name="nacre-scrubber", daemon=True)
                    self._thread.start()
        return done

    def stop(self) -> None:
        """End; what is pending then goes when the last process closes the file."""
        self._stopping.set()
        if self._thread:
            self._thread.join(timeout=STOP_SECONDS)

    def _try_again(self) -> None:
        while not self._stopping.wait(RETRY_SECONDS):
            try:
                if self._database.scrub():
                    log.info("The bytes of what was purged are gone.")
                    return
            except Closed:
                return
            except NacreError as error:
                log.warning("What was purged waits to be scrubbed: %s", error)


def _forget_texts() -> None:
    """Empty every cache of what was worked out from texts; those of one entry hold what the package ships."""
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("nacre.")]
    for held in [each for module in modules for each in vars(module).values() if isinstance(each, _TextCache)]:
        if (held.cache_parameters()["maxsize"] or 0) > 1:
            held.cache_clear()
