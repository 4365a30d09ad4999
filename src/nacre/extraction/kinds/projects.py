"""Projects: who works on them, what they use, when they are due."""

from nacre.domain.entities import EntityType
from nacre.extraction.rules import TimeBound, claim, link, rule

_J, _T = EntityType.PROJECT, EntityType.TECHNOLOGY
_ON = link("works_on", _J)

RULES = (
    rule("projects.works_on", "en", "work works working",
         r"<who>(?:<now>|'ve been| have been| has been)?<adv> (?:work|works|working) on (?:a project (?:called"
         r"|named) |the )?<project>",
         _ON, confidence=0.85),
    rule("projects.works_on_field", "en", "work works working",
         r"(?P<who>\ue000++|(?:my|our) [a-z-]+ \ue000++)(?: is)? (?:works|working) on (?P<what>devops|design"
         r"|marketing|sales|infrastructure|security|backend|frontend|the backend|the frontend|machine learning|data)",
         claim("work/general/area")),
    rule("projects.works_on_acronym", "en", "work works working",
         r"<who>(?:<now>)? (?:work|works|working) (?:in|on) (?P<what>devops|marketing|sales|finance|accounting"
         r"|engineering|logistics|customer support|hr|it)",
         claim("work/general/area"), confidence=0.85),
    rule("projects.building", "en", "building build built created creating developed developing launched made",
         r"<who>(?:<now>|<has>)?<adv> (?:building|built|created|creating|developed|developing|launched"
         r"|launching)(?: (?:a|an|my|our|the) [a-z -]{0,30}?(?:called|named))? <project>",
         link("created", _J, bound=TimeBound.BEGINS), confidence=0.8),
    rule("projects.my_project", "en", "project app startup product",
         r"(?P<who>my|our) (?:new |side |pet |main )?(?:project|app|product)(?:,| is called| is named| called"
         r"|:)? <project>",
         _ON, confidence=0.85, check="possessive"),
    rule("projects.leads", "en", "manages manage leads lead managing leading runs owns maintain maintains",
         r"<who>(?:<now>)?<adv> (?:manage|manages|managing|lead|leads|leading|run|runs) (?P<what>\ue006++)",
         link("manages", _J)),
    rule("projects.maintains", "en", "maintain maintains maintaining",
         r"<who>(?:<now>)?<adv> (?:maintain|maintains|maintaining) (?P<what>[\ue006\ue003\ue005]++)",
         link("maintains", _J)),
    rule("projects.assigned", "en", "assigned",
         r"<who>(?:<is>| was)<adv> assigned to (?P<what>\ue006++)",
         link("works_on", _J, bound=TimeBound.BEGINS)),
    rule("projects.uses", "en", "uses use using runs built written powered depends relies",
         r"(?P<who>[\ue006\ue005\ue001]++)(?:'s| is| was)? (?:uses|using|built (?:with|on|in)|written in|powered by"
         r"|implemented in) <tech>",
         link("uses", _T)),
    rule("projects.depends", "en", "depends relies requires",
         r"(?P<who>[\ue006\ue003\ue005]++) (?:depends on|relies on|requires) (?P<what>[\ue006\ue003\ue005]++)",
         link("depends_on")),
    rule("projects.integrates", "en", "integrates",
         r"(?P<who>[\ue006\ue003\ue005]++) integrates with (?P<what>[\ue006\ue003\ue005\ue001]++)",
         link("integrates_with")),
    rule("projects.hosted", "en", "hosted deployed runs",
         r"(?P<who>[\ue006\ue005\ue007]++|it|my (?:site|website|blog|app|server|vps))(?:'s| is)?<adv> (?:hosted"
         r"|deployed|running|runs) (?:on|at|with) <tech>",
         link("hosted_on", _T)),
    rule("projects.deadline", "en", "deadline due",
         r"(?:the )?deadline (?:for|of) (?P<who>[\ue006\ue005]++) is(?: on)? (?P<what>[^,;!?()]{3,30})",
         claim("schedule/general/deadline"), check="date"),
    rule("projects.due", "en", "due",
         r"(?P<who>\ue006++) is due(?: on| by)? (?P<what>[^,;!?()]{3,30})",
         claim("schedule/general/deadline"), check="date"),
    rule("projects.part_of", "en", "part",
         r"(?P<who>[\ue006\ue005]++) is (?:a )?part of (?P<what>[\ue006\ue001]++)",
         link("part_of")),
    rule("projects.trabaja_en", "es", "trabajo trabaja trabajando trabajamos",
         r"(?:<who> )?(?:trabajo|trabaja|trabajamos|estoy trabajando|está trabajando) en (?:el (?=\ue006)"
         r"|un proyecto llamado "
         r"|el proyecto )(?P<what>[\ue006\ue005]++)",
         _ON, check="spanish first person"),
    rule("projects.proyecto", "es", "proyecto",
         r"(?:mi|nuestro) proyecto(?:,| se llama| es)? <project>",
         _ON, confidence=0.85),
    rule("projects.dirige", "es", "dirige dirijo lidera lidero gestiona gestiono",
         r"(?:<who> )?(?:dirige|dirijo|lidera|lidero|gestiona|gestiono) (?:el )?(?P<what>\ue006++)",
         link("manages", _J), check="spanish first person"),
    rule("projects.usa", "es", "usa utiliza escrito desarrollado",
         r"(?P<who>[\ue006\ue005\ue001]++) (?:usa|utiliza|está escrito en|está desarrollado en) <tech>",
         link("uses", _T), confidence=0.85),
    rule("projects.alojado", "es", "alojado alojada",
         r"(?P<who>[\ue006\ue005\ue007]++|mi (?:web|página|servidor|app)) está alojad[oa] en <tech>",
         link("hosted_on", _T)),
)  # fmt: skip
