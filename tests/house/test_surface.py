"""Every endpoint, tool and command that the reference documents name is there, with its parameters."""

import inspect
import re
from typing import Any

import pytest
from typer.main import get_command

from nacre import tools
from nacre.cli.app import app as commands
from tests.http.calls import described

KG = "/v1/agents/{}/kg"
ENDPOINTS: list[tuple[str, str, str]] = [
    # GoClaw: the graph of an agent.
    ("GET", f"{KG}/entities", "user_id type q limit offset"),
    ("GET", f"{KG}/entities/{{}}", "user_id"),
    ("POST", f"{KG}/entities", "user_id external_id name entity_type description properties confidence"),
    ("DELETE", f"{KG}/entities/{{}}", "user_id"),
    ("POST", f"{KG}/traverse", "entity_id user_id max_depth"),
    ("POST", f"{KG}/extract", "text user_id provider model min_confidence"),
    ("GET", f"{KG}/stats", "user_id"),
    ("GET", f"{KG}/graph", "user_id limit"),
    ("GET", f"{KG}/graph/compact", "limit"),
    ("POST", f"{KG}/dedup/scan", "user_id threshold limit"),
    ("GET", f"{KG}/dedup", "user_id limit"),
    ("POST", f"{KG}/merge", "user_id target_id source_id"),
    ("POST", f"{KG}/dedup/dismiss", "candidate_id"),
    # Signet: reading knowledge.
    ("GET", "/api/knowledge/entities", "agent_id type q limit offset"),
    ("GET", "/api/knowledge/navigation/entities", "agent_id type q limit offset"),
    ("GET", "/api/knowledge/navigation/entity", "agent_id name"),
    ("GET", "/api/knowledge/navigation/tree", "agent_id entity max_aspects max_groups max_claims depth"),
    ("GET", "/api/knowledge/navigation/aspects", "agent_id entity"),
    ("GET", "/api/knowledge/navigation/groups", "agent_id entity aspect"),
    ("GET", "/api/knowledge/navigation/claims", "agent_id entity aspect group"),
    ("GET", "/api/knowledge/navigation/attributes", "agent_id entity aspect group claim kind status limit offset"),
    ("GET", "/api/knowledge/entities/{}", "agent_id"),
    ("GET", "/api/knowledge/entities/{}/aspects", "agent_id"),
    ("GET", "/api/knowledge/entities/{}/aspects/{}/attributes", "agent_id"),
    ("GET", "/api/knowledge/entities/{}/dependencies", "agent_id direction"),
    ("POST", "/api/knowledge/entities/{}/pin", ""),
    ("DELETE", "/api/knowledge/entities/{}/pin", ""),
    ("GET", "/api/knowledge/entities/pinned", "agent_id"),
    ("GET", "/api/knowledge/entities/health", "agent_id since min_comparisons"),
    ("GET", "/api/knowledge/hygiene", "agent_id limit memory_limit"),
    ("GET", "/api/knowledge/stats", "agent_id"),
    ("GET", "/api/knowledge/communities", "agent_id"),
    ("GET", "/api/knowledge/traversal/status", "agent_id"),
    ("GET", "/api/knowledge/constellation", "agent_id limit aspects attributes dependencies"),
    ("POST", "/api/knowledge/expand", "entity aspect maxTokens"),
    ("POST", "/api/knowledge/expand/session", "entityName sessionId timeRange maxResults"),
    ("POST", "/api/graph/impact", "entityId direction maxDepth"),
    ("GET", "/api/embeddings/projection", "agent_id"),
    ("GET", "/api/diagnostics", ""),
    # Signet: the control plane.
    (
        "POST",
        "/api/ontology/operations/apply",
        "operation payload reason rationale evidence confidence risk source_kind source_id actor dry_run propose",
    ),
    ("POST", "/api/ontology/operations/batch", "operations items dry_run propose agent_id"),
    ("GET", "/api/ontology/proposals", "agent_id status limit offset"),
    ("POST", "/api/ontology/proposals", "operation payload"),
    ("POST", "/api/ontology/proposals/batch", ""),
    ("GET", "/api/ontology/proposals/conflicts", "agent_id"),
    ("GET", "/api/ontology/proposals/{}", "agent_id"),
    ("GET", "/api/ontology/proposals/{}/evidence", "agent_id"),
    ("POST", "/api/ontology/proposals/{}/apply", ""),
    ("POST", "/api/ontology/proposals/{}/reject", ""),
    ("POST", "/api/ontology/proposals/repair/duplicates", "limit"),
    ("POST", "/api/ontology/proposals/repair/merge-plan", ""),
    ("GET", "/api/ontology/claims/evidence", "entity aspect group claim kind status"),
    ("GET", "/api/ontology/claims/versions", "entity aspect group claim kind status"),
    ("GET", "/api/ontology/claims/version", "entity aspect group claim version"),
    ("GET", "/api/ontology/links/{}/evidence", "agent_id"),
    ("GET", "/api/ontology/assertions", "agent_id"),
    (
        "POST",
        "/api/ontology/assertions",
        "entity entity_id predicate content speaker asserted_at confidence evidence claim_attribute_id created_by",
    ),
    ("GET", "/api/ontology/assertions/{}", "agent_id"),
    ("POST", "/api/ontology/assertions/{}/link-claim", "attribute_id"),
    ("POST", "/api/ontology/assertions/{}/archive", ""),
    ("POST", "/api/ontology/assertions/{}/supersede", ""),
    ("GET", "/api/ontology/entities/{}/aliases", "agent_id"),
    ("POST", "/api/ontology/entities/{}/aliases", "alias confidence source"),
    ("DELETE", "/api/ontology/entities/{}/aliases/{}", ""),
    ("POST", "/api/ontology/extract", "write_proposals write_assertions use_provider limit"),
    ("POST", "/api/ontology/consolidate", "limit use_provider"),
    # Signet: memory.
    (
        "POST",
        "/api/memory/recall",
        "query limit agentId type tags who pinned importance_min since until sessionKey includeRecalled",
    ),
    ("GET", "/api/memory/search", ""),
    ("POST", "/api/memory/remember", "content importance tags who project structured hints metadata"),
]

