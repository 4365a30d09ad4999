"""Web addresses and servers."""

from nacre.domain.entities import EntityType
from nacre.extraction.rules import claim, link, rule

_S, _H = EntityType.SOURCE, EntityType.SYSTEM

RULES = (
    rule("addresses.website", "en", "website site blog portfolio homepage github linkedin repo repository",
         r"(?P<who>my|our|<person:person>'s) (?:personal |new )?(?P<key>website|site|blog|portfolio|homepage|github"
         r"|linkedin|repo|repository)(?: is)?(?: at|:)? <web>",
         claim("contact/web/{key}"), check="possessive"),
    rule("addresses.project_site", "en", "website site docs repo repository lives",
         r"(?P<who>[\ue006\ue005\ue001]++)'s (?P<key>website|site|docs|documentation|repo|repository) (?:is"
         r"|lives)(?: at)? <web>",
         claim("contact/web/{key}")),
    rule("addresses.server", "en", "server vps host machine database",
         r"(?P<who>my|our) (?:[a-z]+ )?(?P<key>server|vps|database server|nas|home server|machine)(?: is| runs"
         r"| lives)?(?: at| on|:)? (?P<what>[\ue008\ue007]++)",
         link("owns", _H, detail="key"), check="possessive"),
    rule("addresses.server_named", "en", "server vps",
         r"(?P<who>my|our) (?:[a-z]+ )?(?P<key>server|vps|nas) is (?:called|named) (?P<what>[\ue005\ue000\ue006]++)",
         link("owns", _H, detail="key"), check="possessive"),
    rule("addresses.prefers_source", "en", "get read follow news",
         r"<who><adv> (?:get|gets|read|reads|follow|follows)(?: (?:my|his|her|the))? (?:[a-z]+ )?(?:news|prices"
         r"|quotes) (?:from|on|at) (?P<what>[\ue001\ue003\ue005\ue007]++)",
         link("preferred_source", _S), confidence=0.85),
    rule("addresses.web", "es", "web página blog sitio servidor",
         r"mi (?P<key>web|página|página web|blog|sitio|sitio web)(?: es| está en|:) <web>",
         claim("contact/web/{key}")),
    rule("addresses.servidor", "es", "servidor",
         r"mi (?P<key>servidor) (?:es|está en) (?P<what>[\ue008\ue007]++)",
         link("owns", _H, detail="key")),
)  # fmt: skip
