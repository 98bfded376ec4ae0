#!/usr/bin/env bash
# Everything that building and testing suture needs, on Debian 12 (tested) or Ubuntu 24.04 (same script, untested).
# Idempotent; well under a second when nothing is missing. Called by `make setup`.
#   PYTHON=<interpreter>  what the tests' virtual environment is made from (3.8 or newer)
set -euo pipefail
cd "$(dirname "$0")/.."

say() { echo "setup: $*"; }
die() { echo "setup: $*" >&2; exit 1; }

PYTEST="pytest==8.3.5"  # the last series that runs on Python 3.8
packages=(
  ca-certificates ccache clang-format-14 clang-tidy-14 cmake g++ git ninja-build pkg-config
  libbenchmark-dev libcli11-dev libcurl4-openssl-dev libexpected-dev libfmt-dev libgit2-dev libgmock-dev libgtest-dev
  libre2-dev libspdlog-dev libsqlite3-dev libssl-dev libyaml-cpp-dev nlohmann-json3-dev
  bubblewrap util-linux python3 python3-venv
)

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

apt_packages() {
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "no apt here: install the equivalents of: ${packages[*]}, Boost 1.81 headers, npm"
    return
  fi
  local missing=() p
  for p in "${packages[@]}"; do installed "$p" || missing+=("$p"); done
  # Node from elsewhere brings its own npm and conflicts with Debian's.
  command -v npm >/dev/null || missing+=(npm)
  local boost=no
  for p in libboost1.81-dev libboost1.83-dev; do if installed "$p"; then boost=yes; fi; done
  if [ ${#missing[@]} = 0 ] && [ $boost = yes ]; then
    return
  fi

  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    # Without a terminal nobody can answer sudo's question.
    if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
      as_root=(sudo)
    else
      [ $boost = yes ] || missing+=("$(boost_package)")
      echo "setup: packages are missing and I may not install them. As root run:" >&2
      echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
      exit 1
    fi
  fi
  say "asking apt for the current package lists"
  "${as_root[@]}" apt-get update -qq
  [ $boost = yes ] || missing+=("$(boost_package)")
  say "installing with apt: ${missing[*]}"
  # --no-remove: Debian's libboost-dev (1.74) excludes 1.81; whether to give it up is for the user to say.
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends --no-remove "${missing[@]}" >/dev/null ||
    die "apt could not install: ${missing[*]}"
}

# 1.81 is not Debian 12's default Boost; on Ubuntu 24.04 the default, 1.83, will do.
boost_package() {
  if apt-cache show libboost1.81-dev >/dev/null 2>&1; then echo libboost1.81-dev; else echo libboost1.83-dev; fi
}

sources() {
  local name version integrity paths got folder scratch
  rm -rf build/third_party/.fetch.*  # of an interrupted run; we hold the lock
  while read -r name version integrity paths; do
    case "$name" in '' | '#'*) continue ;; esac
    folder=build/third_party/$name
    [ "$(cat "$folder/.pin" 2>/dev/null)" = "$version $integrity $paths" ] && continue
    say "fetching $name $version with npm"
    scratch=$(mktemp -d build/third_party/.fetch.XXXXXX)
    npm pack --loglevel=error --ignore-scripts --pack-destination "$scratch" "$name@$version" >/dev/null ||
      die "npm could not fetch $name@$version (is there a network?)"
    got=sha512-$(python3 -c 'import base64, hashlib, sys
print(base64.b64encode(hashlib.sha512(open(sys.argv[1], "rb").read()).digest()).decode())' "$scratch"/*.tgz)
    if [ "$got" != "$integrity" ]; then
      rm -rf "$scratch"
      die "$name@$version has integrity $got, but deploy/third_party.txt pins $integrity: nothing unpacked"
    fi
    mkdir "$scratch/tree"
    # shellcheck disable=SC2046,SC2086  # paths is a list
    (cd "$scratch/tree" && tar -xzf ../*.tgz --strip-components=1 --no-same-owner $(printf 'package/%s ' $paths))
    echo "$version $integrity $paths" >"$scratch/tree/.pin"
    rm -rf "$folder"
    mv "$scratch/tree" "$folder"
    rm -rf "$scratch"
  done <deploy/third_party.txt
}

# The system's interpreter first: checks run as an ordinary user, who cannot read a version manager's
# Python in somebody's home.
python_environment() {
  local python=${PYTHON:-} pin
  if [ -z "$python" ]; then
    if [ -x /usr/bin/python3 ]; then python=/usr/bin/python3; else python=python3; fi
  fi
  pin="$python $PYTEST"
  [ "$(cat build/venv/.pin 2>/dev/null)" = "$pin" ] && [ -x build/venv/bin/python3 ] && return
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 8))' || die "$python is missing or older than 3.8"
  say "making build/venv with $PYTEST for the tests (from $python)"
  rm -rf build/venv
  "$python" -m venv build/venv
  build/venv/bin/python3 -m pip install --quiet --disable-pip-version-check "$PYTEST" ||
    die "pip could not install $PYTEST (is there a network?)"
  echo "$pin" >build/venv/.pin
}

if [ -r /etc/os-release ]; then
  # shellcheck disable=SC1091
  os=$(. /etc/os-release && echo "${ID:-} ${VERSION_ID:-}")
  [ "$os" = "debian 12" ] || say "tested on Debian 12 only, this is '$os': going on"
fi
apt_packages
mkdir -p build/third_party
exec 9>build/.setup.lock
flock 9  # two makes at once in one checkout
sources
python_environment
say "all there"
