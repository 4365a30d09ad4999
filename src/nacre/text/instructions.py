"""Instructions and wishes: how somebody wants to be answered or served from now on, as people type it.

English and Spanish, with the common forms of German, French and Portuguese. An instruction counts when it is said once,
so a task is none: "keep it short" speaks of one letter, "keep answers short" of all. A wish counts when it is said
again, or angrily, so "keep it shorter" is one; "send the report" is neither.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from nacre.text import sentences
from nacre.text.caseless_patterns import CaselessPattern, caseless
from nacre.text.sentiments import Sentiment, sentiment

MAX_SENTENCE = 300


class InstructionKind(StrEnum):
    """What an instruction is about: of a language, a length and a formality the last counts, of all others each."""

    LANGUAGE = "language"
    LENGTH = "length"
    FORMALITY = "formality"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction in the words of whoever gave it, and where these stand in their sentence."""

    text: str
    span: tuple[int, int]
    kind: InstructionKind


@dataclass(frozen=True, slots=True)
class Wish:
    """A sentence that says what somebody wants, where it stands in its text, and how it was said."""

    text: str
    span: tuple[int, int]
    sentiment: Sentiment
    unwanted: bool


def _any(*patterns: str) -> CaselessPattern:
    """Any of some patterns, none of which begins inside a word: there none of them is tried."""
    return caseless(rf"(?!\B\w)(?:{'|'.join(patterns)})")


def _words(block: str) -> str:
    """The words of a block; an underscore stands for a space."""
    return rf"(?:{'|'.join(block.split())})".replace("_", " ")


def _by_beginning(*patterns: str) -> CaselessPattern:
    """Any of some patterns without a choice at their outermost: those that begin alike are tried together.

    One by one, each of them looks for the same beginning at every letter.
    """
    groups: dict[str, list[str]] = {}
    for each in patterns:
        begin = next((start for start in (_TOLD, r"\b") if each.startswith(start)), "")
        groups.setdefault(begin, []).append(each.removeprefix(begin))
    return _any(*(f"{begin}(?:{'|'.join(some)})" for begin, some in groups.items()))


