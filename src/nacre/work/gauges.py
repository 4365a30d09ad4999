"""Gauges of a process: how things stand in it, and what its parts have counted."""

from nacre.models.embedders import Embedder
from nacre.recall.indexes import Indexes
from nacre.recall.reranking import RerankingPolicy
from nacre.store.base.databases import Database
from nacre.store.base.replicas import ReplicaReader


def process_gauges(
    database: Database, reader: ReplicaReader, indexes: Indexes, reranking: RerankingPolicy, embedder: Embedder | None
) -> dict[str, float]:
    """Each figure by its name."""
    return {
        "index_bytes": indexes.nbytes,
        "indexes": len(indexes),
        "index_hits": indexes.hits,
        "index_refreshes": indexes.refreshes,
        "index_loads": indexes.loads,
        "database_connections_in_use": database.in_use + reader.in_use,
        "rerank_fallbacks": reranking.fallbacks,
        "embedder_failures": getattr(embedder, "failures", 0),
    }
