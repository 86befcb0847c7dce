#!/bin/bash
# prove --solver: what the second solver says is said, where it is not there the status is 4, and what it says wrongly is
# not believed. Without --solver both are asked where both are there. What was answered is not asked again.
#   solvers_test.sh LOCKSTEP
set -u
lockstep=$1
status=0
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT

export LOCKSTEP_CACHE=$folder/cache

# WHAT STATUS TEXT ARGUMENT ...: the status, and a line of output that holds the text.
expect() {
  local what=$1 want=$2 text=$3 got=0
  shift 3
  timeout 300 env PATH="$path" "$lockstep" "$@" >"$folder/out" 2>&1 || got=$?
  [ "$got" = "$want" ] && grep -qF -- "$text" "$folder/out" && return
  printf 'FAILED: %s: status %s, and expected %s and "%s":\n' "$what" "$got" "$want" "$text"
  head -n 20 "$folder/out"
  status=1
}

path=$folder
expect 'there is no cvc5' 4 'cvc5 cannot run here' prove --solver cvc5
expect 'there is no second solver' 4 'package cvc5' prove --solver both --only split
expect 'without a second solver the first is asked alone' 0 \
  'alone was asked: there is no cvc5 here, which is in' prove --only 'transpose reads'
expect 'so of a program' 0 'alone was asked: there is no cvc5 here, which is in' prove "$root/examples/jacobi.dpia"
expect 'no such solver' 2 'the solvers are z3, cvc5 and both' prove --solver yices
printf 'fun f (x : Int) : Int = x\n' >"$folder/f.snesl"
expect '.snesl asks none' 2 '--solver' prove "$folder/f.snesl" --solver cvc5

# One that says always the same; what the one before it answered is forgotten.
says() {
  rm -rf "$LOCKSTEP_CACHE"
  printf '#!/bin/sh\n[ "$1" = --version ] && echo "This is cvc5 version 9" && exit\ncat >/dev/null\necho "%s"\n' "$1" \
    >"$folder/cvc5"
  chmod +x "$folder/cvc5"
}
path=$folder:$PATH
says unsat
expect 'what is proved wrongly contradicts Z3' 1 'cvc5 proves it and Z3 refutes' prove --solver both --only 'one element too far'
says sat
expect 'what is refuted wrongly contradicts Z3' 1 'Z3 proves it and cvc5 refutes' prove --solver both --only 'transpose reads'
expect 'so it does unasked' 1 'Z3 proves it and cvc5 refutes' prove --only 'transpose reads'
expect 'so of a kernel' 1 'the solver fails: Z3 proves it and cvc5 refutes it' prove --solver both "$root/examples/jacobi.dpia"
expect 'so it does unasked' 1 'the solver fails: Z3 proves it and cvc5 refutes it' prove "$root/examples/jacobi.dpia"
printf 'fun f [n] (xs : [n]i32) : [n]i32 = mapPar (\\x -> x + 1) xs\n' >"$folder/f.dpia"
expect 'normal forms are watched over' 1 'Z3 proves it and cvc5 refutes it' prove --solver both "$folder/f.dpia"
says nonsense
expect 'what is no answer is unknown' 1 'cvc5 says: nonsense' prove --solver cvc5 --only 'transpose reads'
expect 'where Z3 proves it that is enough' 0 'Z3 alone 2' prove --only 'transpose reads'
rm "$folder/cvc5"
rm -rf "$LOCKSTEP_CACHE"

path=$PATH
if command -v cvc5 >/dev/null; then
  expect 'cvc5 proves' 0 'cvc5, 1 case' prove --solver cvc5 --only 'transpose reads'
  expect 'both prove' 0 'Z3 and cvc5, 1 case' prove --solver both --only 'transpose reads'
  expect 'the share that both settle' 0 'both settle 2 of 2 obligations (100%); ' prove --only 'transpose reads'
  expect 'what was asked before' 0 ' answers known from before' prove --only 'transpose reads'
  expect 'as JSON' 0 '"share_of_both": 1.0' prove --json --only 'transpose reads'
  expect 'of a kernel' 0 'by Z3 and cvc5' prove "$root/examples/jacobi.dpia"
  expect 'its facts are beside what is proved' 0 'assumed: 1 <= h' prove "$root/examples/jacobi.dpia"
else
  echo 'there is no cvc5 here: only what is said of that was tried'
fi
exit $status
