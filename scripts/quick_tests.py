"""Run the quick tests, without LibreOffice and Chromium, on any system: quick_tests.py [FOLDER]

It makes an environment of the locked packages in FOLDER, which is build/quick if omitted. On Linux
`make check` does the same, and checks style and types, too.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
INSTALLS = (
    ["--require-hashes", "--requirement", "requirements-dev.txt"],
    ["--no-deps", "--no-build-isolation", "--editable", "."],
)


def main(folder: Path) -> int:
    """Make the environment, and run the tests in it; the exit code of the tests."""
    venv.create(folder, clear=True, with_pip=True)
    python = next(
        path
        for path in (folder / "bin" / "python", folder / "Scripts" / "python.exe")
        if path.exists()
    )
    for what in INSTALLS:
        subprocess.run(
            [python, "-m", "pip", "install", "-qq", "--no-compile", *what], cwd=ROOT, check=True
        )
    settings = {**os.environ, "ELO_XL_LEVEL": "check", "PYTHONUTF8": "1"}
    return subprocess.run([python, "-m", "pytest", "-q"], cwd=ROOT, env=settings).returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if sys.argv[1:] else ROOT / "build" / "quick").resolve()))
