# What the command-line tests share; sourced with the lockstep command in $1. Goes into a folder of its own, and has
#   call WORD ...            runs the command: status, out, err
#   claim CLAIM CONDITION... a line for a claim, whose condition is a command that succeeds where it holds
#   is, holds, refused       conditions on the last call; conclude says how many claims held
# With LOCKSTEP_ABORT the first claim that does not hold ends the test (mutate/copy.sh).
[ $# = 1 ] || { echo "usage: $0 LOCKSTEP" >&2; exit 2; }
lockstep=$(realpath "$1")
examples=$(cd "$(dirname "$0")/../../examples" && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
cd "$work" || exit 2
export LOCKSTEP_CACHE=$work/cache
export LOCKSTEP_HIP_DEVICE=none  # on every machine the same
passed=0 failed=0 status=0

call() { # WORD ... : status, out, err
  "$lockstep" "$@" >out 2>err </dev/null
  status=$?
}
claim() { # CLAIM CONDITION ... (a command that succeeds where it holds)
  local what=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
    echo "ok - $what"
  else
    failed=$((failed + 1))
    echo "not ok - $what (status $status)"
    head -n 8 out err | sed 's/^/  /'
    [ -z "${LOCKSTEP_ABORT:-}" ] || exit 1
  fi
}
is() { [ "$status" = "$1" ]; }                                   # STATUS
holds() { is 0 && grep -qF -- "$1" out; }                        # TEXT
refused() { is "$1" && [ ! -s out ] && grep -qF -- "$2" err; }   # STATUS TEXT: nothing on standard output
conclude() {
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}
