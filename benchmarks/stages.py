"""A picture of each stage of reading one photo, for docs/how-it-works.md.

python -m benchmarks.stages docs/stages.jpg
"""

from __future__ import annotations

from argparse import ArgumentParser

import cv2
import numpy as np

from brikks_vision.detect.placement import Image, Placement, rectify
from brikks_vision.layout import Box, Mark
from brikks_vision.pipeline import ScanResult, scan_photo
from brikks_vision.show.overlay import Canvas, annotate, draw_lines, draw_text

PIXELS = 20  # px per cell of the straightened sheet
WIDTH, HEIGHT, TITLE = 320, 427, 30  # px of a stage, and of the line above it
CLEAR = 8.0  # log-odds that have the full colour
RED, BLUE, GREEN, DARK = (40, 30, 225), (235, 140, 40), (90, 240, 60), (38, 30, 28)  # BGR


def upright(scale: float, area: Box) -> Placement:
    """Where an area of the sheet lies in a picture that shows it straight from above."""
    shift = [[scale, 0, -scale * area.left], [0, scale, -scale * area.top], [0, 0, 1.0]]
    return Placement(np.array(shift), np.zeros((12, 2)), area, "upright", 0.0)


def with_places(shown: ScanResult) -> Image:
    """The photo with the edge of the paper, and every place where a mark can stand."""
    canvas = Canvas(shown.photo.image.copy(), shown.placement, shown.placement.cell_size())
    corners = shown.layout.page.corners
    draw_lines(canvas, [[*corners, corners[0]]], GREEN, 0.15)
    for field in shown.layout.place_fields:
        across, down = np.array(field.size) / 2
        for x, y in field.centres:
            box = Box(x - across, y - down, x + across, y + down)
            draw_lines(canvas, [[*box.corners, box.corners[0]]], GREEN, 0.05, halo=False)
    return canvas.image


def heat(flat: Image, shown: ScanResult) -> Image:
    """What the networks tell of each place: red for a mark, blue for none, pale where unsure."""
    grey = cv2.cvtColor(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY) // 4 + 191, cv2.COLOR_GRAY2BGR)
    canvas = Canvas(np.asarray(grey), upright(PIXELS, shown.layout.reading_area), PIXELS)
    angles = np.linspace(0, 2 * np.pi, 25)[:, None]
    ring = 0.4 * np.hstack([np.cos(angles), np.sin(angles)])
    for (name, mark), logits in shown.evidence.marks.logits.items():
        edge = np.array([[0, -0.36], [0, 0.36]] if name == "vertical" else [[-0.36, 0], [0.36, 0]])
        path, width = {Mark.LINE: (edge, 0.16), Mark.RING: (ring, 0.16)}.get(mark, (0 * edge, 0.42))
        for centre, told in zip(shown.layout.fields[name].centres, logits.flat, strict=True):
            share = min(abs(told) / CLEAR, 1.0)
            color = np.array(RED if told > 0 else BLUE) * share + 235 * (1 - share)
            draw_lines(canvas, [(centre + path).tolist()], tuple(color), width, halo=False)
    return canvas.image


def stage(title: str, picture: Image) -> Image:
    """The picture at the top of its place, below its title."""
    scale = min(WIDTH / picture.shape[1], HEIGHT / picture.shape[0])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    whole = np.full((TITLE + HEIGHT, WIDTH, 3), 255, np.uint8)
    whole[TITLE : TITLE + small.shape[0], : small.shape[1]] = small
    frame = Canvas(whole, upright(1, Box(0, 0, 1, 1)), 1.0)
    draw_text(frame, title, (WIDTH / 2, TITLE / 2), 16, DARK)
    return whole


def stages(shown: ScanResult) -> Image:
    """All stages, three in a row: (H, W, 3) BGR."""
    area = shown.layout.reading_area
    flat = rectify(shown.photo.image, shown.placement, area, PIXELS)
    read = annotate(flat, upright(PIXELS, area), shown.reading, shown.layout, "en", shown.view)
    each = [
        stage("1  The photo", shown.photo.image),
        stage("2  The place", with_places(shown)),
        stage("3  The sheet, straightened", flat),
        stage("4  The evidence", heat(flat, shown)),
        stage("5  The state", read[: flat.shape[0]]),
        stage("6  The verdict", read[flat.shape[0] :]),
    ]
    return np.vstack([np.hstack(each[:3]), np.hstack(each[3:])])


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("output")
    made = stages(scan_photo("samples/arcade.jpg"))
    cv2.imwrite(parser.parse_args().output, made, [cv2.IMWRITE_JPEG_QUALITY, 63])
