#!/usr/bin/env bash
# Prints where two other spreadsheet engines are, which compute the books in tests: the folder of
# HyperFormula, a package of npm, and Gnumeric's ssconvert. Both have the GPL as their licence and
# are run as programs only. What is missing comes from npm, and from the distribution.
#
#   engines.sh            find them; otherwise fetch and install them
#   engines.sh --find     find them, change nothing
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/common.sh

place=tests/hyperformula
wanted=$(sed -nE 's/^ *"hyperformula": "(.*)".*/\1/p' $place/package.json)

find_hyperformula() {
    command -v node >/dev/null || return 1
    grep -qs "\"version\": \"$wanted\"" $place/node_modules/hyperformula/package.json || return 1
    echo "$PWD/$place/node_modules/hyperformula"
}

find_gnumeric() { command -v ssconvert; }

if [ "${1:-}" = --find ]; then
    find_hyperformula && find_gnumeric && exit
    die "HyperFormula or Gnumeric is missing. Run: make engines"
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! find_hyperformula; then
    provide_npm "HyperFormula"
    say "Fetching HyperFormula …"
    quietly "$log" npm install --prefix $place --no-save --no-package-lock --no-audit --no-fund ||
        die "HyperFormula could not be fetched."
    find_hyperformula || die "HyperFormula was fetched, but is not complete."
fi
if ! find_gnumeric; then
    may_install || die "Gnumeric is missing. Install it."
    say "Installing Gnumeric …"
    quietly "$log" as_root apt-get -q update || true
    quietly "$log" as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -qy --no-install-recommends install gnumeric || die "Gnumeric could not be installed."
    find_gnumeric || die "Gnumeric was installed, but has no ssconvert."
fi
