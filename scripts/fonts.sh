#!/usr/bin/env bash
# Finds the font with which pictures of workbooks are drawn: Calibri, which the workbooks name, or
# Carlito, whose letters are as wide, and which comes along with LibreOffice for Windows and Mac. If
# there is neither, it gets Carlito from the distribution.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

found() { fc-match -f '%{family}\n' Calibri 2>/dev/null | grep -E '^(Calibri|Carlito)'; }

if ! found >/dev/null; then
    may_install || die "Pictures are drawn with the font Carlito. Install it first."
    say "Installing the font Carlito …"
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    quietly "$log" as_root apt-get -q update || true
    quietly "$log" as_root env DEBIAN_FRONTEND=noninteractive apt-get -qy --no-install-recommends \
        --no-remove install fontconfig fonts-crosextra-carlito || die "Carlito could not be installed."
fi
found || die "There is neither Calibri nor Carlito, also after installing it."
