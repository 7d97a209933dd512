"""All benches, one process each: ``python -m bench``; or some: ``python -m bench excel``."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path


def main() -> None:
    names = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))
    begun = time.perf_counter()
    failed = []
    for name in sys.argv[1:] or names:
        start = time.perf_counter()
        print(f"\n{name}", flush=True)
        if subprocess.run([sys.executable, "-m", f"bench.{name}"], check=False).returncode:
            failed.append(name)
        print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
    print(f"\nall benches: {time.perf_counter() - begun:.0f} s")
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
