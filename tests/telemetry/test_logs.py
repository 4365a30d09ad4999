"""The log of a process."""

import json
import logging

import pytest

from nacre import Settings
from nacre.telemetry import logs


@pytest.fixture(autouse=True)
def root():
    """The root logger, as it was before."""
    found = logging.getLogger()
    handlers, level = list(found.handlers), found.level
    yield found
    found.handlers[:] = handlers
    found.setLevel(level)


def test_as_json_each_event_is_one_object_with_what_was_given(capsys):
    logs.install(Settings(log="json", log_level="info"))
    logging.getLogger("nacre.x").info("It took\n%s", "long", extra={"ms": 12})
    logging.getLogger("nacre.x").debug("unheard")

    (line,) = capsys.readouterr().err.splitlines()
    told = json.loads(line)
    assert (told["level"], told["logger"], told["message"], told["ms"]) == ("info", "nacre.x", "It took\nlong", 12)
    assert told["time"].endswith("+00:00")


def test_a_traceback_is_part_of_its_event(capsys):
    logs.install(Settings(log="json"))
    logging.getLogger("nacre.x").error("It failed.", exc_info=ZeroDivisionError("on purpose"))

    (line,) = capsys.readouterr().err.splitlines()
    assert "ZeroDivisionError: on purpose" in json.loads(line)["traceback"]


def test_as_text_each_event_is_one_line(capsys):
    logs.install(Settings(log_level="info"))
    logging.getLogger("nacre.x").info("Done.", extra={"ms": 12})

    assert capsys.readouterr().err.endswith(" nacre.x: Done. ms=12\n")


def test_what_is_not_worth_a_line_is_not_written(capsys):
    logs.install(Settings())
    logging.getLogger(logs.REQUESTS).info("request")

    assert capsys.readouterr().err == ""


def test_an_event_within_a_request_carries_its_id(capsys):
    logs.install(Settings(log="json"))
    token = logs.request_id.set("r1")
    logging.getLogger("nacre.x").warning("Slow.")
    logs.request_id.reset(token)

    assert json.loads(capsys.readouterr().err)["request_id"] == "r1"
