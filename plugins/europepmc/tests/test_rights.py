"""Rights statements of JATS: which there are, whose they are, and the line they stand in. Invented articles."""

import pytest
from lxml import etree
from vouched.api import Access, Statement
from vouched_europepmc import rights

HEAD = (
    '<article xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:ali="http://www.niso.org/schemas/ali/1.0/">\n'
    "{before}<front><article-meta>\n{meta}\n</article-meta></front>\n<body>{body}</body><back>{back}</back></article>"
)
BY = "https://creativecommons.org/licenses/by/4.0/"
ZERO = "http://creativecommons.org/publicdomain/zero/1.0/"


def article(meta: str = "", *, before: str = "", body: str = "", back: str = "") -> etree._Element:
    return etree.fromstring(HEAD.format(before=before, meta=meta, body=body, back=back).encode())


def found(meta: str, **parts: str) -> list[Statement]:
    return rights.statements(article(meta, **parts))


def test_the_licence_element_its_type_and_its_line() -> None:
    (statement,) = found(f'<permissions>\n<license license-type="cc-by" xlink:href="{BY}">'
                         "<license-p>Use  it\nfreely.</license-p></license></permissions>")  # fmt: skip
    assert statement == Statement(text="Use it freely.", url=BY, licence_type="cc-by", line=4)
    assert (statement.place, statement.object) == ("permissions", "article")


def test_the_machine_readable_reference_is_a_statement_of_its_own() -> None:
    meta = (
        f'<permissions><license><ali:license_ref content-type="ccbylicense" start_date="2026-03-25">{BY}'
        "</ali:license_ref><license-p>Open Access</license-p></license></permissions>"
    )
    reference, licence = found(meta)
    assert (reference.url, reference.licence_type, reference.text) == (BY, "ccbylicense", "applies from 2026-03-25")
    assert (licence.text, licence.url) == ("Open Access", "")


def test_a_reference_outside_of_the_licence_element_counts() -> None:
    (reference,) = found(f"<permissions><ali:license_ref>{BY}</ali:license_ref></permissions>")
    assert (reference.url, reference.place) == (BY, "permissions")


def test_free_to_read_is_told_as_such() -> None:
    (statement,) = found('<permissions><ali:free_to_read start_date="2024-01-01"/></permissions>')
    assert (statement.licence_type, statement.text) == ("free_to_read", "applies from 2024-01-01")


def test_a_link_in_the_licence_paragraph_comes_with_its_sentence() -> None:
    meta = (
        '<permissions><license xlink:href="http://example.org/agreement"><license-p>It is open. Use it under '
        f'<ext-link xlink:href="{BY}">this licence</ext-link>, please. Thank you.</license-p></license></permissions>'
    )
    licence, link = found(meta)
    assert licence.url == "http://example.org/agreement"
    assert (link.url, link.text) == (BY, "Use it under this licence, please.")


def test_a_bare_address_in_the_paragraph_is_a_link() -> None:
    _, link = found(f"<permissions><license><license-p>See <uri>{BY}</uri>.</license-p></license></permissions>")
    assert link.url == BY


def test_the_data_waiver_of_the_licence_paragraph_is_of_the_data() -> None:
    meta = (
        "<permissions><license><license-p>It is licensed under "
        f'<ext-link xlink:href="{BY}">a licence</ext-link>. The Public Domain Dedication waiver '
        f'(<ext-link xlink:href="{ZERO}">{ZERO}</ext-link>) applies to the data made available in this article.'
        "</license-p></license></permissions>"
    )
    _, licence, waiver = found(meta)
    assert (licence.place, licence.object) == ("permissions", "article")
    assert (waiver.place, waiver.object, waiver.url) == ("data", "data", ZERO)


@pytest.mark.parametrize(
    "meta",
    [
        "<permissions><copyright-statement>© 2024 A Society</copyright-statement></permissions>",
        "<permissions><copyright-holder>© 2024 A Society</copyright-holder></permissions>",
        # The form of 2007: no `permissions` element at all.
        "<copyright-statement>© 2024 A Society</copyright-statement>",
    ],
)
def test_copyright_statements_speak_for_the_article(meta: str) -> None:
    (statement,) = found(meta)
    assert (statement.text, statement.place, statement.object, statement.line) == (
        "© 2024 A Society", "copyright", "article", 3,
    )  # fmt: skip


def test_figures_tables_and_sub_articles_speak_for_themselves() -> None:
    permissions = f'<permissions><license xlink:href="{BY}"/></permissions>'
    body = (
        f'<fig id="f1">{permissions}</fig><table-wrap id="t1">{permissions}</table-wrap>'
        f'<supplementary-material id="s1">{permissions}</supplementary-material>'
    )
    statements = found("", body=body)
    assert [(item.place, item.object) for item in statements] == [("figure", "f1"), ("table", "t1"), ("data", "s1")]
    sub = article()
    sub.append(etree.fromstring(
        f'<sub-article id="sa1" xmlns:xlink="http://www.w3.org/1999/xlink"><front-stub>{permissions}</front-stub></sub-article>'
    ))  # fmt: skip
    (statement,) = rights.statements(sub)
    assert (statement.place, statement.object) == ("body", "sa1")


