"""citeproc-py 0.11 with its known faults mended: subclasses that our own loader puts in place of the engine's classes.

Nothing of the engine is patched. Each class names the fault that it mends; `csl_polish` mends what can only be seen in
the finished text. Imported only when a CSL style is used, since it pulls in lxml.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from citeproc import LANGUAGE_NAMES, LOCALES_PATH, PRIMARY_DIALECTS, model
from citeproc.source import VariableError
from citeproc.string import String
from lxml import etree

from vouched_citeformat.markup import B0, B1, I0, I1, SUB0, SUB1, SUP0, SUP1
from vouched_citeformat.titlecase import title_case

__all__ = ["Formatter", "load"]

_DASH = "\u2013"
_NAMESPACE = "http://purl.org/net/xbiblio/csl"


def _between(opening: str, closing: str) -> Callable[[Any], Any]:
    return lambda text: String(f"{opening}{text}{closing}")


class Formatter:
    """Fault: rich text is escaped or printed as tags. Runs become private marks; `markup.finish` writes them."""

    preformat = staticmethod(lambda text: text)
    Light = Underline = SmallCaps = staticmethod(_between("", ""))
    Italic = Oblique = staticmethod(_between(I0, I1))
    Bold = staticmethod(_between(B0, B1))
    Superscript = staticmethod(_between(SUP0, SUP1))
    Subscript = staticmethod(_between(SUB0, SUB1))


class _Cased:
    """Faults: plain strings have no `capitalize_first` (an exception in one style of thirteen); title case knows few
    small words, no hyphen, and capitalises `De` and `Et` in journal names, which come in their own case here."""

    def case(self, text: Any, language: str | None = "en") -> Any:
        case = self.get("text-case")  # type: ignore[attr-defined]
        if not text or not case:
            return text
        if case == "title":
            journal = "container" in (self.get("variable") or "")  # type: ignore[attr-defined]
            return text if journal or (language or "en") != "en" else String(title_case(str(text)))
        return super().case(String(str(text)), language or "en")  # type: ignore[misc]


class _Pages:
    """Fault: a shortened last page is cut by its common beginning without a look at the length: 1-14 became 1-4."""

    def _format_last_page(self, first: str, last: str) -> str:
        same = len(first) == len(last) and first.rstrip("0123456789") == last.rstrip("0123456789")
        return super()._format_last_page(first, last) if same else last  # type: ignore[misc]


class FixedStyle(model.Style):  # type: ignore[misc]
    """Loads its locales by our loader, so that localised dates are mended too."""

    def set_locale_list(self, output_locale: str, validate: bool = False) -> None:
        language = output_locale.split("-")[0]
        self.locales = []
        for wanted in (output_locale, language, None):
            attribute = f'[@xml:lang="{wanted}"]' if wanted else "[not(@xml:lang)]"
            self.locales += self.xpath_search(f"./cs:locale{attribute}")[:1]
        files = [output_locale] if output_locale in LANGUAGE_NAMES else []
        files += [PRIMARY_DIALECTS[language]] if language in PRIMARY_DIALECTS else []
        for name in dict.fromkeys([*files, "en-US"]):
            self.locales.append(_parse(Path(LOCALES_PATH) / f"locales-{name}.xml"))
        for locale in self.locales:
            locale.style = self


class FixedText(_Cased, _Pages, model.Text):  # type: ignore[misc]
    """Fault: a lone citation number loses the space after it. One reference has no number of its own."""

    def _variable(self, item: Any, context: Any) -> Any:
        return None if self.get("variable") == "citation-number" else super()._variable(item, context)


class FixedNumber(_Cased, _Pages, model.Number):  # type: ignore[misc]
    """Hyphenated variables (`number-of-pages`) are looked up under the engine's own spelling."""

    def process(self, item: Any, context: Any = None, **kwargs: Any) -> Any:
        variable = self.get("variable")
        if variable in ("locator", "page-first") or "-" not in variable:
            return super().process(item, context=context, **kwargs)
        return self._process(item.reference[variable.replace("-", "_")], variable)


class FixedLabel(_Cased, model.Label):  # type: ignore[misc]
    """Fault: `eds.` at the beginning of a sentence was not capitalised."""


class FixedNamePart(_Cased, model.Name_Part):  # type: ignore[misc]
    """Fault: an affix or case on a part of a name makes an object that the engine cannot join."""

    def format_part(self, given: Any, family: Any) -> tuple[Any, Any]:
        parts = super().format_part(given, family)
        return (parts[0] and str(parts[0]), parts[1] and str(parts[1]))


class FixedDate(model.Date):  # type: ignore[misc]
    """Faults: the delimiter of a localised date is ignored (`2024May23`); the year of a range vanishes in styles that
    show the year alone; seasons vanish where a locale has no short form."""

    def join(self, strings: Any, default_delimiter: str = "") -> Any:
        return super().join(strings, self._localised_delimiter() or default_delimiter)

    def _localised_delimiter(self) -> str:
        form = self.get("form")
        localised = self.get_date(form) if form is not None and not self.is_locale_date() else None
        return localised.get("delimiter", "") if localised is not None else ""

    def get_single_term(self, name: str, *args: Any, **kwargs: Any) -> Any:
        found = super().get_single_term(name, *args, **kwargs)
        return found if found or not name.startswith("season") else super().get_single_term(name)

    def render_date_range(self, date_range: Any, show_parts: Any = None, context: Any = None) -> Any:
        begin = self._shown(date_range.begin, show_parts, context)
        end = self._shown(date_range.end, show_parts, context)
        names = [name for name, _ in begin]
        differ = [n for n, name in enumerate(names) if dict(end).get(name) != dict(begin)[name]]
        if "year" in names and _value(date_range.begin, "year") != _value(date_range.end, "year"):
            differ = list(range(len(names)))
        join = (context if self.is_locale_date() and context is not None else self).join
        if not differ or len(end) != len(begin):
            return join([text for _, text in begin])
        low, high = differ[0], differ[-1] + 1
        first = str(join([text for _, text in begin[low:high]])).rstrip(" ,")
        ranged = String(f"{first}{_DASH}{join([text for _, text in end[low:high]])}")
        return join([*(text for _, text in begin[:low]), ranged, *(text for _, text in begin[high:])])

    def _shown(self, date: Any, show_parts: Any, context: Any) -> list[tuple[str, Any]]:
        shown: list[tuple[str, Any]] = []
        for part in self.iterchildren():
            name = part.get("name")
            text = _part(part, date, context) if name in (show_parts or ()) else None
            if text is not None:
                shown.append((name, text))
        return shown


