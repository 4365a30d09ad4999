"""Bytes of what was purged, read from the files of a PostgreSQL."""

import psycopg

from bench.clusters import Cluster
from nacre import Nacre, Settings

WORDS = [b"Quillemont", b"Zebulonius", b"Marmaduke", b"xylophonist"]


def held(cluster: Cluster) -> list[bytes]:
    """The words that stand anywhere in the files of tables and indexes."""
    with psycopg.connect(cluster.address, autocommit=True) as operator:
        operator.execute("CHECKPOINT")
    files = [path.read_bytes() for path in cluster.tables.rglob("*") if path.is_file()]
    return [word for word in WORDS if any(word.lower() in content.lower() for content in files)]


def test_a_scrub_leaves_no_byte_of_what_was_purged(cluster):
    with Nacre(cluster.address, settings=Settings(worker="off", extraction="rules", rerank="off")) as nacre:
        scope, keep = nacre.scope("scrub", user="Marmaduke"), nacre.scope("scrub", user="bob")
        for number in range(20):
            scope.observe("user", f"I live in Quillemont with Zebulonius. Storm {number}.", session="Marmaduke")
            scope.remember(f"The xylophonist of Quillemont plays piece {number * 7919}.")
        keep.remember("Bob likes boats.")
        nacre.settle()
        with psycopg.connect(cluster.address, autocommit=True) as operator:
            operator.execute("ANALYZE")
        assert held(cluster) == WORDS
        scope.forget(everything=True, purge=True)
        assert held(cluster), "They were gone without a scrub: docs/memory.md says otherwise."

        done = nacre.scrub()

        assert (held(cluster), done.pending, done.notes) == ([], False, ())
        assert len(keep.recall("boats")) == 1
