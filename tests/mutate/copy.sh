# Sourced by mutate.sh and decisions.sh: a copy of the tree in build/$purpose with all mistakes in it, built once. A run
# makes the one that LOCKSTEP_PLANTED names (planted.h).
stop() { printf '%s: %s\n' "$purpose" "$1" >&2; exit 2; }
say() { printf '%s: %s\n' "$purpose" "$*" >&2; }
seconds() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(seconds)" 'BEGIN { printf "%.1f\n", b - a }'; }

tree=$root/build/$purpose
mkdir -p "$tree"
exec 7>"$tree.lock"
flock -n 7 || stop "mistakes are being tried in $tree already"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# What is left running must not take the machine: a loop that does not end, or that fills the memory.
ulimit -v 8000000

# By the compiler OTHER_COMPILER, where one is named. A mistake may leave a name unused. -O1 compiles in two thirds of the
# time, and where clang makes little inline, in a quarter less than that.
flags="-O1 -DNDEBUG"
[[ ${OTHER_COMPILER:-} != *clang* ]] || flags+=" -mllvm -inline-threshold=25"
configure_copy() {
  cd "$tree" && rm -rf build &&
    cmake --preset release -DCMAKE_CXX_FLAGS=-w -DCMAKE_CXX_FLAGS_RELEASE="$flags" \
      -DLOCKSTEP_FILES_OF_TESTS=16 \
      ${OTHER_COMPILER:+-DCMAKE_CXX_COMPILER="$OTHER_COMPILER"}
}
is_configured() {
  [ -f "$tree/build/build.ninja" ] && grep -q "^CMAKE_CXX_COMPILER:.*=${OTHER_COMPILER:-.*}\$" "$tree/build/CMakeCache.txt" &&
    grep -q "^CMAKE_CXX_FLAGS_RELEASE:[A-Z]*=$flags\$" "$tree/build/CMakeCache.txt"
}
build_copy() { # TARGET ...
  { is_configured || (configure_copy); } >"$scratch/log" 2>&1 && ninja -C "$tree/build" -k 0 "$@" >>"$scratch/log" 2>&1
}

# Runs a command by itself, in the folder $own: with its own compiled programs and answers of solvers, which a mistake may
# have made wrong, beside those that runs without mistakes compiled. Solvers' answers are kept for a build, and the build
# is the same. LIMIT is of its processor's seconds, so that a machine with other work to do cuts nothing short; by the
# clock it is three times as long, for what waits and does not end. A test of claims ends at the first that fails.
alone() { # LIMIT COMMAND ...
  local limit=$1
  shift
  rm -rf "$own/cache" "$own/tmp"
  mkdir -p "$own/warm" "$own/tmp"
  cp -al "$own/warm" "$own/cache"
  rm -f "$own/cache/answers"
  (
    ulimit -t "$limit"
    LOCKSTEP_ABORT=yes LOCKSTEP_CACHE=$own/cache TMPDIR=$own/tmp timeout -k 5 "$((3 * limit))" "$@" || exit 1
  ) >"$own/test" 2>&1 </dev/null 7>&-
}
# The same without a mistake: what it compiles is kept.
without_mistake() { # LIMIT COMMAND ...
  local status=0
  alone "$@" || status=$?
  rm -rf "$own/warm"
  mv "$own/cache" "$own/warm"
  return $status
}

# Calls a function with each line of standard input, as many at once as there are processors, each in a folder of its own.
# Fails where one does.
each_line() { # FUNCTION [WARM]: WARM is a folder of programs compiled before
  export warm=${2:-}
  # shellcheck disable=SC2016 # for the shell that it starts
  xargs -r -d '\n' -n 1 -P "$(nproc)" bash -euo pipefail -c '
    own=$(mktemp -d -p "$scratch")
    [ -z "$warm" ] || cp -al "$warm" "$own/warm"
    status=0
    "$0" "$1" || status=1
    rm -rf "$own"
    exit $status' "$1"
}
export tree scratch tool
export -f seconds since alone without_mistake
