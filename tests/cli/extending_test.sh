#!/usr/bin/env bash
# Builds examples/extending as a project of its own over the build folder $1 and compares what it prints.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake -G Ninja -S "$here/../../examples/extending" -B "$scratch" -DLOCKSTEP_BUILD="$1" -DCMAKE_BUILD_TYPE=Release >"$scratch/log" 2>&1 &&
  cmake --build "$scratch" >>"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
got=$("$scratch/extended")
[ "$got" = "[7, 9, -24, 3]" ] || { echo "got $got"; exit 1; }
echo "1 passed, 0 failed"
