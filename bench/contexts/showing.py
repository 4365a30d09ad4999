"""The figures as tables."""

from typing import Any

from bench.contexts import evidence, precision, updates
from bench.contexts.scores import bin_names
from bench.contexts.stories import DEV, HELD_BACK
from bench.tables import NONE, Table, number

_SPLITS = {DEV: "two of three messages", HELD_BACK: "every third message"}

Json = dict[str, Any]


def tables(document: Json) -> list[Table]:
    """Evidence, precision, silence, scores and updates; what was not measured for want of data is named."""
    shown = [_missing(document)] if document["missing"] else []
    shown += [_commits(document)]
    shown += [_evidence(document)] if document["evidence"] else []
    for split, figures in document["stories"].items():
        shown += _stories(split, figures)
    shown += [_silence(document)] if document["silence"] else []
    shown += [_separation(document), _reliability(document)] if document["separation"] else []
    return shown + ([_updates(document)] if document["updates"] else [])


def _missing(document: Json) -> Table:
    rows = tuple((name,) for name in document["missing"])
    return Table("Not there, so evidence, scores and updates were not measured", ("file",), rows)


def _commits(document: Json) -> Table:
    rows = tuple((part, f"`{commit}`") for part, commit in document["commits"].items())
    return Table("Parts of this measurement", ("part", "measured at"), rows)


def _evidence(document: Json) -> Table:
    rows = [
        (
            figures["title"],
            str(figures["questions"]),
            f"{int(budget):,}",
            percent(each["context"]["found"]),
            percent(each["context"]["whole"]),
            number(each["context"]["tokens"], 0),
            percent(each["plain"]["found"]),
            number(each["plain"]["tokens"], 0),
        )
        for figures in document["evidence"].values()
        for budget, each in figures["budgets"].items()
    ]
    columns = ("set", "n", "budget", "in context, %", "whole, %", "tokens", "in plain hits, %", "tokens ")
    return Table(
        "Evidence in the context",
        columns,
        tuple(rows),
        "The share of a question's evidence turns, without a profile. Whole: the line still holds "
        f"{percent(evidence.WHOLE, 0)} % of the turn's words. Plain: `recall(limit={evidence.HITS})` printed as "
        "`- [date] speaker: text`, the first line that does not fit ends it.",
    )


def _stories(split: str, by_story: Json) -> list[Table]:
    about = f"{split}, {_SPLITS[split]}"
    return [_belonging(about, by_story), _labels(about, by_story), _outdated(about, by_story)]


def _belonging(about: str, by_story: Json) -> Table:
    rows = (
        (
            story,
            str(figures["messages"]),
            number(figures["lines"], 1),
            number(figures["tokens"], 0),
            _share_of(figures["all"]),
            _share_of(figures["sure"]),
            f"{figures['missing']} of {figures['needs']}",
            _share(figures["missing"], figures["needs"]),
            f"{figures['idle']['answered']} of {figures['idle']['messages']}",
        )
        for story, figures in by_story.items()
    )
    return Table(
        f"Stories: lines that belong ({about})",
        ("story", "n", "lines", "tokens", "belong, %", "sure ones, %", "needed and missing", "%", "nothing needed"),
        tuple(rows),
        f"Budget {precision.BUDGET}. Lines are those beside the profile, tokens those of the whole context, both means "
        "of a message. Nothing needed: messages that no fact belongs to, and that got a line beside the profile.",
    )


def _labels(about: str, by_story: Json) -> Table:
    labels = list(dict.fromkeys(label for figures in by_story.values() for label in figures["by"]))
    rows = ((story, *(_lines(figures["by"].get(label)) for label in labels)) for story, figures in by_story.items())
    return Table(
        f"Stories: lines that belong by label ({about})",
        ("story", *labels),
        tuple(rows),
        f"Lines, and the share that belongs in %. Lines under “{precision.UNSURE}” are not counted in their label.",
    )


def _outdated(about: str, by_story: Json) -> Table:
    kinds = ("outdated", "as_current", "outdated_own", "as_current_own")
    rows = ((story, *(str(figures[kind]) for kind in kinds)) for story, figures in by_story.items())
    return Table(
        f"Stories: outdated lines ({about})",
        ("story", "hold an ended value", "as current", "and state it", "as current "),
        tuple(rows),
        "Lines with a value of a fact that had ended and does not belong. As current: neither the line nor another one "
        "says so. And state it: the line comes from an item that stated the fact, so the value is not there by chance.",
    )


def _silence(document: Json) -> Table:
    everything = document["silence"]
    rows = [
        (
            name,
            str(figures["messages"]),
            str(figures["answered"]),
            _share(figures["answered"], figures["messages"]),
            number(figures["lines"], 2),
        )
        for name, figures in everything.items()
    ]
    total = {key: sum(figures[key] for figures in everything.values()) for key in ("messages", "answered")}
    lines = sum(figures["lines"] * figures["messages"] for figures in everything.values()) / total["messages"]
    share = _share(total["answered"], total["messages"])
    rows.append(("all", str(total["messages"]), str(total["answered"]), share, number(lines, 2)))
    return Table(
        "Unrelated messages that got something",
        ("scope", "n", "got something", "%", "lines a message"),
        tuple(rows),
        f"Beside the profile, budget {precision.BUDGET}, each in a session of its own.",
    )


def _separation(document: Json) -> Table:
    rows = [
        (
            figures["title"],
            str(figures["answerable"]),
            str(figures["unrelated"]["questions"]),
            number(figures["unrelated"]["auroc"], 3),
            str(figures["unanswerable"]["questions"]),
            number(figures["unanswerable"]["auroc"], 3),
        )
        for figures in document["separation"].values()
    ]
    return Table(
        "Best score: questions with an answer against others",
        ("set", "answerable", "unrelated", "AUROC", "unanswerable", "AUROC "),
        tuple(rows),
        "Unanswerable: LoCoMo's adversarial questions, LongMemEval's abstention questions.",
    )


def _reliability(document: Json) -> Table:
    sets = list(document["reliability"].values())
    rows = [
        (
            name,
            *(
                cell
                for figures in sets
                for each in [figures["bins"][name]]
                for cell in (f"{each['hits']:,}", number(each["score"], 3), number(each["evidence"], 3))
            ),
        )
        for name in bin_names()
    ]
    columns = [f"{figures['title']}: {name}" for figures in sets for name in ("hits", "mean score", "evidence")]
    return Table(
        "Reliability of scores",
        ("score", *columns),
        tuple(rows),
        f"Hits of `recall(limit={evidence.HITS})` for the questions that have an answer; evidence is the share that "
        "answers.",
    )


def _updates(document: Json) -> Table:
    rows = [
        (
            figures["title"],
            str(figures["questions"]),
            str(figures["newest_first"]),
            _share(figures["newest_first"], figures["questions"]),
            str(figures["newest_found"]),
        )
        for figures in document["updates"].values()
    ]
    return Table(
        "What changed: the newest session first",
        ("set", "n", "newest first", "%", "newest found"),
        tuple(rows),
        f"Knowledge-update questions with evidence in two or more sessions, `recall(limit={updates.HITS})`, sessions "
        "by their first hit.",
    )


def percent(value: float, digits: int = 1) -> str:
    """A share as percent."""
    return number(100 * value, digits)


def _share(part: int, whole: int) -> str:
    return percent(part / whole) if whole else NONE


def _share_of(figures: Json) -> str:
    return _share(figures["belong"], figures["lines"])


def _lines(figures: Json | None) -> str:
    return f"{figures['lines']} / {_share_of(figures)}" if figures else NONE
