"""Write the pages anew, and take out those of functions that are no more."""

from __future__ import annotations

from docs_build import DOCS, left_over, pages

for name, text in pages().items():
    target = DOCS / name
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.write_text(text, encoding="utf-8")
for path in left_over():
    path.unlink()
