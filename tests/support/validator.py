"""Microsoft's own validator, the Open XML SDK, as the tests call it."""

import json
import subprocess
from pathlib import Path


def found_in(content: bytes, path: Path, validator: str) -> list[str]:
    """What the validator finds in a file of such content."""
    path.write_bytes(content)
    run = subprocess.run([validator, path, "Microsoft365"], capture_output=True, check=False)
    answer = json.loads(run.stdout)
    assert answer["ok"] == (not answer["errors"])
    return [f"{each['description']} @ {each['path']} {each['xPath']}" for each in answer["errors"]]
