"""The page as an app: the manifest, its icons, and what it shows while the computer is away."""

from __future__ import annotations

import json
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse, Response

from brikks_vision.text.languages import texts_in
from brikks_vision.web.answers import page_of
from brikks_vision.web.guard import KEY_PARAMETER
from brikks_vision.web.pages import STATIC
from brikks_vision.web.service import language_for, service_of
from brikks_vision.web.uploads import MAX_BYTES

ICON_SIDES = (192, 512)  # px, of those in static/

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
        "id": "/",
        "start_url": f"/{key}",
        "scope": "/",
        "display": "standalone",
        "background_color": "#14161c",
        "theme_color": "#14161c",
        "icons": [
            {"src": f"/static/icon-{side}.png", "sizes": f"{side}x{side}", "type": "image/png"}
            for side in ICON_SIDES
        ],
    }
    return Response(json.dumps(data), media_type="application/manifest+json")


@router.get("/worker.js", response_class=Response)
def worker() -> Response:
    """The service worker, from an address from which it may serve all pages."""
    return FileResponse(STATIC / "worker.js", media_type="text/javascript")


@router.get("/away", response_class=HTMLResponse)
def away(request: Request) -> Response:
    """What a device shows while this computer cannot be reached: nothing of anybody's."""
    return page_of(request, "away.html", most_bytes=MAX_BYTES, problem="")
