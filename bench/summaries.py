"""The summary of the benchmark page and the figures of the README, from the results behind published sections."""

from pathlib import Path

from bench import pages, results
from bench.sources import ROOT
from bench.tables import Json, number, share

README = ROOT / "README.md"
# Stories that nobody looked at while the rules were written, told turn by turn.
STORIES = "sealed, observe"
HEADING = """## The figures that matter

Each is taken from the section that it links to, with the commit and the machine. All are without a language model.

| question | figure | what it means for you |
| --- | --- | --- |"""
MISSING = (
    "Not measured: how good a language model's answers are with these contexts, "
    "and how much a language model of Nacre's own adds."
)


def measured(section: str) -> Json:
    """The result that a published section was written from."""
    return results.read(results.published(section))


def refresh(page: Path = pages.PAGE, readme: Path = README) -> None:
    """Write the summary of the page and the figures of the README anew."""
    pages.publish("summary", summary(), page)
    pages.publish("learned", learned(), readme)
    pages.publish("beside", beside(), readme)


def summary() -> str:
    """The table that the benchmark page opens with."""
    rows = [*_recall(), *_contexts(), *_learning(), *_speed(), _faults()]
    lines = [f"| {question} | {figure} | {meaning} |" for question, figure, meaning in rows]
    return "\n".join([HEADING, *lines, "", MISSING])


def learned() -> str:
    """What the default learns, for the README."""
    facts, told = measured("facts")["facts"]["reader"]["default"], _updates()
    return (
        f"Nacre is not a language model, and it reads less than one would. A small reader in the package finds "
        f"**{_percent(facts['recall'])}**\nof the facts that people labelled in conversations it had never seen, and "
        f"**{_percent(facts['precision'])}** of what it notes is right.\nIn stories where things change, it holds the "
        f"current value for **{_percent(told['known'])}** of the changes, and holds it alone for "
        f"**{_percent(told['right'])}**."
    )


def beside() -> str:
    """Nacre and others, for the README; the best at finding first."""
    found = measured("peers")
    small, large = found["sizes"]["10000"], found["sizes"]["100000"]
    columns = "| | evidence among ten hits, % | recall at 10,000 turns, ms | at 100,000, ms | writes a second |"
    lines = [columns, "| --- | ---: | ---: | ---: | ---: |"]
    for name in sorted(found["systems"], key=lambda each: -found["quality"][each]["R@10"]):
        missed = "" if large[name]["finished"] else " *"
        cells = (
            found["systems"][name]["title"],
            share("R@10", found["quality"][name]["R@10"]),
            number(small[name]["recall_p50_ms"]),
            number(large[name]["recall_p50_ms"]) + missed,
            number(small[name]["single_per_s"]),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _recall() -> list[tuple[str, str, str]]:
    sets = measured("quality")["sets"]
    locomo, long = sets["locomo"]["total"], sets["longmemeval"]["total"]
    return [
        (
            "Does recall find the turns that answer a question? ([LoCoMo](#quality))",
            f"{share('R', locomo['R@10'])} % among ten hits",
            "What is not among the hits, your agent cannot use. Ask for more hits where room allows.",
        ),
        (
            "Does it find a session among 940? ([LongMemEval](#quality))",
            f"{share('any', long['any@5'])} % among five, all of several {share('all', long['all@10'])} % among ten",
            "A question that needs one past conversation fares better than one that needs several.",
        ),
    ]


def _contexts() -> list[tuple[str, str, str]]:
    found = measured("context")
    shown = found["evidence"]["locomo"]["budgets"]["1000"]["context"]["found"]
    story = found["stories"]["held-back"]["all"]
    quiet = list(found["silence"].values())
    answered = sum(each["answered"] for each in quiet) / sum(each["messages"] for each in quiet)
    return [
        (
            "Does a context of 1,000 tokens hold the answer? ([LoCoMo](#contexts))",
            f"{share('found', shown)} %",
            "This is what one call before each answer gives your model.",
        ),
        (
            "Do the lines of a context belong to the message? ([stories](#contexts))",
            f"{share('sure', story['sure']['belong'] / story['sure']['lines'])} % of the sure ones",
            "Expect lines that do not help. Your model has to pick, and tokens are spent on them.",
        ),
        (
            "Is what a message needs in its context? ([stories](#contexts))",
            f"{share('missing', story['missing'] / story['needs'])} % of it is missing",
            "The stories are hard on purpose: what counts is implied or has changed. Check what must not be missed.",
        ),
        (
            "Is it silent where nothing is known? ([unrelated messages](#contexts))",
            f"{share('answered', answered)} % got a line",
            "Small talk seldom costs tokens.",
        ),
    ]


def _learning() -> list[tuple[str, str, str]]:
    facts, told = measured("facts")["facts"], _updates()
    reader, rules = facts["reader"]["default"], facts["rules"]
    return [
        (
            "How many facts does the graph learn? ([held-out conversations](#facts))",
            f"{share('recall', reader['recall'])} %; by rules alone {share('recall', rules['recall'])} %",
            "What the graph does not learn is still found by its words.",
        ),
        (
            "Is what it learns right? ([held-out conversations](#facts))",
            f"{share('precision', reader['precision'])} %",
            "Review what matters: each fact shows its words and can be corrected or undone.",
        ),
        (
            "Does it know what changed? ([stories](#updates))",
            f"{_percent(told['known'])} know the new value, {_percent(told['right'])} the new one alone",
            "The old value often stands beside the new one, each with its date. Correct what matters.",
        ),
    ]


def _speed() -> list[tuple[str, str, str]]:
    size = measured("speed")["sizes"]["10000"]
    times = number(size["bare_insert_per_s"] / size["observe_per_s"], 0)
    return [
        (
            "How long does a call take at 10,000 turns? ([speed](#speed))",
            f"recall {number(size['recall_p50_ms'])} ms, context {number(size['context_p50_ms'])} ms",
            "Memory is not what your user waits for.",
        ),
        (
            "How fast are durable writes? ([speed](#speed))",
            f"{number(size['observe_per_s'])} a second",
            f"Bare SQLite is {times} times faster and learns nothing.",
        ),
    ]


def _faults() -> tuple[str, str, str]:
    faults = measured("faults")["faults"].values()
    lost, kept = sum(each["lost"] for each in faults), sum(each["acknowledged"] for each in faults)
    return (
        "Is anything lost when something fails? ([faults](operations.md#when-something-fails))",
        f"{lost} of {kept:,} acknowledged",
        "A call that returned is on disk. A call that failed may be sent again.",
    )


def _updates() -> Json:
    found: Json = measured("updates")["updates"]["figures"][STORIES]
    return found


def _percent(part: float) -> str:
    return f"{part:.0%}".replace("%", " %")
