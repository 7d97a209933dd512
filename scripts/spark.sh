#!/usr/bin/env bash
# Prints the path of a Java that Apache Spark runs on, with Spark itself in .venv. A missing Java comes
# from the distribution; PySpark, which has Spark in it, from the package index.
#
#   spark.sh            find both; otherwise install what is missing
#   spark.sh --find     find both, change nothing
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/common.sh

needed=17
wanted=$(sed -nE 's/^pyspark==(\S+).*/\1/p' requirements-spark.txt)

find_java() {
    local java version
    for java in ${JAVA_HOME:+"$JAVA_HOME/bin/java"} "$(command -v java)"; do
        version=$("$java" -version 2>&1 | sed -nE '1s/.* version "([0-9]+).*/\1/p') || continue
        if [ "${version:-0}" -ge $needed ]; then
            echo "$java"
            return
        fi
    done
    return 1
}

has_spark() {
    .venv/bin/python -c "
from importlib.metadata import version
assert version('pyspark') == '$wanted'" 2>/dev/null
}

if has_spark && find_java; then
    exit
fi
[ "${1:-}" != --find ] || die "Apache Spark, or Java $needed for it, is missing. Run: make spark"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! find_java >/dev/null; then
    may_install || die "Apache Spark needs Java $needed or newer. Install it first."
    say "Installing Java …"
    quietly "$log" as_root apt-get -q update || true
    quietly "$log" as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -qy --no-install-recommends --no-remove install default-jre-headless ||
        die "Java could not be installed."
fi
if ! has_spark; then
    say "Installing Apache Spark $wanted …"
    quietly "$log" .venv/bin/python -m pip --disable-pip-version-check install -qq \
        --require-hashes --requirement requirements-spark.txt || die "Apache Spark could not be installed."
fi
find_java || die "There is no Java $needed or newer, also after installing it."
