#!/usr/bin/env bash
# The paper's programs on targets, at block sizes and lengths around them (fcl.md §6 E): what the interpreter gives, or its
# trap. Takes minutes: a program is compiled for each target and block size. Sizes that are not given are all of §6 E.
#   tests/cli/fcl_blocks_test.sh LOCKSTEP [BLOCK_SIZE ...]
set -u
lockstep=$1
shift
. "$(dirname "$0")/claims.sh" "$lockstep"
fcl=$examples/fcl
sizes=(1 2 31 32 33 64 255 256 1024)
[ $# = 0 ] || sizes=("$@")

of_length() { awk -v n="$1" 'BEGIN { srand(n); printf "["; for (k = 0; k < n; ++k) printf "%s%d", k ? "," : "", int(4e9 * rand()) - 2e9; print "]" }'; }
outcome() { # what is printed, or what a trap is called and says
  timeout 300 "$lockstep" run "$@" >out 2>err
  status=$?
  case $status in
    0) cat out ;;
    3) echo "trap: $(head -n 1 err)" ;;
    *) echo "status $status: $(head -n 3 err)" ;;
  esac
}

runs=0
at() { # BLOCK FILE:FUN ARGUMENT ...: on every target that is here
  local block=$1 expected got target
  shift
  expected=$(outcome "$@" --block-size "$block" --target interpreter)
  for target in openmp opencl hip-cpu; do
    [[ $target != hip-cpu || $block -le 64 ]] || continue # a thread for each GPU thread
    got=$(outcome "$@" --block-size "$block" --target "$target")
    runs=$((runs + 1))
    [ "$got" = "$expected" ] && continue
    echo "not ok - $target, $block threads: $* gives $got, not $expected" | cut -c 1-400
    failed=$((failed + 1))
  done
}
for block in "${sizes[@]}"; do
  before=$failed
  for n in 0 1 $((block - 1)) "$block" $((block + 1)) $((2 * block)) $((2 * block + 1)); do
    arr=arr=$(of_length "$n")
    at "$block" "$fcl/reverse.fcl:revDistribute" chunkSize="$block" "$arr"
    at "$block" "$fcl/reverse.fcl:revBlock" "$arr"
    at "$block" "$fcl/reduction.fcl:sum" "$arr"
    at "$block" "$fcl/reduction_whole.fcl:sum" "$arr"
  done
  tile=4
  for n in 0 $tile $((2 * tile)) $((2 * tile + 1)); do
    at "$block" "$fcl/transpose.fcl" tileDim=$tile cols="$n" rows=$tile mat="$(of_length $((n * tile)))"
  done
  claim "blocks of $block: what the interpreter gives, $runs runs so far" [ "$failed" = "$before" ]
done
conclude
