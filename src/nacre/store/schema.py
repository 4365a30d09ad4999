"""Every table, in one place for those who read and write them. `scope_id` leads every key and every index."""

from nacre.store.access_tables import (
    api_keys,
    denials,
    replies,
)
from nacre.store.columns import metadata
from nacre.store.document_tables import (
    chunks,
    documents,
    wikilinks,
)
from nacre.store.evidence_tables import (
    cursors,
    offers,
    passages,
    recall_ledger,
    scopes,
    settings,
    sources,
    summaries,
    turns,
    vectors,
)
from nacre.store.graph_tables import (
    aliases,
    communities,
    community_members,
    dedup_candidates,
    entities,
    link_history,
    links,
    mentions,
)
from nacre.store.memory_tables import (
    feedback,
    memories,
    memory_sources,
    memory_tags,
    skills,
    working,
)
from nacre.store.ontology_tables import (
    aspects,
    assertions,
    attributes,
    audit,
    audit_rows,
    cardinalities,
    proposals,
    tasks,
)
from nacre.store.work_tables import (
    dreams,
    gates,
    jobs,
    usage,
)
from nacre.store.world_tables import (
    alerts,
    observations,
    watches,
)

__all__ = [
    "alerts",
    "aliases",
    "api_keys",
    "aspects",
    "assertions",
    "attributes",
    "audit",
    "audit_rows",
    "cardinalities",
    "chunks",
    "communities",
    "community_members",
    "cursors",
    "dedup_candidates",
    "denials",
    "documents",
    "dreams",
    "entities",
    "feedback",
    "gates",
    "jobs",
    "link_history",
    "links",
    "memories",
    "memory_sources",
    "memory_tags",
    "mentions",
    "metadata",
    "observations",
    "offers",
    "passages",
    "proposals",
    "recall_ledger",
    "replies",
    "scopes",
    "settings",
    "skills",
    "sources",
    "summaries",
    "tasks",
    "turns",
    "usage",
    "vectors",
    "watches",
    "wikilinks",
    "working",
]
