"""Background work, told while it happens."""

import json

import pytest

from nacre.domain.jobs import JobStatus

EVENTS = "/v1/agents/a/jobs/events"


def events(lines):
    """The events of a stream, as pairs of a name and what it says."""
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def test_where_nothing_is_under_way_the_stream_says_so_and_ends(client):
    reply = client.get(EVENTS)

    assert reply.headers["content-type"].startswith("text/event-stream")
    assert list(events(reply.text.splitlines())) == [
        (
            "progress",
            {
                "waiting": 0,
                "running": 0,
                "done": 0,
                "dead": 0,
                "embeddings": {"done": 0, "total": 0, "complete": True},
            },
        ),
        ("end", {"reason": "idle"}),
    ]


def test_events_come_while_work_is_done_and_not_at_the_end(remote, brain):
    """Over a real connection, by a client that accepts compression: nothing may hold events back."""
    brain.scope("a").remember("I live in Porto. The launch moved to May 31.")
    told = []
    with remote.stream("GET", EVENTS, params={"seconds": 20}, headers={"accept-encoding": "gzip"}) as reply:
        assert "content-encoding" not in reply.headers
        for name, data in events(reply.iter_lines()):
            told.append((name, data))
            if len(told) == 1:
                brain.parts.worker.drain()

    assert (told[0][0], told[0][1]["waiting"]) == ("progress", 1)
    # It was split in two, and either part was compared with what was said before.
    assert (told[-2][1]["waiting"], told[-2][1]["done"]) == (0, 3)
    assert told[-1] == ("end", {"reason": "idle"})


def test_a_stream_ends_when_its_time_is_up(remote, brain):
    brain.scope("a").remember("I live in Porto. The launch moved to May 31.")

    told = list(events(remote.get(EVENTS, params={"seconds": 1}).text.splitlines()))

    assert told[-1] == ("end", {"reason": "time"})
    assert [name for name, _ in told].count("progress") == 1


def test_listeners_do_not_hold_up_other_callers(remote, brain):
    """More of them than there are threads."""
    brain.scope("a").remember("I live in Porto. The launch moved to May 31.")
    streams = [remote.stream("GET", EVENTS, params={"seconds": 60}) for _ in range(45)]
    try:
        for stream in streams:
            assert next(events(stream.__enter__().iter_lines()))[0] == "progress"
        assert remote.get("/health").status_code == 200
    finally:
        for stream in streams:
            stream.__exit__(None, None, None)


@pytest.mark.parametrize("seconds", [0, 301, -1, "x"])
def test_a_stream_is_bounded(client, seconds):
    assert client.get(EVENTS, params={"seconds": seconds}).json()["error"]["details"]["field"] == "seconds"


def test_jobs_are_counted_by_status(scope):
    assert set(scope.jobs.counts().values()) == {0}
    scope.remember("I live in Porto. The launch moved to May 31.")
    assert scope.jobs.counts()[JobStatus.WAITING] == 1


def test_jobs_of_others_are_not_counted(nacre):
    nacre.scope("assistant", "ben").remember("I live in Porto. The launch moved to May 31.")

    assert nacre.scope("assistant", "ana").jobs.counts()[JobStatus.WAITING] == 0
