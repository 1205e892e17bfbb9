# shellcheck shell=bash
# The system: which it is, what it lacks, and how to install that.

say() { printf '\033[1m==\033[0m %s\n' "$*" >&2; }
[ -t 2 ] || say() { printf '== %s\n' "$*" >&2; }
die() { printf 'dev: %s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
# at_least VERSION MINIMUM
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$2" ]; }

# shellcheck disable=SC2034
JOBS=${XUANKA_JOBS:-$(nproc 2>/dev/null || echo 2)}
# The system's own Python, without the detours of version managers; Emscripten's scripts run with it too.
find_python() {
  PYTHON=/usr/bin/python3
  [ -x "$PYTHON" ] || PYTHON=$(command -v python3)
  export EMSDK_PYTHON=${EMSDK_PYTHON:-$PYTHON}
}

# debian12, debian13 or unknown.
system_name() {
  local id='' version=''
  if [ -r /etc/os-release ]; then
    id=$(. /etc/os-release && echo "${ID:-}")
    version=$(. /etc/os-release && echo "${VERSION_ID:-}")
  fi
  case "$id$version" in
    debian12 | debian13) echo "$id$version" ;;
    *) echo unknown ;;
  esac
}

# Packages for a purpose (build, test, fmt, fuzz), one a line: "package" or "package command"; a command that is
# on PATH already will do instead of its package.
packages_for() {
  case "$1" in
    build)
      cat <<'LIST'
g++ g++
cmake cmake
ninja-build ninja
python3 python3
python3-venv
ca-certificates
ccache ccache
nlohmann-json3-dev
libexpected-dev
libcli11-dev
libgtest-dev
librapidcheck-dev
libbenchmark-dev
nodejs node
brotli brotli
LIST
      if ! usable_emcc >/dev/null; then
        case "$(system_name)" in
          debian12) printf '%s\n' 'clang-19' 'lld-19' 'llvm-19' 'node-acorn' ;;
          debian13) printf '%s\n' 'emscripten' ;;
        esac
      fi
      ;;
    test) packages_for window && printf '%s\n' 'chromium chromium' 'node-typescript tsc' 'xvfb Xvfb' 'libgl1-mesa-dri' ;;
    window) packages_for build && printf '%s\n' 'libglfw3-dev' 'libgl-dev' 'fonts-noto-cjk' ;;
    cluster) packages_for test && printf '%s\n' 'default-jre-headless java' ;;
    fmt) printf '%s\n' 'clang-format-19 clang-format-19' ;;
    fuzz) packages_for build && printf '%s\n' 'clang-19 clang++-19' 'libclang-rt-19-dev' ;;
  esac
}

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

missing_packages() {
  local package command
  packages_for "$1" | while read -r package command; do
    if [ -n "$command" ] && have "$command"; then continue; fi
    installed "$package" || echo "$package"
  done
}

# On a system without dpkg: what of the needed commands and headers is not there.
missing_tools() {
  local command header
  local commands='g++ cmake ninja python3 node brotli'
  local headers='nlohmann/json.hpp tl/expected.hpp CLI/CLI.hpp gtest/gtest.h rapidcheck.h'
  case "$1" in
    test) commands+=' chromium tsc' ;;
    fmt) commands='clang-format-19' headers='' ;;
  esac
  for command in $commands; do have "$command" || echo "the command $command"; done
  for header in $headers; do
    echo "#include <$header>" | g++ -std=c++20 -E -x c++ - >/dev/null 2>&1 || echo "the header $header"
  done
  [ "$1" = fmt ] || usable_emcc >/dev/null || echo "Emscripten >= $MIN_EMSCRIPTEN (emcc on PATH, or EMSDK set)"
}

# need PURPOSE: installs what is missing for it, or says what to install and stops.
need() {
  local missing sudo=''
  if [ "$(system_name)" = unknown ]; then
    missing=$(missing_tools "$1")
    [ -z "$missing" ] || die "this is neither Debian 12 nor 13; install these yourself, then run again:
$missing"
    return
  fi
  missing=$(missing_packages "$1" | tr '\n' ' ')
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    have sudo || die "neither root nor sudo; as root run: apt-get install --no-install-recommends $missing"
    sudo=sudo
  fi
  say "installing $missing"
  $sudo apt-get update -q >&2
  # shellcheck disable=SC2086
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends --no-upgrade $missing >&2
}

check_cmake() {
  local version
  version=$(cmake --version | sed -n '1s/[^0-9]*//p')
  at_least "$version" "$MIN_CMAKE" || die "cmake $version is too old: $MIN_CMAKE or newer is needed"
}
