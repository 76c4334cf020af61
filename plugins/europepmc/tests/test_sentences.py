"""Sentences: where they end in biomedical prose, and exact offsets whatever the text."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vouched_europepmc.sentences import split

# Sentences as a reader divides them; a case is its sentences joined by one space. Invented prose.
CASES: list[list[str]] = [
    ["Survival was 2.1 vs. 1.58 years.", "It rose."],
    ["Fictol vs. Placebo was tested.", "Nothing happened."],
    ["Zandt et al. 2019 found it.", "Later work did not."],
    ["Zandt et al. (2019) agree.", "Golob et al. [4] do not."],
    ["It was shown by Zandt et al.", "The effect is small."],
    ["Zandt et al., J Invent 2019, and Golob et al. J Invent 2020 agree.", "Fine."],
    ["See Fig. 2 and Figs. S3 and S4.", "The bars show SD."],
    ["See ref. 12 and eq. (3).", "Done."],
    ["The lesion is shown in Fig. 2A.", "It grew."],
    ["Some drugs, e.g. Fictol, help.", "Others, i.e. Placebo, do not."],
    ["The ratio was 0.05.", "Next we measured 1.5 ml."],
    ["The effect held (p < 0.05).", "Next, we tested it."],
    ["The effect held, p < 0.05.", "Next, we tested it."],
    ["The value (P=.03) was small.", "HR 0.5; 95% CI, 0.3-0.8.", "Good."],
    ["E. coli and S. aureus grew.", "C. elegans did not."],
    ["The strain was A. Baumannii.", "However, it died."],
    ["Bacillus sp. ATCC 123 was used.", "Salmonella spp.", "Isolates were typed."],
    ["A subsp. Nova of it was found in var. Alba.", "End."],
    ["This was shown before. [3,4]", "We repeat it."],
    ["This was shown before.[3]", "We repeat it."],
    ["Deficiency of vitamin C.", "Patients recovered."],
    ["Infection by hepatitis B.", "Vaccination helps."],
    ["We thank J. Zandt and A. B. Golob.", "They helped."],
    ["It binds DNA.", "p53 is lost.", "mRNA levels fell.", "α-Synuclein rose."],
    ["Cells were kept for 5 min.", "Samples were taken."],
    ["Doses of approx. 5 mg were given i.p.", "Mice were killed."],
    ["Blood was drawn at 8 a.m.", "The next draw was later."],
    ["Was it significant?", "It was.", "(See below.)", "Then it stopped!"],
    ["It was made by Abc Inc. (Boston, MA).", "We bought it."],
    ["It was made by Abc Inc.", "Cells were bought."],
    ["In the U.S. Food and Drug Administration list.", "In the U.S.", "We do."],
    ["1. Introduction to methods.", "It begins."],
    ["No. 5 and vol. 3, pp. 3–7.", "The answer was no.", "We stop."],
    ["Patients (n = 5; cf. Table 2) were seen by Dr. Brown.", "All lived."],
    ["Levels fell from 5.0 to 3.2 mg/dl.", "12 patients died."],
    ["It was \"significant.\"", "The authors agree."],
    ["Values are mean ± s.d.", "The bar is 5 µm."],
    ["The gene is on chr. 5 in mice.", "End."],
    ["They used the St. Louis strain at 37 °C.", "Then 4 °C."],
    ["pH was 7.4.", "Cells were lysed."],
    ["Results were obtained in vitro.", "In vivo data followed."],
    ["siRNA (Abc Scientific Inc., USA) was used.", "It worked!"],
    ["Bleeding stopped with factor IX.", "Nobody died."],
    ["It was seen in Jan. 2020 and Feb. 2021.", "March was calm."],
    ["Symptoms (fever, cough, etc.) were mild.", "Fatigue, pain, etc.", "Were rare."],
    ["Levels of Ca2+ fell.", "IL-6 rose.", "TNF-α did not."],
    ["Prof. A. Example et al. (2020) disagree.", "So do we."],
    ["The dose was 10 mg/kg b.i.d. for 3 weeks.", "It was safe."],
    ["Cells (5 × 10^5 per well) were seeded.", "Wells were washed."],
    ["The tree had 99.5% support (ML).", "NJ gave 98%."],
    ["It lies at 3 p.m. in the field…", "Later it moved."],
    ["H. pylori was treated with 20 mg of Fictol q.d.", "The rate was 90%."],
    ["They were kept at 37 °C for 30 min.", "A total of 50 µl was added."],
    ["We compared mean, SD and CV.", "The line is a fit."],
    ["It has accession no. AB12345 (Supp. Table S2).", "It is short."],
    ["Pale powder, m.p. 177–179 °C; yield 50%.", "1H NMR agreed."],
    ["Do they differ?", "(ii) If so, is there a trend?"],
    ["It had no effect (B).", "*p < 0.05 compared with control."],
    ["Conceived by A.Z. and J.F.G.; written by A.Z.", "All authors agreed."],
    ["It was formalized by R. A. Zandt [11].", "He envisioned more."],
    ["Diagnostics advance.", "https://example.org/report"],
]  # fmt: skip


@pytest.mark.parametrize("sentences", CASES, ids=lambda sentences: sentences[0][:40])
def test_sentences_are_divided_as_a_reader_does(sentences: list[str]) -> None:
    text = " ".join(sentences)
    assert [text[start:end] for start, end in split(text)] == sentences


def test_a_blank_line_ends_a_sentence_without_a_stop() -> None:
    text = "First paragraph ends\n\nSecond paragraph. Third"
    assert [text[start:end] for start, end in split(text)] == ["First paragraph ends", "Second paragraph.", "Third"]


def test_a_single_line_break_is_only_white_space() -> None:
    assert len(split("It goes on\nand ends. Here is\nanother.")) == 2


def test_wide_stops_need_no_space() -> None:
    text = "これは文です。次の文です。"
    assert [text[start:end] for start, end in split(text)] == ["これは文です。", "次の文です。"]


@pytest.mark.parametrize("text", ["", " ", "\n\n", " \t "])
def test_blank_text_has_no_sentence(text: str) -> None:
    assert split(text) == []


def test_offsets_count_characters_and_leave_outer_space_out() -> None:
    text = "  α-Synuclein rose.   β-Catenin fell.  "
    assert split(text) == [(2, 19), (22, 37)]


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.text(alphabet='aAbB.?! \n1α("[]3,-', max_size=60))
def test_spans_are_ordered_and_hold_every_character(text: str) -> None:
    """No two spans overlap, none begins or ends with white space, and only white space lies between them."""
    spans = split(text)
    place = 0
    for start, end in spans:
        assert place <= start < end
        assert not text[place:start].strip()
        assert text[start:end] == text[start:end].strip()
        place = end
    assert not text[place:].strip()


@pytest.mark.parametrize("piece", [". ", ".", "a.", "\n", " ", "[1] ", "A. ", '."', "(a) "])
def test_a_long_odd_text_takes_linear_time(piece: str) -> None:
    text = piece * 100_000
    began = time.process_time()
    split(text)
    assert time.process_time() - began < 2
