"""Words that carry grammar rather than content, by language.

Lists are written without apostrophes, in pieces, as `tokens.words` cuts them: "don't" is `don` and `t`.
`may` and `will` are left out of the English list: they are also a month and a name.
"""

_ENGLISH = """
a about above after again against ain all am an and any are aren as at be because been before being below
between both but by can cannot could couldn d did didn do does doesn doing don done down during each either
else ever few for from further had hadn has hasn have haven having he her here hers herself him himself his
how however i if in into is isn it its itself just let ll m many me might mightn more most much must mustn my
myself needn neither no nor not now of off on once only or other our ours ourselves out over own re s same
shall shan she should shouldn since so some such t than that the their theirs them themselves then there these
they this those though through to too under until up upon us ve very was wasn we were weren what whatever when
where whether which while who whom whose why with within without won would wouldn y yet you your yours
yourself yourselves
"""

_SPANISH = """
a al algo algunas algunos ante antes aquel aquella aún aunque cada casi como cómo con contra cual cuál cuales
cuando cuándo cuanto cuánto de del desde donde dónde durante e el él ella ellas ellos en entre era eran eras
eres es esa esas ese eso esos esta está están estaba estaban estado estamos estar estas este esto estos estoy
fue fueron ha había habían hace haber han has hasta hay he hemos la las le les lo los más me mi mí mis mientras
mucho muchos muy nada ni no nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque
pues qué que quien quién quienes se sea ser si sí sido siempre sin sobre somos son soy su sus también tan tanto
te tengo tenía tiene tienen ti todo todos tu tú tus un una unas uno unos usted ustedes vosotros y ya yo
"""

_FRENCH = """
à afin ai ainsi alors après as au aucun aussi autre autres aux avaient avait avant avec avez avoir avons c car
ce ceci cela celle celui ces cet cette ceux chez comme comment d dans de depuis des donc dont du elle elles en
encore entre es est et étaient était étant été être eu eux fait il ils j jamais je jusqu l la laquelle le
lequel les leur leurs lors lorsque lui ma mais me même mes moi moins mon n ne ni nos notre nous on ont ou où
par parce pas pendant peu plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se sera
ses si sinon son sont sous suis sur ta te tes toi ton tous tout toute toutes très tu un une vers vos votre vous y
"""

_GERMAN = """
aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da
damit dann das dass dein deine dem den denn der des deshalb dich die dies diese diesem diesen dieser dieses dir
doch dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen gewesen hab habe haben hat
hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem
jeden jeder jedes jetzt kann kein keine keinen können man manche mehr mein meine meinem meinen meiner mich mir
mit muss nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so
solche sondern sonst über um und uns unser unsere unter viel vom von vor wann war waren warum was weil welche
welcher wenn wer werde werden wie wieder will wir wird wirst wo wurde wurden zu zum zur zwar zwischen
"""

_ITALIAN = """
a ad agli ai al alla alle allo anche ancora avere aveva avevano c che chi ci ciò cioè come con contro cosa così
cui d da dagli dai dal dalla dalle dallo degli dei del della delle dello dentro di dopo dove dunque e è ed era
erano essere fa fino fra gli ha hai hanno ho i il in invece io l la le lei li lo loro lui ma me mentre mi mia
mie miei mio molto ne negli nei nel nella nelle nello niente no noi non nostra nostro o ogni oppure per perché
perciò però più poi poiché prima proprio qual quale quali quando quanto quella quelle quelli quello questa
queste questi questo qui quindi sarà se sei sempre senza si sia siamo siete sono sta stata stato stesso su sua
sue sugli sui sul sulla suo suoi tra tu tua tue tuo tutti tutto un una uno vi voi
"""

_PORTUGUESE = """
a à ainda além algo alguém algum alguma ao aos aquela aquele aquilo as às assim até cada com como contra da das
de dela dele deles depois desde do dos durante e é ela elas ele eles em enquanto entre era eram essa essas esse
esses esta está estamos estão estar estas estava estavam este estes estou eu foi foram há isso isto já lhe mais
mas me mesmo meu meus minha minhas muito muitos na não nas nem nenhum no nos nós nossa nosso num numa nunca o onde os
ou outra outro outros para pela pelas pelo pelos por porque porquê pouco qual quais quando quanto que quê quem
são se seja sem sempre ser será seu seus si sido sob sobre somos sou sua suas também tão te tem têm tenho ter
teu teve tinha toda todas todo todos tu tua tudo um uma umas uns você vocês vos
"""

