"""Reports of the commands: each result is kept, shown, and published when asked to."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from bench import ablation as measuring_ablation
from bench import aliases as measuring_aliases
from bench import chaos as measuring_chaos
from bench import doors as measuring_doors
from bench import endure as measuring_endurance
from bench import extraction as measuring_extraction
from bench import facts as measuring_facts
from bench import faults as measuring_faults
from bench import fuzz_tables, pages, results, summaries, tables, terminal
from bench import graph as measuring_graph
from bench import hours as measuring_hours
from bench import kills as measuring_kills
from bench import knowledge as measuring_knowledge
from bench import life as measuring_life
from bench import load as measuring_load
from bench import neighbours as measuring_neighbours
from bench import nodes as measuring_nodes
from bench import rerank as measuring_rerank
from bench import scale as measuring_scale
from bench import speed as measuring_speed
from bench import statements as measuring_statements
from bench import supersession as measuring_supersession
from bench import trips as measuring_trips
from bench import updates as measuring_updates
from bench.contexts import showing as showing_contexts
from bench.errors import BenchError
from bench.peers import showing
from bench.sources import ROOT
from nacre import NacreError

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON instead of tables.")]
Publish = Annotated[bool, typer.Option("--publish", help="Rewrite this section of docs/benchmarks.md from the result.")]

# Every other section is one of quality.
TABLES = {
    "speed": measuring_speed.tables,
    "graph": measuring_graph.tables,
    "aliases": measuring_aliases.tables,
    "supersession": measuring_supersession.tables,
    "knowledge": measuring_knowledge.tables,
    "extraction": measuring_extraction.tables,
    "facts": measuring_facts.tables,
    "updates": measuring_updates.tables,
    "hours": measuring_hours.tables,
    "statements": measuring_statements.tables,
    "life": measuring_life.tables,
    "load": measuring_load.tables,
    "kills": measuring_kills.tables,
    "chaos": measuring_chaos.tables,
    "fuzz": fuzz_tables.tables,
    "neighbours": measuring_neighbours.tables,
    "trips": measuring_trips.tables,
    "rerank": measuring_rerank.tables,
    "ablation": measuring_ablation.tables,
    "peers": showing.all_tables,
    "scale": measuring_scale.tables,
    "citus": measuring_nodes.tables,
    "endure": measuring_endurance.tables,
    "faults": measuring_faults.tables,
    "doors": measuring_doors.tables,
    "context": showing_contexts.tables,
}


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
        section = document["section"]
        results.publish(document)
        pages.publish(section, tables.section(pages.HEADINGS.get(section, section.capitalize()), document, shown))
        summaries.refresh()
