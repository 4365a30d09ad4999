"""The commands of `python -m bench`."""

from pathlib import Path
from typing import Annotated

import typer

from bench import ablation as measuring_ablation
from bench import aliases as measuring_aliases
from bench import citus_commands, results, services, sets, summaries, terminal
from bench import compare as comparing
from bench import extraction as measuring_extraction
from bench import facts as measuring_facts
from bench import graph as measuring_graph
from bench import hours as measuring_hours
from bench import knowledge as measuring_knowledge
from bench import life as measuring_life
from bench import lives as measuring_lives
from bench import quality as measuring_quality
from bench import rerank as measuring_rerank
from bench import speed as measuring_speed
from bench import statements as measuring_statements
from bench import supersession as measuring_supersession
from bench import updates as measuring_updates
from bench.contexts import measuring as measuring_contexts
from bench.errors import NotPublishable
from bench.machines import commit
from bench.peers import catalogue, environments, showing
from bench.peers import measuring as measuring_peers
from bench.peers import running as running_peers
from bench.reports import AsJson, Publish, clear_errors, finish
from bench.sources import DATA
from bench.stores import kind_of
from nacre import Settings

app = typer.Typer(
    help="Measure Nacre through its public surface.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(services.app)
app.add_typer(citus_commands.app, name="citus")

Names = Annotated[list[str] | None, typer.Option("--set", help=f"A question set: {', '.join(sets.SETS)}. Repeatable.")]
Data = Annotated[
    Path, typer.Option(help="The folder of the benchmark data; ../shared/data if left out.", show_default=False)
]
Database = Annotated[str | None, typer.Option(help="Measure on this database instead of a temporary SQLite file.")]
SameAs = Annotated[str | None, typer.Option(help="Ask a second database too and count identical first ten hits.")]
Sample = Annotated[int | None, typer.Option(min=1, help="Ask only so many questions of each set, for a quick look.")]
Sizes = Annotated[str, typer.Option(help="Numbers of turns, separated by commas.")]
GraphSizes = Annotated[str, typer.Option(help="Numbers of names, links and entities, separated by commas.")]
Entities = Annotated[int, typer.Option(min=1_000, help="How many entities the graph has.")]
Before = Annotated[Path, typer.Argument(metavar="A", help="The earlier result.")]
After = Annotated[Path, typer.Argument(metavar="B", help="The later result.")]
Everything = Annotated[bool, typer.Option("--all", help="Show figures that did not change as well.")]


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
        # A set takes up to an hour: those that were not asked keep what they have, each with its commit.
        kept = results.read(results.published("quality"))["sets"] if publish else {}
        origin = {"commit": commit(), "rerank": Settings().rerank}
        figures = kept | {name: each | origin for name, each in figures.items()}
        given = {"database": kind_of(database), "questions": questions}
        document = results.result("quality-sample" if questions else "quality", given, {"sets": figures})
        finish(document, as_json=as_json, publish=publish)


@app.command()
def ablation(
    *,
    names: Names = None,
    data: Data = DATA,
    questions: Sample = None,
    as_json: AsJson = False,
    publish: Publish = False,
) -> None:
    """Ask the same questions with one channel at a time left out, and say what each adds."""
    with clear_errors():
        if publish and questions:
            raise NotPublishable
        chosen = sets.load(names or measuring_ablation.SETS, data, questions)
        figures = measuring_ablation.measure(chosen, terminal.progress())
        document = results.result("ablation-sample" if questions else "ablation", {"questions": questions}, figures)
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
def context(
    *,
    parts: Annotated[
        list[str] | None, typer.Option("--part", help=f"One of {', '.join(measuring_contexts.PARTS)}. Repeatable.")
    ] = None,
    data: Data = DATA,
    questions: Sample = None,
    held_back: Annotated[bool, typer.Option("--held-back", help="Ask every third message too.")] = False,
    as_json: AsJson = False,
    publish: Publish = False,
) -> None:
    """Ask for contexts: what evidence is in them, which lines belong, when they are silent, what comes first."""
    with clear_errors():
        if publish and questions:
            raise NotPublishable
        plan = measuring_contexts.Plan(
            data=data, parts=parts or measuring_contexts.PARTS, questions=questions, held_back=held_back, whole=publish
        )
        figures = measuring_contexts.measure(plan, terminal.progress(), terminal.notice)
        figures["commits"] = dict.fromkeys(plan.parts, commit())
        if publish:
            # A part takes up to an hour: those that were not asked keep what they have, each with its commit.
            figures = measuring_contexts.merge(results.read(results.published("context")), figures)
        section = "context-sample" if questions or figures["missing"] else "context"
        document = results.result(section, {"questions": questions, "held back": held_back or None}, figures)
        finish(document, as_json=as_json, publish=publish)


@app.command()
def speed(*, sizes: Sizes = measuring_speed.SIZES, as_json: AsJson = False, publish: Publish = False) -> None:
    """Time observe and recall at growing sizes, beside a bare numpy scan and a bare SQLite insert."""
    with clear_errors():
        figures = measuring_speed.measure(measuring_speed.parse_sizes(sizes), terminal.progress())
        likes = measuring_speed.measure_likes(measuring_speed.LIKES, terminal.progress())
        document = results.result("speed", {"extraction": "rules"}, {"sizes": figures, "likes": likes})
        finish(document, as_json=as_json, publish=publish)


@app.command()
def peers(
    *,
    names: Annotated[
        list[str] | None,
        typer.Option("--system", help=f"One of {', '.join(s.name for s in catalogue.SYSTEMS)}. Repeatable."),
    ] = None,
    sizes: Sizes = measuring_speed.SIZES,
    seconds: Annotated[
        int, typer.Option(min=1, help="How long a system may write to reach the next size.")
    ] = measuring_peers.SECONDS,
    folder: Annotated[
        Path | None,
        typer.Option("--environments", help="Where the systems are installed; a folder of your cache if left out."),
    ] = None,
    data: Data = DATA,
    questions: Sample = None,
    quick: Annotated[bool, typer.Option("--quick", help="1,000 turns and 50 questions; never published.")] = False,
    as_json: AsJson = False,
    publish: Publish = False,
) -> None:
    """Measure other memories beside Nacre: the same turns, questions and vectors, each in its own environment."""
    with clear_errors():
        if publish and (quick or questions or names):
            raise NotPublishable
        if quick:
            sizes, questions = "1000", questions or 50
        plan = measuring_peers.Plan(sizes=measuring_speed.parse_sizes(sizes), seconds=seconds)
        asked = sets.load(["locomo"], data, questions)[0]
        figures = running_peers.run(
            catalogue.chosen(names or ()),
            plan,
            asked,
            environments=folder or environments.default_folder(),
            progress=terminal.progress(),
            notice=terminal.notice,
        )
        section = "peers-sample" if quick or questions or names else "peers"
        document = results.result(section, {"questions": questions, "seconds": seconds}, figures)
        finish(document, as_json=as_json, publish=False)
        if publish:
            results.publish(document)
            showing.publish(document)
            summaries.refresh()


@app.command()
def summary() -> None:
    """Write the summary of the benchmark page and the figures of the README from what is published."""
    with clear_errors():
        summaries.refresh()


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
def facts(*, as_json: AsJson = False, publish: Publish = False) -> None:
    """Read conversations that were held out of the reader's training, and count the facts it and the rules find."""
    with clear_errors():
        figures = measuring_facts.measure(terminal.progress())
        finish(results.result("facts", {}, {"facts": figures}), as_json=as_json, publish=publish)


@app.command()
def updates(
    *,
    extraction: Annotated[str, typer.Option(help="Who reads: reader or rules.")] = "reader",
    split: Annotated[list[str] | None, typer.Option(help="Which stories: open, sealed or, unless told, both.")] = None,
    as_json: AsJson = False,
    publish: Publish = False,
) -> None:
    """Tell stories in which something changes, and say what is in force, recalled first and shown at their end."""
    with clear_errors():
        figures = measuring_updates.measure(extraction, split or measuring_updates.SPLITS, terminal.progress())
        given = {"extraction": extraction}
        finish(results.result("updates", given, {"updates": figures}), as_json=as_json, publish=publish)


@app.command()
def hours(*, as_json: AsJson = False, publish: Publish = False) -> None:
    """Tell small lives that strangers typed, and count what later requests need and get."""
    with clear_errors():
        figures = measuring_hours.measure(terminal.progress())
        finish(results.result("hours", {}, {"hours": figures}), as_json=as_json, publish=publish)


@app.command()
def statements(*, as_json: AsJson = False, publish: Publish = False) -> None:
    """Tell plain statements that strangers wrote, one fact each, and count what is believed afterwards."""
    with clear_errors():
        figures = measuring_statements.measure(terminal.progress())
        finish(results.result("statements", {}, {"statements": figures}), as_json=as_json, publish=publish)


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
def compare(first: Before, second: After, *, everything: Everything = False) -> None:
    """Show what differs between two result files."""
    with clear_errors():
        terminal.show([comparing.difference(results.read(first), results.read(second), everything=everything)])
