"""HTML in titles and abstracts goes, text that looks like it stays."""

import pytest
from vouched_europepmc.markup import abstract_parts, plain, title_markup


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("age &lt; 40 years", "age < 40 years"),
        ("between <70 and 90 > 70 mmHg", "between <70 and 90 > 70 mmHg"),
        ("MSH2 c.1022T>C and &lt;i&gt;ATM&lt;/i&gt; c.7271T&gt;G", "MSH2 c.1022T>C and ATM c.7271T>G"),
        ("m&lt;sup&gt;6&lt;/sup&gt;A", "m6A"),
        ("PM<sub>2.5</sub> in J&amp;amp;K", "PM2.5 in J&K"),
        ("<i>E. coli</i> <h4>Background</h4> soft­hyphen", "E. coli Background softhyphen"),
    ],
)
def test_p23_p67_titles_are_plain_text(written: str, shown: str) -> None:
    assert plain(written) == shown


def test_title_markup_keeps_four_tags_in_pairs_and_escapes_the_rest() -> None:
    assert title_markup("&lt;i&gt;ATM&lt;/i&gt; c.7271T&gt;G &amp; risk") == "<i>ATM</i> c.7271T&gt;G &amp; risk"
    assert title_markup("A <em>closed <b>wrongly</em> B") == "A <i>closed <b>wrongly B</b></i>"
    assert title_markup("No markup at all.") == ""


def test_p25_labels_come_from_h4_and_nothing_is_lost_between_them() -> None:
    parts = abstract_parts("Lead. <h4>Results:</h4>Ten of <70 were >70 (P < .05).<h4>Conclusion</h4>Good.")
    assert [(part.label, part.text) for part in parts] == [
        ("", "Lead."),
        ("Results", "Ten of <70 were >70 (P < .05)."),
        ("Conclusion", "Good."),
    ]


def test_an_escaped_entity_in_an_abstract_is_decoded_once() -> None:
    (part,) = abstract_parts("p &lt; 0.001 for &amp;amp; and a&lt;b but x &amp;lt; y")
    assert part.text == "p < 0.001 for & and a<b but x < y"
    assert abstract_parts("") == []
