#!/usr/bin/env bash
# Golden files: what lockstep ($1) prints and emits for a few programs, against the files beside this script, and of every
# streaming example the digest of all stages and of the engine's code.
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
timeless() { # what a command prints without its times, and without how long it compiled
  "$@" | sed -E 's/ +[0-9.]+ (µs|ms|s)( |$)/ #\2/g; s/  before +#/ #/; s/ # +#/ #/; s/ +#/ #/g; s/ +time$/ time/; s/ +$//'
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
engine_code() { # what of the engine's text is the program's own, after the runtime
  rm -rf "$scratch/engine"
  "$lockstep" emit "$1" --output "$scratch/engine" >/dev/null || return
  sed -n '/^struct Program {/,$p' "$scratch"/engine/*.cpp
}
digests() { # of every streaming example: stages, engine's code
  local program code
  for program in examples/streaming/*.snesl; do
    code=$(engine_code "$program" | sha256sum | cut -c1-16)
    printf '%-24s stages %s  engine %s\n' "$(basename "$program")" \
      "$("$lockstep" stages "$program" | sha256sum | cut -c1-16)" "$code"
  done
}
emitted() { # program, target, files expected
  local program=$1 target=$2
  shift 2
  mkdir -p "$scratch/emit" && rm -rf "$scratch"/emit/*
  (cd "$root" && "$lockstep" emit "$program" --target "$target" --output "$scratch/emit") >/dev/null 2>"$scratch/err" ||
    { echo "not ok emit $program $target"; cat "$scratch/err"; failed=$((failed + 1)); return; }
  for file in "$@"; do compare "$target.$file" "$scratch/emit/$file"; done
}

# What is said of wrong programs and command lines, to be read together (messages.programs: its head says how).
# Where a program is given instead, it must be accepted: what the message advises works.
messages() { # program text, command; prints what is said and the exit status
  local text=$1 command=$2 status
  printf '%s' "$text" >"$scratch/said/program.$language"
  printf '$ %s\n' "$command"
  (cd "$scratch/said" && eval "lockstep() { \"$lockstep\" \"\$@\"; }; $command" 2>&1)
  status=$?
  printf 'exit %s\n' "$status"
  return "$status"
}
told() { # one section: title, wrong program and command, program and command instead
  printf '==== %s\n%s' "$1" "$2"
  messages "$2" "${3:-lockstep check program.$language}" &&
    { echo "not ok $1: it is accepted" >&2; : >"$scratch/unsaid"; }
  if [ -n "$4" ]; then
    if messages "$4" "${5:-lockstep check program.$language}" >"$scratch/instead"; then
      printf -- '---- instead\n%s' "$4"
    else
      echo "not ok $1: what is given instead is refused" >&2
      cat "$scratch/instead" >&2
      : >"$scratch/unsaid"
    fi
  fi
  echo
}
all_messages() { # the file of sections, the language of its programs
  local title='' line part=2 section=('' '' '' '' '') language=$2
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
golden flat_tile.kernel "$lockstep" stages tests/golden/flat_tile.dpia --target hip --stage barriers
golden dot.cost "$lockstep" cost examples/dot.dpia
golden transpose.cost "$lockstep" cost examples/transpose.dpia
golden transpose_gpu.cost "$lockstep" cost examples/transpose_gpu.dpia
golden transpose_swizzled_gpu.cost "$lockstep" cost examples/transpose_swizzled_gpu.dpia
golden histogram_atomic_gpu.cost "$lockstep" cost examples/histogram_atomic_gpu.dpia
golden transpose_tile.cost "$lockstep" cost examples/transpose_tile.dpia t=111 m=2 n=3
for function in padded32 tiled16 padded16; do
  golden "transpose_$function.cost" "$lockstep" cost "tests/golden/transpose_padded.dpia:$function"
done
golden dot_gpu.derivation "$lockstep" derive examples/dot.dpia --strategy examples/derive/dot_gpu.strat
golden asum_cpu.derivation "$lockstep" derive examples/asum.dpia --strategy examples/derive/asum_cpu.strat
golden asum_gpu.derivation "$lockstep" derive examples/asum.dpia --strategy examples/derive/asum_gpu.strat
golden histogram_gpu.derivation "$lockstep" derive examples/histogram.dpia --strategy examples/derive/histogram_gpu.strat
golden scal_cpu.derivation "$lockstep" derive examples/scal.dpia --strategy examples/derive/scal_cpu.strat
emitted examples/dot.dpia openmp dot.cpp dot.h
emitted examples/dot_fast.dpia openmp dot_fast.cpp dot_fast.h
emitted examples/dot_gpu.dpia hip dot_gpu.hip dot_gpu.hip.h
emitted examples/transpose_gpu.dpia hip transpose_gpu.hip transpose_gpu.hip.h
emitted examples/transpose_tile.dpia hip transpose_tile.hip
emitted examples/asum_gpu.dpia hip asum_gpu.hip asum_gpu.hip.h
emitted examples/histogram_atomic_gpu.dpia hip histogram_atomic_gpu.hip histogram_atomic_gpu.hip.h
emitted examples/scan_gpu.dpia hip scan_gpu.hip scan_gpu.hip.h
emitted tests/golden/block_sum.dpia hip block_sum.hip block_sum.hip.h
for program in wc rev cut; do golden "$program.stages" "$lockstep" stages "examples/streaming/$program.snesl"; done
for program in buckets wc rev; do golden "engine.$program.cpp" engine_code "examples/streaming/$program.snesl"; done
golden streaming.digests digests
golden wc.cost "$lockstep" cost examples/streaming/wc.snesl file=examples/streaming/text.txt
for program in dot gemv life; do golden "$program.verify" timeless "$lockstep" verify "examples/$program.dpia"; done
for program in wc rev matmul; do
  golden "$program.verify" timeless "$lockstep" verify "examples/streaming/$program.snesl"
done
golden dpia.campaign timeless "$lockstep" campaign --programs 100 --seed 7
golden snesl.campaign timeless "$lockstep" campaign --language snesl --programs 100 --seed 7
golden primitives "$lockstep" primitives
golden split.primitive "$lockstep" primitives split
for said in messages:dpia messages.snesl:snesl messages.l0:l0; do
  rm -f "$scratch/unsaid"
  all_messages "$here/${said%:*}.programs" "${said#*:}" >"$scratch/messages"
  if [ -e "$scratch/unsaid" ]; then failed=$((failed + 1)); else passed=$((passed + 1)); fi
  compare "${said%:*}.txt" "$scratch/messages"
done

# A golden file that differs must be noticed.
if [ "${UPDATE_GOLDEN:-}" != 1 ]; then
  echo changed >"$scratch/changed"
  before=$failed
  compare dot.stages "$scratch/changed" >/dev/null
  if [ "$failed" -gt "$before" ]; then failed=$before passed=$((passed + 1)); else echo "not ok: a changed file went unnoticed"; failed=$((failed + 1)); fi
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