_DUTCH = """
aan af al alle alleen als altijd andere ben bij bijna daar dan dat de deze die dit doch doen door dus een eens
elk elke en er ergens ge geen geweest haar had hadden heb hebben heeft hem hen het hier hij hoe hun iemand iets
ik in is ja je jij jou jouw jullie kan kon kunnen maar me meer men met mij mijn moet na naar net niet niets nog
nu of om omdat ons onze ook op over sinds te tegen tegenover toch toen tot tussen u uit uw van vaak veel voor
vooral waar waarom wanneer want waren was wat we weer wel welk welke werd wezen wie wij wil worden wordt zal ze
zei zelf zich zij zijn zo zoals zonder zou
"""

_RUSSIAN = """
а без более бы был была были было быть в вам вами вас ваш ваша весь во вот все всё всегда всего всех вы где да
даже для до его ее её ей если есть еще ещё же за здесь и из или им ими их к каждый как какая какие какой когда
который которая которые кто куда ли лишь между меня мне много может можно мой моя мы на над надо нам нами нас
наш наша не него нее неё ней нет нее ни нибудь никогда ним них ничего но ну о об один однако он она они оно от
очень перед по под после потом потому почему почти при про раз с сам своей своего свой свою себе себя сейчас
со совсем так также такой там тебе тебя тем теперь то тогда того тоже той только том тот ты у уже хоть хотя
чего чем через что чтобы чтоб чье чья эта эти этим этих это этого этой этом этот эту я
"""

_SWEDISH = """
alla allt alltid än annan är att av bara bli blir blev både då där därför de dem den denna deras dess dessa det
detta dig din dina ditt du efter eller en ett era ert från för före ha hade han hans har hela henne hennes hon
honom hur här hos i icke igen ingen inga inget innan inte inom ja jag ju kan kunde man med mellan men mera mig
min mina mitt mot mycket många måste ni nog nu när någon något några och också om oss på samma sedan sig sin
sina sitt ska skall skulle som så sådan till under upp ut utan vad var vara varför varit varje vars vem vi vid
vilka vilken vilket vill våra vårt än ännu åt över
"""

# Content words of English that are also grammar somewhere else. They count for English when a language is
# guessed, so that "come home" or "die hard" is not taken for Italian or German on the word of one homograph.
_LOOKALIKES = """
also art bin come dame den dies die fast gut hat hem hen hin hun man may men met mine net per pour sale see sein
sin sole son sous sue sur tot tout van vi want war wie will
"""


def _read(block: str) -> frozenset[str]:
    return frozenset(block.casefold().split())


ENGLISH_LOOKALIKES = _read(_LOOKALIKES)
STOPWORDS = {
    "en": _read(_ENGLISH),
    "es": _read(_SPANISH),
    "fr": _read(_FRENCH),
    "de": _read(_GERMAN),
    "it": _read(_ITALIAN),
    "pt": _read(_PORTUGUESE),
    "nl": _read(_DUTCH),
    "ru": _read(_RUSSIAN),
    "sv": _read(_SWEDISH),
}

# Words that keep a conversation going and say nothing to look up.
_SMALL_TALK = """
ok okay k kk yes yeah yep yup no nope thanks thank thx ty cool great nice good fine sure right got hi hello hey
bye goodbye lol haha hahaha jaja jajaja lmao hmm hm wow please perfect awesome alright understood welcome sorry
morning evening
night go continue one interesting really exactly true agreed indeed shorter longer again
vale gracias muchas mil sí si bien claro hola adiós genial perfecto bueno buenos buenas días tardes noches
danke merci oui ja nein non ciao grazie obrigado obrigada
"""

SMALL_TALK = frozenset(_SMALL_TALK.split())
