#!/usr/bin/env bash
# What `./dev mutate` runs: mistakes that nobody chose, all in one copy of the tree, and which test finds each. A run
# without mistakes says by which of them each test comes: only these tests are run with it, the cheapest first.
#   mutate.sh ROOT MUTATE [--sample N] [--seed S] [--from K]
set -euo pipefail
root=$1 tool=$2 purpose=mutate
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
shift 2
fail() { printf 'mutate: %s\n' "$1" >&2; exit 2; }
sample=20 seed='' from=0
while [ $# -gt 0 ]; do
  case $1 in
    --sample) sample=${2:-} ;;
    --seed) seed=${2:-} ;;
    --from) from=${2:-} ;;
    *) fail "unknown option $1; it takes --sample N, --seed S and --from K" ;;
  esac
  shift 2 || fail "an option without a value"
done
[[ $sample =~ ^[1-9][0-9]{0,3}$ ]] || fail "--sample takes a number from 1 to 9999"
[[ $from =~ ^[0-9]{1,5}$ ]] || fail "--from takes a number below 100000"
[ -n "$seed" ] || seed=$(git -C "$root" rev-parse HEAD)
# shellcheck source=tests/mutate/copy.sh
. "$here/copy.sh"
cd "$root"

# Some do not compile: more are planted than wanted.
to=$((from + sample + sample / 2 + 4))
: >"$scratch/refused"
say "building a copy (in $tree)"
while :; do
  git ls-files | "$tool" sample "$tree" "$seed" "$from" "$to" "$scratch/refused" >"$scratch/table" 2>"$scratch/undecided" ||
    stop "$(cat "$scratch/undecided")"
  if build_copy; then
    planted=$(wc -l <"$scratch/table")
    [ "$planted" -lt "$sample" ] || break
    to=$((to + 2 * (sample - planted)))
  else
    "$tool" blamed "$tree" "$scratch/table" "$scratch/log" >"$scratch/blamed"
    [ -s "$scratch/blamed" ] || { grep -A 20 '^FAILED: ' "$scratch/log" >&2; stop "the copy does not build"; }
    say "do not compile: $(paste -sd ' ' "$scratch/blamed")"
    cat "$scratch/blamed" >>"$scratch/refused"
  fi
done
cat "$scratch/undecided" >&2
head -n "$sample" "$scratch/table" >"$scratch/mistakes"
last=$(tail -n 1 "$scratch/mistakes" | cut -f 1)

# Not those that build, or that read the sources.
left_out='extending|rooms|dev|twins_test|mutate_words'
run_test() { # NAME LIMIT, after alone or without_mistake
  "$1" "$3" ctest --test-dir "$tree/build" -j1 -R "^$2\$" --no-tests=error --timeout "$3" --output-on-failure
}
say "running the tests without a mistake"
mkdir "$scratch/reached" "$scratch/warm"
without_mistakes() { # NAME: how long it took, and by which mistakes it comes
  local start
  start=$(seconds)
  : >"$scratch/reached/$1"
  LOCKSTEP_REACHED=$scratch/reached/$1 run_test without_mistake "$1" 900 ||
    { echo "without a mistake $1 fails: $(tail -n 30 "$own/test")" >&2; return 1; }
  echo "$(since "$start") $1" >>"$scratch/took"
  flock "$scratch/warm" cp -aln "$own/warm/." "$scratch/warm"
}
# The first test that finds it, or that nothing does.
try_mistake() { # a line of the table
  local number took name by=nothing start what comes=no
  IFS=$'\t' read -r number _ _ _ what <<<"$1"
  start=$(seconds)
  while read -r took name; do
    grep -qx "$number" "$scratch/reached/$name" || continue
    comes=yes
    LOCKSTEP_PLANTED=$number run_test alone "$name" "$(awk -v t="$took" 'BEGIN { print int(10 * t + 30) }')" ||
      { by=$name; break; }
  done <"$scratch/order"
  [ $comes = yes ] || by="nothing comes by"
  case $by in nothing*) ;; *) echo "$number" >>"$scratch/killed" ;; esac
  printf '%-5s %-28s %6s s  %s\n' "$number" "$by" "$(since "$start")" "$what"
}
export -f run_test without_mistakes try_mistake
ctest --test-dir "$tree/build" -N -LE '^long$' | sed -n 's/^ *Test *#[0-9]*: //p' | grep -vxE "$left_out" |
  each_line without_mistakes || stop "a test fails without a mistake"
sort -n "$scratch/took" >"$scratch/order"

say "$sample mistakes, seed $seed"
: >"$scratch/killed"
each_line try_mistake "$scratch/warm" <"$scratch/mistakes"
killed=$(wc -l <"$scratch/killed")
printf '\n%s of %s mistakes found (%s%%), seed %s, numbers %s to %s; not among them, as they do not compile: %s\n' \
  "$killed" "$sample" $((100 * killed / sample)) "$seed" "$from" "$last" \
  "$(awk -v l="$last" '$1 < l' "$scratch/refused" | sort -n | paste -sd ' ')"
