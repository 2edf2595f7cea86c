"""The networks that read marks are small."""

from importlib import resources

MOST_BYTES = 2_000_000
READ_MARKS = ("reader", "bars", "bars_judge", "figures")


def test_the_networks_that_read_marks_have_at_most_two_megabytes_together() -> None:
    models = resources.files("brikks_vision").joinpath("detect", "models")
    sizes = {name: len(models.joinpath(f"{name}.onnx").read_bytes()) for name in READ_MARKS}
    assert sum(sizes.values()) <= MOST_BYTES, sizes