def _part(part: Any, date: Any, context: Any) -> Any:
    try:
        return part.render(date, context)
    except VariableError:
        return None


def _value(date: Any, name: str) -> Any:
    return date.get(name)


class FixedDatePart(_Cased, model.Date_Part):  # type: ignore[misc]
    """Faults: a style's date parts overwrite the locale's for good; a numeric season fails an assertion."""

    def render(self, date: Any, context: Any = None) -> Any:
        kept = dict(self.attrib)
        try:
            return super().render(date, context)
        except AssertionError:
            return None
        finally:
            self.attrib.clear()
            self.attrib.update(kept)


class FixedName(model.Name):  # type: ignore[misc]
    """Faults: `initialize="false"` is ignored, so that MLA prints initials; `Xiao-ming` became `X.-. ming`."""

    def initialize(self, given: str, mark: str, context: Any) -> str:
        if self._whole_names(context):
            return given
        parts = (part for part in given.split("-") if part)
        kept = "-".join(part for n, part in enumerate(parts) if n == 0 or not part[0].islower())
        return str(super().initialize(kept, mark, context))

    def _whole_names(self, context: Any) -> bool:
        around = (context if context is not None else self).xpath_search(
            "./ancestor::*[self::cs:citation or self::cs:bibliography or self::cs:style]"
        )
        values = [self.get("initialize"), *(element.get("initialize") for element in reversed(around))]
        return next((value for value in values if value is not None), "true").lower() == "false"


def _repressed(element: Any, context: Any) -> set[str]:
    layouts = (context if context is not None else element).xpath_search("./ancestor-or-self::cs:layout[1]")
    listed = getattr(layouts[0], "repressed", None) if layouts else None
    return {word for variable in (listed or {}).get(element.tag, ()) if variable for word in variable.split()}


class FixedNames(model.Names):  # type: ignore[misc]
    """Faults: names that stood in for the author were printed again in their own place; a missing `name` element is
    made anew for every reference, and not of a mended class."""

    def process(self, item: Any, names_context: Any = None, context: Any = None, **kwargs: Any) -> Any:
        holder = self if names_context is None else names_context
        if holder.name is None:
            holder.insert(0, holder.makeelement(f"{{{_NAMESPACE}}}name"))
        declared = self.get("variable") or ""
        gone = _repressed(self, context) if names_context is None else set()
        left = [role for role in declared.split() if role not in gone]
        if not gone or len(left) == len(declared.split()):
            return super().process(item, names_context=names_context, context=context, **kwargs)
        if not left:
            return None
        self.set("variable", " ".join(left))
        try:
            return super().process(item, names_context=names_context, context=context, **kwargs)
        finally:
            self.set("variable", declared)


class FixedSubstitute(model.Substitute):  # type: ignore[misc]
    """Fault: a title that stood in for the author through a macro was printed twice."""

    def add_to_repressed_list(self, child: Any, context: Any) -> None:
        super().add_to_repressed_list(child, context)
        macro = child.get("macro")
        if macro:
            layout = context.get_layout()
            for tag, variable in _variables(child.get_macro(macro), set()):
                layout.repressed.setdefault(tag, []).append(variable)


def _variables(macro: Any, seen: set[str]) -> set[tuple[str, str]]:
    """(tag, variable) of the title and the names that a macro can print, through further macros too."""
    found: set[tuple[str, str]] = set()
    for element in macro.iterdescendants():
        name, variable = element.get("macro"), element.get("variable")
        if name and name not in seen:
            seen.add(name)
            found |= _variables(element.get_macro(name), seen)
        elif variable and (variable == "title" or element.tag.endswith("}names")):
            found.add((element.tag, variable))
    return found


_CLASSES = {
    "style": FixedStyle,
    "text": FixedText,
    "number": FixedNumber,
    "label": FixedLabel,
    "name-part": FixedNamePart,
    "date": FixedDate,
    "date-part": FixedDatePart,
    "name": FixedName,
    "names": FixedNames,
    "substitute": FixedSubstitute,
}


def _parse(path: Path) -> Any:
    lookup = etree.ElementNamespaceClassLookup()
    namespace = lookup.get_namespace(_NAMESPACE)
    namespace[None] = model.CitationStylesElement
    for cls in model.CitationStylesElement.__subclasses__():
        namespace[cls.__name__.replace("_", "-").lower()] = cls
    namespace.update(_CLASSES)
    parser = etree.XMLParser(remove_comments=True, encoding="UTF-8", no_network=True, resolve_entities=False)
    parser.set_element_class_lookup(lookup)
    return etree.parse(str(path), parser).getroot()


def load(path: Path) -> Any:
    """The root of a style with its locales set; for one thread, since the engine writes on its elements."""
    root = _parse(path)
    if isinstance(root, FixedStyle):
        root.set_locale_list(root.get("default-locale", "en-US"))
        root.formatter = Formatter
    return root
