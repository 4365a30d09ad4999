"""Preferences and dislikes."""

from nacre.domain.entities import EntityType
from nacre.extraction.rules import TimeBound, claim, link, rule

_T = EntityType.PREFERENCE
_LIKES, _DISLIKES = link("prefers", _T), link("dislikes", _T)
_WHO = r"<who><adv>"

_FOODS = (
    "(?:red )?meat|dairy|gluten|alcohol|coffee|caffeine|sugar|pork|beef|fish|seafood|shellfish|prawns|nuts|peanuts|eggs"
    "|milk|lactose|wheat|soya?|cheese|bread|grapefruit|spicy food"
)

RULES = (
    rule("preferences.love", "en", "love loves enjoy enjoys adore adores",
         rf"{_WHO} (?:love|loves|enjoy|enjoys|adore|adores) (?!to |it|you|him|her\b|them|that|this|how|when|the "
         r"|me\b|us\b|your|being|having|getting|seeing|hearing)<list>",
         _LIKES, confidence=0.85, check="preference"),
    rule("preferences.like", "en", "like likes",
         rf"{_WHO} (?:like|likes) (?!to |it|you|him|her\b|them|that|this|how|when|the |me\b|us\b|your|being|having"
         r"|getting|seeing|hearing|i |a )<list>",
         _LIKES, confidence=0.8, check="preference"),
    rule("preferences.like_to", "en", "love like enjoy loves likes",
         rf"{_WHO} (?:love|like|loves|likes) to (?P<what>(?!be|see|hear|think|know|have|get|make|help|talk|say|try"
         r"|just|go|do|take|keep|use)[a-z]+(?: [a-z]+){0,2})(?=[,.!]|$| and| in| on| at| with| when| because| to)",
         _LIKES, confidence=0.75, check="preference"),
    rule("preferences.prefer", "en", "prefer prefers",
         rf"{_WHO} (?:prefer|prefers) (?P<what>[^,.;:!?()\"]{{2,60}}?)(?= (?:over|to|instead of|rather than|for|when"
         r"|in|because|and|but)(?!\w)|[,.;:!?…]|$)",
         _LIKES, check="preference"),
    rule("preferences.fan", "en", "fan fans into",
         rf"{_WHO}<now> (?:a )?(?:big |huge |massive |really |super |so |very |totally |such a )*(?:fans? of|into"
         r"|passionate about|obsessed with|crazy about|fond of|hooked on) (?!it|you|that|this|the |all|your|making"
         r"|creating|helping)<list>",
         _LIKES, confidence=0.8, check="preference"),
    rule("preferences.hate", "en", "hate hates dislike dislikes detest despise",
         rf"{_WHO} (?:hate|hates|dislike|dislikes|detest|detests|despise|loathe) (?!to |it|you|him|her\b|them|that"
         r"|this|how|when|the |me\b|us\b|your|being|having|seeing)<list>",
         _DISLIKES, confidence=0.85, check="preference"),
    rule("preferences.not_like", "en", "like stand enjoy care bear tolerate",
         rf"{_WHO} (?:don't|do not|doesn't|does not|can't|cannot|never)(?: really| even| particularly)? (?:like"
         r"|enjoy|stand|bear|tolerate|care for|eat|drink)(?! it| you| that| this| him| her| them| the | to | when"
         r"| how| being| having| me\b| your| much)(?!.*any ?more) <list>",
         _DISLIKES, confidence=0.8, hedges=False, check="preference"),
    rule("preferences.not_fan", "en", "fan",
         rf"{_WHO}<now> not (?:a )?(?:big |huge )?fan of (?!it|you|that|this|the )<list>",
         _DISLIKES, confidence=0.85, hedges=False, check="preference"),
    rule("preferences.hobby", "en", "hobby hobbies",
         r"(?P<who>my) (?:main |favou?rite )?hobb(?:y is|ies are) <list>",
         _LIKES, confidence=0.85, check="possessive"),
    rule("preferences.are_my_hobbies", "en", "hobby hobbies passion",
         r"(?P<what>[a-z ]{4,60}) (?:is|are) (?P<who>my) (?:main |favou?rite |biggest )?(?:hobby|hobbies|passion)",
         _LIKES, confidence=0.7, check="possessive"),
    rule("preferences.plays", "en", "play plays playing",
         r"<who>(?:<now>|'ve been| have been| has been)?<adv> (?:play|plays|playing)(?: the)? (?P<what>piano|guitar"
         r"|violin|cello|drums|flute|ukulele|bass|saxophone|clarinet|trumpet|soccer|football|tennis|basketball"
         r"|baseball|volleyball|golf|chess|hockey|cricket|rugby|badminton|video games)(?!\w)",
         link("related_to", EntityType.TOPIC, constant="plays"), confidence=0.85),
    rule("preferences.takes_up", "en", "started took practicing taking doing",
         r"<who>(?:<now>|'ve been| have been)?<adv> (?:took up|taken up|started doing|started taking|doing"
         r"|practicing|taking) (?P<what>(?:[a-z]+ )?(?:yoga|pilates|kickboxing|boxing|karate|judo|pottery|painting"
         r"|photography|gardening|ballet|salsa|swimming|running|climbing|meditation|knitting|taekwondo|crossfit"
         r"|zumba|woodworking|calligraphy))(?: classes| lessons)?(?!\w)",
         link("related_to", EntityType.TOPIC, constant="does", bound=TimeBound.BEGINS), confidence=0.85),
    rule("preferences.style", "en", "answers replies responses mode theme",
         r"<who><adv> (?:want|wants|prefer|prefers|like|likes) (?:your |all |my )?(?P<what>(?:short|brief|concise"
         r"|detailed|long|formal|informal|casual|simple|technical) (?:answers|replies|responses|messages"
         r"|explanations)|(?:dark|light) (?:mode|theme))",
         _LIKES),
    rule("preferences.toca", "es", "toco toca bailo baila practico practica",
         r"(?:<who> )?(?:toco|toca|bailo|baila|practico|practica) (?:el |la )?(?P<what>guitarra|piano|violín"
         r"|violonchelo|chelo|batería|flauta|acordeón|saxofón|clarinete|trompeta|bajo|tango|salsa|bachata|flamenco"
         r"|cumbia|yoga|pilates|boxeo|judo|karate|natación|escalada)(?!\w)",
         link("related_to", EntityType.TOPIC, constant="does"), confidence=0.85, check="spanish first person"),
    rule("preferences.gusta", "es", "gusta gustan encanta encantan",
         r"(?:a (?P<who>[\ue000\ue005]++|él|ella|mí) )?(?<!no\x20)(?:me|le|nos) (?:gusta|gustan|encanta"
         r"|encantan)(?: mucho| muchísimo| más)? (?!que|cuando|cómo|tu|tus|eso|esto)(?:el |la |los |las )?<list>",
         _LIKES, confidence=0.85, check="gusta"),
    rule("preferences.no_gusta", "es", "gusta gustan",
         r"(?:a (?P<who>[\ue000\ue005]++|él|ella|mí) )?(?<!ya\x20)no (?:me|le|nos) (?:gusta|gustan)(?: nada"
         r"| mucho)? (?!que|cuando|cómo|tu|tus|eso|esto)(?:el |la |los |las )?<list>",
         _DISLIKES, confidence=0.85, hedges=False, check="gusta"),
    rule("preferences.prefiero", "es", "prefiero prefiere",
         r"(?:<who> )?(?:prefiero|prefiere)<adv> (?!que|no )(?:el |la |los "
         r"|las )?(?P<what>[^,.;:!?()\"]{2,60}?)(?= (?:antes que|en vez de|en lugar de|a|sobre|para|cuando|porque|y"
         r"|pero)(?!\w)|[,.;:!?…]|$)",
         _LIKES, check="spanish first person"),
    rule("preferences.odio", "es", "odio odia detesto detesta",
         r"(?:<who> )?(?:odio|odia|detesto|detesta) (?!que|cuando|a )(?:el |la |los |las )?<list>",
         _DISLIKES, confidence=0.85, check="spanish first person"),
    rule("preferences.no_soporto", "es", "soporto soporta aguanto aguanta tolero tolera",
         r"(?:<who> )?(?<!ya\x20)no (?:soporto|soporta|aguanto|aguanta|tolero|tolera) (?!que|cuando|a |más)"
         r"(?:el |la |los |las )?<list>",
         _DISLIKES, confidence=0.85, hedges=False, check="spanish first person"),
    rule("preferences.amo", "es", "amo adoro ama adora fan aficionado aficionada",
         r"(?:<who> )?(?:amo|adoro|adora|soy (?:muy )?fan de|soy (?:muy )?aficionad[oa] (?:a|al)|es fan de) (?!que"
         r"|cuando|a )(?:el |la |los |las )?<list>",
         _LIKES, confidence=0.85, check="spanish first person"),
    rule("preferences.diet", "en", "eat drink have",
         rf"{_WHO} (?:don't|do not|doesn't|does not|never|can't|cannot) (?:eat|drink|have) (?P<what>{_FOODS})",
         claim("diet/general/avoids"), hedges=False, confidence=0.85),
    rule("preferences.no_como", "es", "como comer bebo tomo tomar",
         r"(?:^|[,.;] |y |pero |yo )no (?:como|bebo|tomo|puedo (?:comer|tomar|beber)) (?P<what>carne|pescado|mariscos?"
         r"|gluten|l[áa]cteos|lactosa|huevos?|frutos secos|cacahuetes?|man[íi]|cerdo|az[úu]car|alcohol|caf[ée]|leche"
         r"|queso|pan|trigo|soja|picante)",
         claim("diet/general/avoids", of="speaker"), hedges=False, confidence=0.85),
    rule("preferences.cant_do", "en", "do have eat tolerate digest touch",
         r"(?:^|[,.;] |and |but )(?:i )?(?:can't|cant|cannot|can not|don't|dont) (?:do|have|eat|tolerate|digest|touch)"
         rf" (?P<what>{_FOODS})",
         claim("diet/general/avoids", of="speaker"), hedges=False, confidence=0.85),
)  # fmt: skip
