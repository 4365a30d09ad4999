"""What the processes of the fault tests do. They report each acknowledged turn before they begin the next."""

import io
import json
import random
import time
from multiprocessing.connection import Connection
from pathlib import Path

from nacre import Nacre, Turn


def write_until_killed(address: str, name: str, pipe: Connection) -> None:
    """Observe, alone and in batches, and report what was acknowledged, for ever."""
    with Nacre(address) as nacre:
        scope = nacre.scope("faults")
        number = 0
        while True:
            count = 1 + number % 3
            refs = [f"{name}-{number + each}" for each in range(count)]
            scope.observe_many(Turn(role="user", text=f"storm {ref}", session=name, ref=ref) for ref in refs)
            pipe.send(refs)
            number += count


def live(address: str, name: str, seconds: float, pipe: Connection) -> None:
    """Observe, recall and build contexts for a while; report the acknowledged turns, or the error."""
    acknowledged: list[str] = []
    random.seed(name)
    try:
        with Nacre(address) as nacre:
            scope = nacre.scope("faults")
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                ref = f"{name}-{len(acknowledged)}"
                scope.observe("user", f"storm {ref} near harbour {random.randrange(50)}", session=name, ref=ref)
                acknowledged.append(ref)
                found = {hit.source.ref for hit in scope.recall(f"storm {ref}", session=name, limit=50)}
                assert ref in found, f"{ref} was acknowledged and cannot be recalled"
                scope.context("what happened near the harbour?", session=name)
    except Exception as error:  # noqa: BLE001 - whatever reached the caller is the finding
        pipe.send((acknowledged, repr(error)))
    else:
        pipe.send((acknowledged, None))


def dream(address: str, seconds: float, pipe: Connection) -> None:
    """Dream again and again for a while; report what became of the passes, or the error."""
    statuses: list[str] = []
    try:
        with Nacre(address) as nacre:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                statuses += [report.status.value for report in nacre.dream("faults").passes]
    except Exception as error:  # noqa: BLE001 - whatever reached the caller is the finding
        pipe.send((statuses, repr(error)))
    else:
        pipe.send((statuses, None))


def export(address: str, seconds: float, last: Path, pipe: Connection) -> None:
    """Export again and again for a while, at last to a file; report the turns of each export, or the error."""
    seen: list[list[str]] = []
    try:
        with Nacre(address) as nacre:
            transfer, end = nacre.scope("faults").transfer, time.monotonic() + seconds
            while time.monotonic() < end:
                written = io.StringIO()
                transfer.export(written)
                seen.append(exported_refs(written.getvalue()))
            transfer.export(last)
    except Exception as error:  # noqa: BLE001 - whatever reached the caller is the finding
        pipe.send((seen, repr(error)))
    else:
        pipe.send((seen, None))


def exported_refs(text: str) -> list[str]:
    """The references of the turns in an export."""
    held: dict[str, dict[str, str | None]] = {"sources": {}, "turns": {}}
    for line in text.splitlines()[1:]:
        record = json.loads(line)
        if record["table"] in held:
            held[record["table"]][record["row"]["id"]] = record["row"].get("ref")
    return [held["sources"][turn] or "" for turn in held["turns"]]
