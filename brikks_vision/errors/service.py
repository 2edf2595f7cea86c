"""Failures of the watched folder, and of the page and its uploads."""

from __future__ import annotations

from brikks_vision.errors.base import PartsMissing, PhotoUnreadable, WrongUse


class FolderMissing(WrongUse):
    path: object
    sentence = "There is no folder {path}. Make it, or give another one."


class FolderGone(WrongUse):
    path: object
    sentence = (
        "The folder {path} is gone, or can no longer be read. Nothing that was recorded is lost; "
        "as soon as it is there again, this goes on."
    )


class AnotherWatcher(WrongUse):
    path: object
    sentence = (
        "Another brikks-scan watch writes to the record {path} already. End it, give it this "
        "folder as well, or give another record here with --db."
    )


class NotifierMissing(WrongUse):
    sentence = (
        "This computer has no notifications that brikks-scan knows (notify-send or osascript). "
        "Scores are told here only."
    )


# --- the page -------------------------------------------------------------------------------------


class WebPartsMissing(PartsMissing):
    sentence = (
        "The page needs the package {package}, which is not installed. Install what it needs:"
        " pip install 'brikks-vision[web]'"
    )


class HttpsPartsMissing(PartsMissing):
    sentence = (
        "--https needs the package {package}, which is not installed. Install it:"
        " pip install 'brikks-vision[https]'"
    )


class PlotPartsMissing(PartsMissing):
    sentence = (
        "Plots need the package {package}, which is not installed. Install it:"
        " pip install 'brikks-vision[plots]'"
    )


class AddressNotFree(WrongUse):
    address: object
    reason: object
    sentence = (
        "The page cannot be opened at {address} ({reason}). End the program that uses it, or "
        "give another --port or --host."
    )


class ServerBusy(WrongUse):
    sentence = (
        "Too many photos are being read right now. Wait a few seconds and send the photo again."
    )


class UploadWithoutPhoto(PhotoUnreadable):
    sentence = "No photo was sent. Take one or choose one, then send it."


class UploadBroken(PhotoUnreadable):
    sentence = "The photo did not arrive whole. Send it again."


class UploadTooSlow(PhotoUnreadable):
    seconds: int
    sentence = (
        "After {seconds} seconds the photo had not arrived. Go closer to the wireless "
        "network, or send a smaller photo."
    )


class UploadNotStored(WrongUse):
    reason: object
    sentence = (
        "The photo could not be stored while it is read ({reason}). Make room on the disk of "
        "the computer that runs brikks-scan, and send it again."
    )


class KeyRefused(WrongUse):
    sentence = (
        "This page opens only with its key. Scan the QR code that brikks-scan shows, or open"
        " the whole address below it."
    )


class OtherSite(WrongUse):
    sentence = "Another page sent this, so nothing was done. Open this page itself and do it here."


class HostUnknown(WrongUse):
    sentence = (
        "This page does not answer to the name in that address. Open the address that "
        "brikks-scan shows."
    )


class PageMissing(WrongUse):
    sentence = "There is no such page. Go back to the start."


class FieldUnclear(WrongUse):
    field: str
    sentence = "What was sent as {field} cannot be. Go back and choose it again."


class PageFailed(WrongUse):
    reason: object
    sentence = (
        "The program failed here ({reason}). Nothing that was recorded is lost. Go back to "
        "the start, and please report this."
    )
