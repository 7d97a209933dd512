#!/usr/bin/env bash
# Prints the path of PostgreSQL's programs, with ClickHouse in .venv: what SQL is tried in before a
# release. PostgreSQL comes from the distribution, chDB, which is ClickHouse, from the package index.
#
#   databases.sh            find both; otherwise install what is missing
#   databases.sh --find     find both, change nothing
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/common.sh

wanted=$(sed -nE 's/^chdb==(\S+).*/\1/p' requirements-databases.txt)

find_postgres() {
    local folder
    folder=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -1)
    [ -x "$folder/initdb" ] && echo "$folder"
}

has_clickhouse() {
    .venv/bin/python -c "
from importlib.metadata import version
assert version('chdb') == '$wanted'" 2>/dev/null
}

if has_clickhouse && find_postgres; then
    exit
fi
[ "${1:-}" != --find ] || die "PostgreSQL or ClickHouse is missing. Run: make databases"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! find_postgres >/dev/null; then
    may_install || die "PostgreSQL is missing. Install it first."
    say "Installing PostgreSQL …"
    quietly "$log" as_root apt-get -q update || true
    quietly "$log" as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -qy --no-install-recommends --no-remove install postgresql ||
        die "PostgreSQL could not be installed."
fi
if ! has_clickhouse; then
    say "Installing ClickHouse (chDB $wanted) …"
    quietly "$log" .venv/bin/python -m pip --disable-pip-version-check install -qq \
        --require-hashes --requirement requirements-databases.txt ||
        die "ClickHouse could not be installed."
fi
find_postgres || die "There is no PostgreSQL, also after installing it."
