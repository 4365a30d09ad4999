"""Every code block of the README and the docs runs."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path

import pytest

from nacre import Nacre, Settings
from nacre.models import local_ranker, local_reader, local_reranker, local_succession
from tests.house import commands

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```([a-z ]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
# Blocks that show something rather than do something; the last two show what the page's own blocks print.
SHOWN = {"text", "json", "text python", "text bash"}
# Blocks that run elsewhere: those of the TypeScript client with it, those of large libraries where they are installed.
ELSEWHERE = {"ts", "python llamaindex", "python agno", "python crewai"}
# What the tests set for themselves (see `tests/conftest.py`), and whoever reads a page does not.
OWN_SETTINGS = ("NACRE_RERANK", "NACRE_EXTRACTION")
# Seconds after which a page hangs: one starts a server with two workers, which takes long beside other tests.
HANGS = 300


@pytest.fixture(scope="module")
def experience() -> Iterator[None]:
    """This process has learned and recalled, so that its copies, which run the pages, load neither rules nor models.

    A copy has none of the threads that a network is spread over: these networks have one, that of their caller.
    """
    loads = (local_ranker.load, local_reader.load, local_reranker.load, local_succession.load)
    opened = local_reranker.open_session
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_reranker, "open_session", lambda model, _threads=1: opened(model, 1))
        for load in loads:
            load.cache_clear()
        with Nacre(":memory:", settings=Settings(worker="off", extraction="reader", rerank="auto")) as nacre:
            scope = nacre.scope("reader")
            scope.observe("user", "I live in Porto, I work at Acme and my dog is called Pixel.")
            scope.remember("The launch moved to May 31.")
            nacre.parts.worker.drain()
            scope.recall("Where do I live?")
            scope.context("Where do I live?")
        yield
    for load in loads:
        load.cache_clear()


def default_environment() -> dict[str, str]:
    """The environment of whoever reads a page."""
    return {name: value for name, value in os.environ.items() if name not in OWN_SETTINGS}


def blocks(page: Path, kind: str) -> list[str]:
    """The code blocks of one kind on a page."""
    return [code for language, code in FENCE.findall(page.read_text()) if language.strip() == kind]


def pages_with(kind: str) -> list[Path]:
    """The pages with such blocks, but for the README: `test_readme` plays it as a whole."""
    return [page for page in PAGES[1:] if blocks(page, kind)]


def assert_printed(page: Path, kind: str, output: str) -> None:
    """Every line that a page says is printed was printed."""
    for line in "\n".join(blocks(page, kind)).splitlines():
        assert line in output.splitlines(), f"{line!r} is not in:\n{output}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks_are_of_a_kind_that_is_tested(page):
    found = {language.strip() for language, _ in FENCE.findall(page.read_text())}
    assert found <= {"python", "bash", "bash setup", *SHOWN, *ELSEWHERE}


@pytest.mark.usefixtures("experience")
@pytest.mark.parametrize("page", pages_with("python"), ids=lambda page: page.name)
def test_python_blocks_run(page, tmp_path):
    """In order and in one program, as a reader would type them."""
    printed = tmp_path / "printed.txt"
    # A copy of this process has imported and compiled what pages need, which takes longer than most of them.
    reader = get_context("fork").Process(target=_read, args=("\n".join(blocks(page, "python")), tmp_path, printed))
    reader.start()
    reader.join(HANGS)
    reader.kill()
    reader.join()
    assert reader.exitcode == 0, printed.read_text()
    assert_printed(page, "text python", printed.read_text())


def _read(program: str, folder: Path, printed: Path) -> None:
    """Run a page's program in a folder of its own."""
    with printed.open("w") as out:
        os.dup2(out.fileno(), 1)
        os.dup2(out.fileno(), 2)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    os.chdir(folder)
    for name in OWN_SETTINGS:
        os.environ.pop(name, None)
    sys.path.insert(0, str(folder))
    warnings.simplefilter("error")
    try:
        exec(compile(program, "page.py", "exec"), {"__name__": "__main__"})
    except BaseException:  # noqa: BLE001 - whatever it is, the page does not run
        traceback.print_exc(file=sys.__stderr__)
        os._exit(1)
    sys.stdout.flush()
    os._exit(0)


@pytest.mark.usefixtures("experience")
@pytest.mark.parametrize("page", pages_with("bash"), ids=lambda page: page.name)
def test_shell_blocks_run(page, tmp_path):
    """In order and in one shell; what they start in the background ends with it."""
    printed = tmp_path / "printed.txt"
    command = ["bash", "-euo", "pipefail", "-c", "\n".join(blocks(page, "bash"))]
    with commands.quick() as first, printed.open("w") as out:
        path = os.pathsep.join([str(first), str(Path(sys.executable).parent), os.environ["PATH"]])
        # Whoever runs the tests may have settings and servers of their own.
        own = dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"), str(tmp_path))
        environment = {**default_environment(), **own, "PATH": path}
        with subprocess.Popen(
            command, cwd=tmp_path, env=environment, stdout=out, stderr=out, start_new_session=True
        ) as shell:
            with suppress(subprocess.TimeoutExpired):
                shell.wait(HANGS)
            # Nothing is left to end when the page started nothing in the background.
            status = shell.poll()
            with suppress(ProcessLookupError):
                os.killpg(shell.pid, signal.SIGKILL)
    output = printed.read_text()
    assert status == 0, f"The page ended with {status} and had printed:\n{output}"
    assert "error" not in output.lower(), output
    assert_printed(page, "text bash", output)


@pytest.mark.parametrize("page", pages_with("bash setup"), ids=lambda page: page.name)
def test_commands_of_set_up_blocks_exist(page):
    """They need a network or a whole machine, so only their being there is checked."""
    for line in "\n".join(blocks(page, "bash setup")).splitlines():
        command = shlex.split(line)[0]
        assert (ROOT / command).exists() or shutil.which(command) or command == "uv", command


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page):
    prose = FENCE.sub("", page.read_text())
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
        assert (page.parent / target).exists(), target


def test_the_settings_page_lists_every_setting_with_its_default():
    page = (ROOT / "docs/settings.md").read_text()
    for name, field in Settings.model_fields.items():
        default = "none" if field.default is None else f"`{field.default}`"
        assert f"| `NACRE_{name.upper()}` | {default} |" in page, name
