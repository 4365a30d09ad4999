"""Moves: from one home or employer to another. Plans are none, unless they are made for a day."""

from nacre.domain.entities import EntityType
from nacre.domain.facts import Polarity
from nacre.extraction.match_checks import PLANNED
from nacre.extraction.rules import FactTemplate, TimeBound, link, rule

_L, _O = EntityType.LOCATION, EntityType.ORGANIZATION
_GONE = {"polarity": Polarity.RETRACTED, "bound": TimeBound.LEAVES}
_TO, _FROM = link("lives_in", _L, bound=TimeBound.BEGINS), link("lives_in", _L, what="was", **_GONE)
_FROM2 = link("lives_in", _L, what="was2", **_GONE)
_HIRED, _QUIT = link("works_at", _O, bound=TimeBound.BEGINS), link("works_at", _O, what="was", **_GONE)


def _in_place_of(predicate: str) -> FactTemplate:
    """For words that tell no home from an employer, and no employer from a shop: what is held tells."""
    return link(predicate, instead_of="was", bound=TimeBound.BEGINS)


_DID = r"<who>(?:<has>)?<adv>"
_NOT_BRAND = r"(?P<{}>[\ue001\ue005]++)"
_WHEN = (
    r"(?:,? (?:(?:back )?in|on|last|this|at the (?:end|beginning|start) of|over the|earlier|recently|yesterday)"
    r"(?: [a-z0-9]+){0,4}?,?)?"
)
_ROUTE = (
    rf"(?: (?:away )?from (?:(?:the )?<was:place>|[a-z' ]{{2,30}}?){_WHEN})?"
    r" (?:back |over |down |up )?to (?:the )?<place>"
)
# Who leaves by train or for a weekend comes back.
_TRIP = (
    r"(?!.*\b(?:conference|trip|weekend|holidays?|vacation|visit|meeting|by (?:train|plane|bus|car)|flight|noon|morning"
    r"|afternoon|tonight|o'clock|am|pm)\b)"
)
_BACK = r"(?: from (?:the )?<was2:place>)?"
_WITH = r"(?: back| out| here| over| house)?(?: (?:with|together with) [^,.]{2,30}?)?"
_CUANDO = r"(?:,? (?:en|el|hace|ayer|este|esta)(?: [a-záéíóúñ0-9]+){0,4}?,?)?"
_ADONDE = rf"(?: (?:de|desde) <was:place>{_CUANDO})? (?:a|para|hacia) <place>(?: (?:de|desde) <was2:place>)?"
# What is told behind a comma may say for how long it is: "moving to Rome tomorrow, just for two weeks".
_FOR_GOOD = (
    r"(?!.*[,;] (?:but )?(?:just |only )?"
    r"(?:until|till|for [a-z0-9]+ (?:day|night|week|weekend|month|summer|winter)s?)\b)"
)
_JOB = r"(?: (?:my|his|her|their|our|the) (?:job|position|role|post)(?: (?:at|with|in))?)?"
_JOINED = (
    r"(?:for|to (?:join|work (?:at|for))|and(?: then| just| recently| now| has| have| is| am)*+ (?:joined|joining"
    r"|started(?: working| a (?:new )?job)? (?:at|with|for)|work (?:at|for)|works (?:at|for)|working (?:at|for)"
    r"|moved to|went to(?: work (?:at|for))?|got (?:a|my|his|her) (?:new )?job (?:at|with)|took (?:a|the) "
    r"(?:new )?(?:job|position|role) (?:at|with)))"
)
_ENTRO = (
    r"(?:por|para (?:trabajar en|unir(?:me|se|nos) a|ir(?:me|se|nos) a)|y(?: ahora| ya| luego| después| desde entonces"
    r")*+ (?:trabajo|trabaja|trabajamos|estoy|está|entré|entró|empecé|empezó|comencé|comenzó|me uní|se unió"
    r"|me incorporé|se incorporó|fiché|fichó)(?: ahora| a trabajar)? (?:en|para|a|con|por))"
)

