"""Departures: jobs that ended, with or without a word for the job. What is held tells which one is meant."""

from dataclasses import replace

from nacre.domain.facts import Polarity
from nacre.extraction.rules import TimeBound, claim, link, rule

_LEFT = link("works_at", loose=True, polarity=Polarity.RETRACTED, bound=TimeBound.LEAVES)
_LEFT_HOME = link("lives_in", loose=True, given=True, polarity=Polarity.RETRACTED, bound=TimeBound.LEAVES)
_NOT_NOW = link("works_at", loose=True, polarity=Polarity.RETRACTED, bound=TimeBound.ENDS)
_DROPPED = link("prefers", loose=True, what="was", polarity=Polarity.RETRACTED, bound=TimeBound.ENDS)
_RETIRED = claim("work/general/status", bound=TimeBound.BEGINS)
_DID = r"<who>(?:<has>|<is>| got| was| were| just| been| finally)*+<adv>"
_FROM = r"(?: (?:from|by|at|with|of) <words>)?"
# Who leaves early comes back.
_BACK = (
    r"(?!.*\b(?:early|late|at \d|for (?:lunch|the day|a (?:minute|moment|walk|while|break)|dinner)|o'clock|on time)\b)"
)
_END = r"(?=<stop>)"

RULES = (
    rule("departures.dismissed", "en",
         "laid let fired sacked redundant axed canned dismissed furloughed terminated sack boot axe slip",
         rf"{_DID} (?:laid off|let go|fired|sacked|made redundant|axed|canned|dismissed|furloughed|terminated"
         r"|the (?:sack|boot|axe|chop)|a pink slip|my pink slip)"
         rf"(?:(?= (?:from|by|at|with) (?!the (?:end|beginning|start))){_FROM}|{_END})",
         _LEFT, confidence=0.85),
    rule("departures.quit", "en", "quit resigned retired notice resignation",
         rf"{_DID} (?:quit|resigned|retired|handed in (?:my|his|her|their) (?:notice|resignation) and left)"
         rf"(?:(?! for (?:the day|today|now|tonight)){_END}|(?: from| at)? <words>)",
         _LEFT, confidence=0.8),
    rule("departures.left", "en", "left leaving walked parted finished done ways through stepped",
         rf"{_DID} (?:left|walked out of|walked out on|walked away from|parted ways with|parted company with|finished"
         rf"(?: up)? at|done (?:with|at)|through with|stopped working (?:at|for)|stepped down from) {_BACK}<words>"
         r"(?! (?:in|on|at) (?!<when>))(?! for (?:today|now|the day|tonight|the week))",
         _LEFT, confidence=0.75),
    rule("departures.left_city", "en", "left",
         rf"{_DID} left <place>(?= (?:last (?:week|month|year|spring|summer|autumn|winter)|for good|for ?ever"
         r"|[a-z]+ (?:months|years) ago))",
         _LEFT_HOME, confidence=0.8),
    rule("departures.notice", "en", "notice",
         rf"{_DID} (?:handed|given|gave|put)(?: in)? (?:my|his|her|their|our) notice"
         rf"(?: (?:at|to|with) (?:the )?<words>|{_END})",
         _LEFT, confidence=0.75),
    rule("departures.for_oneself", "en", "myself himself herself",
         r"(?:<who>(?:<now>|<has>)?<adv>|(?P<first>first (?:day|week)(?: of)?|started)) (?:been |started )?"
         r"work(?:ing|in) for (?:myself|himself|herself)(?! one day| someday)",
         _LEFT, confidence=0.75),
    rule("departures.lost", "en", "lost left gave",
         rf"{_DID} (?:lost|left|gave up|packed in) (?:my|his|her|their|our) (?:old |current |day )?"
         r"(?:job|position|role|post)(?: (?:at|with) <words>)?",
         _LEFT),
    rule("departures.last_day", "en", "last day",
         r"(?:was|is|had|worked) (?P<who>my|his|her|\ue000++'s) (?:very )?last (?:day|shift|week)"
         r"(?:(?: of work)? (?:at|with|for) <words>| of work| on the job| at work)",
         _LEFT, check="possessive"),
    rule("departures.last_days", "en", "last",
         r"(?:\A(?:[a-z]+ )?|[,;] )(?:it's |its )?(?:my |the )?(?:very )?last (?:day|shift|week|few days)"
         r" (?:at|in|with) (?:the )?<words>",
         replace(_LEFT, of="speaker"), confidence=0.75),
    rule("departures.last_day_was", "en", "last day",
         r"(?P<who>my|his|her|\ue000++'s) (?:very )?last (?:day|shift|week)(?:(?: of work)? (?:at|with|for)"
         r" (?P<what>[\w\ue000-\ue008'& -]{2,30}?)| of work| on the job| at work) (?:was|is|is going to be"
         r"|will be)(?!\w)",
         _LEFT, check="possessive"),
    rule("departures.threw_out", "en", "fired sacked dismissed laid let redundant",
         r"(?:they|(?:my|the) (?:boss|company|employer|manager)|(?P<what>[\ue001\ue003\ue005]++|[a-z]{3,20}))"
         r"(?: (?:has|have|just|finally))* (?:fired|sacked|dismissed|terminated|let|laid|made) (?P<who>me|us|\ue000++)"
         r"(?: go| off| redundant)?(?=<stop>)",
         _LEFT, confidence=0.8),
    rule("departures.contract", "en", "contract job stint internship time",
         r"(?P<who>my|his|her|\ue000++'s) (?:contract|job|stint|internship|time|employment)"
         r"(?: (?:at|with|for) (?:the )?(?P<what>[\w\ue000-\ue008' -]{2,40}?))?(?: has| have| is| was| just"
         r"| got)* (?:ended|over|up|expired|terminated|eliminated|axed|ran out"
         r"|cancelled|canceled|finished|cut|run out)(?=<stop>)",
         _LEFT, check="possessive"),
    rule("departures.not_at", "en", "not longer anymore more isn aren",
         r"<who>(?:(?:<now>) (?:no longer|not)| isn't| aren't| is not)(?: employed| working)? (?:at|with|by|for)"
         r" <words>(?: any ?more| now)?",
         _NOT_NOW, hedges=False, check="no longer"),
    rule("departures.no_job", "en", "job work jobs jobless",
         r"<who>(?:(?:<now>)(?: now| currently)? (?:out of (?:work|a job)|between jobs|in between jobs|on the dole"
         r"|jobless|not working any ?more"
         r"|no longer working)|(?: no longer have| don't have| doesn't have| no longer has) a job(?: any ?more)?)",
         _NOT_NOW, hedges=False, confidence=0.8),
    rule("departures.not_there", "en", "work works there",
         r"<who> (?:no longer (?:work|works)|(?:don't|doesn't|do not|does not) work)(?: there"
         r"| here)?(?: any ?more)?(?=<stop>)"
         r"(?! (?:at|for|in|on|with|from))",
         _NOT_NOW, hedges=False, check="no longer"),
    rule("departures.retirement", "en", "retirement",
         r"<who>(?:<has>)?<adv> (?:took|taken|went into|gone into|entered) (?:early )?(?P<what>retirement)",
         _RETIRED),
    rule("departures.retired", "en", "retired",
         r"<who>(?:<has>)?<adv>(?: just| finally)* (?P<what>retired)(?=<stop>)",
         _RETIRED, confidence=0.8),
    rule("departures.quit_habit", "en", "quit gave given cut stopped",
         r"<who>(?:<has>)?<adv> (?:quit|gave up(?: on)?|given up(?: on)?|cut out|dropped"
         r"|stopped (?:drinking|eating|watching|playing|listening to|reading|doing|liking|loving|enjoying|buying))"
         r" (?!(?:my|his|her|their|our|the) (?:job|position|role|post)\b)<was:words>",
         _DROPPED, confidence=0.75),
    rule("departures.despido", "es", "despidieron despidió echaron despedido despedida",
         r"(?:a (?P<who>[\ue000\ue005]++) )?(?:lo|la|le|me|nos) (?:despidieron|despidió|echaron|han (?:despedido"
         r"|echado))"
         r"(?: (?:de|del) <words>)?",
         _LEFT, check="spanish first person"),
    rule("departures.renuncia", "es",
         "renuncié renunció dimití dimitió jubilé jubiló jubilado dejé dejó dejo dejado perdí perdió perdido fui fue",
         r"(?:<who> )?(?:renuncié|renunció|dimití|dimitió|me jubilé|se jubiló|me he jubilado"
         r"|(?:dejé|dejó|dejo|he dejado|ha dejado)(?! de )|(?:he|ha) perdido|perdí|perdió"
         r"|me fui de|se fue de|me salí de|se salió de)(?: (?:a|al|en|de|del))?(?: <words>|(?=<stop>))",
         _LEFT, confidence=0.8, check="spanish first person"),
    rule("departures.renuncia_un_dia", "es", "renuncié renunció dimití dimitió jubilé jubiló",
         r"(?:<who> )?(?:renuncié|renunció|dimití|dimitió|me jubilé|se jubiló) (?:ayer|hoy|anoche|est[ea] \w+"
         r"|(?:el|la) (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|(?:mes|año|semana) pasad[oa]))",
         _LEFT, confidence=0.85, check="spanish first person"),
    rule("departures.ultimo_dia", "es", "último día",
         r"(?:fue|es|era) (?P<who>mi|su) último día (?:en <words>|de trabajo)",
         _LEFT, check="possessive"),
    rule("departures.ya_no_trabaja", "es", "ya",
         r"(?:<who> )?ya no (?:trabajo|trabaja|estoy|está)(?: (?:en|para|con) <words>|(?=<stop>))",
         _NOT_NOW, hedges=False, check="spanish first person"),
)  # fmt: skip
