"""Sign programs and Excel add-ins on Windows: sign.py FILE…

CERTIFICATE in the environment is a PFX file in Base64, and CERTIFICATE_PASSWORD its password.
Without a certificate the files stay as they are. For add-ins, OFFICE_SIPS is the address of
Microsoft's Office subject interface packages, with which signtool understands VBA projects; it
changes with their version.
"""

from __future__ import annotations

import base64
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.request import urlopen

KITS: Final = Path(r"C:\Program Files (x86)\Windows Kits\10\bin")
TIMESTAMPS: Final = "http://timestamp.digicert.com"
LIBRARIES: Final = "msosip.dll", "msosipx.dll"
"""What signtool needs for VBA projects; they are for 32 bits, so signtool is, too."""


def commands(files: list[str], password: str, folder: Path) -> Iterator[list[str]]:
    """What signs files with the certificate and the packages in a folder."""
    if any(name.endswith((".xlam", ".xlsm")) for name in files):
        yield [str(folder / "sips.exe"), "/quiet", f"/extract:{folder}"]
        for library in LIBRARIES:
            yield [r"C:\Windows\SysWOW64\regsvr32.exe", "/s", str(folder / library)]
    signtool = max((str(path) for path in KITS.glob("10.*/x86/signtool.exe")), default="signtool")
    key = "/f", str(folder / "certificate.pfx"), "/p", password
    for name in files:
        yield [signtool, "sign", *key, "/fd", "SHA256", "/tr", TIMESTAMPS, "/td", "SHA256", name]


def sign(files: list[str], settings: Mapping[str, str]) -> str:
    """Sign files if the settings have a certificate; say whether they did."""
    if not settings.get("CERTIFICATE"):
        return "There is no certificate: nothing is signed."
    with TemporaryDirectory() as work:
        folder = Path(work)
        (folder / "certificate.pfx").write_bytes(base64.b64decode(settings["CERTIFICATE"]))
        if address := settings.get("OFFICE_SIPS"):
            with urlopen(address) as answer:
                (folder / "sips.exe").write_bytes(answer.read())
        for command in commands(files, settings["CERTIFICATE_PASSWORD"], folder):
            subprocess.run(command, check=True)
    return f"signed: {', '.join(files)}"


if __name__ == "__main__":
    sys.stdout.write(sign(sys.argv[1:], os.environ) + "\n")
