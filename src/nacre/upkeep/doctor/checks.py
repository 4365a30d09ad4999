"""Checks of the doctor, in order: what each says, and how it is put right where that is safe."""

from collections.abc import Sequence

from nacre.domain.doctor_reports import Severity
from nacre.store.maintenance import integrity_checks
from nacre.upkeep.doctor import inspections, repairs
from nacre.upkeep.doctor.run import Check, Examination

# What a database must be for anything else to be right.
STRUCTURE: Sequence[Examination] = (
    Check(
        name="pages",
        fine="The database finds nothing wrong with itself.",
        wrong="The database file is damaged: {note}",
        look=inspections.corruption,
        advice="Restore it from a backup, or export what can be read and import it into a new one.",
    ),
    Check(
        name="indexes",
        fine="Every index of the schema is there.",
        wrong="{count} indexes are missing: {note}.",
        look=inspections.indexes,
        repair=repairs.create_indexes,
    ),
    Check(
        name="references",
        fine="Every row that others hang from is there.",
        wrong="{count} rows name rows that are not there: {note}.",
        look=inspections.references(goes_along=False),
        advice="Restore the missing rows from a backup; what is believed is not removed unasked.",
    ),
    Check(
        name="hanging rows",
        fine="No row hangs from one that is gone.",
        wrong="{count} rows should have gone with what they hung from: {note}.",
        look=inspections.references(goes_along=True),
        repair=repairs.remove_hanging,
    ),
    Check(
        name="counters",
        fine="Every scope counts past what it holds.",
        wrong="{count} scopes count less than they hold; indexes would miss what is written.",
        look=inspections.faults(integrity_checks.BEHIND),
        repair=repairs.catch_up,
    ),
    Check(
        name="full text",
        fine="The full-text index is in step with the entities.",
        wrong="{count} rows of the full-text index are not those of the entities.",
        look=inspections.words,
        repair=repairs.rebuild_words,
    ),
    Check(
        name="left-over passages",
        fine="Recall finds nothing that is gone.",
        wrong="{count} passages are of things that are gone or out of force.",
        look=inspections.faults(integrity_checks.LEFT_OVER),
        repair=repairs.remove_left_over,
    ),
    Check(
        name="missing passages",
        fine="Every turn, memory, summary and document can be recalled.",
        wrong="{count} turns, memories, summaries or pieces of documents cannot be recalled.",
        look=inspections.faults(*integrity_checks.UNHEARD.values()),
        repair=repairs.make_recallable,
        advice="Turns from before turns were last forgotten are left alone: they may be among the forgotten.",
    ),
)
EVERYTHING: Sequence[Examination] = (
    *STRUCTURE,
    Check(
        name="terms",
        fine="Every passage is indexed under its own words.",
        wrong="{count} passages are indexed under other words than theirs.",
        look=inspections.terms,
        repair=repairs.rewrite,
    ),
    Check(
        name="vectors",
        fine="Every vector has the size of its space.",
        wrong="{count} vectors have another size than the rest of their space.",
        look=inspections.vector_sizes,
        repair=repairs.remove_odd_vectors,
    ),
    Check(
        name="coverage",
        fine="Every passage has its vector.",
        wrong="{count} passages have no vector of the embedder in use, and are found by words alone.",
        look=inspections.unembedded,
        repair=repairs.embed,
        verdict=Severity.WARN,
    ),
    Check(
        name="links",
        fine="Every link in force leads from and to entities in force.",
        wrong="{count} links lead from or to an entity that is archived or gone.",
        look=inspections.faults(integrity_checks.DANGLING),
        repair=repairs.through_operations(integrity_checks.DANGLING, repairs.archive_link),
    ),
    Check(
        name="claims",
        fine="Every claim in force is about an entity in force.",
        wrong="{count} claims are about an entity or an aspect that is archived or gone.",
        look=inspections.faults(integrity_checks.UNFOUNDED),
        repair=repairs.through_operations(integrity_checks.UNFOUNDED, repairs.archive_claim),
    ),
    Check(
        name="mentions",
        fine="No entity counts fewer mentions than it has.",
        wrong="{count} entities count fewer mentions than they have, and are ranked too low.",
        look=inspections.faults(integrity_checks.MISCOUNTED),
        verdict=Severity.WARN,
        advice="Counts are part of the log, so they are not changed beside it; merging or mentioning corrects them.",
    ),
    Check(
        name="log",
        fine="Every operation that was taken back names the one that did.",
        wrong="{count} operations were taken back by one that is not in the log.",
        look=inspections.faults(integrity_checks.UNDONE_BY_NOBODY),
        verdict=Severity.WARN,
        advice="Nothing depends on it but `nacre history`.",
    ),
    Check(
        name="stuck jobs",
        fine="No job waits for a worker that died.",
        wrong="{count} jobs were left by workers that died.",
        look=inspections.stuck,
        repair=repairs.requeue,
        verdict=Severity.WARN,
    ),
    Check(
        name="dead jobs",
        fine="No job was given up.",
        wrong="{count} jobs were given up.",
        look=inspections.faults(integrity_checks.DEAD),
        verdict=Severity.WARN,
        advice="See `nacre jobs list --status dead`; `nacre jobs replay` tries them again.",
    ),
    Check(
        name="language model",
        fine="No turns wait for a language model that fails or whose budget is spent.",
        wrong="{count} scopes have turns that wait for the language model: it failed, or the day's budget is spent.",
        look=inspections.unasked,
        verdict=Severity.WARN,
        advice="It goes on by itself. `nacre jobs list --status waiting` has the reason; see NACRE_LLM_DAILY_TOKENS.",
    ),
    Check(
        name="working memory",
        fine="Nothing that has expired is kept.",
        wrong="{count} entries of working memory have expired and were not swept away.",
        look=inspections.expired,
        repair=repairs.sweep,
        verdict=Severity.WARN,
    ),
    inspections.storage,
    inspections.embedder,
)
