"""Medicines: words that name one, and which of them are taken for the same.

Who is switched to another medicine mostly gets one of the same family, so that the family tells which one it replaces.
"""

import re
from collections.abc import Iterable, Mapping

_FAMILIES: Mapping[str, str] = {
    "anticoagulant": """
        warfarin apixaban eliquis rivaroxaban xarelto dabigatran pradaxa edoxaban lixiana heparin enoxaparin
        clexane acenocoumarol sintrom
    """,
    "antiplatelet": "clopidogrel plavix ticagrelor brilinta prasugrel",
    "antidepressant": """
        sertraline zoloft fluoxetine prozac citalopram escitalopram lexapro cipralex paroxetine seroxat
        venlafaxine effexor duloxetine cymbalta mirtazapine amitriptyline nortriptyline bupropion wellbutrin
        trazodone vortioxetine fluvoxamine clomipramine
    """,
    "blood_pressure": """
        lisinopril ramipril enalapril perindopril captopril losartan valsartan candesartan irbesartan
        telmisartan olmesartan amlodipine nifedipine felodipine lercanidipine bisoprolol atenolol metoprolol
        propranolol carvedilol nebivolol indapamide bendroflumethiazide hydrochlorothiazide doxazosin
        diltiazem verapamil
    """,
    "water_tablet": "furosemide frusemide lasix bumetanide spironolactone torasemide",
    "statin": "atorvastatin simvastatin rosuvastatin crestor pravastatin lipitor fluvastatin ezetimibe",
    "diabetes": """
        metformin glucophage gliclazide glimepiride insulin lantus humalog novorapid semaglutide ozempic
        wegovy rybelsus tirzepatide mounjaro zepbound liraglutide victoza saxenda dulaglutide trulicity
        sitagliptin januvia empagliflozin jardiance dapagliflozin farxiga
    """,
    "thyroid": "levothyroxine thyroxine levotiroxina synthroid eltroxin liothyronine carbimazole",
    "stomach": "omeprazole lansoprazole pantoprazole esomeprazole nexium rabeprazole famotidine ranitidine",
    "asthma": """
        salbutamol albuterol ventolin symbicort fostair seretide beclometasone clenil montelukast singulair
        budesonide fluticasone salmeterol tiotropium spiriva
    """,
    "migraine": """
        sumatriptan rizatriptan zolmitriptan imigran maxalt eletriptan topiramate ajovy aimovig erenumab
        fremanezumab
    """,
    "pain": """
        ibuprofen nurofen advil naproxen aleve diclofenac voltarol paracetamol acetaminophen tylenol codeine
        co-codamol tramadol morphine oxycodone gabapentin pregabalin lyrica aspirin celecoxib etoricoxib
    """,
    "sleep": "zopiclone zolpidem ambien melatonin temazepam promethazine",
    "calming": "diazepam valium lorazepam ativan alprazolam xanax clonazepam buspirone hydroxyzine",
    "adhd": """
        methylphenidate ritalin concerta adderall lisdexamfetamine elvanse vyvanse dexamfetamine atomoxetine
        strattera guanfacine
    """,
    "mood": """
        lithium lamotrigine valproate depakote quetiapine seroquel olanzapine aripiprazole abilify
        risperidone
    """,
    "epilepsy": "levetiracetam keppra carbamazepine tegretol phenytoin lacosamide clobazam",
    "antihistamine": """
        cetirizine zyrtec loratadine claritin fexofenadine allegra chlorphenamine piriton benadryl
    """,
    "antibiotic": """
        amoxicillin amoxicilina penicillin penicilina co-amoxiclav augmentin doxycycline flucloxacillin
        clarithromycin azithromycin erythromycin cefalexin trimethoprim nitrofurantoin ciprofloxacin
        metronidazole lymecycline
    """,
    "steroid": "prednisolone prednisone dexamethasone hydrocortisone methylprednisolone",
    "immune": """
        methotrexate azathioprine mycophenolate ciclosporin tacrolimus adalimumab humira etanercept enbrel
        infliximab ustekinumab stelara sulfasalazine hydroxychloroquine leflunomide dupixent dupilumab
    """,
    "gout": "allopurinol febuxostat colchicine",
    "bones": "alendronate alendronic fosamax risedronate denosumab prolia",
    "pill": "microgynon rigevidon yasmin cerazette desogestrel norethisterone",
    "menopause": "estradiol oestrogel utrogestan tibolone",
    "parkinson": "levodopa madopar sinemet ropinirole pramipexole rasagiline",
    "memory": "donepezil memantine rivastigmine galantamine",
    "cancer": "tamoxifen letrozole anastrozole exemestane",
    "prostate": "tamsulosin finasteride dutasteride",
    "fertility": "clomid clomifene letrozole",
    "skin": "isotretinoin roaccutane accutane",
}
# How Spanish names of medicines end, and what an English one has there.
_SPANISH = (("ina", "ine"), ("ina", "in"), ("ona", "one"), ("ida", "ide"), ("eno", "en"), ("án", "an"), ("ol", "ole"))
_FAMILY: Mapping[str, str] = {name: family for family, names in _FAMILIES.items() for name in names.split()}
# How the names of many end; whoever speaks of other things ends few words so.
_ENDING = re.compile(
    r"[a-z]{2,20}(?:vastatin|pril|olol|sartan|dipine|azepam|azolam|xaban|cillin|mycin|floxacin|prazole|oxetine|triptyline"
    r"|formin|parin|triptan|profen|tinib|ximab|zumab|lukast|gliptin|gliflozin|glutide|dronate|thyroxine|pred(?:nis)?olone"
    r"|caine|azole|cycline|setron)"
)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?")


def medicine_in(words: str) -> str | None:
    """The first word that names a medicine, in lower case; None where none does."""
    return next((word for word in _names(words) if _FAMILY.get(word) or _ENDING.fullmatch(word)), None)


def of_one_family(one: str, other: str) -> bool:
    """Whether two are taken for the same, as far as both are known."""
    first, second = (_FAMILY.get(medicine_in(each) or "") for each in (one, other))
    return first is not None and first == second


def _names(words: str) -> Iterable[str]:
    for found in _WORD.findall(words.casefold()):
        yield found
        yield from (found.removesuffix(end) + english for end, english in _SPANISH if found.endswith(end))
