"""What a phone's home screen asks for: the manifest and its icons."""

from __future__ import annotations

import json
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi import Path as InPath
from fastapi.responses import Response

from brikks_vision.errors import PageMissing
from brikks_vision.text.languages import texts_in
from brikks_vision.web.answers import png_picture
from brikks_vision.web.guard import KEY_PARAMETER
from brikks_vision.web.icon import icon_png
from brikks_vision.web.service import language_for, service_of

ICON_SIDES = (192, 512)  # px

router = APIRouter()


@router.get("/manifest.webmanifest", response_class=Response)
def manifest(request: Request) -> Response:
    """The page as an app on the home screen (W3C Web Application Manifest)."""
    service, words = service_of(request), texts_in(language_for(request)).page
    # An app on the home screen may have cookies of its own, so its address brings the key.
    key = "" if service.key is None else f"?{urlencode({KEY_PARAMETER: service.key})}"
    data = {
        "name": words["name"],
        "short_name": words["short_name"],
        "start_url": f"/{key}",
        "scope": "/",
        "display": "standalone",
        "background_color": "#14161c",
        "theme_color": "#14161c",
        "icons": [
            {"src": f"/icon-{side}.png", "sizes": f"{side}x{side}", "type": "image/png"}
            for side in ICON_SIDES
        ],
    }
    return Response(json.dumps(data), media_type="application/manifest+json")


@router.get("/icon-{side}.png", response_class=Response)
def icon(side: Annotated[int, InPath(ge=1, le=512)]) -> Response:
    """The app's icon."""
    if side not in ICON_SIDES:
        raise PageMissing
    return png_picture(icon_png(side))
