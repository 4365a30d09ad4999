"""Systems beside Nacre: two of them for real on a few turns; the rest of the path without what must be installed."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from typer.testing import CliRunner

from bench import synthetic
from bench.app import app
from bench.errors import NotInstalled, PeerEnded
from bench.peers import answering, catalogue, environments, measuring, running, showing
from bench.peers.children import Child
from bench.progress import Silent
from bench.questions import Pool, Question, QuestionSet
from bench.sources import ROOT

NAMES = ("nacre", "sqlite_fts5")
HERE = [(system, Path(sys.executable)) for system in catalogue.chosen(NAMES)]


def small_set(turns):
    """Each question is a turn's own words."""
    questions = [
        Question(id=turn.ref, text=turn.text, kind="own", evidence=frozenset([turn.ref])) for turn in turns[:10]
    ]
    pool = Pool(key="p", turns=turns, questions=questions)
    return QuestionSet(name="own", title="Own words", unit="turn", limit=10, metrics=("R@5",), pools=(pool,))


def spoil(environment):
    """Nothing can be installed where a file is in the way."""
    environment.mkdir()
    (environment / "bin").touch()


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    plan = measuring.Plan(sizes=[50], singles=10, questions=5)
    missing, folder = catalogue.chosen(["chroma"])[0], tmp_path_factory.mktemp("environments")
    spoil(folder / environments.name_of(missing))
    with pytest.MonkeyPatch.context() as patch:
        # As `python -m bench` has it.
        patch.setenv("NACRE_RERANK", "off")
        patch.setattr(measuring, "WARMING", 10)
        figures = running.run(
            [*catalogue.chosen(NAMES), missing],
            plan,
            small_set(synthetic.turns(50)),
            environments=folder,
            progress=Silent(),
            notice=lambda said: None,
        )
    machine = {"cores": 2, "cpu": "any", "arch": "any", "python": "3", "sqlite": "3"}
    return {"date": "2026-01-01", "commit": "none", "machine": machine, "options": {}, **figures}


def test_nacre_and_plain_sqlite_are_measured_on_the_same_turns(document):
    for name in NAMES:
        figures = document["sizes"]["50"][name]

        assert figures["finished"]
        assert (figures["held"], figures["filled"], figures["asked"]) == (50, 40, 5)
        assert all(figures[key] > 0 for key in ("single_per_s", "batch_per_s", "recall_p50_ms", "resident_mb", "bytes"))


def test_both_find_turns_by_their_own_words(document):
    assert [document["quality"][name]["R@5"] for name in NAMES] == [1, 1]


def test_a_system_that_cannot_be_installed_is_said_to_be_missing(document):
    shown = "\n".join(cell for table in showing.all_tables(document) for row in table.rows for cell in row)

    assert not document["systems"]["chroma"]["installed"]
    assert "Chroma (not installed)" in shown


def test_the_page_gets_a_section_and_two_plots(document, tmp_path):
    showing.publish(document, tmp_path / "page.md", tmp_path / "plots")

    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "<!-- bench:peers:begin -->" in page
    for name in (showing.RECALL_PLOT, showing.WRITES_PLOT):
        assert f"(plots/{name})" in page
        ET.parse(tmp_path / "plots" / name)


def test_a_size_that_is_not_reached_in_time_is_named_with_what_is_held(document, tmp_path):
    plan = measuring.Plan(sizes=[1200], singles=10, questions=5, seconds=0)

    figures = measuring.measure(HERE[1:], plan, tmp_path, Silent(), lambda said: None)

    said = showing.all_tables({**document, "sizes": figures["sizes"]})[0].note
    assert said.startswith("SQLite FTS5 did not finish 1,200: 500 written in ")
    assert said.endswith("510 held.")


def test_a_failed_install_names_the_system_and_its_log(tmp_path):
    system = catalogue.chosen(["mem0"])[0]
    spoil(tmp_path / environments.name_of(system))

    with pytest.raises(NotInstalled, match=r"mem0.* could not be installed; .*install\.log"):
        environments.python_of(system, tmp_path)


def test_other_versions_get_another_environment():
    system = catalogue.chosen(["mem0"])[0]

    assert environments.name_of(system) != environments.name_of(replace(system, pip=("mem0ai==1",)))


def test_a_process_that_ends_leaves_its_last_words(tmp_path):
    with (
        Child(*HERE[1], tmp_path / "it") as child,
        pytest.raises(PeerEnded, match="ended at `dance`: ValueError: dance"),
    ):
        child.ask("dance")


def test_an_ended_system_does_not_stop_the_others(tmp_path):
    broken = replace(HERE[1][0], name="not_there")
    said: list[str] = []

    figures = answering.measure(
        [(broken, HERE[1][1]), HERE[1]], small_set(synthetic.turns(20)), tmp_path, Silent(), said.append
    )

    assert figures["not_there"] == {"failed": "ended at open"}
    assert figures["sqlite_fts5"]["R@5"] == 1
    assert "No module named" in said[0]


def test_peers_get_the_vectors_nacre_makes_without_loading_nacre():
    asked = (
        "import sys\n"
        "from bench.peers.vectors import Vectors\n"
        "made = Vectors().arrays(['Ana moved to Lisbon.', 'Żółć, 東京!', ''])\n"
        "assert 'sqlalchemy' not in sys.modules and 'nacre.brain' not in sys.modules\n"
        "sys.stdout.buffer.write(made.tobytes())\n"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, check=True, cwd=ROOT)

    from nacre.models.static_embedder import StaticEmbedder

    assert done.stdout == StaticEmbedder().matrix(["Ana moved to Lisbon.", "Żółć, 東京!", ""]).tobytes()


@pytest.mark.parametrize(
    "given", [["--quick", "--publish"], ["--system", "nacre", "--publish"], ["--system", "nobody"]]
)
def test_part_of_a_run_is_not_published_and_unknown_systems_are_refused(given):
    said = CliRunner().invoke(app, ["peers", *given])

    assert said.exit_code == 2
    assert said.stdout == ""