def test_a_figure_s_credit_line_is_not_the_article_s_copyright() -> None:
    body = "<fig id='f1'><permissions><copyright-statement>© Another Press</copyright-statement></permissions></fig>"
    (statement,) = found("", body=body)
    assert (statement.place, statement.object) == ("figure", "f1")
    assert rights.copyright_line(article("", body=body)) == ""


def test_words_of_body_references_and_data_sections_are_no_statements() -> None:
    body = f'<sec><title>Data</title><p>The data are under <ext-link xlink:href="{ZERO}">CC0</ext-link>.</p></sec>'
    back = f'<ref-list><ref><mixed-citation>CC BY, <uri xlink:href="{BY}"/></mixed-citation></ref></ref-list>'
    assert found("", body=body, back=back) == []


def test_restricted_by_pmc_is_no_signal() -> None:
    assert found("", before="<processing-meta><restricted-by>pmc</restricted-by></processing-meta>") == []


def test_figure_statements_of_one_figure() -> None:
    figure = etree.fromstring(
        "<fig id='f1'><permissions><copyright-statement>© X</copyright-statement></permissions></fig>"
    )
    (statement,) = rights.figure_statements(figure)
    assert (statement.text, statement.place, statement.object) == ("© X", "figure", "f1")


@pytest.mark.parametrize(
    ("meta", "line"),
    [
        ("<permissions><copyright-statement>Copyright © 2024 A</copyright-statement>"
         "<copyright-year>2024</copyright-year></permissions>", "Copyright © 2024 A"),
        ("<permissions><copyright-year>2024</copyright-year><copyright-holder>A et al</copyright-holder></permissions>",
         "© 2024 A et al"),
        ("<copyright-statement>A et al. Open.</copyright-statement>", "A et al. Open."),
        ("<permissions/>", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_p81_the_copyright_line(meta: str, line: str) -> None:
    assert rights.copyright_line(article(meta)) == line


@pytest.mark.parametrize(
    "parts",
    [
        {"meta": '<article-id pub-id-type="manuscript">nihms1</article-id>'},
        {"meta": '<article-id pub-id-type="manuscript-id">NIHMS1</article-id>'},
        {"meta": "", "before": "<?properties manuscript?>"},
        {"meta": "<custom-meta-group><custom-meta><meta-name>pmc-prop-manuscript</meta-name>"
                 "<meta-value>yes</meta-value></custom-meta></custom-meta-group>"},
    ],
)  # fmt: skip
def test_p78_a_manuscript_is_known_by_its_id_instruction_or_property(parts: dict[str, str]) -> None:
    node = article(**parts)
    assert rights.access(node, None).manuscript
    flags = Access(open=True, in_archive=True, licence="cc by", source="t")
    found_access = rights.access(node, flags)
    assert found_access.manuscript
    assert (found_access.open, found_access.licence, found_access.source) == (True, "cc by", "t")


def test_without_flags_the_file_s_own_facts_are_used() -> None:
    node = article('<article-id pub-id-type="pmc">99900001</article-id>', before="<?properties open_access?>")
    held = rights.access(node, None)
    assert (held.open, held.in_archive, held.manuscript, held.licence) == (True, True, False, None)
    plain = rights.access(article(), None)
    assert (plain.open, plain.in_archive) == (None, False)


@pytest.mark.parametrize(
    ("dates", "published"),
    [
        ('<pub-date pub-type="epub"><day>3</day><month>4</month><year>2014</year></pub-date>'
         '<pub-date pub-type="collection"><year>2014</year></pub-date>', "2014-04-03"),
        ('<pub-date date-type="pub"><month>4</month><year>2014</year></pub-date>'
         '<pub-date pub-type="pmc-release"><day>9</day><month>9</month><year>2015</year></pub-date>', "2014-04"),
        ('<pub-date pub-type="nihms-submitted"><year>2014</year></pub-date>', ""),
        ('<pub-date><season>Spring</season><year>2014</year></pub-date>', "2014"),
        ("<pub-date><year>in press</year></pub-date>", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_the_date_of_publication_by_which_embargoes_end(dates: str, published: str) -> None:
    """The latest of those of the article: no licence begins too early. The record's own date counts first."""
    assert rights.access(article(dates), None).published == published
    assert rights.access(article(dates), Access(published="2013-01-01")).published == "2013-01-01"


def test_the_file_never_overrules_the_record() -> None:
    node = article(before="<?properties open_access?>")
    assert rights.access(node, Access(open=False, source="t")).open is False


def test_p40_entities_in_rights_are_characters_and_load_nothing() -> None:
    xml = (
        '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS//EN" "http://127.0.0.1:9/x.dtd"><article><front><article-meta>'
        "<permissions><copyright-statement>&copy; 2024 A</copyright-statement>"
        "<license><license-p>Open&mdash;free.</license-p></license></permissions></article-meta></front></article>"
    )
    parser = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True)
    node = etree.fromstring(xml.encode(), parser)
    assert [item.text for item in rights.statements(node)] == ["© 2024 A", "Open—free."]
    assert rights.copyright_line(node) == "© 2024 A"


def reference(attributes: str, name: str = "ali:license_ref") -> str:
    return f"<permissions><{name} {attributes}>{BY}</{name}></permissions>"


@pytest.mark.parametrize(
    ("attributes", "place", "object_"),
    [
        ('applies_to="vor"', "permissions", "article"),
        ('applies_to="unspecified"', "permissions", "article"),
        ('specific-use="textmining" content-type="ccbylicense"', "permissions", "article"),
        ('applies_to="am"', "body", "am"),
        ('specific-use="AM"', "body", "am"),
        ('applies_to="accepted manuscript"', "body", "accepted-manuscript"),
        ('applies_to="tdm"', "body", "tdm"),
        ('specific-use="stm-asf"', "body", "stm-asf"),
    ],
)
def test_a_reference_for_another_version_or_for_mining_alone_is_not_the_article_s(
    attributes: str, place: str, object_: str
) -> None:
    """`textmining` is how PMC marks its copy of the article's own licence."""
    inside = f"<permissions><license>{reference(attributes)[13:-14]}</license></permissions>"
    for meta in (reference(attributes), inside):
        (statement,) = found(meta)
        assert (statement.place, statement.object) == (place, object_)


def test_what_applies_to_the_accepted_manuscript_applies_to_a_manuscript() -> None:
    meta = reference('applies_to="am"')
    manuscript = '<article-id pub-id-type="manuscript">nihms1</article-id>'
    assert [item.place for item in rights.access(article(meta), None).statements] == ["body"]
    assert [item.place for item in rights.access(article(manuscript + meta), None).statements] == ["permissions"]
    flags = Access(manuscript=True, source="t")
    assert [item.place for item in rights.access(article(meta), flags).statements] == ["permissions"]


@pytest.mark.parametrize(
    ("attributes", "text"),
    [
        ('start_date="2099"', "applies from 2099"),
        ('start_date="1 January 2099"', "applies from 1-January-2099"),
        ('ali:start_date="2099-01-01"', "applies from 2099-01-01"),
        ('start-date="2099-01-01" end_date="2100-01-01"', "applies from 2099-01-01 applies until 2100-01-01"),
        ("", ""),
    ],
)
def test_dates_are_told_however_they_are_written(attributes: str, text: str) -> None:
    assert [item.text for item in found(reference(attributes))] == [text]


@pytest.mark.parametrize("namespace", ["", 'xmlns="http://www.niso.org/schemas/ali/1.0"'])
def test_a_reference_is_one_in_whatever_namespace(namespace: str) -> None:
    assert [item.url for item in found(reference(namespace, "license_ref"))] == [BY]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("Figure 2: Ada Zandt. {}.", "Figure 2: Ada Zandt – CC BY."),
        (
            "This applies to Figure 2. It is licensed under {}.",
            "This applies to Figure 2 – It is licensed under CC BY.",
        ),
        ("It is open. The text is under {}.", "The text is under CC BY."),
        ("{}", "CC BY"),
    ],
)
def test_a_sentence_that_leans_on_the_one_before_comes_with_it(words: str, sentence: str) -> None:
    link = f'<ext-link xlink:href="{BY}">CC BY</ext-link>'
    *_, statement = found(f"<permissions><license><license-p>{words.format(link)}</license-p></license></permissions>")
    assert (statement.url, statement.text) == (BY, sentence)


def test_paragraphs_of_a_licence_do_not_run_together() -> None:
    (statement,) = found("<permissions><license><p>All rights reserved.</p><p>Figure 1</p></license></permissions>")
    assert statement.text == "All rights reserved. Figure 1"


@pytest.mark.parametrize(
    ("body", "place", "object_"),
    [
        ("<fig id='f1'><graphic>{}</graphic></fig>", "figure", "f1"),
        ("<fig id='f1'><media>{}</media></fig>", "figure", "f1"),
        ("<fig-group id='g1'><fig>{}</fig></fig-group>", "figure", "g1"),
        ("<boxed-text id='b1'>{}</boxed-text>", "body", "b1"),
        ("<sec id='s1'><disp-quote>{}</disp-quote></sec>", "body", "s1"),
        ("<table-wrap id='t1'><table-wrap-foot>{}</table-wrap-foot></table-wrap>", "table", "t1"),
    ],
)
def test_permissions_inside_a_part_are_the_part_s(body: str, place: str, object_: str) -> None:
    permissions = "<permissions><copyright-statement>© Another Press</copyright-statement></permissions>"
    (statement,) = found("", body=body.format(permissions))
    assert (statement.place, statement.object) == (place, object_)
