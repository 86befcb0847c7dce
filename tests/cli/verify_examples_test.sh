#!/usr/bin/env bash
# verify over every example: each agrees at every stage and target, within a time that a program that is stuck exceeds.
# How long each took is printed: what an example may take is a matter of benchmarks, on a quiet machine.
#   tests/cli/verify_examples_test.sh LOCKSTEP
set -u
. "$(dirname "$0")/claims.sh"
words_of() { # EXAMPLE: what verify is given beside it
  case $1 in
    matmul.snesl) echo 'a=[[1.0,2.0],[3.0,4.0],[0.5,-1.0]] b=[[2.0,0.0,1.0],[1.0,-2.0,0.25]]' ;;
  esac
}
agrees() { # EXAMPLE ..., and in `took` the seconds
  local start=$EPOCHREALTIME
  status=0
  timeout 120 "$lockstep" verify "$@" >out 2>err </dev/null || status=$?
  took=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
  is 0 && grep -q "^every stage and target agrees with the source" out && ! grep -q "not run" out
}
took=
verified() { # EXAMPLE: with its words
  # shellcheck disable=SC2046 # words
  agrees "$1" $(words_of "$(basename "$1")")
}
cp -r "$examples" examples
count=0
for example in examples/*.dpia examples/streaming/*.snesl; do
  count=$((count + 1))
  claim "verify $example agrees" verified "$example"
  echo "  $took s"
done
claim "there are examples of both languages" [ "$count" -ge 40 ]
printf 'fun f(n) = 1 / (n - n)\n' >examples/wrong.snesl
claim "an example that only traps does not agree" eval '! verified examples/wrong.snesl'
conclude
