#!/usr/bin/env bash
# Prints the folders of two versions of Pyodide, Python for browsers, which come as packages of npm.
# If one is missing, npm fetches both, and npm itself comes from the distribution.
#
#   pyodide.sh            find them; otherwise fetch them
#   pyodide.sh --find     find them, change nothing
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/common.sh

place=tests/pyodide

find_folders() {
    local name version folder
    command -v node >/dev/null || return 1
    while read -r name version; do
        folder=$place/node_modules/$name
        grep -qs "\"version\": \"$version\"" "$folder/package.json" || return 1
        echo "$PWD/$folder"
    done < <(sed -nE 's/^ *"(pyodide[a-z-]*)": "(npm:pyodide@)?([0-9.]+)".*/\1 \3/p' $place/package.json)
}

find_folders && exit
[ "${1:-}" != --find ] || die "Pyodide is missing. Run: make pyodide"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
provide_npm "Pyodide"
say "Fetching Pyodide …"
quietly "$log" npm install --prefix $place --no-save --no-package-lock --no-audit --no-fund ||
    die "Pyodide could not be fetched."
find_folders || die "Pyodide was fetched, but is not complete."
