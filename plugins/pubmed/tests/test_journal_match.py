"""Journals as people cite them against the names of a record."""

import pytest
from vouched_pubmed.journal_match import compare_journal

PNAS = [
    "Proc Natl Acad Sci U S A",
    "Proceedings of the National Academy of Sciences of the United States of America",
    "0027-8424",
]
INVENTED = ["J Invent Res", "Journal of Invented Results", "J. Invent. Res.", "9999-0001"]
NATURE_MEDICINE = ["Nat Med", "Nature medicine", "1078-8956"]
LANCET = ["Lancet", "Lancet (London, England)", "0140-6736"]
BMJ = ["BMJ", "BMJ (Clinical research ed.)", "0959-8138"]
JAMA = ["JAMA", "JAMA"]


@pytest.mark.parametrize(
    ("cited", "names"),
    [
        ("proc natl acad sci u s a", PNAS),
        ("Proc. Nat'l Acad. Sci. U.S.A.", PNAS),
        ("PNAS", PNAS),
        ("pnas", PNAS),
        ("0027-8424", PNAS),
        ("Journal of Invented Results", INVENTED),
        ("J. Invented Res.", INVENTED),
        ("The Journal of Invented Results", INVENTED),
        ("JIR", INVENTED),
        ("The Lancet", LANCET),
        ("Lancet (London)", LANCET),
        ("BMJ (Clinical research ed.)", BMJ),
        ("BMJ: British Medical Journal", BMJ),
        ("British Medical Journal", BMJ),
        ("Journal of the American Medical Association", JAMA),
        ("JAMA: the Journal of the American Medical Association", JAMA),
        ("BJOG", ["BJOG", "BJOG : an international journal of obstetrics and gynaecology"]),
        (
            "CMAJ",
            ["CMAJ", "CMAJ : Canadian Medical Association journal = journal de l'Association medicale canadienne"],
        ),
        ("Nature Medicine", NATURE_MEDICINE),
    ],
)
def test_every_form_of_a_name_is_the_same_journal(cited: str, names: list[str]) -> None:
    assert compare_journal(cited, names) == "same"


@pytest.mark.parametrize(
    ("cited", "names"),
    [
        ("Nature", INVENTED),
        ("Lancet", INVENTED),
        ("BMJ", PNAS),
        ("BMJ", INVENTED),
        ("JAMA", LANCET),
        ("N Engl J Med", LANCET),
        ("Nature", NATURE_MEDICINE),
        ("Nat Genet", NATURE_MEDICINE),
        ("Nature Communications", NATURE_MEDICINE),
        ("Lancet Oncology", LANCET),
        ("Journal of Imaginary Findings", INVENTED),
        ("J Clin Oncol", ["J Clin Invest", "The Journal of clinical investigation"]),
        ("Am J Psychiatry", ["Arch Gen Psychiatry", "Archives of general psychiatry"]),
        ("Urology", ["Neurology", "Neurology"]),
        ("Cell", ["Cell Metab", "Cell metabolism"]),
        ("Gut", INVENTED),
        ("BMJ Open", BMJ),
        ("Gut", ["Gut Microbes", "Gut microbes"]),
        ("Gut Microbes", ["Gut", "Gut"]),
    ],
)
def test_another_journal_differs(cited: str, names: list[str]) -> None:
    assert compare_journal(cited, names) == "differs"


@pytest.mark.parametrize(
    ("cited", "names"),
    [
        ("Proc Natl Acad", PNAS),
        ("PLoS", ["PLoS One", "PloS one"]),
        ("NAS", PNAS),
        ("Journal of Invnted Results", INVENTED),
        ("Bionformatics", ["Bioinformatics", "Bioinformatics (Oxford, England)"]),
        ("Science New York", ["Science", "Science (New York, N.Y.)"]),
        ("9999-0002", INVENTED),
        ("Philos Trans R Soc B", ["Philos Trans R Soc Lond B Biol Sci", "Philosophical transactions of the Royal"]),
        ("National Medical Journal of China", ["Zhonghua Yi Xue Za Zhi", "Zhonghua yi xue za zhi"]),
        ("Nature", []),
        ("???", INVENTED),
    ],
)
def test_what_may_be_a_form_of_the_name_cannot_be_compared(cited: str, names: list[str]) -> None:
    assert compare_journal(cited, names) == "not_comparable"


def test_a_journal_that_is_not_given() -> None:
    assert compare_journal("  ", PNAS) == "not_given"
