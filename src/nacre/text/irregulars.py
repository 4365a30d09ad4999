"""Irregular forms: words whose forms no stemmer brings together, such as buy and bought, child and children.

Forms that are also common words of another meaning are left out: `rose`, `bit`, `wound`.
"""

_ENGLISH = """
arise arose arisen
awake awoke awoken
become became
begin began begun
bend bent
bite bitten
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
cling clung
come came
creep crept
deal dealt
dig dug
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fly flew flown
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
know knew known
lead led
lean leant
leap leapt
learn learnt
leave left
lend lent
lose lost
make made
mean meant
meet met
mistake mistook mistaken
overcome overcame
pay paid
prove proven
ride rode ridden
ring rang rung
rise risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
sew sewn
shake shook shaken
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
speak spoke spoken
speed sped
spell spelt
spend spent
spill spilt
spin spun
spring sprang sprung
stand stood
steal stole stolen
stick stuck
sting stung
strike struck stricken
strive strove striven
swear swore sworn
sweep swept
swell swollen
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
understand understood
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
withdraw withdrew withdrawn
write wrote written
child children
foot feet
goose geese
half halves
knife knives
loaf loaves
man men
mouse mice
person people
shelf shelves
thief thieves
tooth teeth
wife wives
wolf wolves
woman women
"""

_SPANISH = """
andar anduve anduvo anduvimos anduvieron
caber cupo cupieron quepo
caer cayó cayeron
conducir conduje condujo condujeron conduzco
dar di dio dimos dieron doy
decir dije dijo dijimos dijeron digo dice dicen dicho diciendo
dormir duermo duerme duermen durmió durmieron
elegir elijo elige eligió eligieron
empezar empiezo empieza empezó empecé
hacer hice hizo hicimos hicieron hago hecho
ir voy va vamos van iba iban fui fuimos
jugar juego juega juegan jugué jugó
leer leyó leyeron leído
morir muere murió murieron muerto
oír oigo oye oyó oyeron
pedir pido pide piden pidió pidieron
poder puedo puede pueden pude pudo pudieron
poner puse puso pusimos pusieron pongo puesto
querer quiero quiere quieren quise quiso quisieron
romper roto
saber supe supo supieron sé
salir salgo
seguir sigo sigue siguen siguió siguieron
sentir siento siente sienten sintió sintieron
traducir traduje tradujo tradujeron
traer traje trajo trajeron traigo
venir vine vino vinimos vinieron vengo viene vienen
ver vi vio vimos vieron veo visto
volver vuelvo vuelve vuelven vuelto
abrir abierto
cubrir cubierto
escribir escrito
resolver resuelvo resuelve resuelto
"""


def _by_form(block: str) -> dict[str, tuple[str, ...]]:
    return {form: tuple(line.split()) for line in block.strip().splitlines() for form in line.split()}


_FORMS = {"es": _by_form(_SPANISH)}
_ENGLISH_FORMS = _by_form(_ENGLISH)


def forms(word: str, language: str) -> tuple[str, ...]:
    """A word and its irregular forms; English ones where the language is undetermined."""
    known = _FORMS.get(language, _ENGLISH_FORMS if language in ("en", "und") else {})
    return known.get(word, (word,))