# What an agent writes, what may stand in it, and how it may be.
_REPLIES = _words("""
    answers? repl(?:y|ies) responses? messages? e-?mails? texts? letters? explanations? summar(?:y|ies) lists?
    bullets? bullet_points? paragraphs? sent[ae]n[cs]es? words steps? reminders? notifications? code examples? units
    drafts? quotes recipes spelling respuestas? mensajes? correos? explicaciones listas? párrafos? frases recordatorios
    código antworten nachrichten mails erklärungen listen réponses? explications? listes? respostas? mensagens
""")
# "No more table scraps" speaks of no table.
_TONES = _words("""
    emojis? emoticons? jargon fluff waffle filler small_talk preamble disclaimers? exclamation_marks? markdown
    tables table(?!_(?:scraps?|salt|tennis|manners|lamps?|wine)) headings? slang swearing corporate_speak buzzwords
    emoticonos tablas viñetas tecnicismos rodeos rollos? vueltas adornos paja
    fachbegriffe
""")
_MANNERS = _words("""
    short(?:er)? brief(?:er|ly)? concise(?:ly)? long(?:er)? detailed simple simply plain formal(?:ly)? informal polite
    slow(?:er|ly)? cort(?:it)?[oa]s? breves? concis[oa]s? larg[oa]s? sencill[oa]s? formales
    clar(?:it)?[oa]s?
""")
_STYLES = (
    rf"(?:{_MANNERS}|"
    + _words("""
    plainly casual blunt direct friendly step-by-step kurze?n? ausführlich einfache? courte?s? simples? curtas?
""")
    + ")"
)
_TONGUES = _words("""
    english spanish french german portuguese italian dutch catalan chinese japanese polish inglés español castellano
    francés alemán portugués italiano catalán englisch deutsch spanisch französisch anglais français espagnol allemand
    inglês português espanhol
""")
_UNITS = _words("""
    miles km kilomet(?:er|re)s celsius fahrenheit pounds kilos grams ounces inches cm centimet(?:er|re)s ml cups metric
    imperial gramos mililitros kil[oó]metros onzas libras tazas grados_celsius
    (?:american|us|metric|imperial)_measurements
""")
_SOME_UNITS = rf"{_UNITS}(?:(?:,| and| or| &| y| o| ni) {_UNITS}){{0,2}}"
# What is told in units.
_MEASURED = _words("""
    recipes? prices? distances? temperatures? weights? amounts? quantities recetas precios distancias temperaturas pesos
    cantidades medidas
""")
_PLEASE = _words("please pls plz por_favor porfa always siempre")
_SAY = _words("answer reply respond write speak talk explain text code comment quote format sign")
_DECIR = _words("""
    responde respondé resp[oó]nd[eé]me contesta cont[eé]st[aá]me escribe escr[ií]b[ei]me h[aá]bl[aá]me habla
    expl[ií]c[aá]me antworte? schreibe?
    sprich erkläre? réponds écris parle explique responda escreva fale
""")
_KEEP = _words("keep make use give_me send_me show_me put mantén usa dame mándame halte? benutze? garde")
_NOT = _words("""
    do_not don['’]?t never no stop quit avoid skip drop leave_out no_me nada_de sin deja_de keine? pas_de sem
""")
_STOPPED = _words("""
    using asking calling telling saying adding suggesting repeating sending reminding explaining writing putting
    starting ending apologi[sz]ing recommending summari[sz]ing
""")
_HENCEFORTH = _words("""
    from_now_on going_forward a_partir_de_ahora de_ahora_en_adelante ab_jetzt dorénavant a_partir_de_agora
""")
_ORDERED = _words("""
    assume always never no don['’]?t do_not you u be call_me ask remind check add treat only just skip stop avoid
    include start end begin tell_me siempre nunca no_me llámame pregunta recuérdame
""")
# What stands before an order; the same verb elsewhere tells a story: "we use short lists", "she always answers".
_TOLD = (
    r"(?:^\W{0,20}+(?:(?:hey|hi|ok|okay|oh|btw|and|but|so|also|y|pero|then|still)\b[,.]? ){0,3}+|[,;:—]\W{0,20}+"
    r"|\b(?:please|pls|plz|just|and|but|also|por favor|bitte|y) "
    r"|\b(?:can|could|would|will) (?:you|u) (?:please |pls |always )?"
    r"|\b(?:puedes|podrías) (?:\w+ )?)"
)
# So many are wanted once.
_SO_MANY = rf"(?:\d+|{_words('one two three four five six seven eight nine ten twelve twenty dos tres cinco diez')})"
_INSTRUCTION = _by_beginning(
    # "keep answers short", "use short paragraphs", "give me code first"
    rf"{_TOLD}{_KEEP} (?!(?:it|this|that|an?|some|{_SO_MANY}|una?)\b)(?=.{{0,80}}\b(?:{_REPLIES}|{_TONES})\b)",
    rf"{_TOLD}keep (?:it|things|stuff|everything) \w+(?: (?:and|n|&) \w+)? (?:(?:with|w|w/) me|for me|when)\b",
    # "one line is plenty for me", "explain stuff like im not techy"
    r"\b(?:one|two|a couple of|a few) (?:lines?|sentences?|words?) (?:is|are|will) (?:plenty|enough|fine|do) for me\b",
    rf"{_TOLD}explain (?:stuff|things|everything|it all|it to me) (?:like|as if|as though) i\b",
    # "pasame las cosas en pasos numerados", "miles not kilometers"
    r"\b(?:p[aá]s[aá]me|d[aá]me|pon(?:e|é)?me|expl[ií]c[aá]me) (?:las cosas|todo|siempre)(?: siempre)? (?:en|con) \w+",
    rf"\b{_UNITS},? (?:and )?not {_UNITS}\b",
    # "grams and ml only", "use celsius and km", "prices in euros please", "please no cups", "24 hour clock please"
    rf"{_TOLD}(?:{_SOME_UNITS}(?: units)? (?:only|solo)|(?:only|solo) {_SOME_UNITS}(?: units)?)"
    rf"(?=\W*+(?:$|{_PLEASE}|[,.;]))",
    rf"{_TOLD}(?:use|usa|nada de) {_SOME_UNITS}\b",
    rf"{_TOLD}{_MEASURED} (?:in|en) (?:{_SOME_UNITS}|euros|dollars|pounds|dólares)\b",
    rf"{_TOLD}(?:in|en) {_SOME_UNITS},? {_PLEASE}\b",
    rf"\b(?:please|pls|plz) (?:no|never) {_SOME_UNITS}\b",
    rf"{_TOLD}(?:12|24)[- ]?(?:hours?|hr?) (?:clock|format|times?)\b",
    # "correct my English when I write for work"
    rf"{_TOLD}(?:correct|fix|check) my {_words('english spanish french german grammar spelling writing typos')}"
    r"(?= (?:always|when|whenever|every time|if)\b)",
    r"\bi(?:['’]?d| would) rather have (?:\w+ ){0,4}?(?:details?|options|reasons|context)\b",
    # "answer in Spanish", "write to me like a friend", "sign off with Sam"
    rf"{_TOLD}(?:{_SAY}|{_DECIR})(?:[ -](?:to )?(?:me|mir|moi|things|everything|cosas|off|always|siempre|immer"
    rf"|toujours|sempre)){{0,3}} (?:in (?:plain |simple |short |british |american )?(?:{_TONGUES}|words|terms"
    rf"|sentences|metric|imperial)|(?:en|auf|em) {_TONGUES}|as if|like|with|only|con ejemplos|sin {_TONES}|al grano"
    rf"|de (?:tú|usted|vos)|de tu(?= [yae]\b|[,.!]|$)|{_STYLES})\b",
    # "don't give me long lists", "stop using emojis", "skip the disclaimers", "still no emojis"
    rf"{_TOLD}{_NOT}(?: \w+){{0,3}} (?:{_REPLIES}|{_TONES})\b",
    rf"{_TOLD}(?:stop|quit) {_STOPPED}\b",
    r"\b(?:do not|don['’]?t|never) (?:give|send|show|suggest|recommend|offer|call) me (?!(?:that|this|it|the)\b)",
    r"\b(?:in )?plain (?:english|words|language)\b",
    rf"\bstill no {_TONES}\b",
    # "you can write longer answers"
    rf"\b(?:you|u) (?:can|may) (?:\w+ ){{0,3}}{_STYLES} {_REPLIES}\b",
    # "puedes extenderte más", "you can go longer on the lists"
    r"\b(?:puedes|podés) (?:ya )?(?:extenderte|alargarte|explayarte)\b",
    r"\b(?:you|u) (?:can|may) (?:now )?go (?:longer|into (?:more )?detail)\b",
    # "you can write me normal length now", "talk normally to me", "two lines max", "tell me the reasons first"
    rf"\b(?:you|u) (?:can|may) (?:now )?{_SAY}(?: to)? me (?:\w+ ){{0,2}}(?:normal|longer|more|in full|larg[oa])\b",
    rf"{_TOLD}(?:talk|write|speak)(?: to me)? normal(?:ly)?\b",
    r"^\W{0,20}+(?:\w+ ){1,2}(?:lines?|sentences?|words) (?:max|tops|at most)\b",
    r"\btell me the (?:reasons|answer|result|conclusion|bottom line|gist) first\b",
    # "short answers please", "plain words", "one thing at a time"
    rf"(?:^\W{{0,20}}+(?:\w+ ){{0,2}}|\bso ){_STYLES} (?:{_REPLIES}|language)\b"
    r"(?!.{0,80}\b(?:is|are|was|were|es|son|that|which)\b)",
    r"^\W{0,20}+(?:(?:please|pls|just) )?one (?:thing|step|question) at a time\b",
    # "always cc my wife", "never book anything before ten", "from now on assume Rust"
    r"(?:^\W{0,20}+|\b(?:please|pls|and|but) )(?:always|never) (?!(?:been|have|has|had|was|were|is|are|will|would|do"
    r"|does|did|can|could|the|a|an|mind|again|\w+ed|\w+ing|felt|held|saw|seen|knew|known|thought|heard|got|went|gone"
    r"|met|ate|slept|made|took|found|ran|won|done|came|said|told|left|lost|paid|so|in)\b)[a-z]{2,} ",
    rf"\b{_HENCEFORTH},? (?:please |pls |por favor )?(?:{_SAY}|{_DECIR}|{_KEEP}|{_ORDERED})\b",
    rf"{_TOLD}(?:{_SAY}|{_DECIR}|{_KEEP}|{_ORDERED})\b.{{0,80}}\b{_HENCEFORTH}\b",
    # "I like things explained properly", "if you give me measurements make them feet and inches", "tutéame"
    r"\bi like (?:things|stuff|it) (?:explained|kept|written|put|said)\b",
    r"\bif (?:you|u) (?:give|send|tell|show|write) .{2,40}\b(?:make|use|put|keep)\b",
    r"\b(?:tut[eé]ame|tr[aá]t[aá]me de (?:tú|tu|usted|vos)|nada de usted|du(?:ze|zen) (?:mich|wir))\b",
    rf"{_TOLD}(?:when|whenever|every time) (?:you|u) (?:\w+ )?(?:{_SAY}|suggest|recommend|draft|send|book|plan)\b",
    r"\b(?:cuando|si) (?:me )?(?:escribas|respondas|contestes|hables|recomiendes|mandes)\b",
    # "I like my answers short", "I want you to be blunt", "I'd rather you asked first"
    rf"\bi(?:['’]?d| would)? (?:like|prefer|want|need|rather have) (?:your |my |the |all )?(?:\w+ ){{0,2}}{_REPLIES}\b",
    r"\bi(?:['’]?d| would)? (?:like|want|need|prefer) (?:you to|it when you|it if you)\b",
    r"\bi['’]?d rather you\b",
    r"\bi (?:like|need|want|prefer) step[ -]by[ -]step\b",
    r"\b(?:quiero|prefiero|me gusta|me gustaría) que (?:me )?(?:respondas|contestes|escribas|hables|seas|uses|des)\b",
    # "assume rust", "be blunt with me"
    rf"{_TOLD}(?:assume|treat me|be (?:more |less |as )?(?:blunt|direct|honest|brief|formal|informal|concise|kind"
    r"|gentle|patient|playful|strict)|get (?:straight )?to the point|don['’]?t sugarcoat)\b",
)
_LASTING = caseless(
    r"\b(?:always|never|from now on|going forward|in (?:the )?future|every time|when(?:ever)? (?:you|u)|siempre|nunca"
    r"|immer|nie|toujours|sempre)\b"
)
_ONCE = caseless(
    r"\b(?:this|that) (?:one|time)\b|\b(?:this|that|the) (?:email|message|letter|text|note|reply|report|file|function"
    r"|draft|question)\b|\b(?:tomorrow|today|tonight|mañana|hoy|morgen|heute|demain|amanhã)\b"
)
_OF_OTHERS = caseless(r"\b(?:told|asked|asks|tells|wants?|wanted|advised|reminded) (?:me|us|him|her|them)\b")
# Says what somebody would do, and orders nothing.
_SUPPOSED = caseless(r"\bif (?:i|we)\b.{0,80}\b(?:i|we)(?:['’]?d| would)\b")
# What an order must be about to be a wish.
_WISHED = (
    rf"(?:{_MANNERS}|{_TONGUES}|"
    + _words("""
    succinct verbose details? simpler informally bullets? tables? emojis? emoticons? markdown metric imperial celsius
    fahrenheit 24[-_]hour jargon sources citations emoticonos? tablas? viñetas métrico despacio
""")
    + ")"
)
_TASKS = "forget|worry|hesitate|know|think|mind|care|understand|remember|see|get|bother"
# What stands before an order; a verb elsewhere only tells a story: "I never eat meat", "the answer was short".
_ORDER = (
    r"(?:^\W{0,20}+|[,;:—]\W{0,20}+|\b(?:please|just|and|but|so|to|you should|you must|por favor|y|pero|que) "
    r"|\b(?:can|could|would|will) you (?:please )?|\b(?:puedes|podrías) (?:\w+ )?)"
)
_STYLED = rf"\b(?=.{{0,300}}\b{_WISHED}\b)"
_UNWANTED = _any(
    rf"{_ORDER}(?:do not|don['’]t|never)(?: ever)? (?!(?:{_TASKS})\b)[a-z]+",
    rf"{_ORDER}(?:stop|quit|avoid) \w+ing\b",
    r"\btold you not to \w+",
    r"\bno more \w+",
    rf"(?:^|[,;:—])\W{{0,20}}+no (?:\w+ )?{_WISHED}\b",
    r"\bi (?:hate|dislike|can['’]t stand|do not like|don['’]t like|don['’]t want)\b",
    r"\btoo (?:long|verbose|formal|short|technical|many)\b",
    r"\b(?:deja|dejá|dejad) de \w+r\b",
    r"\b(?:no|nunca) (?:me )?(?:uses|hagas|respondas|escribas|mandes|envíes|pongas|llames|digas|vuelvas|incluyas)\b",
    r"\bno (?:quiero|me gusta|soporto)\b|\bodio\b",
    r"\bdemasiado (?:larg|formal|técnic)\w+",
)
_WANTED = _any(
    rf"{_ORDER}always\b|\b(?:from now on|going forward)\b",
    r"\bi(?:['’]d| would)? (?:prefer|rather)\b|\bi like it when\b|\bi want you to\b|\bi['’]d like you to\b",
    rf"{_ORDER}(?:keep|make|be|answer|reply|write|use|speak|format|respond|talk|give){_STYLED}",
    rf"{_ORDER}call me\b",
    rf"{_ORDER}siempre\b|\b(?:de ahora en adelante|a partir de ahora)\b",
    r"\b(?:prefiero|preferiría|quiero que|me gustaría que|me gusta que)\b",
    rf"{_ORDER}(?:responde|contesta|escribe|usa|habla|sé|hazlo|respóndeme|háblame){_STYLED}",
    r"\bllámame\b",
)
# "…, ok?" asks for nothing but assent.
_ASKED = re.compile(r"(?<!ok)(?<!okay)(?<!please)(?<!alright)(?<!vale)[?？][\s\"'”’»)]{0,10}\Z", re.IGNORECASE)
_REQUEST = _any(r"^\W{0,20}(?:can|could|would|will) (?:you|u)\b", r"^\W{0,20}(?:puedes|podrías|puede|podría)\b")
# Where one instruction ends and the next begins.
_NEXT = re.compile(
    r"(?:(?:\s?[,;]\s?|\.\s)(?:(?:and|but|y|und|et|e) )?|\s(?:and|but|y|und|et|e)\s|\s?(?:\.{2,4}|…)\s?)"
    r"(?=(?:please |pls |also |still |por favor )?(?:always|never|no|don['’]?t|do not|stop|avoid|skip|keep|use"
    r"|code|write|answer|reply|explain|sign|call me|be|make|give me|send me|put|add|assume|usa|responde|escribe|nunca"
    r"|siempre|sé|no (?:me )?uses|(?:respuestas?|mensajes?|listas?) (?:cort|brev|larg)[oae]s?"
    r"|(?:short|brief|longer) (?:answers|replies|lists|messages))\b)",
    re.IGNORECASE,
)
_LED = re.compile(
    r"\W{0,20}(?:(?:hey|hi|ok|okay|oh|btw|and|but|so|also|y|pero)\b[,.]? ?){0,3}(?:(?:please|pls|plz|por favor|bitte"
    r"|kindly)\b,? ?)?(?:(?:can|could|would|will) (?:you|u) (?:please |pls )?)?",
    re.IGNORECASE,
)
_POLITE = re.compile(r",? (?:please|pls|plz|thanks|thx|por favor|porfa|bitte|ok)[\s.!]{0,10}\Z", re.IGNORECASE)
_AND = re.compile(r" (?:and|but|y|und|et|e)\Z", re.IGNORECASE)
_TONGUE = re.compile(rf"\b(?:in|en|auf|em) {_TONGUES}\b", re.IGNORECASE)
_LENGTH = re.compile(
    r"\b(?:normal length|(?:lines?|sentences?|words) max|in full|short|brief|concise|long|detailed|kurz|ausführlich"
    r"|cort[oa]|breve|larg[oa]|courte?|curta"
    r"|longer|extenderte|alargarte|explayarte)"
)
# How somebody is addressed where there are two ways to say "you".
_FORMALITY = re.compile(
    r"\b(?:tut[eé]\w+|usted|de (?:tú|vos)|duz\w+|siez\w+|per (?:du|sie)|tuto\w+|vouvo\w+)\b", re.IGNORECASE
)


