"""Values that replies show in snake_case: what the schema calls each, and what it says of it."""

from collections.abc import Mapping

from nacre.domain import (
    access,
    audits,
    communities,
    contexts,
    documents,
    dreams,
    feedback,
    forgetting,
    hits,
    jobs,
    memories,
    outdated_marks,
    progress,
    sharing,
    skills,
    summaries,
    transfers,
    turns,
    working,
    world,
)
from nacre.domain.dreams import DreamRecord
from nacre.domain.scopes import ScopeInfo
from nacre.domain.turns import Role, SessionInfo, StoredTurn
from nacre.http.wire import Shape

SNAKE: Mapping[type, Shape] = {
    access.Denial: Shape("DenialReply"),
    access.IssuedToken: Shape(
        "IssuedReply", "A new token; `secret` is what callers send, and is shown here and never again."
    ),
    access.Token: Shape("TokenReply", "What is known of a token."),
    audits.AuditRecord: Shape("RecordReply"),
    audits.RowChange: Shape("RowReply", "One row before and after; null where it was not, or is no longer, there."),
    communities.Communities: Shape(
        "CommunitiesReply", "Communities, how many there are, and how well they part the graph."
    ),
    communities.Community: Shape(
        "CommunityReply",
        "A group of entities that are linked closely; the document writes these fields with underscores.",
    ),
    communities.Member: Shape("MemberReply"),
    contexts.ContextLine: Shape(
        "ContextLineReply",
        "One line that was recalled: what it says, how relevant it is, and the ids of what it rests on.",
        about={
            "score": "The probability that it bears on the message; of the profile, how much it is worth knowing.",
            "at": "When it was said, where that is known.",
            "sure": "False for what is shown beside better matches, because the answer may be there.",
        },
    ),
    contexts.Message: Shape("MessageReply"),
    documents.Document: Shape("DocumentReply", "A document and its words."),
    documents.DocumentLink: Shape(
        "LinkReply",
        "A wikilink of `source`, and the document it leads to; null where it leads nowhere.",
        module="nacre.http.vault_bodies",
    ),
    documents.VaultHit: Shape(
        "FoundReply", "One thing that a search found; `kind` is document, turn, memory or the type of an entity."
    ),
    documents.DocumentLinks: Shape("LinksReply"),
    documents.DocumentInfo: Shape("ListedReply", "A document without its words.", module="nacre.http.vault_bodies"),
    documents.SavedDocument: Shape("SavedReply"),
    documents.VaultHits: Shape(
        "VaultFoundReply", "What a search found, best first, and notes on anything that did not go as usual."
    ),
    dreams.PassChange: Shape("ChangeReply", "One thing that a pass did, or would do."),
    dreams.Dream: Shape("DreamReply", "One cycle of upkeep."),
    dreams.PassReport: Shape(
        "PassReply", "What a pass did, what was proposed and refused, and how much it left for the next cycle."
    ),
    feedback.Signal: Shape("SignalReply", "One piece of feedback; `consumed_at` is when it was learned from."),
    forgetting.ForgetReport: Shape("ForgottenReply", "How much went out of force, or for good where `purged`."),
    hits.Evidence: Shape("EvidenceReply"),
    hits.Hit: Shape(
        "HitReply",
        "One recalled passage; `score` is the probability that it bears on the question, of any question.",
        about={
            "standing": "Whether what it says still holds, as far as that is known.",
            "outdated": "What was said later of the same, with another value.",
        },
    ),
    hits.Recall: Shape(
        "RecallReply",
        "Hits, best first, and notes on anything that did not go as usual.",
        about={"related": "The probability that anything is known of what was asked."},
    ),
    jobs.Job: Shape("JobReply", "One piece of background work; `error` is why it failed last."),
    progress.LearningStatus: Shape(
        "LearningReply",
        "How many turns the graph has not learned from yet, and how many a language model has still to read.\n\n"
        "`notes` say why these wait longer than usual.",
        only=("unread", "done", "unread_by_model", "notes"),
    ),
    memories.MemoryMatch: Shape("MatchReply", "A memory, and how well it fits the question where there was one."),
    memories.Memory: Shape(
        "MemoryReply",
        "One long-term memory; `quote` is where in its source it starts and ends, `replaced_by` what took its place.",
    ),
    memories.MemoryChange: Shape(
        "MemoryChangeReply", "What was done, and what the memory said from then on; nothing where it was gone."
    ),
    memories.RememberReport: Shape(
        "RememberReply",
        "The entry as it is now, whether it is new, which memories it ended, and what was proposed to end others.",
    ),
    outdated_marks.OutdatedMark: Shape("OutdatedReply"),
    progress.Progress: Shape("ProgressReply", "So much of the total is done.", only=("done", "total", "complete")),
    ScopeInfo: Shape(
        "ScopeReply",
        "A user's or a chat's memory; the agent's own where neither is named. "
        "`changed_at` is when it was last written.",
    ),
    SessionInfo: Shape("SessionReply", "A conversation."),
    sharing.SharingSettings: Shape("SharingReply", "What an agent shares."),
    skills.Skill: Shape("SkillReply", "A whole skill; `missing` names those of `see_also` that are not there."),
    skills.SkillSummary: Shape("SkillSummaryReply"),
    DreamRecord: Shape("KeptDreamReply"),
    StoredTurn: Shape(
        "TurnReply",
        "One message; `seq` is its place.",
        only=("id", "seq", "turn.role", "turn.text", "turn.speaker", "turn.session", "at", "turn.ref"),
        typed={"turn.role": Role},
    ),
    memories.Refusal: Shape("RefusalReply", "A structured part that was left out, and why."),
    memories.StructureReport: Shape("StructuredReply", "What became of the structured part."),
    memories.StructureCounts: Shape(
        "WrittenReply", "How much of a structured part became part of the graph; `batch` takes it back."
    ),
    summaries.SummaryReport: Shape(
        "SummarizedReply",
        "A summary that was just made, notes on what did not go as usual, and what a language model cost.",
    ),
    summaries.Summary: Shape("SessionSummaryReply", "What a session came to.", module="nacre.http.native_bodies"),
    transfers.SkippedRecord: Shape("SkippedReply"),
    transfers.Transfer: Shape(
        "TransferReply", "How much of each kind came in, what was left out, and the batch that takes it back."
    ),
    turns.Observation: Shape(
        "ObservationReply",
        "The evidence that was stored.",
        about={"flags": "What to be wary of in its text, such as instructions to its reader."},
    ),
    working.WorkingEntry: Shape(
        "EntryReply",
        "One entry of working memory under its full path; it is gone when `expires_at` comes.",
        module="nacre.http.native_bodies",
    ),
    world.Alert: Shape("AlertReply"),
    world.FailedReading: Shape("FailedReply"),
    world.ObservedValue: Shape("ReadingReply", "What a source said of a subject; `change` is the day's, in per cent."),
    world.PerceptionReport: Shape(
        "PerceivedReply", "What a look came to: what was read and what not, and which alerts came of it."
    ),
    world.ValueTrend: Shape("TrendReply", "How a subject moved; `slope` is per cent of the first value a day."),
    world.Watch: Shape(
        "WatchReply",
        "Something that is watched: `asked` by somebody, or because the graph holds it. `error` is how it last failed.",
    ),
}
