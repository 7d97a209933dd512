"""``elo-xl`` and ``python -P -m elo_xl``: the command line."""

from __future__ import annotations

import gc
import sys
from typing import NoReturn

from elo_xl import progress as work


def main() -> NoReturn:
    """Run the command; Ctrl-C stops it at any moment, also while it is loaded."""
    # what a command makes it keeps until it ends: garbage is looked for rarely, and then no more
    gc.set_threshold(1_000_000, 20, 20)
    try:
        work.stop_at_ctrl_c()
        from elo_xl.cli import main as run

        run()
    except (work.Stopped, KeyboardInterrupt):
        from elo_xl.terminal.console import warn

        names = "; ".join(work.all_written())
        done = f"{names} was written before" if names else "nothing was written"
        warn(f"stopped; {done}", "error")
        sys.exit(work.STOPPED)
    finally:
        if (
            "_duckdb" not in sys.modules
        ):  # it counts its objects at the end, and prints what is left
            gc.freeze()


if __name__ == "__main__":
    main()
