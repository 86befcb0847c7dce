#!/usr/bin/env bash
# What ./dev gpu-check does on a machine with a GPU: every example verified on it, a campaign, programs under the vendor's
# checker where it is installed, and times (bench/gpu). One record, on standard output and in FOLDER.
#   gpu_check.sh LOCKSTEP GPU_CHECK FOLDER [--small]     --small: a few of everything, to see that it runs
set -uo pipefail
lockstep=$(realpath "$1") check=$(realpath "$2") folder=$3 small=${4:-}
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
why=$("$lockstep" targets | awk '$1 == ".dpia" && $2 == "hip" && $3 != "yes"')
[ -z "$why" ] || { echo "gpu-check: there is no GPU: ${why#*hip}" | tr -s ' ' >&2; exit 4; }
status=0 start=$SECONDS
examples=("$root"/examples/*.dpia) programs=300
if [ -n "$small" ]; then examples=("$root"/examples/{scal,scan}_gpu.dpia) programs=4; fi

ran_on_it() { grep -q "^hip ran on " "$work/out"; } # a target that cannot run is no failure of verify's
agree=0 refused=0 wrong=()
for f in "${examples[@]}"; do
  echo "verify $(basename "$f") ..." >&2
  if "$lockstep" verify "$f" --target hip >"$work/out" 2>"$work/err" </dev/null && ran_on_it; then
    agree=$((agree + 1))
  elif grep -q "does not fit hip" "$work/out"; then
    refused=$((refused + 1))
  else
    wrong+=("$(basename "$f" .dpia)")
    cat "$work/err" >&2
    grep "targets ran" "$work/out" >&2
  fi
done
echo "campaign ..." >&2
"$lockstep" campaign --target hip --programs "$programs" >"$work/campaign" 2>&1 </dev/null || { wrong+=(campaign); cat "$work/campaign" >&2; }
checked="the vendor's checker, compute-sanitizer, is not installed"
if command -v compute-sanitizer >/dev/null; then
  checked=
  for tool in memcheck racecheck initcheck; do
    for f in scan_gpu transpose_gpu reduction_gpu histogram_atomic_gpu; do
      echo "compute-sanitizer $tool $f ..." >&2
      compute-sanitizer --tool "$tool" --error-exitcode 9 "$lockstep" verify "$root/examples/$f.dpia" --inputs 3 --target hip \
        >"$work/out" 2>&1 </dev/null && ran_on_it || { wrong+=("$tool of $f"); tail -n 40 "$work/out" >&2; }
    done
    checked+="${checked:+, }$tool"
  done
  checked="compute-sanitizer: $checked, on four examples"
fi
"$check" ${small:+"$small"} >"$work/table" || { status=$?; wrong+=(times); }
[ ${#wrong[@]} = 0 ] || [ "$status" != 0 ] || status=1
{
  echo "# $(head -n 1 "$work/table")"
  echo
  echo "$(date -u +%Y-%m-%d), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $("$lockstep" --version | head -n 1); ./dev gpu-check${small:+ $small}"
  echo
  echo "- verify --target hip: $agree examples agree, $refused are refused by name"
  echo "- $(grep -m 1 'programs' "$work/campaign"); $(tail -n 1 "$work/campaign")"
  echo "- $checked"
  [ ${#wrong[@]} = 0 ] || echo "- WRONG: ${wrong[*]}"
  echo "- $((SECONDS - start)) s in all"
  echo
  tail -n +3 "$work/table"
} >"$work/record"
cat "$work/record"
mkdir -p "$folder"
name=$(date -u +%Y-%m-%d)-$(head -n 1 "$work/table" | sed 's/ (.*//' | tr -cs 'A-Za-z0-9\n' '-')$small.md
cp "$work/record" "$folder/$name" && echo "gpu-check: $folder/$name" >&2
exit $status