TOOLS = [
    ("save_memory", "content category tags"),
    ("search_memory", "query category tags"),
    ("delete_memory", "id"),
    ("list_memory_categories", ""),
    ("save_to_working_memory", "key data ttl_minutes category tags"),
    ("get_from_working_memory", "key"),
    ("list_working_memory", "namespace"),
    ("search_working_memory", "query category tags namespace"),
    ("knowledge_graph", "action"),
    ("knowledge_graph_search", "query entity_type entity_id max_depth"),
    ("vault_search", "query"),
]

COMMANDS = [
    "knowledge entities",
    "knowledge tree",
    "knowledge aspects",
    "knowledge groups",
    "knowledge claims",
    "knowledge attributes",
    "knowledge hygiene",
    "ontology entity",
    "ontology claim",
    "ontology aspect",
    "ontology link",
    "ontology stream apply",
    "ontology assertion",
    "ontology proposals",
    "ontology extract",
    "ontology consolidate",
    "extract",
    "dream",
    "memory",
    "working",
    "vault",
    "jobs",
    "token",
    "db migrate",
    "db check",
    "db distribute",
    "export",
    "import",
    "doctor",
    "mcp",
    "serve",
    "worker",
]


@pytest.fixture(scope="module")
def program() -> Any:
    """The command line, with all its commands."""
    return get_command(commands)


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    """What the server says of itself."""
    return described()


def parameters(schema: dict[str, Any], operation: dict[str, Any]) -> set[str]:
    """The names of everything that a call can be told."""
    named = {each["name"] for each in operation.get("parameters", [])}
    content = operation.get("requestBody", {}).get("content", {})
    return named | {name for each in content.values() for name in properties(schema, each.get("schema", {}))}


def properties(schema: dict[str, Any], body: dict[str, Any]) -> set[str]:
    if "$ref" in body:
        return properties(schema, schema["components"]["schemas"][body["$ref"].rpartition("/")[2]])
    several = [*body.get("anyOf", []), *body.get("oneOf", []), *body.get("allOf", [])]
    return set(body.get("properties", {})) | {name for each in several for name in properties(schema, each)}


@pytest.mark.spec("G7")
@pytest.mark.spec("S18")
@pytest.mark.parametrize(("method", "path", "wanted"), ENDPOINTS, ids=lambda value: str(value)[:60])
def test_an_endpoint_of_the_documents_is_there(schema, method, path, wanted):
    known = {re.sub(r"\{[^}]*\}", "{}", each): operations for each, operations in schema["paths"].items()}
    operation = known.get(path, {}).get(method.lower())

    assert operation, f"{method} {path}"
    assert set(wanted.split()) - parameters(schema, operation) == set()


def every_tool() -> dict[str, Any]:
    classes = [each for _, each in inspect.getmembers(tools, inspect.isclass)]
    return {name: method for each in classes for name, method in inspect.getmembers(each, inspect.isfunction)}


@pytest.mark.spec("N3")
@pytest.mark.parametrize(("name", "wanted"), TOOLS)
def test_a_tool_of_the_documents_is_there(name, wanted):
    signature = inspect.signature(every_tool()[name])
    assert set(wanted.split()) - set(signature.parameters) == set()


@pytest.mark.spec("S20")
@pytest.mark.parametrize("path", COMMANDS)
def test_a_command_of_the_documents_is_there(program, path):
    command: Any = program
    for word in path.split():
        assert word in getattr(command, "commands", {}), f"{path}: no {word}"
        command = command.commands[word]
    assert command.help
