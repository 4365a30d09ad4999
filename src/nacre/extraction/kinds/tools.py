"""Tools and technologies: what people use. Only in their own words, never in an agent's."""

from nacre.domain.entities import EntityType
from nacre.extraction.rules import TimeBound, link, rule

_T = EntityType.TECHNOLOGY

RULES = (
    rule("tools.uses", "en", "use uses using",
         r"<who>(?:<now>|'ve been| have been| has been)?<adv> (?:use|uses|using) (?:the )?<tech>(?! (?:to"
         r"|as) (?:pretend|joke))",
         link("uses_tool", _T)),
    rule("tools.codes_in", "en", "code codes program programs write writes coding develop develops",
         r"<who>(?:<now>)?<adv> (?:code|codes|coding|program|programs|write|writes|develop|develops|write code|work"
         r"|works) (?:mostly |mainly )?in (?P<what>\ue003++(?:(?:,|, and| and) \ue003++)*)",
         link("uses_tool", _T)),
    rule("tools.works_with", "en", "work works working",
         r"<who>(?:<now>)?<adv> (?:work|works|working) with (?P<what>\ue003++(?:(?:,|, and| and) \ue003++)*)",
         link("uses_tool", _T)),
    rule("tools.switched", "en", "switched moved migrated switching migrating",
         r"<who>(?:<now>|<has>)?<adv> (?:switched|migrated|switching|migrating)(?: (?:over|completely"
         r"|everything))?(?: from (?:\ue003++(?= to)|\ue005++(?= to \ue003)))? to (?P<what>[\ue003\ue005]++)",
         link("uses_tool", _T, bound=TimeBound.BEGINS), confidence=0.85),
    rule("tools.learning", "en", "learning learn",
         r"<who>(?:<now>|'ve been| have been)?<adv> (?:learning|started learning|learned) (?P<what>\ue003++)",
         link("related_to", _T, constant="learning"), confidence=0.8),
    rule("tools.prefers", "en", "prefer prefers",
         r"<who><adv> (?:prefer|prefers) (?P<what>\ue003++) (?:over|to|instead of|rather than) (?:\ue003++"
         r"|[\ue001\ue005]++)",
         link("prefers", _T)),
    rule("tools.usa", "es", "uso usa usamos utilizo utiliza usando",
         r"(?:<who> )?(?:uso|usa|usamos|utilizo|utiliza|estoy usando)<adv> <tech>",
         link("uses_tool", _T), check="spanish first person"),
    rule("tools.programa_en", "es", "programo programa",
         r"(?:<who> )?(?:programo|programa)<adv> en <tech>",
         link("uses_tool", _T), check="spanish first person"),
    rule("tools.aprendiendo", "es", "aprendiendo aprendo",
         r"(?:<who> )?(?:estoy aprendiendo|aprendo|está aprendiendo) (?:a programar en )?(?P<what>\ue003++)",
         link("related_to", _T, constant="learning"), confidence=0.8, check="spanish first person"),
    rule("tools.cambio_a", "es", "cambié migré pasé",
         r"(?:cambié|migré|me cambié|me pasé) (?:de <was:tech> )?a (?P<what>[\ue003]++)",
         link("uses_tool", _T, bound=TimeBound.BEGINS), confidence=0.85),
)  # fmt: skip
