"""Draws icon.svg as PNG at build time, without an image library: rounded rectangles and straight strokes are all it has.

    icons.py icon.svg SIZE OUT.png [--full]        --full: the background reaches the corners (maskable icons)
"""
import math
import pathlib
import re
import struct
import sys
import xml.etree.ElementTree as ET
import zlib

VIEW = 32  # units of the drawing, each way


def colour(text):
    digits = text.lstrip("#")
    if len(digits) == 3:
        digits = "".join(c * 2 for c in digits)
    return tuple(int(digits[i : i + 2], 16) for i in (0, 2, 4))


def strokes(path):
    """The straight lines of a path that uses M, h, v and l: ((x0, y0), (x1, y1)) each."""
    tokens = re.findall(r"[MmLlHhVv]|-?\d*\.?\d+", path)
    lines, at, i, command = [], (0.0, 0.0), 0, ""
    while i < len(tokens):
        if tokens[i].isalpha():
            command = tokens[i]
            i += 1
        x, y = at
        if command in "Hh":
            to = (float(tokens[i]) + (x if command == "h" else 0), y)
            i += 1
        elif command in "Vv":
            to = (x, float(tokens[i]) + (y if command == "v" else 0))
            i += 1
        else:
            dx, dy = float(tokens[i]), float(tokens[i + 1])
            to = (x + dx, y + dy) if command in "ml" else (dx, dy)
            i += 2
        if command not in "Mm":
            lines.append((at, to))
        else:
            command = "l" if command == "m" else "L"
        at = to
    return lines


def to_segment(px, py, line):
    (ax, ay), (bx, by) = line
    dx, dy = bx - ax, by - ay
    t = max(0.0, min(1.0, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy)))
    return math.hypot(px - ax - t * dx, py - ay - t * dy)


def to_rectangle(px, py, x, y, w, h, radius):
    """Distance to the edge of a rounded rectangle, negative inside."""
    qx = abs(px - x - w / 2) - w / 2 + radius
    qy = abs(py - y - h / 2) - h / 2 + radius
    return math.hypot(max(qx, 0), max(qy, 0)) + min(max(qx, qy), 0) - radius


def shapes(svg):
    """(box that bounds it, function of a point: distance to its edge, negative inside, colour) in drawing order."""
    found = []
    for node in ET.parse(svg).getroot():
        kind = node.tag.rsplit("}", 1)[-1]
        pen = float(node.get("stroke-width", 0)) / 2
        if kind == "rect":
            box = [float(node.get(name, 0)) for name in ("x", "y", "width", "height", "rx")]
            x, y, w, h, _ = box
            bounds = (x - pen, y - pen, x + w + pen, y + h + pen)
            if node.get("fill") not in (None, "none"):
                found.append((bounds, lambda px, py, b=box: to_rectangle(px, py, *b), colour(node.get("fill"))))
            if node.get("stroke"):
                edge = lambda px, py, b=box, pen=pen: abs(to_rectangle(px, py, *b)) - pen  # noqa: E731
                found.append((bounds, edge, colour(node.get("stroke"))))
        elif kind == "path":
            lines = strokes(node.get("d"))
            xs, ys = [p[0] for s in lines for p in s], [p[1] for s in lines for p in s]
            bounds = (min(xs) - pen, min(ys) - pen, max(xs) + pen, max(ys) + pen)
            edge = lambda px, py, ls=lines, pen=pen: min(to_segment(px, py, s) for s in ls) - pen  # noqa: E731
            found.append((bounds, edge, colour(node.get("stroke"))))
        else:
            sys.exit(f"icons.py: {svg}: cannot draw <{kind}>")
    return found


def pixels(svg, size, full):
    """Rows of RGBA. A full icon keeps its drawing inside the middle 80 percent, which no mask cuts."""
    drawn = shapes(svg)
    unit, offset = (VIEW / 0.8 / size, -VIEW * 0.125) if full else (VIEW / size, 0.0)
    start = (*drawn[0][2], 1.0) if full else (0, 0, 0, 0.0)
    rows = []
    for y in range(size):
        py = (y + 0.5) * unit + offset
        near = [s for s in drawn if s[0][1] - unit <= py <= s[0][3] + unit]
        row = bytearray()
        for x in range(size):
            px = (x + 0.5) * unit + offset
            r, g, b, a = start
            for (left, _, right, _), edge, paint in near:
                if left - unit <= px <= right + unit:
                    # A pixel that the edge cuts is covered in part.
                    cover = min(1.0, max(0.0, 0.5 - edge(px, py) / unit))
                    above = cover + a * (1 - cover)
                    if cover > 0:
                        r, g, b = (round((p * cover + c * a * (1 - cover)) / above) for p, c in zip(paint, (r, g, b)))
                    a = above
            row += bytes((r, g, b, round(a * 255)))
        rows.append(bytes(row))
    return rows


def png(svg, size, full=False):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    raw = b"".join(b"\0" + row for row in pixels(svg, size, full))
    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b"")


def main():
    svg, size, out = sys.argv[1:4]
    pathlib.Path(out).write_bytes(png(svg, int(size), "--full" in sys.argv))


if __name__ == "__main__":
    main()
