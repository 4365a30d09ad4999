"""Tables of fuzzing: what callers sent and were answered, and what was found. Nothing here needs what sends it."""

from bench.results import Json
from bench.tables import Table

KINDS = ("2xx", "3xx", "401", "4xx", "5xx")


def tables(document: Json) -> list[Table]:
    """One row for each caller, and one for each problem of each operation."""
    columns = ("caller", "minutes", "requests", "of them in chains", *KINDS, "not as the schema says")
    rows = tuple(
        (
            caller,
            f"{of['seconds'] / 60:.1f}",
            f"{of['requests']:,}",
            f"{of['chained']:,}",
            *(f"{of['statuses'].get(kind, 0):,}" for kind in KINDS),
            f"{of['violations']:,}",
        )
        for caller, of in document["callers"].items()
    )
    note = (
        f"Schemathesis calls each of {document['operations']} operations with right and with wrong data, and in "
        "chains, in which one call takes what another answered. 4xx are those beside 401. The token may do everything "
        "but revoke itself."
    )
    shown = [Table("Generated requests", columns, rows, note)]
    if document["findings"]:
        problems = tuple((each["operation"], each["problem"], str(each["times"])) for each in document["findings"])
        shown.append(Table("Findings", ("operation", "problem", "times"), problems))
    return shown
