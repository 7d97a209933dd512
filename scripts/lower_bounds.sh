#!/usr/bin/env bash
# Runs the quick tests with the oldest packages that pyproject.toml allows, extras included:
#
#   lower_bounds.sh [tests …]      in an environment of its own, build/lower-bounds
#
# What tests need besides are the versions of the lock. A bound with which a test fails is wrong: raise it. Three
# tests are about the packages of the lock and left out: messages, some of them the newest click's, pages, which
# rich draws, and the list of what comes along. An old package that a new one warns is no fault of ours.
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
    -W ignore::pyparsing.warnings.PyparsingDeprecationWarning -W ignore::pandas.errors.Pandas4Warning \
    --ignore=tests/cli/test_messages.py --deselect=tests/project/test_docs.py::test_made_page_is_fresh \
    --deselect=tests/project/test_project.py::test_the_page_for_it_lists_all_packages_that_come_along_with_their_licences \
    "$@"
