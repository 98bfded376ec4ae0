#!/usr/bin/env bash
# Repairs real bugs of real releases, downloaded from PyPI at this moment. Called by `make demo`.
set -euo pipefail
cd "$(dirname "$0")/.."
suture=${SUTURE:-build/release/suture}
python=${PYTHON:-python3}
work=build/demo
mkdir -p "$work"

# repair NAME VERSION CHECK: unpack a release (once) and let suture repair it.
repair() {
  local name=$1 version=$2 check=$3 tree="$work/$1-$2"
  echo
  echo "== $name $version: $(sed -n '1s/^"""A user.s complaint: //p' "deploy/demo/$check")"
  [ -d "$tree" ] || "$python" deploy/demo/fetch_release.py "$name" "$version" "$tree"
  local status=0
  "$suture" repair --no-cache --repo "$tree" --python "$(command -v "$python")" --budget 60s \
    --check "python3 $PWD/deploy/demo/$check" || status=$?
  [ "$status" -eq 0 ] || { echo "no patch (exit code $status)"; return "$status"; }
}

repair deepspeed 0.9.3 check_hostfile.py
if "$python" -c 'import torch' 2>/dev/null; then
  repair deepspeed 0.6.4 check_timer.py
else
  echo
  echo "The second bug needs torch, which $python does not have. To see it:"
  echo "  $python -m venv torch-env && torch-env/bin/pip install torch && make demo PYTHON=\$PWD/torch-env/bin/python3"
fi
