"""Texts that somebody hands over become part of the graph, read by a language model where there is one, or by rules."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from nacre.domain import checks, ids
from nacre.domain.dreams import Method
from nacre.domain.errors import Invalid
from nacre.domain.extractions import Extraction
from nacre.domain.ids import SourceId
from nacre.domain.scopes import Scope
from nacre.extraction import pipeline
from nacre.extraction.extracting import extract
from nacre.extraction.modelling import THRESHOLD, Known, Reader, Reading
from nacre.extraction.pipeline import BY_RULES, Heard
from nacre.graph import matching
from nacre.models.embedders import Embedder
from nacre.models.language_models import LanguageModel
from nacre.ontology import duplicates
from nacre.store import entities, scopes, sources, usage
from nacre.store.databases import Transaction
from nacre.store.sharing import Homes
from nacre.store.sources import Source, SourceKind

BY_MODEL = "extraction:model"
MAX_KNOWN = 100
# How much of a text is looked through for names that the graph has.
MAX_MATCHED = 50_000
PURPOSE = "extraction"

_KIND = SourceKind.DOCUMENT

# The model that a request names: a provider and a model, either of which may be missing.
Models = Callable[[str | None, str | None], LanguageModel | None]


class Extractor:
    """Reads whole texts for the graphs of one database."""

    def __init__(
        self,
        graphs: Homes,
        embedder: Embedder | None,
        models: Models,
        *,
        directives: Path | None = None,
        token_cap: int | None = None,
    ) -> None:
        self._graphs = graphs
        self._embedder = embedder
        self._models = models
        self._directives = directives
        self._token_cap = token_cap

    def extract(
        self,
        scope: Scope,
        text: str,
        *,
        provider: str | None = None,
        model: str | None = None,
        min_confidence: float | None = None,
        ref: str | None = None,
        dry_run: bool = False,
    ) -> Extraction:
        """Bring a text into the graph; it is kept as evidence. A dry run says what would come of it."""
        checks.text("text", text)
        checks.optional_name("ref", ref)
        # As the document has it: nothing, or nothing above zero, means the usual bar.
        bar = checks.fraction("min_confidence", min_confidence) if min_confidence and min_confidence > 0 else THRESHOLD
        read = self._read(scope, text, self._models(provider, model), bar)
        with self._graphs.write(scope) as tx, tx.tried() if dry_run else nullcontext():
            return self._bring_in(
                tx, Source(id=ids.new(tx.now), kind=_KIND, text=text, at=tx.now, ref=ref), scope, read
            )

    def read(self, scope: Scope, text: str) -> "Read":
        """What the language model finds in a text; nothing is kept."""
        model = self._models(None, None)
        if model is None:
            raise Invalid("use_provider", "needs a language model; set NACRE_LLM_MODEL")
        return self._read(scope, text, model, THRESHOLD)

    def _read(self, scope: Scope, text: str, model: LanguageModel | None, bar: float) -> "Read":
        if model is None:
            return Read(Reading(found=extract(text, role=None), chunks=1))
        reader = Reader(model=model, threshold=bar, directives=self._directives, token_cap=self._token_cap)
        reading = reader.read(text, self._known(scope, text))
        if len(reading.failed) < reading.chunks:
            return Read(reading, model)
        note = f"Read by rules, because the language model did not answer: {reading.failed[0]}"
        return Read(Reading(found=extract(text, role=None), chunks=reading.chunks), notes=(note,))

    def _known(self, scope: Scope, text: str) -> list[Known]:
        """The entities of the graph that the text names, for the model to go by."""
        with self._graphs.read(scope) as tx:
            found = matching.find(tx, text[:MAX_MATCHED])
            held = entities.by_id(tx, [each.entity_id for each in found[:MAX_KNOWN]])
        return [Known(entity.slug, entity.name, entity.type) for entity in held.values()]

    def _bring_in(self, tx: Transaction, source: Source, scope: Scope, read: "Read") -> Extraction:
        scopes.ensure(tx)
        sources.add(tx, [source])
        reading, key = read.reading, SourceId(source.id)
        heard = Heard(source=key, text=source.text, at=tx.now, found=reading.found)
        taken = pipeline.take_in(tx, [heard], user=scope.user, actor=BY_MODEL if read.model else BY_RULES)
        resolved = duplicates.resolve(tx, taken.new, self._embedder) if taken.new else None
        if read.model:
            usage.add(tx, PURPOSE, read.model.name, reading.input_tokens, reading.output_tokens)
        return Extraction(
            source=key,
            method=Method.MODEL if read.model else Method.RULES,
            batch=taken.batch,
            entities=taken.entities,
            links=taken.links,
            claims=taken.claims,
            merged=len(resolved.merged) if resolved else 0,
            flagged=resolved.flagged if resolved else 0,
            chunks=reading.chunks,
            failed=tuple(reading.failed),
            notes=(*read.notes, *taken.notes),
            input_tokens=reading.input_tokens,
            output_tokens=reading.output_tokens,
        )


@dataclass(frozen=True, slots=True)
class Read:
    """What was found in a text; `model` is None where rules found it, and `notes` say why they had to."""

    reading: Reading
    model: LanguageModel | None = None
    notes: tuple[str, ...] = ()
