"""The commands of `python -m bench`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from bench import aliases as measuring_aliases
from bench import compare as comparing
from bench import extraction as measuring_extraction
from bench import graph as measuring_graph
from bench import knowledge as measuring_knowledge
from bench import life as measuring_life
from bench import lives as measuring_lives
from bench import load as measuring_load
from bench import pages, results, sets, tables, terminal
from bench import quality as measuring_quality
from bench import rerank as measuring_rerank
from bench import speed as measuring_speed
from bench import supersession as measuring_supersession
from bench.errors import BenchError, NotPublishable
from bench.sources import DATA, ROOT
from bench.stores import kind_of
from nacre import NacreError

app = typer.Typer(
    help="Measure Nacre through its public surface.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Names = Annotated[list[str] | None, typer.Option("--set", help=f"A question set: {', '.join(sets.SETS)}. Repeatable.")]
Data = Annotated[
    Path, typer.Option(help="The folder of the benchmark data; ../shared/data if left out.", show_default=False)
]
Database = Annotated[str | None, typer.Option(help="Measure on this database instead of a temporary SQLite file.")]
SameAs = Annotated[str | None, typer.Option(help="Ask a second database too and count identical first ten hits.")]
Sample = Annotated[int | None, typer.Option(min=1, help="Ask only so many questions of each set, for a quick look.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON instead of tables.")]
Publish = Annotated[bool, typer.Option("--publish", help="Rewrite this section of docs/benchmarks.md from the result.")]
Sizes = Annotated[str, typer.Option(help="Numbers of turns, separated by commas.")]
GraphSizes = Annotated[str, typer.Option(help="Numbers of names, links and entities, separated by commas.")]
Entities = Annotated[int, typer.Option(min=1_000, help="How many entities the graph has.")]
Before = Annotated[Path, typer.Argument(metavar="A", help="The earlier result.")]
After = Annotated[Path, typer.Argument(metavar="B", help="The later result.")]
Everything = Annotated[bool, typer.Option("--all", help="Show figures that did not change as well.")]

# Every other section is one of quality.
TABLES = {
    "speed": measuring_speed.tables,
    "graph": measuring_graph.tables,
    "aliases": measuring_aliases.tables,
    "supersession": measuring_supersession.tables,
    "knowledge": measuring_knowledge.tables,
    "extraction": measuring_extraction.tables,
    "life": measuring_life.tables,
    "load": measuring_load.tables,
    "rerank": measuring_rerank.tables,
}


@app.command()
def quality(
    *,
    names: Names = None,
    data: Data = DATA,
    database: Database = None,
    check_same_as: SameAs = None,
    questions: Sample = None,
    as_json: AsJson = False,
    publish: Publish = False,
) -> None:
    """Ask whole question sets of a cold store and score what recall finds."""
    with clear_errors():
        if publish and questions:
            raise NotPublishable
        plan = measuring_quality.Plan(database=database, same_as=check_same_as)
        figures = measuring_quality.measure(sets.load(names or (), data, questions), plan, terminal.progress())
        given = {"database": kind_of(database), "questions": questions}
        document = results.result("quality-sample" if questions else "quality", given, {"sets": figures})
        finish(document, as_json=as_json, publish=publish)


@app.command()
def rerank(
    *,
    names: Names = None,
    data: Data = DATA,
    questions: Sample = None,
    as_json: AsJson = False,
    publish: Publish = False,
) -> None:
    """Ask the same questions without a reranker and with each, and say where it helps and where it hurts."""
    with clear_errors():
        if publish and questions:
            raise NotPublishable
        chosen = sets.load(names or ("locomo", "longmemeval"), data, questions)
        figures = measuring_rerank.measure(chosen, terminal.progress())
        document = results.result("rerank-sample" if questions else "rerank", {"questions": questions}, figures)
        finish(document, as_json=as_json, publish=publish)


@app.command()
def speed(*, sizes: Sizes = measuring_speed.SIZES, as_json: AsJson = False, publish: Publish = False) -> None:
    """Time observe and recall at growing sizes, beside a bare numpy scan and a bare SQLite insert."""
    with clear_errors():
        figures = measuring_speed.measure(measuring_speed.parse_sizes(sizes), terminal.progress())
        finish(results.result("speed", {}, {"sizes": figures}), as_json=as_json, publish=publish)


@app.command()
def graph(*, sizes: GraphSizes = measuring_graph.SIZES, as_json: AsJson = False, publish: Publish = False) -> None:
    """Time name matching, walks and entity search at growing sizes of the graph."""
    with clear_errors():
        figures = measuring_graph.measure(measuring_speed.parse_sizes(sizes), terminal.progress())
        finish(results.result("graph", {}, {"sizes": figures}), as_json=as_json, publish=publish)


@app.command()
def aliases(*, data: Data = DATA, as_json: AsJson = False, publish: Publish = False) -> None:
    """Tell two names of one person from the names of two, and score what would be merged or flagged."""
    with clear_errors():
        figures = measuring_aliases.measure(measuring_aliases.load(data))
        finish(results.result("aliases", {}, {"aliases": figures}), as_json=as_json, publish=publish)


@app.command()
def supersession(*, as_json: AsJson = False, publish: Publish = False) -> None:
    """Decide labelled updates and pairs of names, and list every wrong decision."""
    with clear_errors():
        figures = measuring_supersession.measure(*measuring_supersession.load())
        finish(results.result("supersession", {}, figures), as_json=as_json, publish=publish)


@app.command()
def knowledge(
    *,
    entities: Entities = measuring_knowledge.SIZE,
    database: Database = None,
    as_json: AsJson = False,
    publish: Publish = False,
) -> None:
    """Time lists, details and reports of a large graph, each beside a plain query of as many rows."""
    with clear_errors():
        figures = measuring_knowledge.measure(entities, database, terminal.progress())
        given = {"entities": entities, "database": kind_of(database)}
        finish(results.result("knowledge", given, {"figures": figures}), as_json=as_json, publish=publish)


@app.command()
def extraction(*, data: Data = DATA, as_json: AsJson = False, publish: Publish = False) -> None:
    """Extract facts by rules; score names and relations, and count junk."""
    with clear_errors():
        figures, listed = measuring_extraction.measure(data, terminal.progress())
        finish(results.result("extraction", {}, {"extraction": figures}), as_json=as_json, publish=publish)
        if publish:
            measuring_extraction.PAGE.write_text(measuring_extraction.page(listed), encoding="utf-8")


@app.command()
def life(
    *,
    days: Annotated[int, typer.Option(min=1, help="How many days.")] = measuring_lives.DAYS,
    turns: Annotated[int, typer.Option(min=1, help="How many turns a day.")] = measuring_lives.TURNS_A_DAY,
    as_json: AsJson = False,
    publish: Publish = False,
) -> None:
    """Live through a simulated month, by rules and with a harmful model, and say each night what is known."""
    with clear_errors():
        figures = measuring_life.measure(days, turns, terminal.progress())
        finish(results.result("life", {"days": days}, figures), as_json=as_json, publish=publish)


@app.command()
def load(
    *,
    database: Annotated[
        list[str] | None,
        typer.Option(help="Measure on this database; a temporary SQLite file if left out. Repeatable."),
    ] = None,
    clients: Annotated[int, typer.Option(min=1, help="How many clients call at once.")] = measuring_load.CLIENTS,
    seconds: Annotated[int, typer.Option(min=1, help="For how long.")] = measuring_load.SECONDS,
    as_json: AsJson = False,
    publish: Publish = False,
) -> None:
    """Have many clients call one server at once: observe, recall and context."""
    with clear_errors():
        addresses: list[str | None] = [*database] if database else [None]
        figures = {kind_of(each): measuring_load.measure(each, clients=clients, seconds=seconds) for each in addresses}
        given = {"clients": clients, "seconds": seconds}
        finish(results.result("load", given, {"databases": figures}), as_json=as_json, publish=publish)


@app.command()
def fuzz(
    *,
    examples: Annotated[int, typer.Option(min=1, help="How many right and how many wrong calls of each route.")] = 100,
    seed: Annotated[int, typer.Option(help="Another number makes other calls.")] = 20260501,
    as_json: AsJson = False,
) -> None:
    """Call every route with nonsense; exit code 1 when one makes a mistake or answers what its schema does not say."""
    # It needs packages that nothing else here does.
    from bench import fuzz as fuzzing

    with clear_errors():
        figures = fuzzing.measure(examples, seed, terminal.progress())
        document = results.result("fuzz", {"examples": examples, "seed": seed}, figures)
        path = results.write(document)
        if as_json:
            terminal.say(results.as_text(document))
        else:
            terminal.show(fuzzing.tables(document))
        terminal.notice(f"Written to {path.relative_to(ROOT)}.")
    raise typer.Exit(1 if document["findings"] else 0)


@app.command()
def compare(first: Before, second: After, *, everything: Everything = False) -> None:
    """Show what differs between two result files."""
    with clear_errors():
        terminal.show([comparing.difference(results.read(first), results.read(second), everything=everything)])


@contextmanager
def clear_errors() -> Iterator[None]:
    """One sentence instead of a traceback, and exit code 2."""
    try:
        yield
    except (BenchError, NacreError) as error:
        terminal.notice(str(error))
        raise typer.Exit(2) from None


def finish(document: dict[str, Any], *, as_json: bool, publish: bool) -> None:
    """Keep the result, show it, and publish it when asked to."""
    path = results.write(document)
    shown = TABLES.get(document["section"].removesuffix("-sample"), tables.quality)(document)
    if as_json:
        terminal.say(results.as_text(document))
    else:
        terminal.show(shown)
    terminal.notice(f"Written to {path.relative_to(ROOT)}.")
    if publish:
        pages.publish(document["section"], tables.section(document["section"].capitalize(), document, shown))
