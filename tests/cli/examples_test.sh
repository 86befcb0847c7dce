#!/usr/bin/env bash
# Runs every example on each target and compares what it writes with examples/NAME/expected*.npy under examples/NAME/
# bound. An example without expected files is compared with the interpreter by --compare. A last check hands a damaged
# expected file to the same comparison, which must notice.
#
#   examples_test.sh LOCKSTEP [--target T,T...] [--only NAME]     targets default to interpreter,openmp
#
# NPY_COMPARE names a built tests/cli/npy_compare.cpp; without it, it is built with ${CXX:-c++}.
# The last line is "N passed, M failed"; the exit status is 0 only if M is 0 and N is not.
set -u
usage() { echo "usage: $0 LOCKSTEP [--target T,T...] [--only NAME]" >&2; exit 2; }

[ $# -ge 1 ] || usage
lockstep=$(realpath "$1") || usage
shift
targets=interpreter,openmp
only=
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || usage
  case $1 in
    --target) targets=$2 ;;
    --only) only=$2 ;;
    *) usage ;;
  esac
  shift 2
done

here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
compare=${NPY_COMPARE:-$scratch/npy_compare}
[ -z "${NPY_COMPARE:-}" ] || compare=$(realpath "$NPY_COMPARE")
[ -x "$compare" ] || "${CXX:-c++}" -std=c++20 -O1 "$here/npy_compare.cpp" -o "$compare" || exit 2
cd "$here/../.." || exit 2  # paths in args start at the top of the repository

for target in ${targets//,/ }; do
  "$lockstep" targets | grep "^\.dpia *$target  *no: " && exit 77 # a test that is skipped
done

passed=0
failed=0
pass() { passed=$((passed + 1)); }
fail() {  # WHAT [LOG]
  failed=$((failed + 1))
  echo "FAIL $1"
  [ ! -s "${2:-}" ] || sed 's/^/     /' "$2"
}

# outputs_agree RESULTS EXPECTED BOUND: the same leaves in both folders (out*.npy, expected*.npy), each within the bound.
outputs_agree() {
  local want got
  for want in "$2"/expected*.npy; do
    got=$1/out${want#"$2/expected"}
    [ -f "$got" ] || { echo "no result $(basename "$got")"; return 1; }
    "$compare" "$got" "$want" "$3" || return 1
  done
  for got in "$1"/out*.npy; do
    want=$2/expected${got#"$1/out"}
    [ -f "$want" ] || { echo "a result that is not expected: $(basename "$got")"; return 1; }
  done
}

run_example() {  # NAME TARGET
  local folder=examples/$1 results=$scratch/$1.$2 log=$scratch/log args
  read -r -a args <"$folder/args"
  mkdir -p "$results"
  if ! compgen -G "$folder/expected*.npy" >/dev/null; then
    if "$lockstep" run "$folder.dpia" "${args[@]}" --target "$2" --compare >"$log" 2>&1; then pass
    else fail "$1 on $2: exit status $? of run --compare" "$log"; fi
  elif ! "$lockstep" run "$folder.dpia" "${args[@]}" --target "$2" --output "$results/out.npy" >"$log" 2>&1; then
    fail "$1 on $2: run failed" "$log"
  elif outputs_agree "$results" "$folder" "$(cat "$folder/bound")" >"$log" 2>&1; then pass
  else fail "$1 on $2" "$log"; fi
}

# The comparison must notice one changed element, a missing leaf and one too many, and accept what is unchanged.
damaged_files_are_noticed() {
  local good=$scratch/good results=$scratch/results
  mkdir -p "$good" "$results"
  cp examples/compact/expected.0.npy examples/compact/expected.1.npy "$good"
  cp "$good/expected.0.npy" "$results/out.0.npy"
  cp "$good/expected.1.npy" "$results/out.1.npy"
  outputs_agree "$results" "$good" 0 || { echo "equal files are said to differ"; return 1; }
  printf '\001' | dd of="$good/expected.1.npy" bs=1 seek=200 conv=notrunc status=none
  ! cmp -s "$good/expected.1.npy" "$results/out.1.npy" || { echo "the file was not changed"; return 1; }
  ! outputs_agree "$results" "$good" 0 >/dev/null || { echo "a changed element goes unnoticed"; return 1; }
  cp "$results/out.1.npy" "$good/expected.1.npy"
  mv "$results/out.1.npy" "$results/out.2.npy"
  ! outputs_agree "$results" "$good" 0 >/dev/null || { echo "a missing leaf goes unnoticed"; return 1; }
  cp "$results/out.2.npy" "$results/out.1.npy"
  ! outputs_agree "$results" "$good" 0 >/dev/null || { echo "a leaf too many goes unnoticed"; return 1; }
}

for program in examples/*.dpia; do
  name=$(basename "$program" .dpia)
  [ -z "$only" ] || [ "$only" = "$name" ] || continue
  if [ ! -f "examples/$name/args" ]; then fail "$name has no examples/$name/args"; continue; fi
  for target in ${targets//,/ }; do run_example "$name" "$target"; done
done
if damaged_files_are_noticed >"$scratch/log" 2>&1; then pass; else fail "self check" "$scratch/log"; fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 1 ]
