#!/usr/bin/env bash
# What lockstep ($1) prints and emits does not depend on its compiler: clang++ evaluates the arguments of a call left to
# right, g++ right to left, so names that are made and numbers that are drawn in two arguments of one call would differ.
# That of the copy with mistakes ($2), none of which is made, is built by the other of the two compilers and at another
# level of optimisation: its golden files are the same, and so are what it makes of every example and the random programs
# that it draws. Where that compiler is not installed ($3 is empty) the exit status is 77: skipped.
set -u
[ -n "$3" ] || { echo "skipped: one compiler is installed"; exit 77; }
lockstep=$(realpath "$1")
second=$(realpath "$2")
other=$(basename "$3")
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$root" || exit 1

failed=0
env -u UPDATE_GOLDEN "$here/golden_test.sh" "$second" || failed=1

same() { # what is compared, function of a lockstep
  "$2" "$lockstep" >"$scratch/one" 2>&1 || { echo "not ok $1: exit $?"; failed=1; }
  "$2" "$second" >"$scratch/other" 2>&1 || { echo "not ok $1: exit $? where $other built it"; failed=1; }
  [ -s "$scratch/one" ] && cmp -s "$scratch/one" "$scratch/other" && return
  echo "not ok $1: differs where $other built it"
  diff "$scratch/one" "$scratch/other" | head -40
  failed=1
}
stages() {
  local program
  for program in examples/*.dpia examples/streaming/*.snesl; do
    echo "$program"
    "$1" stages "$program" || return
  done
}
emitted() {
  local program
  for program in examples/*.dpia examples/streaming/*.snesl; do
    rm -rf "$scratch/emit"
    "$1" emit "$program" --output "$scratch/emit" >/dev/null || return
    (cd "$scratch/emit" && find . -type f | sort | xargs sha256sum | sed "s|\$| of $program|")
  done
}
drawn() { # without how long it took
  "$1" campaign --programs 2000 --seed 3 >"$scratch/dpia" && "$1" campaign --language snesl --programs 500 --seed 3 >"$scratch/snesl" &&
    sed -E 's/ in [0-9.]+ (µs|ms|s)$//' "$scratch/dpia" "$scratch/snesl"
}
same "stages of every example" stages
same "code emitted for every example" emitted
same "random programs" drawn
[ "$failed" = 0 ] && echo "the same where $other built it"
exit "$failed"
