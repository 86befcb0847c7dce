#!/usr/bin/env bash
# A primitive outside the tree gets what one inside gets: builds examples/extending, as a project of its own over the
# build folder $1, and asks its command for everything that its README shows, and more. Then, in a copy, each primitive
# is made wrong, and prove, verify and campaign say so.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$here/../../examples/extending" "$scratch/extending"
cd "$scratch/extending" || exit 1
export LOCKSTEP_CACHE=$scratch/cache
build() {
  local compiler type flags # a sanitized library links with programs that are, too
  compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$1/CMakeCache.txt")
  type=$(sed -n 's/^CMAKE_BUILD_TYPE:[A-Z]*=//p' "$1/CMakeCache.txt")
  flags=$(sed -n "s/^CMAKE_CXX_FLAGS_${type^^}:[A-Z]*=//p" "$1/CMakeCache.txt")
  cmake -G Ninja -S . -B "$scratch/build" -DLOCKSTEP_BUILD="$1" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_BUILD_TYPE="$type" "-DCMAKE_CXX_FLAGS_${type^^}=$flags" >"$scratch/log" 2>&1 &&
    cmake --build "$scratch/build" >>"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
}
passed=0 failed=0
says() { # STATUS TEXT COMMAND ...
  local want=$1 text=$2 status=0
  shift 2
  timeout 300 "$scratch/build/extended" "$@" >"$scratch/out" 2>&1 || status=$?
  if [ "$status" = "$want" ] && grep -qF -- "$text" "$scratch/out"; then
    passed=$((passed + 1))
  else
    echo "not ok extended $* (status $status): expected $want and '$text', found"
    cat "$scratch/out"
    failed=$((failed + 1))
  fi
}

build "$1"
says 0 "[7, 9, -24, 3]" run steps.dpia:steps k=2 "xs=[1,4,9,16,25]" --compare
says 0 "every stage and target agrees with the source" verify steps.dpia:steps --certificate steps.json
says 0 "came out as before" verify --replay steps.json
says 0 "bounds" prove steps.dpia:steps
says 0 "rotate k xs" stages steps.dpia:steps
says 0 "reads rotate k xs ! i = xs ! ((i + k) % n)" prove --only rotate
says 0 "2 proved, 2 tested" prove --only rotate
says 0 "its translation gives its meaning" prove --only pairwise
says 0 "rotate : (k : nat) -> [n]'a -> [n]'a" primitives rotate
says 0 "reads inside its arguments" primitives rotate
says 0 "work " primitives pairwise
says 0 "the array from element k on, then the first k" primitives
says 0 "200 programs" campaign --programs 200
says 0 '"missing": [],' campaign --programs 4000 --json
says 0 ".snesl" targets
# The one with a constant of its own.
says 0 "[0, 1, 2, 0]" run steps.dpia:lengths k=4 "xs=[1,2,4,6,15]" --compare
says 0 "every stage and target agrees with the source" verify steps.dpia:lengths
says 0 "tallyI" stages steps.dpia:lengths
says 0 "1 tested" prove --only tally
says 0 "tally : (k : nat) -> [n]i64 -> [k]i64" primitives tally

# One mistake a time: FILE, what stands, what is put there. A meaning is wrong beside its equation, a path too.
mistaken() {
  cp "$here/../../examples/extending/$1" "$1"
  sed -i "s|$2|$3|" "$1"
  cmp -s "$here/../../examples/extending/$1" "$1" && { echo "not ok $1 has no $2"; failed=$((failed + 1)); }
  build "$build"
}
build=$1
mistaken rotate.cpp '+ at.size(0), at.size(1)' '+ at.size(0) + 1, at.size(1)'
says 1 "refuted" prove --only rotate
says 1 "differs from the source" verify steps.dpia:steps
says 1 "fails: meaning, at paths" campaign --programs 200
mistaken rotate.cpp '(i + k) % n); });' '(i + k + 1) % n); });'
says 1 "its equation is its meaning" prove --only rotate
says 1 "differs from the source" verify steps.dpia:steps
says 1 "fails: meaning" campaign --programs 200
mistaken rotate.cpp '((i + k) % n)"' '((i + k) % (n + 1))"'
says 1 "refuted" prove --only rotate
cp "$here/../../examples/extending/rotate.cpp" rotate.cpp
mistaken pairwise.cpp 'index_at(1, 2)' 'index_at(0, 2)'
says 1 "refuted" prove --only pairwise
says 1 "the program after translate (DPIA §4.1, Fig. 5) differs from the source" verify steps.dpia:steps
says 1 "fails: meaning, at translate" campaign --programs 1000
cp "$here/../../examples/extending/pairwise.cpp" pairwise.cpp
mistaken tally.cpp 'constant(0), kernel::ArithOp::LessEqual' 'constant(0), kernel::ArithOp::Less'
says 1 "refuted" prove --only tally
says 1 "the program after paths (DPIA §4.3, Fig. 6) differs from the source" verify steps.dpia:lengths
says 1 "fails: meaning, at paths" campaign --programs 1000
mistaken tally.cpp 'number_at(counts, i) + 1' 'number_at(counts, i) + 2'
says 1 "refuted" prove --only tally
says 1 "the program after translate (DPIA §4.1, Fig. 5) differs from the source" verify steps.dpia:lengths
printf '%s passed, %s failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
