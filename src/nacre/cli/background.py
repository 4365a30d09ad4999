"""`nacre up`, `down`, `status` and `open`: a server in the background that everyday commands and hooks talk to."""

import io
import signal
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, replace
from time import sleep
from typing import Annotated, Any

import typer

from nacre import __version__
from nacre import settings as files
from nacre.background import addresses, calls, servers, starting, stores
from nacre.background.stores import StoreChoice
from nacre.brain import Nacre, ScopedNacre
from nacre.cli import listeners, options, output
from nacre.cli.scoped import lending, settled
from nacre.clients import capture, hook_calls, payloads
from nacre.domain.errors import Conflict, Invalid, NacreError, Unavailable
from nacre.settings import Settings
from nacre.telemetry import logs

Foreground = Annotated[bool, typer.Option("--foreground", help="Stay in this process, for a service manager.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Only say where it is.")]
# Runs a command line and says how it ended.
RunCommand = Callable[[Sequence[str]], int]
# Loading everything on a busy machine takes a while.
START_SECONDS, STOP_SECONDS = 60.0, 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerStatus:
    """A background server, or that there is none."""

    up: bool
    database: str
    pid: int | None = None
    version: str | None = None
    started: str | None = None
    # The process that was just stopped.
    stopped: int | None = None


@output.words(ServerStatus)
def _words(status: ServerStatus) -> Iterable[str]:
    if status.up:
        yield f"Up for {status.database}: process {status.pid}, version {status.version}, since {status.started}."
    elif status.stopped:
        yield f"Stopped process {status.stopped} for {status.database}."
    else:
        yield f"Not up for {status.database}; commands work without it, a second or two slower."


def start(before: Mapping[str, str | None], database: str | None, *, as_json: bool) -> None:
    """Start a server in a process of its own, unless there is one."""
    store = _store(before, database)
    if starting.alive(store) is None:
        if not calls.possible():
            raise Unavailable("This system has no local sockets; commands work without a background server.")
        starting.start(store)
        if starting.wait(store, START_SECONDS) is None:
            raise Unavailable(f"The server did not start: see `{starting.log_file()}`.")
    output.show(_status(store), as_json=as_json)


def down(context: typer.Context, *, database: options.Database = None, as_json: options.AsJson = False) -> None:
    """Stop the server in the background; what it is doing is finished first."""
    store = _store(context.obj, database)
    address = starting.alive(store)
    if address:
        with suppress(calls.NoAnswer):
            calls.call(address.socket, {"kind": "stop"}, STOP_SECONDS)
        for _ in range(int(STOP_SECONDS / starting.WAIT_STEP)):
            if not addresses.file_of(store).exists():
                break
            sleep(starting.WAIT_STEP)
    now = _status(store)
    output.show(replace(now, stopped=address.pid) if address and not now.up else now, as_json=as_json)


def status(context: typer.Context, *, database: options.Database = None, as_json: options.AsJson = False) -> None:
    """Say whether a server is up in the background."""
    output.show(_status(_store(context.obj, database)), as_json=as_json)


def show_dashboard(
    context: typer.Context,
    *,
    no_browser: NoBrowser = False,
    database: options.Database = None,
    as_json: options.AsJson = False,
) -> None:
    """Open the dashboard in a browser; the server in the background shows it."""
    store = _store(context.obj, database)
    if starting.alive(store) is None:
        starting.start(store)
    address = starting.wait(store, START_SECONDS)
    if address is None:
        raise Unavailable(f"The server did not start: see `{starting.log_file()}`.")
    try:
        url = str(calls.call(address.socket, {"kind": "open"}, START_SECONDS)["url"])
    except (calls.NoAnswer, KeyError) as error:
        raise Unavailable(f"The server cannot show the dashboard: see `{starting.log_file()}`.") from error
    if not no_browser:
        webbrowser.open(url)
    output.show(output.ShortResult(url, {"url": url}), as_json=as_json)


def _store(before: Mapping[str, str | None], database: str | None) -> StoreChoice:
    store = stores.choose(files.file(), database or before.get("database"))
    if store is None:
        raise Invalid("database", "is none that a server can share; a memory in this process alone is gone with it")
    return store


def _status(store: StoreChoice) -> ServerStatus:
    address = starting.alive(store)
    if address is None:
        return ServerStatus(up=False, database=store.shown)
    return ServerStatus(
        up=True, database=store.shown, pid=address.pid, version=address.version, started=address.started
    )


