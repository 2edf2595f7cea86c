"""How a phone comes to trust the certificate of this computer."""

from __future__ import annotations

import io

import segno
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup

from brikks_vision.errors import PageMissing
from brikks_vision.web.answers import page_of
from brikks_vision.web.guard import AUTHORITY_ADDRESS, TRUST_ADDRESS
from brikks_vision.web.secure import Secure
from brikks_vision.web.service import service_of

router = APIRouter()


@router.get(TRUST_ADDRESS, response_class=HTMLResponse)
def trust(request: Request) -> Response:
    """The steps on a phone, and what to tap without them."""
    secure = _secure(request)
    certificate = f"http://{secure.host}:{secure.plain_port}{AUTHORITY_ADDRESS}"
    there = secure.address_for(request.url).replace(path="/", query="")
    return page_of(
        request,
        "trust.html",
        certificate=certificate,
        code=_qr_picture(certificate),
        there=str(there),
    )


@router.get(AUTHORITY_ADDRESS, response_class=Response)
def authority(request: Request) -> Response:
    """The certificate that a phone has to trust; its key stays here."""
    headers = {"Content-Disposition": 'attachment; filename="brikks-vision.crt"'}
    content = _secure(request).authority.read_bytes()
    return Response(content, media_type="application/x-x509-ca-cert", headers=headers)


def _secure(request: Request) -> Secure:
    found = service_of(request).secure
    if found is None:
        raise PageMissing
    return found


def _qr_picture(text: str) -> Markup:
    """A QR code as a part of a page (SVG)."""
    buffer = io.BytesIO()
    segno.make(text, error="l", micro=False).save(
        buffer, kind="svg", xmldecl=False, svgns=False, svgclass="code", lineclass=None,
        omitsize=True, light="#fff",
    )  # fmt: skip
    return Markup(buffer.getvalue().decode())  # drawn here, of squares alone
