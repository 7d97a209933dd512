#!/usr/bin/env bash
# Prints the path of a Chromium (or Chrome) that the tests can use. If there is none, it gets one
# from the distribution. With it comes axe-core, a package of npm, which looks in it for what keeps
# people from reading a page; npm compares it with the fingerprint in tests/axe.
#
#   chromium.sh            find both; otherwise install and fetch them
#   chromium.sh --find     find the browser, change nothing
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/common.sh

place=tests/axe
wanted=$(sed -nE 's/^ *"axe-core": "(.*)".*/\1/p' $place/package.json)

find_browser() {
    local name
    for name in chromium google-chrome google-chrome-stable chromium-browser; do
        command -v "$name" && return
    done
    return 1
}

find_axe() { grep -qs "\"version\": \"$wanted\"" $place/node_modules/axe-core/package.json; }

if [ "${1:-}" = --find ]; then
    find_browser && exit
    die "Chromium is missing. Run: make chromium"
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! find_browser >/dev/null; then
    may_install || die "The tests of published pages need Chromium. Install it first."
    say "Installing Chromium …"
    quietly "$log" as_root apt-get -q update || true
    quietly "$log" as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -qy --no-install-recommends --no-remove install chromium fonts-dejavu-core ||
        die "Chromium could not be installed."
fi
if ! find_axe; then
    provide_npm "axe-core"
    say "Fetching axe-core …"
    quietly "$log" npm ci --prefix $place --ignore-scripts --no-audit --no-fund ||
        die "axe-core could not be fetched."
fi
find_browser || die "There is no Chromium, also after installing it."
