#!/usr/bin/env bash
# Runs the quick tests with the oldest packages that pyproject.toml allows, extras included:
#
#   lower_bounds.sh [tests …]      in an environment of its own, build/lower-bounds
#
# What tests need besides are the versions of the lock. A bound with which a test fails is wrong: raise it. Not
# run is tests/cli/test_messages.py, whose sentences are partly those of the newest click.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

uv=$PWD/.venv/bin/uv
place=$PWD/build/lower-bounds
mkdir -p build
"$uv" venv --quiet --clear --python .venv/bin/python "$place"
# Not Spark's, which is half a gigabyte and comes as its source: `make spark` has a Spark of its own.
extras=$("$place/bin/python" -c 'import tomllib
extras = tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]
print(*(f"--extra={name}" for name in extras if name != "spark"))')
# shellcheck disable=SC2086 # one word each
"$uv" pip compile --quiet --resolution lowest-direct --only-binary :all: $extras --no-header --no-annotate \
    --no-emit-index-url --python "$place" pyproject.toml --output-file build/lower-bounds.txt
"$uv" pip install --quiet --python "$place" --no-deps -r requirements-dev.txt
"$uv" pip install --quiet --python "$place" --no-deps --only-binary :all: -r build/lower-bounds.txt
"$uv" pip install --quiet --python "$place" --no-deps --no-build-isolation --editable .
ELO_XL_LEVEL=${ELO_XL_LEVEL:-check} "$place/bin/python" -m pytest -q -p no:cacheprovider \
    --ignore=tests/cli/test_messages.py "$@"