RULES = (
    rule("moves.moved", "en", "moved relocated emigrated resettled",
         rf"{_DID} (?:moved|relocated|emigrated|resettled){_WITH}{_WHEN}{_ROUTE}{_BACK}",
         _TO, _FROM, _FROM2),
    rule("moves.then_moved", "en", "moved relocated",
         r"<who>(?= \w)(?:(?! (?:that|who|he|she|they|it|we|i|if|when|and|but|then) )[^,.;:!?\ue000]){3,60}?,? "
         r"(?:and|but|then)<adv>(?: then| later| has| have)*+ (?:moved|relocated)"
         rf"{_ROUTE}{_BACK}",
         _TO, _FROM, _FROM2, confidence=0.8),
    rule("moves.moved_from", "en", "moved relocated",
         rf"{_DID} (?:moved|relocated) (?:here |away |out )?(?:from|of) <place>(?! to)",
         link("lives_in", _L, **_GONE), confidence=0.85),
    rule("moves.left_home", "en", "left traded swapped",
         rf"{_DID} (?:left|traded|swapped) (?P<was>[\ue002\ue005]++)(?:, [\ue002\ue005]++)?{_WHEN} (?:for"
         r"|and(?: then| now| just| have| has)*+ (?:moved|relocated|settled|live|lives)(?: to| in)?|to live in"
         rf"|to move to) <place>{_TRIP}",
         _TO, _FROM, check="homes"),
    rule("moves.after_moving", "en", "moving relocating moved",
         r"(?:after|since|upon|following|having)(?: my| our)? (?:moving|relocating|moved|move)"
         rf"{_ROUTE}{_BACK}(?:{_WHEN}),? <who>",
         _TO, _FROM, _FROM2, confidence=0.85),
    rule("moves.moving_was", "en", "moving relocating move relocation",
         rf"\A(?:my |our )?(?:moving|relocating|move|relocation){_ROUTE}{_BACK}{_WHEN} (?:was|went|has been|took|cost)",
         *(link("lives_in", _L, of="speaker", bound=TimeBound.BEGINS),
           link("lives_in", _L, of="speaker", what="was", **_GONE)),
         confidence=0.8),
    rule("moves.moving", "en", "moving relocating",
         rf"<who><now><adv> (?:moving|relocating){_WITH}{_WHEN}{_ROUTE}{_BACK}{_FOR_GOOD}",
         _TO, _FROM, _FROM2, check=PLANNED),
    rule("moves.moves_on", "en", "move relocate",
         rf"<who><adv> (?:move|relocate){_WITH}{_ROUTE}{_BACK}{_FOR_GOOD}(?!.*\b(?:every|each|usually|always)\b)",
         _TO, _FROM, _FROM2, check=PLANNED),
    rule("moves.off_to", "en", "moving relocating",
         rf"(?:\A|[,;] )(?:(?:yay|so|and|finally|officially),? )?(?:moving|relocating){_WITH}{_WHEN}{_ROUTE}{_BACK}"
         rf"{_FOR_GOOD}(?![^,;]*\b(?:would|could|might|should|was|is|were|sounds|seems|feels)\b)",
         *(link("lives_in", _L, of="speaker", bound=TimeBound.BEGINS),
           link("lives_in", _L, of="speaker", what="was", **_GONE),
           link("lives_in", _L, of="speaker", what="was2", **_GONE)),
         confidence=0.8, check=PLANNED),
    rule("moves.left_job", "en", "left quit resigned",
         rf"{_DID} (?:left|quit|resigned from){_JOB} <was:org>{_WHEN},? {_JOINED} (?:the )?<org>",
         _HIRED, _QUIT, confidence=0.85, check="jobs"),
    rule("moves.changed_jobs", "en", "jobs companies employers",
         rf"{_DID} (?:switched|changed|moved) (?:jobs|companies|employers){_WHEN},? from <was:org> to <org>",
         _HIRED, _QUIT),
    rule("moves.moved_job", "en", "moved transferred",
         rf"(?!we |they ){_DID} (?:moved|transferred)(?: over)? from {_NOT_BRAND.format('was')}{_WHEN} to"
         rf" {_NOT_BRAND.format('what')}",
         _HIRED, _QUIT, confidence=0.85, check="organisations"),
    rule("moves.in_its_place", "en", "switched left moved changed traded swapped",
         rf"{_DID} (?:(?:switched|moved|changed)(?: over)? from|left|traded|swapped)"
         rf" {_NOT_BRAND.format('was')}{_WHEN} (?:to|for) {_NOT_BRAND.format('what')}",
         _in_place_of("works_at"), confidence=0.8),
    rule("moves.in_its_place_home", "en", "left traded swapped",
         rf"{_DID} (?:left|traded|swapped) (?P<was>\ue005++){_WHEN} for (?P<what>\ue005++)",
         _in_place_of("lives_in"), confidence=0.8),
    rule("moves.se_mudo", "es",
         "mudé mudó mudamos mudado mudaron mudarme mudarse mudarnos trasladé trasladó trasladamos vivir",
         r"(?:<who> )?(?:acab(?:o|a|amos) de mudar(?:me|se|nos)|me mudé|se mudó|nos mudamos|se mudaron|me he mudado"
         r"|se ha mudado|nos hemos mudado"
         r"|se han mudado|me trasladé|se trasladó|nos trasladamos|me (?:fui|vine) a vivir|se (?:fue|vino) a vivir"
         rf"|nos (?:fuimos|vinimos) a vivir)(?: con [\w\ue000-\ue008]++)?{_CUANDO}{_ADONDE}",
         _TO, _FROM, _FROM2, check="spanish move"),
    rule("moves.dejo_por", "es", "dejé dejó dejamos dejado cambié cambió cambiamos",
         r"(?:<who> )?(?:dejé|dejó|dejamos|he dejado|ha dejado|hemos dejado|cambié|cambió|cambiamos)"
         rf" (?P<was>[\ue002\ue005]++)(?:, [\ue002\ue005]++)?{_CUANDO} (?:por|para (?:vivir en|mudar(?:me|se|nos) a"
         r"|ir(?:me|se|nos) a(?: vivir a)?)|y (?:me|se|nos) (?:mudé|mudó|mudamos|fui|fue|fuimos)(?: a vivir)? a"
         r"|y(?: ahora)? (?:vivo|vive|vivimos) en) <place>",
         _TO, _FROM, check="spanish homes"),
    rule("moves.dejo_trabajo", "es", "dejé dejó dejamos dejado renuncié renunció fui fue salí salió",
         r"(?:<who> )?(?:dejé|dejó|dejamos|he dejado|ha dejado|renuncié a|renunció a|me fui de|se fue de|salí de"
         rf"|salió de)(?: (?:mi|su|el) (?:trabajo|puesto) (?:en|de))? <was:org>{_CUANDO},? {_ENTRO} <org>",
         _HIRED, _QUIT, confidence=0.85, check="spanish jobs"),
    rule("moves.paso_de", "es", "pasé pasó cambié cambió",
         r"(?:<who> )?(?:pasé|pasó|me pasé|se pasó|me cambié|se cambió|cambié|cambió)(?: de trabajo,?)? de"
         rf" {_NOT_BRAND.format('was')} a {_NOT_BRAND.format('what')}",
         _in_place_of("works_at"), confidence=0.8, check="spanish first person"),
)  # fmt: skip
