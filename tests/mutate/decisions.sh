#!/usr/bin/env bash
# The mistakes of a table, all in one copy of the tree: each is found by the test that its row names, which passes without
# it. A row's test is a unit test's program and the name of a case, a `lockstep` command that succeeds, or another test
# that ctest runs.
#   decisions.sh ROOT MUTATE [--build] [DECISIONS]     --build: the copy is built, and nothing is tried
set -euo pipefail
root=$1 tool=$2 purpose=decisions only_build=
shift 2
[ "${1:-}" != --build ] || { only_build=yes; shift; }
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
decisions=$(readlink -f -- "${1:-$here/decisions}")
# shellcheck source=tests/mutate/copy.sh
. "$here/copy.sh"
cd "$root"

"$tool" tests "$decisions" >"$scratch/tests"
mapfile -t programs < <(cut -f 2 "$scratch/tests" |
  awk '/^[a-z0-9_]*_test( |$)/ { print $1; next } { print "lockstep" } !/^lockstep / { print "planted"; print "certificate_edits" }' |
  sort -u)
# Of unit tests those that are to find one: the others are not compiled.
git ls-files -- 'tests/unit/*_test.cpp' | grep -vxFf <(printf 'tests/unit/%s.cpp\n' "${programs[@]}") >"$scratch/others" || true
git ls-files | grep -vxFf "$scratch/others" | "$tool" rows "$tree" "$decisions" >"$scratch/table" || exit 1
say "building a copy with $(wc -l <"$scratch/tests") mistakes (in $tree)"
build_copy "${programs[@]}" || {
  "$tool" blamed "$tree" "$scratch/table" "$scratch/log" >"$scratch/blamed"
  while read -r number; do echo "does not compile: $(awk -F '\t' -v n="$number" '$1 == n { print $5 }' "$scratch/table")"; done <"$scratch/blamed"
  [ -s "$scratch/blamed" ] || grep -A 20 '^FAILED: ' "$scratch/log" || tail -n 5 "$scratch/log"
  exit 1
}
[ -z "$only_build" ] || exit 0

run_it() { # alone or without_mistake, LIMIT, TEST
  local how=$1 limit=$2 program=${3%% *} rest=
  [ "$program" = "$3" ] || rest=${3#* }
  case $program in
    lockstep)
      # shellcheck disable=SC2086 # its words
      "$how" "$limit" "$tree/build/lockstep" $rest
      ;;
    *_test)
      # What Catch2 reads in a name: commas, brackets, stars.
      rest=$(sed 's/[][,*"\\]/\\&/g' <<<"$rest")
      "$how" "$limit" "$tree/build/tests/$program" -w NoTests ${rest:+"$rest"} --abort
      ;;
    *) "$how" "$limit" ctest --test-dir "$tree/build" -j1 -R "^$program\$" --no-tests=error --output-on-failure ;;
  esac
}

# One test: it passes without a mistake, and finds each of its own.
try_test() { # TEST
  local start took number
  start=$(seconds)
  run_it without_mistake 120 "$1" || {
    printf 'not ok without a mistake: %s\n%s\n' "$1" "$(tail -n 20 "$own/test")"
    return 1
  }
  took=$(since "$start")
  while read -r number; do
    start=$(seconds)
    if LOCKSTEP_PLANTED=$number run_it alone "$(awk -v t="$took" 'BEGIN { print int(3 * t + 3) }')" "$1"; then
      echo "not found by $1: $(awk -F '\t' -v n="$number" '$1 == n { print $5 }' "$scratch/table")" | tee -a "$scratch/survivors"
    fi
    printf '%s %s %s\n' "$(since "$start")" "$number" "$1" >>"$scratch/times"
  done < <(T=$1 awk -F '\t' '$2 == ENVIRON["T"] { print $1 }' "$scratch/tests")
}
export -f run_it try_test
: >"$scratch/times"
: >"$scratch/survivors"
failed=0
cut -f 2- "$scratch/tests" | sort -u | each_line try_test || failed=1
sort -n "$scratch/times" >"$scratch/sorted"
count=$(wc -l <"$scratch/tests") tried=$(wc -l <"$scratch/sorted") survivors=$(wc -l <"$scratch/survivors")
[ -z "${TIMES:-}" ] || cp "$scratch/sorted" "$TIMES"
median=$(awk -v m=$(((tried + 1) / 2)) 'NR == m { print $1 }' "$scratch/sorted")
echo "$((tried - survivors)) of $count mistakes found, each by its test; median $median s, longest $(tail -n 1 "$scratch/sorted")"
awk -v m="$median" 'BEGIN { exit !(m <= 2) }' || { echo "not ok: the median is over 2 s"; exit 1; }
[ "$failed" = 0 ] && [ "$survivors" = 0 ]
