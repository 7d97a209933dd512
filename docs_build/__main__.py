"""Write again what is made from the code: translations, the README's tables, pages."""

from __future__ import annotations

import subprocess
import sys

from docs_build import translations_part

for line in translations_part.write():
    sys.stdout.write(f"not translated yet: {line}\n")
# the translations were read with the catalogue, so the pages are made by a program of its own
code = "from docs_build import write; write()"
subprocess.run([sys.executable, "-c", code], check=True)
