"""A Citus cluster on loopback: a coordinator and two workers, each a PostgreSQL of its own.

It needs a PostgreSQL that Citus was installed into: docs/scale.md says how. Everything a cluster writes is in one
folder, so another process can stop it, and end and start its nodes.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL
from time import monotonic, sleep
from typing import Any

import psycopg
from psycopg import conninfo, sql

from bench.errors import CitusMissing, NodeFailed

FOLDER = Path(tempfile.gettempdir()) / "nacre-citus"
PORT = 9700
WORKERS = 2
HOST, OWNER, DATABASE = "127.0.0.1", "postgres", "postgres"
PATIENCE_SECONDS = 60
SETTINGS = {
    "shared_preload_libraries": "citus",
    "listen_addresses": HOST,
    "unix_socket_directories": "",
    # A shard is moved while it is written to by what the log says of its rows.
    "wal_level": "logical",
    "max_prepared_transactions": "200",
    "max_connections": "300",
    "max_worker_processes": "32",
    "max_replication_slots": "64",
    "max_wal_senders": "64",
    "shared_buffers": "512MB",
    "effective_cache_size": "4GB",
    "max_wal_size": "4GB",
    "checkpoint_timeout": "15min",
    "random_page_cost": "1.1",
    "citus.enable_stat_counters": "on",
    "citus.enable_statistics_collection": "off",
    "citus.node_conninfo": "sslmode=prefer",
}
# A cluster for tests may forget everything in a power cut.
CARELESS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}


@dataclass(frozen=True, slots=True)
class Node:
    """One PostgreSQL of the cluster."""

    programs: Path
    folder: Path
    port: int

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"postgresql://{OWNER}@{HOST}:{self.port}/{DATABASE}"

    def make(self, settings: Mapping[str, str]) -> None:
        """Make its files."""
        self._run("initdb", "-U", OWNER, "--auth=trust", "--no-sync", "-E", "UTF8")
        lines = [f"{name} = '{value}'\n" for name, value in {**settings, "port": str(self.port)}.items()]
        with (self.folder / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.writelines(lines)

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._run("pg_ctl", "-w", "-t", str(PATIENCE_SECONDS), "-l", str(self.folder / "log"), "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it, where it runs."""
        if (self.folder / "postmaster.pid").exists():
            self._run("pg_ctl", "-w", "-m", mode, "stop")

    def kill(self) -> None:
        """End its first process with no warning; the others follow when they notice."""
        process = int((self.folder / "postmaster.pid").read_text(encoding="utf-8").split()[0])
        os.kill(process, SIGKILL)
        # It is not our child, so nobody here can wait for it.
        until = monotonic() + PATIENCE_SECONDS
        while monotonic() < until:
            try:
                os.kill(process, 0)
            except ProcessLookupError:
                return
            sleep(0.02)

    def _run(self, program: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs on the folder; it refuses to be run by root."""
        command = [str(self.programs / program), "-D", str(self.folder), *arguments]
        with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
            options: dict[str, Any] = {"user": OWNER} if os.geteuid() == 0 else {}
            done = subprocess.run(
                command, stdout=said, stderr=said, check=False, start_new_session=True, cwd="/", **options
            )
            if done.returncode:
                said.seek(0)
                raise NodeFailed(program, said.read().strip())


class CitusCluster:
    """A coordinator and its workers; those of a folder, which may have been made by another process."""

    def __init__(self, programs: Path, folder: Path = FOLDER, port: int = PORT, workers: int = WORKERS) -> None:
        self.folder = folder
        names = ("coordinator", *(f"worker-{number + 1}" for number in range(workers)))
        self.nodes = [Node(programs, folder / name, port + place) for place, name in enumerate(names)]
        self.coordinator, *self.workers = self.nodes
        self._programs = programs

    @property
    def address(self) -> str:
        """The coordinator, which all clients talk to."""
        return self.coordinator.address

    def make(self, settings: Mapping[str, str] | None = None) -> None:
        """Make the nodes, start them and have them know each other."""
        check_installed(self._programs)
        self.close()
        self.folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:
            shutil.chown(self.folder, OWNER, OWNER)
        try:
            for node in self.nodes:
                node.make({**SETTINGS, **(settings or {})})
                node.start()
            join(self.coordinator.address, [node.address for node in self.workers])
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Stop every node and delete what it wrote, and nothing else that is in the folder."""
        for node in self.nodes:
            with suppress(NodeFailed):
                node.stop("immediate")
            if (node.folder / "PG_VERSION").is_file():
                shutil.rmtree(node.folder, ignore_errors=True)
        with suppress(OSError):
            self.folder.rmdir()


def check_installed(programs: Path) -> None:
    """Raise `CitusMissing` unless a PostgreSQL is there that has Citus."""
    config = programs / "pg_config"
    if not config.is_file() or not (programs / "initdb").is_file():
        raise CitusMissing(f"No PostgreSQL is in `{programs}`")
    shared = subprocess.run([config, "--sharedir"], check=True, capture_output=True, text=True).stdout.strip()
    if not (Path(shared) / "extension" / "citus.control").is_file():
        raise CitusMissing(f"The PostgreSQL in `{programs}` has no extension `citus`")


@contextmanager
def citus(programs: Path, folder: Path = FOLDER, port: int = PORT) -> Iterator[CitusCluster]:
    """A cluster with nothing in it; everything it wrote is deleted afterwards."""
    with closing(CitusCluster(programs, folder, port)) as cluster:
        cluster.make()
        yield cluster


def join(coordinator: str, workers: list[str]) -> None:
    """Make one cluster of databases of several nodes."""
    for address in (coordinator, *workers):
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("CREATE EXTENSION IF NOT EXISTS citus")
    with psycopg.connect(coordinator, autocommit=True) as connection:
        connection.execute("SELECT citus_set_coordinator_host(%s, %s)", _place(coordinator))
        for address in workers:
            connection.execute("SELECT citus_add_node(%s, %s)", _place(address))


def make_database(coordinator: str, name: str, settings: Mapping[str, str] | None = None) -> str:
    """Make a database on every node of a cluster, which is a cluster as well; the address at the coordinator."""
    workers = worker_addresses(coordinator)
    for address in (coordinator, *workers):
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            for setting, value in (settings or {}).items():
                change = sql.SQL("ALTER DATABASE {} SET {} = {}")
                names = sql.Identifier(name), sql.Identifier(*setting.split(".")), sql.Literal(value)
                connection.execute(change.format(*names))
    join(named(coordinator, name), [named(address, name) for address in workers])
    return named(coordinator, name)


def drop_database(coordinator: str, name: str) -> None:
    """Drop a database from every node of a cluster."""
    for address in (coordinator, *worker_addresses(coordinator)):
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def is_installed(address: str) -> bool:
    """Whether a database is part of a cluster."""
    with psycopg.connect(address, autocommit=True) as connection:
        return bool(connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'citus'").fetchone())


def worker_addresses(coordinator: str) -> list[str]:
    """Where the workers of a cluster answer."""
    return [_address(coordinator, host=host, port=port) for host, port in places(coordinator)]


def places(coordinator: str) -> list[tuple[str, int]]:
    """Host and port of each worker of a cluster."""
    found = "SELECT nodename, nodeport FROM pg_dist_node WHERE groupid <> 0 AND isactive ORDER BY nodeport"
    with psycopg.connect(coordinator, autocommit=True) as connection:
        return [(str(host), int(port)) for host, port in connection.execute(found)]


def _place(address: str) -> tuple[str, int]:
    """Host and port of an address."""
    parts = conninfo.conninfo_to_dict(address)
    return str(parts["host"]), int(parts.get("port") or 5432)


def named(address: str, name: str) -> str:
    """The address of another database of the same server."""
    return _address(address, dbname=name)


def _address(address: str, **changes: Any) -> str:
    parts = {**conninfo.conninfo_to_dict(address), **changes}
    who = f"{parts['user']}:{parts['password']}" if parts.get("password") else parts["user"]
    return f"postgresql://{who}@{parts['host']}:{parts['port']}/{parts['dbname']}"
