"""The log of a server or a worker: one line for each event, for people or for programs."""

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime

from nacre.settings import Settings

REQUESTS = "nacre.requests"
# What a record has of its own accord; all else was given to be shown.
_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}

# The request that is being answered.
request_id: ContextVar[str | None] = ContextVar("request_id", default=None)


def install(settings: Settings) -> None:
    """Have this process write its log to standard error as the settings say."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if settings.log == "json" else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level.upper())
    # One tells every call it makes, with its address; the other has a name that frightens people.
    for name in ("httpx", "uvicorn"):
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))


class JsonLines(logging.Formatter):
    """One JSON object for each event."""

    def format(self, record: logging.LogRecord) -> str:
        """The event as an object of strings and numbers."""
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
            **_given(record),
        }
        if record.exc_info:
            told["traceback"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False, default=str)


class TextLines(logging.Formatter):
    """One line for each event, and a traceback below it where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """The event as words."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        given = "".join(f" {name}={value}" for name, value in _given(record).items())
        line = f"{at} {record.levelname.lower()} [{record.process}] {record.name}: {record.getMessage()}{given}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _given(record: logging.LogRecord) -> dict[str, object]:
    given = {name: value for name, value in vars(record).items() if name not in _OWN}
    current = request_id.get()
    return {"request_id": current, **given} if current else given
