"""`python -m bench citus`: a cluster of three nodes on loopback, to test and to measure on."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from bench import citus, nodes, results, scale, terminal
from bench import speed as measuring_speed
from bench.reports import AsJson, Publish, clear_errors, finish

app = typer.Typer(help="A Citus cluster on loopback: a coordinator and two workers.", no_args_is_help=True)

Programs = Annotated[
    Path,
    typer.Option("--postgres", help="The folder with the programs of a PostgreSQL that Citus was installed into."),
]
Folder = Annotated[Path, typer.Option(help="Where the nodes keep their files.")]
Port = Annotated[int, typer.Option(min=1024, help="The coordinator's port; the workers have the next two.")]


@app.command()
def start(
    *,
    programs: Programs,
    folder: Folder = citus.FOLDER,
    port: Port = citus.PORT,
    careless: Annotated[bool, typer.Option("--careless", help="Faster, and gone in a power cut: for tests.")] = False,
) -> None:
    """Start the nodes and print the coordinator's address, for --database and NACRE_TEST_CITUS."""
    with clear_errors():
        cluster = citus.CitusCluster(programs, folder, port)
        cluster.make(citus.CARELESS if careless else {})
        terminal.say(cluster.address)


@app.command()
def stop(*, programs: Programs, folder: Folder = citus.FOLDER) -> None:
    """Stop the nodes and delete everything they wrote."""
    with clear_errors():
        citus.CitusCluster(programs, folder).close()


@app.command()
def measure(
    *,
    programs: Programs,
    port: Port = citus.PORT,
    tenants: Annotated[str, typer.Option(help="Numbers of tenants, separated by commas.")] = nodes.SIZES,
    sample: Annotated[int, typer.Option(min=1, help="How many tenants are called at each size.")] = scale.SAMPLE,
    seconds: Annotated[int, typer.Option(min=1, help="How long threads call at once.")] = scale.SECONDS,
    as_json: AsJson = False,
    publish: Publish = False,
) -> None:
    """Time calls on a cluster of its own beside one node, move a tenant and kill a worker while it is written to."""
    with clear_errors(), TemporaryDirectory(prefix="nacre-citus-") as folder:
        # PostgreSQL does not run as root, and whoever it runs as must reach its files.
        Path(folder).chmod(0o711)
        with citus.citus(programs, Path(folder) / "nodes", port) as cluster:
            sizes = measuring_speed.parse_sizes(tenants)
            figures = nodes.measure(cluster, sizes, terminal.progress(), sample=sample, seconds=seconds)
        given = {"sample": sample, "seconds": seconds, "threads": scale.THREADS, "writers": nodes.WRITERS}
        finish(results.result("citus", given, figures), as_json=as_json, publish=publish)
    if figures["move"]["lost"] or figures["kill"]["lost"]:
        raise typer.Exit(1)
