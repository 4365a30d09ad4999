"""Scrubber: tries again to leave no bytes of a purge behind, for as long as somebody's reading stands in the way."""

import logging
from threading import Event, Lock, Thread

from nacre.domain.errors import Closed, NacreError
from nacre.store.base.databases import Database

log = logging.getLogger(__name__)

RETRY_SECONDS = 5.0
STOP_SECONDS = 5.0


class Scrubber:
    """One thread, which is there only while something is pending."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._stopping = Event()
        self._lock = Lock()
        self._thread: Thread | None = None

    def scrub(self) -> bool:
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