# What somebody says is read again with what was said before it.
@lru_cache(maxsize=500)
def find_instructions(sentence: str) -> Sequence[Instruction]:
    """The instructions of a sentence that are meant to last."""
    return tuple(_instructions(sentence))


def _instructions(sentence: str) -> Iterator[Instruction]:
    if _is_neither(sentence) or not _INSTRUCTION.search(sentence) or _OF_OTHERS.search(sentence):
        return
    if _SUPPOSED.search(sentence):
        return
    if _ONCE.search(sentence) and not _LASTING.search(sentence):
        return
    begun = False
    for start, end in _parts(sentence):
        part = sentence[start:end]
        begun = begun or _INSTRUCTION.search(part) is not None
        led = found.end() if (found := _LED.match(part)) else 0
        told = _AND.sub("", _POLITE.sub("", part[led:].rstrip(" .!,;…"))).rstrip(" .!,;…")
        if begun and " " in told:
            yield Instruction(told, (start + led, start + led + len(told)), _kind_of(told))


def find_wishes(text: str) -> Iterator[Wish]:
    """What a text asks for, sentence by sentence. Its tone is that of the whole text."""
    mood = sentiment(text)
    for start, end in sentences.split(text):
        sentence = text[start:end]
        if _is_neither(sentence):
            continue
        unwanted = _UNWANTED.search(sentence) is not None
        if unwanted or _WANTED.search(sentence):
            yield Wish(sentence, (start, end), mood, unwanted)


def _is_neither(sentence: str) -> bool:
    """Whether a sentence is too long to be an order, or a question that asks for none."""
    if len(sentence) > MAX_SENTENCE:
        return True
    # Looking for the mark takes a fiftieth of the time of the pattern.
    asks = ("?" in sentence or "？" in sentence) and _ASKED.search(sentence) is not None
    return asks and not _REQUEST.search(sentence)


def _parts(sentence: str) -> Iterator[tuple[int, int]]:
    """A sentence cut where a new order begins."""
    yield from pairwise([0, *(found.end() for found in _NEXT.finditer(sentence)), len(sentence)])


def _kind_of(words: str) -> InstructionKind:
    if _TONGUE.search(words):
        return InstructionKind.LANGUAGE
    if _LENGTH.search(words.casefold()):
        return InstructionKind.LENGTH
    return InstructionKind.FORMALITY if _FORMALITY.search(words) else InstructionKind.OTHER
