#!/usr/bin/env bash
# Prints the path of Gnumeric's ssconvert, a second spreadsheet engine, which computes the books
# before a release. Its licence is the GPL, and it is run as a program only. If it is missing, it
# comes from the distribution.
#
#   gnumeric.sh            find it; otherwise install it
#   gnumeric.sh --find     find it, change nothing
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/common.sh

find_program() { command -v ssconvert; }

find_program && exit
[ "${1:-}" != --find ] || die "Gnumeric is missing. Run: make gnumeric"
may_install || die "Gnumeric is missing. Install it."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
say "Installing Gnumeric …"
quietly "$log" as_root apt-get -q update || true
quietly "$log" as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -qy --no-install-recommends install gnumeric || die "Gnumeric could not be installed."
find_program || die "Gnumeric was installed, but has no ssconvert."