def stay(before: Mapping[str, str | None], database: str | None, run: RunCommand) -> None:
    """Answer in this process until told to stop, or until nobody has called for a while."""
    store = _store(before, database)
    settings = settled(before, database=store.database)
    try:
        with servers.listening(store, __version__) as listener, Nacre(settings=settings) as nacre:
            logs.install(settings)
            answering = CallHandler(nacre, settings, store, run)
            server = servers.BackgroundServer(listener, answering.answer, 60.0 * settings.background_minutes)
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda *_: server.stop())
            nacre.parts.follow_ups.work_later()
            threading.Thread(target=answering.begin, daemon=True).start()
            server.run()
            answering.end()
    except Conflict as error:
        output.note(str(error))


class CallHandler:
    """Answers the calls of a background server with one open brain."""

    def __init__(self, nacre: Nacre, settings: Settings, store: StoreChoice, run: RunCommand) -> None:
        self._nacre = nacre
        self._settings = settings
        self._store = store
        self._run = run
        # Commands print, and a process has one standard output.
        self._printing = threading.Lock()
        self._pages: Any = None
        self._page_thread: threading.Thread | None = None
        self._url: str | None = None
        self._opened = ExitStack()

    def begin(self) -> None:
        """Take in what was left while no server was up, and have everything loaded before the first question."""
        from nacre.brain import loading  # noqa: F401, PLC0415 - while callers are answered already

        capture.take_left_over(self._memory, self._store)
        capture.warm_up(self._memory(None))

    def answer(self, request: dict[str, Any]) -> servers.Reply:
        """The reply to one call, and what is to be done after it."""
        match request["kind"]:
            case "command":
                return self._command(request), None
            case "hook":
                return self._hook(request)
            case "open":
                return {"url": self._shown()}, None
            case _:
                raise Invalid("kind", "is not one that this server knows; is it an older version?")

    def end(self) -> None:
        """Stop what was started beside the calls."""
        if self._pages:
            self._pages.should_exit = True
        if self._page_thread:
            self._page_thread.join(10.0)
        self._opened.close()

    def _hook(self, request: dict[str, Any]) -> servers.Reply:
        try:
            event = payloads.read(request["client"], request["payload"])
            told = event.request(per_project=request["per_project"]) if event else {}
            reply, later = capture.answer(self._memory(told.get("project")), told) if event else ("", None)
        except (NacreError, ValueError) as error:
            hook_calls.log(f"{type(error).__name__}: {error}")
            return b"\n", None

        def finish() -> None:
            # A hook may have found no server while this one was starting.
            capture.take_left_over(self._memory, self._store)
            if later:
                later()

        return (payloads.reply(event, reply) if event else "").encode() + b"\n", finish

    def _memory(self, project: str | None) -> ScopedNacre:
        given = self._settings
        return self._nacre.scope(given.agent, given.user, project or given.chat)

    def _command(self, request: dict[str, Any]) -> dict[str, Any]:
        before = ["--config", str(self._store.config)] if self._store.config else []
        out, err = io.StringIO(), io.StringIO()
        with (
            self._printing,
            redirect_stdout(out),
            redirect_stderr(err),
            _standard_input(request.get("stdin")),
            lending(self._nacre),
            output.shown_on(request["columns"], coloured=request["coloured"]),
        ):
            try:
                code = self._run([*before, *request["arguments"]])
            except StandardInputWanted:
                return {"reads": True}
        return {"code": code, "out": out.getvalue(), "err": err.getvalue()}

    def _shown(self) -> str:
        """Where the dashboard is; a web server is started for the first who asks."""
        from nacre.cli import servers  # noqa: PLC0415 - FastAPI, for those who want to look

        with self._printing:
            if self._url is None:
                listener = self._opened.enter_context(listeners.listening("127.0.0.1", 0))
                self._pages = servers.server(self._nacre)
                self._page_thread = threading.Thread(target=self._pages.run, args=([listener],), daemon=True)
                self._page_thread.start()
                self._url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
            return self._url


class StandardInputWanted(BaseException):
    """A command reads standard input, which its caller has not sent; no error of the command's own may catch it."""


@contextmanager
def _standard_input(text: str | None) -> Iterator[None]:
    """Give a command what its caller has on standard input, as far as that was sent."""
    raw = _MissingInput() if text is None else io.BytesIO(text.encode("utf-8", "surrogateescape"))
    before, sys.stdin = sys.stdin, io.TextIOWrapper(raw, encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = before


class _MissingInput(io.BytesIO):
    def read(self, _size: int | None = -1, /) -> bytes:
        raise StandardInputWanted
