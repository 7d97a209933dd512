# shellcheck shell=bash
# Shared by the other scripts, which source it.

say() { printf '%s\n' "$*" >&2; }

die() {
    say "$@"
    exit 1
}

may_install() {
    command -v apt-get >/dev/null || return 1
    [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# quietly LOG COMMAND…: write the output to LOG, and show it only if the command fails.
quietly() {
    local log=$1
    shift
    "$@" >"$log" 2>&1 </dev/null || {
        tail -n 20 "$log" >&2
        return 1
    }
}

# provide_npm WHAT: npm, from the distribution if there is none; uses the log file $log.
provide_npm() {
    command -v npm >/dev/null && return
    may_install || die "$1 needs npm. Install it first."
    say "Installing npm …"
    quietly "$log" as_root apt-get -q update || true
    quietly "$log" as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -qy --no-install-recommends install npm || die "npm could not be installed."
}
