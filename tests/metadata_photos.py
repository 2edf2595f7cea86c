"""A photo with all that cameras and programs write into files, for tests of what gets out again."""

import io
from pathlib import Path

from PIL import Image
from PIL.ExifTags import GPS, IFD, Base

TELLTALES = (
    *(b"Exif\0\0", b"ns.adobe.com", b"WGS-84", b"Photoshop 3.0", b"adobe:ns:meta"),
    *(b"Zoe Beispiel", b"Pixel of Zoe", b"2026:03:14", b"said in a comment"),
    *(b"Kirchgasse 7", b"last known place"),
)
"""What no file that is given away may hold, in any of its bytes."""


def with_metadata(photo: Path) -> bytes:
    """The photo as a JPEG with EXIF (place, owner, date, thumbnail), XMP, IPTC and a comment."""
    exif = Image.Exif()
    exif[Base.Artist] = "Zoe Beispiel"
    exif[Base.Model] = "Pixel of Zoe"
    exif.get_ifd(IFD.Exif)[Base.DateTimeOriginal] = "2026:03:14 20:15:00"
    exif.get_ifd(IFD.GPSInfo).update(
        {
            GPS.GPSLatitudeRef: "N",
            GPS.GPSLatitude: (47.0, 22.0, 11.5),
            GPS.GPSLongitudeRef: "E",
            GPS.GPSLongitude: (8.0, 32.0, 20.25),
            GPS.GPSMapDatum: "WGS-84",
            GPS.GPSAreaInformation: b"ASCII\0\0\0Kirchgasse 7",
        }
    )
    xmp = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><dc:creator>Zoe Beispiel</dc:creator></x:xmpmeta>'
    written = io.BytesIO()
    with Image.open(photo) as picture:
        thumbnail = io.BytesIO()
        small = picture.convert("RGB").resize((160, 120))
        small.save(thumbnail, "JPEG", comment=b"last known place")
        exif.get_ifd(IFD.IFD1)[Base.JpegIFOffset] = 0
        picture.convert("RGB").save(
            written, "JPEG", quality=95, exif=exif, xmp=xmp, comment=b"said in a comment"
        )
    data = written.getvalue()
    # One more segment, as editors write them, with the thumbnail in it.
    content = b"Photoshop 3.0\x00" + thumbnail.getvalue()
    segment = b"\xff\xed" + (len(content) + 2).to_bytes(2, "big") + content
    return data[:2] + segment + data[2:] + b"after its end: last known place"
