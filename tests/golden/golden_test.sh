#!/usr/bin/env bash
# Golden files: what lockstep ($1) prints and emits for a few programs, against the files beside this script.
# UPDATE_GOLDEN=1 writes them anew; read the diff.
set -u
lockstep=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

golden() { # file name, then the command whose standard output it is
  local name=$1
  shift
  (cd "$root" && "$@") >"$scratch/out" 2>"$scratch/err" || { echo "not ok $name: exit $?"; cat "$scratch/err"; failed=$((failed + 1)); return; }
  compare "$name" "$scratch/out"
}
compare() { # name, file
  if [ "${UPDATE_GOLDEN:-}" = 1 ]; then cp "$2" "$here/$1"; fi
  if cmp -s "$here/$1" "$2"; then
    passed=$((passed + 1))
  else
    echo "not ok $1"
    diff -u "$here/$1" "$2" | head -40
    failed=$((failed + 1))
  fi
}
emitted() { # program, target, files expected
  local program=$1 target=$2
  shift 2
  mkdir -p "$scratch/emit" && rm -f "$scratch"/emit/*
  (cd "$root" && "$lockstep" emit "$program" --target "$target" --output "$scratch/emit") >/dev/null 2>"$scratch/err" ||
    { echo "not ok emit $program $target"; cat "$scratch/err"; failed=$((failed + 1)); return; }
  for file in "$@"; do compare "$target.$file" "$scratch/emit/$file"; done
}

# What is said of wrong programs and command lines, to be read together (messages.programs: its head says how).
# Where a program is given instead, it must be accepted: what the message advises works.
messages() { # program text, command; prints what is said and the exit status
  local text=$1 command=$2 status
  printf '%s' "$text" >"$scratch/said/program.dpia"
  printf '$ %s\n' "$command"
  (cd "$scratch/said" && eval "lockstep() { \"$lockstep\" \"\$@\"; }; $command" 2>&1)
  status=$?
  printf 'exit %s\n' "$status"
  return "$status"
}
told() { # one section: title, wrong program and command, program and command instead
  printf '==== %s\n%s' "$1" "$2"
  messages "$2" "${3:-lockstep check program.dpia}" &&
    { echo "not ok $1: it is accepted" >&2; : >"$scratch/unsaid"; }
  if [ -n "$4" ]; then
    if messages "$4" "${5:-lockstep check program.dpia}" >"$scratch/instead"; then
      printf -- '---- instead\n%s' "$4"
    else
      echo "not ok $1: what is given instead is refused" >&2
      cat "$scratch/instead" >&2
      : >"$scratch/unsaid"
    fi
  fi
  echo
}
all_messages() { # the file of sections
  local title='' line part=2 section=('' '' '' '' '')
  mkdir -p "$scratch/said"
  while IFS= read -r line; do
    case $line in
      '==== '*)
        [ -z "$title" ] || told "$title" "${section[@]:1}"
        title=${line#==== } part=1 section=('' '' '' '' '') ;;
      '---- instead') part=3 ;;
      '$ '*) section[part + 1]=${line#\$ } ;;
      *) [ -z "$title" ] || section[part]+=$line$'\n' ;;
    esac
  done < <(cat "$1"; echo '==== ')
}

golden dot.stages "$lockstep" stages examples/dot.dpia
golden gemv.stages "$lockstep" stages examples/gemv.dpia
golden dot_gpu.stages "$lockstep" stages examples/dot_gpu.dpia
golden dot.cost "$lockstep" cost examples/dot.dpia
golden dot_gpu.derivation "$lockstep" derive examples/dot.dpia --strategy examples/derive/dot_gpu.strat
golden asum_cpu.derivation "$lockstep" derive examples/asum.dpia --strategy examples/derive/asum_cpu.strat
golden scal_cpu.derivation "$lockstep" derive examples/scal.dpia --strategy examples/derive/scal_cpu.strat
emitted examples/dot.dpia openmp dot.cpp dot.h
emitted examples/dot_fast.dpia openmp dot_fast.cpp dot_fast.h
emitted examples/dot_gpu.dpia hip dot_gpu.hip dot_gpu.hip.h
emitted tests/golden/block_sum.dpia hip block_sum.hip block_sum.hip.h
all_messages "$here/messages.programs" >"$scratch/messages"
if [ -e "$scratch/unsaid" ]; then failed=$((failed + 1)); else passed=$((passed + 1)); fi
compare messages.txt "$scratch/messages"

# A golden file that differs must be noticed.
if [ "${UPDATE_GOLDEN:-}" != 1 ]; then
  echo changed >"$scratch/changed"
  before=$failed
  compare dot.stages "$scratch/changed" >/dev/null
  if [ "$failed" -gt "$before" ]; then failed=$before passed=$((passed + 1)); else echo "not ok: a changed file went unnoticed"; failed=$((failed + 1)); fi
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
