#!/usr/bin/env bash
# What lockstep ($1, built by the compiler $2, as CMake calls it) prints and emits does not depend on its compiler: clang++
# evaluates the arguments of a call left to right, g++ right to left, so names that are made and numbers that are drawn in
# two arguments of one call would differ. The other of the two compilers builds lockstep in a folder that is deleted; its
# golden files are the same, and so are what it makes of every example and the random programs that it draws.
# Where that compiler is not installed the exit status is 77: skipped.
set -u
this=$2
skip() {
  echo "skipped: $1"
  exit 77
}
case $this in
  GNU) other=clang++ ;;
  Clang) other=g++ ;;
  *) skip "no other compiler is known beside $this" ;;
esac
command -v "$other" >/dev/null || skip "$other is not installed"

lockstep=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$root" || exit 1
quietly() { # what is done, command
  "${@:2}" >"$scratch/log" 2>&1 || { echo "not ok $1"; tail -n 40 "$scratch/log"; exit 1; }
}
# At another level of optimisation, too, which takes less time.
quietly "configuring for $other" cmake --preset release -B "$scratch/build" -DCMAKE_CXX_COMPILER="$other" \
  -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG"
quietly "building by $other" ninja -C "$scratch/build" -j2 lockstep
second=$scratch/build/lockstep

failed=0
env -u UPDATE_GOLDEN "$here/golden_test.sh" "$second" || failed=1

same() { # what is compared, function of a lockstep
  "$2" "$lockstep" >"$scratch/one" 2>&1 || { echo "not ok $1: exit $?"; failed=1; }
  "$2" "$second" >"$scratch/other" 2>&1 || { echo "not ok $1: exit $? where $other built it"; failed=1; }
  [ -s "$scratch/one" ] && cmp -s "$scratch/one" "$scratch/other" && return
  echo "not ok $1: differs between $this and $other"
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
[ "$failed" = 0 ] && echo "the same by $this and $other"
exit "$failed"
