"""Certificates for https in the own network: an authority of this computer, and what it signs.

Browsers let a page use the camera where the connection is secure. No public authority signs for
addresses of a home network, so this computer is its own: a phone that trusts its certificate once
trusts the page from then on. The authority can sign for private addresses and local names alone
(name constraints, RFC 5280, 4.2.1.10), so that whoever steals its key can imitate no public site.
"""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from brikks_vision.errors import RecordNotWritable
from brikks_vision.files import write_private
from brikks_vision.web.secure import Certificates

AUTHORITY_DAYS = 3650
CERTIFICATE_DAYS = 397  # iPhones trust no certificate of a server that holds much longer
RENEWED_BEFORE = timedelta(days=30)
PRIVATE = (  # RFC 1918, 3927, 4193, 4291, 6598, and this computer itself
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10",
    "127.0.0.0/8", "fc00::/7", "fe80::/10", "::1/128",
)  # fmt: skip
LOCALHOST = "localhost"


def certificates(folder: Path, addresses: frozenset[str]) -> Certificates:
    """The certificates in a folder, made or renewed where that is needed.

    addresses : of this computer; those that are not private are left out.

    Raises RecordNotWritable.
    """
    found = Certificates(folder / "authority.pem", folder / "server.pem", folder / "server-key.pem")
    authority_key = folder / "authority-key.pem"
    names = frozenset(filter(_is_private, addresses))
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        signed = _kept(found.authority, authority_key)
        if signed is None:
            signed = _new_authority()
            write_private(authority_key, _pem(signed[1]))
            write_private(found.authority, signed[0].public_bytes(serialization.Encoding.PEM))
        own = _kept(found.chain, found.key)
        if own is None or not _holds(own[0], signed[0], names):
            certificate, key = _new_certificate(*signed, names)
            write_private(found.key, _pem(key))
            write_private(found.chain, certificate.public_bytes(serialization.Encoding.PEM))
    except OSError as error:
        raise RecordNotWritable(folder, error.strerror or error) from error
    return found


def own_addresses() -> frozenset[str]:
    """The addresses under which this computer may be reached."""
    found = {LOCALHOST, "127.0.0.1", "::1"}
    with suppress(OSError):
        told = socket.getaddrinfo(socket.gethostname(), None)
        found |= {str(address[0]).split("%")[0] for *_, address in told}
    return frozenset(found)


def _is_private(address: str) -> bool:
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        return address == LOCALHOST
    networks = map(ipaddress.ip_network, PRIVATE)
    return any(number in each for each in networks if each.version == number.version)


def _kept(path: Path, key_path: Path) -> tuple[x509.Certificate, EllipticCurvePrivateKey] | None:
    """A certificate and its key, where they are there, belong together and still hold."""
    try:
        certificate = x509.load_pem_x509_certificate(path.read_bytes())
        key = serialization.load_pem_private_key(key_path.read_bytes(), None)
    except (OSError, ValueError):
        return None
    if not isinstance(key, EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
        return None
    is_lasting = certificate.not_valid_after_utc > datetime.now(UTC) + RENEWED_BEFORE
    return (certificate, key) if is_lasting else None


def _holds(
    certificate: x509.Certificate, authority: x509.Certificate, names: frozenset[str]
) -> bool:
    """Whether the authority signed the certificate, and for just these names."""
    try:
        certificate.verify_directly_issued_by(authority)
    except (ValueError, TypeError, InvalidSignature):
        return False
    told = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(each.value) for each in told} == names


def _new_authority() -> tuple[x509.Certificate, EllipticCurvePrivateKey]:
    key = generate_private_key(SECP256R1())
    name = _name(f"brikks-vision {socket.gethostname()}"[:64])
    ranges = [x509.IPAddress(ipaddress.ip_network(each)) for each in PRIVATE]
    allowed = [*ranges, x509.DNSName(LOCALHOST)]
    usage = x509.KeyUsage(
        digital_signature=True, key_cert_sign=True, crl_sign=True, content_commitment=False,
        key_encipherment=False, data_encipherment=False, key_agreement=False,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip
    builder = (
        _begun(name, name, key, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.NameConstraints(allowed, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    return builder.sign(key, SHA256()), key


def _new_certificate(
    authority: x509.Certificate, authority_key: EllipticCurvePrivateKey, names: frozenset[str]
) -> tuple[x509.Certificate, EllipticCurvePrivateKey]:
    key = generate_private_key(SECP256R1())
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
    builder = (
        _begun(_name("brikks-vision"), authority.subject, key, CERTIFICATE_DAYS)
        .add_extension(x509.SubjectAlternativeName(map(_general_name, sorted(names))), False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(issuer, critical=False)
    )
    return builder.sign(authority_key, SHA256()), key


def _begun(
    subject: x509.Name, issuer: x509.Name, key: EllipticCurvePrivateKey, days: int
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return x509.CertificateBuilder(
        issuer, subject, key.public_key(), x509.random_serial_number(),
        now - timedelta(days=1),  # clocks differ
        now + timedelta(days=days - 1),
    )  # fmt: skip


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _general_name(address: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(address))
    except ValueError:
        return x509.DNSName(address)


def _pem(key: EllipticCurvePrivateKey) -> bytes:
    content: bytes = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return content
