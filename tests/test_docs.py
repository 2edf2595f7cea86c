"""The pages of the docs: their links lead somewhere, and CI finds its command."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]


def anchors(page: Path) -> set[str]:
    """The anchors that a page's headings get where it is shown."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


def is_placeholder(path: str) -> bool:
    """Whether the reader is to put a name into the path."""
    return "NAME" in path or "GAME" in path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_and_headings_that_are_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8"))
    for link in links:
        if link.startswith("https://"):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paths_of_the_repository_that_a_page_names_are_there(page: Path) -> None:
    if page.name == "CHANGELOG.md":  # names what was
        return
    text = page.read_text("utf-8")
    rooms = r"brikks_vision|simulation|training|benchmarks|tests|samples|docs"
    for path in re.findall(rf"`((?:{rooms})/[\w./-]*[\w/])`", text):
        assert is_placeholder(path) or (ROOT / path).exists(), path
    tools = r"training|simulation|benchmarks|tests"
    for module in re.findall(rf"python -m ((?:{tools})(?:\.\w+)+)", text):
        assert (ROOT / module.replace(".", "/")).with_suffix(".py").exists(), module


def test_the_architecture_says_where_things_are() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    told = re.findall(r"`([\w/.-]+)`: `([^`]+)`", page)
    assert told
    for path, name in told:
        if not is_placeholder(path):
            assert name in (ROOT / "brikks_vision" / path).read_text("utf-8"), (path, name)


def test_modules_that_the_pages_name_are_there() -> None:
    rooms = r"text|layout|detect|pipeline|record|infer|games|show|intake|web|commands|rules|layouts"
    for page in (*sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md"):
        for path in re.findall(rf"`((?:{rooms})/[\w/-]+\.(?:py|json))`", page.read_text("utf-8")):
            if not is_placeholder(path):
                assert (ROOT / "brikks_vision" / path).exists(), f"{page.name}: {path}"
