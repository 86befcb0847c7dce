#!/bin/sh
# What is proved for all sizes of the kernels of examples/*.dpia, in all: tests/cli/prove_examples.sh LOCKSTEP.
# Fails where less than 95% of the bounds, races and initialisation is, or anything is refuted.
set -eu
lockstep=$1
reports=$(mktemp)
trap 'rm -f -- "$reports"' EXIT
bad=
for f in examples/*.dpia; do
  "$lockstep" prove "$f" >>"$reports" || bad="$bad $f"
done
# A row: CPU or GPU, the kind, proved/all.
awk -v bad="$bad" '
  ($1 == "CPU" || $1 == "GPU") && split($3, count, "/") == 2 {
    proved[$2] += count[1]
    all[$2] += count[2]
  }
  END {
    for (kind in all) printf "%-15s %4d/%d\n", kind, proved[kind], all[kind]
    p = proved["bounds"] + proved["races"] + proved["initialisation"]
    total = all["bounds"] + all["races"] + all["initialisation"]
    if (bad != "") print "refuted or failed:" bad
    exit !(bad == "" && total > 0 && p >= 0.95 * total)
  }' "$reports"
