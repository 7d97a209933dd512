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

# pip_setting NAME: its value, without places below this machine's folders.
pip_setting() {
    local python
    if [ -z "${pip_settings+read}" ]; then
        pip_settings=
        for python in .venv/bin/python python3; do
            if pip_settings=$("$python" -m pip config list 2>/dev/null); then break; fi
        done
    fi
    # In reverse order those of the environment come last and prevail.
    sort -r <<<"$pip_settings" | sed -nE "s/^[^=]*\.$1='(.*)'$/\1/p" | tail -n 1 |
        sed -E 's/\\n/ /g; s#file:\S+##g; s/^ +//'
}

# uv reads none of pip's settings. On a machine that has told only pip where packages are, tell uv.
tell_uv_what_pip_knows() {
    local name setting value
    pip_setting nothing >/dev/null # pip is asked once, and not in the subshells below
    while read -r name setting; do
        value=${!name:-$(pip_setting "$setting")}
        if [ -n "$value" ]; then export "$name=$value"; fi
    done <<'END'
UV_DEFAULT_INDEX index-url
UV_INDEX extra-index-url
UV_INSECURE_HOST trusted-host
SSL_CERT_FILE cert
HTTPS_PROXY proxy
END
    export UV_INDEX_STRATEGY=unsafe-best-match # as pip does: all of them have the same hashes
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
