"""Texts that somebody hands over become part of the graph, read by a language model where there is one, or by rules."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from nacre.domain import checks, ids
from nacre.domain.dreams import Method
from nacre.domain.errors import Invalid
from nacre.domain.extractions import Extraction
from nacre.domain.facts import ExtractedFacts, Fact, NamedEntity
from nacre.domain.ids import SourceId
from nacre.domain.scopes import Scope
from nacre.extraction import pipeline
from nacre.extraction.model_extraction import THRESHOLD, GraphEntity, ModelReader, ModelReading
from nacre.extraction.pipeline import BY_MODEL, BY_RULES, ExtractedText, GraphUpdate
from nacre.extraction.portions import MAX_SLICE
from nacre.extraction.rule_extraction import extract
from nacre.graph.identity import matching
from nacre.graph.operations import duplicates
from nacre.models.embedders import Embedder
from nacre.models.language_models import LanguageModel
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.base.homes import Homes
from nacre.store.evidence import sources
from nacre.store.evidence.sources import SourceKind, SourceRow
from nacre.store.graph import entities
from nacre.store.work import usage

MAX_KNOWN = 100
# How much of a text is looked through for names that the graph has.
MAX_MATCHED = 50_000
# How much of a text rules read, and how much where nothing is to be kept, which takes one transaction.
MAX_READ, MAX_TRIED = 100_000, 24_000
PURPOSE = "extraction"

_KIND = SourceKind.DOCUMENT

# The model that a request names: a provider and a model, either of which may be missing.
Models = Callable[[str | None, str | None], LanguageModel | None]
# Opens a transaction of the graph.
OpenTransaction = Callable[[], AbstractContextManager[Transaction]]


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
        read = self._read(scope, text, self._models(provider, model), bar, MAX_TRIED if dry_run else MAX_READ)
        if dry_run:
            with self._graphs.write(scope) as tx, tx.tried():
                return self._bring_in(lambda: nullcontext(tx), scope, text, ref, read)
        return self._bring_in(lambda: self._graphs.write(scope), scope, text, ref, read)

    def read(self, scope: Scope, text: str) -> "TextReading":
        """What the language model finds in a text; nothing is kept."""
        model = self._models(None, None)
        if model is None:
            raise Invalid("use_provider", "needs a language model; set NACRE_LLM_MODEL")
        return self._read(scope, text, model, THRESHOLD)

    def _read(
        self, scope: Scope, text: str, model: LanguageModel | None, bar: float, most: int = MAX_READ
    ) -> "TextReading":
        if model is None:
            return _by_rules(text, most)
        reader = ModelReader(model=model, threshold=bar, directives=self._directives, token_cap=self._token_cap)
        reading = reader.read(text, self._known(scope, text))
        if len(reading.failed) < reading.chunks:
            return TextReading(reading, model)
        note = f"Read by rules, because the language model did not answer: {reading.failed[0]}"
        read = _by_rules(text, most)
        return replace(read, reading=replace(read.reading, chunks=reading.chunks), notes=(note, *read.notes))

    def _known(self, scope: Scope, text: str) -> list[GraphEntity]:
        """The entities of the graph that the text names, for the model to go by."""
        with self._graphs.read(scope) as tx:
            found = matching.find(tx, text[:MAX_MATCHED])
            held = entities.by_id(tx, [each.entity_id for each in found[:MAX_KNOWN]])
        return [GraphEntity(entity.slug, entity.name, entity.type) for entity in held.values()]

    def _bring_in(
        self, opened: OpenTransaction, scope: Scope, text: str, ref: str | None, read: "TextReading"
    ) -> Extraction:
        """Bring in what was found, a transaction for each slice of the text: others write in between."""
        reading, taken = read.reading, list[GraphUpdate]()
        with opened() as tx:
            source = SourceRow(id=ids.new(tx.now), kind=_KIND, text=text, at=tx.now, ref=ref)
            scopes.ensure(tx)
            sources.add(tx, [source])
        key, batch = SourceId(source.id), ids.new(source.at)
        for found in _slices(reading.found):
            with opened() as tx:
                heard = ExtractedText(source=key, text=text, at=source.at, found=found)
                by = BY_MODEL if read.model else BY_RULES
                taken.append(pipeline.apply_facts(tx, [heard], user=scope.user, actor=by, batch=batch))
        new = tuple(entity for each in taken for entity in each.new)
        with opened() as tx:
            resolved = duplicates.resolve(tx, new, self._embedder) if new else None
            if read.model:
                usage.add(tx, PURPOSE, read.model.name, reading.input_tokens, reading.output_tokens)
        return Extraction(
            source=key,
            method=Method.MODEL if read.model else Method.RULES,
            batch=batch if taken else None,
            entities=sum(each.entities for each in taken),
            links=sum(each.links for each in taken),
            claims=sum(each.claims for each in taken),
            merged=len(resolved.merged) if resolved else 0,
            flagged=resolved.flagged if resolved else 0,
            chunks=reading.chunks,
            failed=tuple(reading.failed),
            notes=(*read.notes, *reading.found.notes),
            input_tokens=reading.input_tokens,
            output_tokens=reading.output_tokens,
        )


@dataclass(frozen=True, slots=True)
class TextReading:
    """What was found in a text; `model` is None where rules found it, and `notes` say why they had to."""

    reading: ModelReading
    model: LanguageModel | None = None
    notes: tuple[str, ...] = ()


def _by_rules(text: str, most: int) -> TextReading:
    notes = (f"Only the first {most:,} characters were read.",) if len(text) > most else ()
    return TextReading(ModelReading(found=extract(text[:most], role=None), chunks=1), notes=notes)


def _slices(extracted: ExtractedFacts) -> list[ExtractedFacts]:
    """What was found, by the slices of the text that it stands in."""
    slices: dict[int, tuple[list[NamedEntity], list[Fact]]] = {}
    for named in extracted.names:
        slices.setdefault(named.start // MAX_SLICE, ([], []))[0].append(named)
    for fact in extracted.facts:
        slices.setdefault(fact.quote[0] // MAX_SLICE, ([], []))[1].append(fact)
    return [ExtractedFacts(names=tuple(slices[place][0]), facts=tuple(slices[place][1])) for place in sorted(slices)]
