#!/usr/bin/env bash
# Prints the path of a Chromium (or Chrome) that the tests can use. If there is none, it gets one
# from the distribution.
#
#   chromium.sh            find it; otherwise install it
#   chromium.sh --find     find it, change nothing
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

find_browser() {
    local name
    for name in chromium google-chrome google-chrome-stable chromium-browser; do
        command -v "$name" && return
    done
    return 1
}

find_browser && exit
[ "${1:-}" != --find ] || die "Chromium is missing. Run: make chromium"
may_install || die "The tests of published pages need Chromium. Install it first."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
say "Installing Chromium …"
quietly "$log" as_root apt-get -q update || true
quietly "$log" as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -qy --no-install-recommends --no-remove install chromium fonts-dejavu-core ||
    die "Chromium could not be installed."
find_browser || die "There is no Chromium, also after installing it."
