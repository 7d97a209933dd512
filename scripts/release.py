"""Make the files of a release.

scripts.release build TAG FOLDER [SIGNED]   make all files of the tagged commit
scripts.release notes TAG                   print what the changelog says of the release
scripts.release sums FOLDER                 write SHA256SUMS of the files in a folder
scripts.release ready TAG                   say what is missing for a release, if anything is
scripts.release publish                     once, before the first: name the project's addresses

The tag is v and a version, such as v0.2.0, and the changelog has a section of that version. The
version is written into a copy of the tagged commit, so the checkout stays as it is. The same commit
gives the same bytes wherever zlib is the same. SIGNED is a folder with the Excel add-ins as
somebody signed them; without it they are as they lie in their package.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from packaging.version import InvalidVersion, Version

from elo_xl.addresses import PACKAGE, PUBLISHED, REPOSITORY, SITE

ROOT = Path(__file__).parents[1]
ADDINS = Path("elo_xl_excel")
BUILD = "-m", "hatchling", "build", "--directory"


def version_of(tag: str) -> str:
    """The version that a tag names.

    >>> version_of("v0.2.0")
    '0.2.0'

    Leaves the program for any other tag.
    """
    version = tag.removeprefix("v")
    try:
        if tag.startswith("v") and str(Version(version)) == version:
            return version
    except InvalidVersion:
        pass
    sys.exit(f"a tag is v and a version, such as v0.2.0, got {tag!r}")


def section(changelog: str, version: str) -> str:
    """What a changelog says of a version; leaves the program if that is nothing.

    >>> section("## [1.0.1] - 2026-12-01\\n\\n- One.\\n\\n## [1.0.0] - 2026-11-01\\n", "1.0.1")
    '- One.\\n'
    """
    found = re.search(
        rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n(.*?)(?=^## \[|^\[|\Z)",
        changelog,
        flags=re.MULTILINE | re.DOTALL,
    )
    if not found or not found[1].strip():
        sys.exit(f"CHANGELOG.md has no section '## [{version}] - YYYY-MM-DD'")
    return found[1].strip() + "\n"


def is_release(changelog: str) -> bool:
    """Whether a changelog names nothing that is not released yet.

    >>> is_release("## Unreleased\\n\\n- One.\\n\\n## [1.0.0] - 2026-11-01\\n")
    False
    >>> is_release("## [1.0.1] - 2026-12-01\\n\\n- One.\\n\\n## [1.0.0] - 2026-11-01\\n")
    True
    """
    return not re.search("^## Unreleased$", changelog, flags=re.MULTILINE)


def git(*arguments: str) -> bytes:
    """What git answers in this checkout."""
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True).stdout


def unpack(tag: str, version: str, folder: Path) -> None:
    """Write the files of a tagged commit into a folder, with the version in them."""
    with tarfile.open(fileobj=io.BytesIO(git("archive", tag))) as files:
        # Python 3.11.2 of Debian 12 has no filters
        files.extraction_filter = getattr(tarfile, "data_filter", None)
        files.extractall(folder)
    module = folder / "elo_xl" / "__init__.py"
    text = module.read_text(encoding="utf-8")
    text, times = re.subn(r'(?m)^__version__ = ".*"$', f'__version__ = "{version}"', text)
    if times != 1:
        sys.exit(f"{module} has no __version__ to set")
    module.write_text(text, encoding="utf-8", newline="\n")


def build(tag: str, folder: Path, signed: Path | None = None) -> None:
    """Make everything that a tagged commit gives."""
    version = version_of(tag)
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as work:
        source = Path(work, "elo_xl")
        unpack(tag, version, source)
        section((source / "CHANGELOG.md").read_text(encoding="utf-8"), version)
        if signed:
            for name in ("elo_xl.xlam", "elo_xl.xlsm"):
                shutil.copy(signed / name, source / ADDINS / name)
        parts = folder / "elo_xl.cdx.json"
        parts.write_text(sbom(source, version), encoding="utf-8", newline="\n")
        epoch = git("log", "-1", "--format=%ct", tag).decode().strip()
        for command in commands(folder.resolve()):
            made_in(source, command, epoch)
        made_in(source / ADDINS, [*BUILD, str(folder.resolve()), "--target", "wheel"], epoch)


def sbom(source: Path, version: str) -> str:
    """What comes along with the package on some system, as CycloneDX has it."""
    lock = (source / "requirements-installer.txt").read_text(encoding="utf-8")
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ours = {**_component(PACKAGE, version), "licenses": [{"expression": project["license"]}]}
    others = re.findall(r"^([a-z0-9.-]+)==([^\s;]+)", lock, flags=re.MULTILINE)
    told = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": ours},
        "components": [_component(*other) for other in others],
    }
    return json.dumps(told, indent=2) + "\n"


def _component(name: str, version: str) -> dict[str, Any]:
    address = f"pkg:pypi/{name}@{version}"
    return {
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": version,
        "purl": address,
    }


def commands(folder: Path) -> list[list[str]]:
    """What makes the files, run in the source."""
    addin = ["-m", "elo_xl", "addin"]
    return [
        [*BUILD, str(folder)],
        [*addin, "excel", "-o", str(folder)],
        [*addin, "excel", "--workbook", "-o", str(folder)],
        [*addin, "libreoffice", "-o", str(folder)],
        [*addin, "sheets", "-o", str(folder)],
        [*addin, "native", "-o", str(folder)],
        ["scripts/workbooks.py", "--zip", str(folder / "workbooks.zip")],
        ["-m", "scripts.trial", str(folder / "elo-xl-trial.zip")],
        ["scripts/front_page.py", str(folder / "elo-xl.html")],
    ]


def made_in(source: Path, command: list[str], epoch: str) -> None:
    """Run Python on the source as it was unpacked; nothing of the checkout takes part."""
    settings = {"PYTHONPATH": str(source), "SOURCE_DATE_EPOCH": epoch, "PYTHONHASHSEED": "0"}
    subprocess.run(
        [sys.executable, "-B", *command], cwd=source, env={**os.environ, **settings}, check=True
    )


def ready(tag: str) -> None:
    """Leave the program if something is to be done in the files before this tag is a release."""
    version = version_of(tag)
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    section(changelog, version)
    if not is_release(changelog):
        sys.exit("CHANGELOG.md still has a section Unreleased")
    (day,) = re.findall(rf"^## \[{re.escape(version)}\] - (\S+)$", changelog, re.MULTILINE)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for line in (f"version: {version}", f"date-released: {day}"):
        if line not in citation.splitlines():
            sys.exit(f"CITATION.cff does not say {line!r}")
    if not PUBLISHED:
        sys.exit("the project's addresses are not ours yet: CONTRIBUTING.md, The first release")


def publish(root: Path) -> None:
    """Write the project's addresses into its pages, in the place of what stands there now."""
    known = {
        "{repository}": REPOSITORY,
        "{raw}": REPOSITORY.replace("github.com", "raw.githubusercontent.com"),
        "{site}": SITE,
        "{package}": PACKAGE,
    }
    told = (root / "scripts" / "published.toml").read_text(encoding="utf-8")
    for text in tomllib.loads(told)["text"]:
        until, then = text["until"], text["then"]
        for place, address in known.items():
            then = then.replace(place, address)
        found = False
        for path in (path for pattern in text["files"] for path in sorted(root.glob(pattern))):
            before = path.read_text(encoding="utf-8")
            if until in before:
                found = True
                path.write_text(before.replace(until, then), encoding="utf-8", newline="\n")
        if not found:
            sys.exit(f"{', '.join(text['files'])}: nowhere is {until!r}")


def sums(folder: Path) -> str:
    """SHA-256 of every file in a folder, as ``sha256sum --check`` reads them."""
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(folder.iterdir())
        if path.name != "SHA256SUMS"
    )


def main(arguments: list[str]) -> None:
    """Do what the arguments ask for."""
    match arguments:
        case ["build", tag, folder, *signed] if len(signed) < 2:
            build(tag, Path(folder), *map(Path, signed))
        case ["notes", tag]:
            changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
            sys.stdout.write(section(changelog, version_of(tag)))
        case ["sums", folder]:
            text = sums(Path(folder))
            (Path(folder) / "SHA256SUMS").write_text(text, encoding="utf-8", newline="\n")
        case ["ready", tag]:
            ready(tag)
        case ["publish"]:
            publish(ROOT)
            print("Now: make regenerate, look through git diff, commit.")  # noqa: T201
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
