"""One drawing, two formats: the same calls give an SVG text and a PNG picture."""

import io
from typing import Any, Literal, Protocol
from xml.sax.saxutils import escape

__all__ = ["Canvas", "Png", "Svg"]

Anchor = Literal["start", "middle", "end"]


class Canvas(Protocol):
    """Lengths and places in SVG units, the origin at the upper left; colours as `#rrggbb`."""

    def line(
        self, x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1, dash: int = 0
    ) -> None: ...

    def dot(self, x: float, y: float, radius: float, colour: str, filled: bool) -> None: ...

    def text(self, x: float, y: float, text: str, size: int, colour: str, anchor: Anchor = "start") -> None:
        """`y` is the middle of the line."""


class Svg:
    """Collects SVG elements."""

    def __init__(self, width: int, height: int, title: str, source: str) -> None:
        self._parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            'role="img" font-family="Helvetica, Arial, sans-serif">',
            f"<!-- {escape(source).replace('--', '- -')} --><title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        ]

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1, dash: int = 0) -> None:
        dashes = f' stroke-dasharray="{dash} {dash}"' if dash else ""
        self._parts.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
            f'stroke-width="{width}"{dashes}/>'
        )

    def dot(self, x: float, y: float, radius: float, colour: str, filled: bool) -> None:
        fill = colour if filled else "#ffffff"
        self._parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" stroke="{colour}" stroke-width="1.5"/>'
        )

    def text(self, x: float, y: float, text: str, size: int, colour: str, anchor: Anchor = "start") -> None:
        self._parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}" '
            f'dominant-baseline="central">{escape(text)}</text>'
        )

    def finish(self) -> str:
        """The whole document."""
        return "\n".join([*self._parts, "</svg>"]) + "\n"


class Png:
    """Draws with Pillow, whose built-in font needs none installed. Drawn large and reduced, for smooth edges."""

    OVER = 3
    SCALE = 1.5
    # Shades of every ink on the white ground, which smooth edges are made of.
    SHADES = 12

    def __init__(self, width: int, height: int) -> None:
        from PIL import Image, ImageDraw

        self._size = (round(width * self.SCALE), round(height * self.SCALE))
        self._by = self.SCALE * self.OVER
        self._image = Image.new("RGB", (round(width * self._by), round(height * self._by)), "#ffffff")
        self._draw = ImageDraw.Draw(self._image)
        self._fonts: dict[int, Any] = {}
        self._inks: dict[str, None] = {}

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1, dash: int = 0) -> None:
        self._inks[colour] = None
        by, thick = self._by, round(width * self._by)
        if not dash:
            self._draw.line((x1 * by, y1 * by, x2 * by, y2 * by), colour, thick)
            return
        length = max(abs(x2 - x1), abs(y2 - y1))
        for start in range(0, round(length), 2 * dash):
            a, b = start / length, min(1.0, (start + dash) / length)
            ends = (x1 + (x2 - x1) * a, y1 + (y2 - y1) * a, x1 + (x2 - x1) * b, y1 + (y2 - y1) * b)
            self._draw.line([end * by for end in ends], colour, thick)

    def dot(self, x: float, y: float, radius: float, colour: str, filled: bool) -> None:
        self._inks[colour] = None
        by = self._by
        box = [(x - radius) * by, (y - radius) * by, (x + radius) * by, (y + radius) * by]
        self._draw.ellipse(box, fill=colour if filled else "#ffffff", outline=colour, width=round(1.5 * by))

    def text(self, x: float, y: float, text: str, size: int, colour: str, anchor: Anchor = "start") -> None:
        from PIL import ImageFont

        self._inks[colour] = None
        font = self._fonts.get(size) or ImageFont.load_default(size * self._by)
        self._fonts[size] = font
        side = {"start": "l", "middle": "m", "end": "r"}[anchor]
        self._draw.text((x * self._by, y * self._by), text, colour, font, anchor=f"{side}m")

    def finish(self) -> bytes:
        """The picture's bytes."""
        from PIL import Image

        out = io.BytesIO()
        reduced = self._image.resize(self._size, Image.Resampling.LANCZOS)
        # A few dozen colours make it a fifth as large. A palette taken from the picture would lose the rare ones.
        palette = Image.new("P", (1, 1))
        palette.putpalette(self._palette())
        reduced.quantize(palette=palette, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
        return out.getvalue()

    def _palette(self) -> list[int]:
        inks = [tuple(bytes.fromhex(ink[1:])) for ink in self._inks]
        shades = [
            tuple(round(255 - (255 - full) * shade / self.SHADES) for full in ink)
            for shade in range(self.SHADES, 0, -1)
            for ink in inks
        ]
        # Pillow tells colours apart by their upper five bits when it looks for the nearest one.
        apart = {tuple(value >> 3 for value in colour): colour for colour in reversed([(255, 255, 255), *shades])}
        return [value for colour in apart.values() for value in colour]
