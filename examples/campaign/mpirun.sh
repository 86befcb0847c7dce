#!/usr/bin/env bash
# A campaign as the ranks of mpirun (Open MPI), one for each shard, whose reports are joined and printed. What follows FOLDER
# goes to `lockstep campaign`; without it, it is a night's campaign from today's seed. The exit status is that of the whole.
#   examples/campaign/mpirun.sh RANKS FOLDER [OPTION ...]
# FOLDER is made; every machine must see it, this folder, and the lockstep that ./dev build has built (or LOCKSTEP names).
# MPIRUN says how mpirun is called: MPIRUN="mpirun --hostfile hosts".
set -euo pipefail

if [ "${1:-}" = shard ]; then # FOLDER LOCKSTEP OPTION ..., as a rank
  folder=$2 lockstep=$3 rank=$((OMPI_COMM_WORLD_RANK + 1)) status=0
  cd "$folder" # failures are written here, too
  "$lockstep" campaign "${@:4}" --threads 1 --shard "$rank/$OMPI_COMM_WORLD_SIZE" --json >"$rank.json" || status=$?
  # mpirun ends all ranks where one fails; what a shard finds is no reason to.
  [ "$status" -le 1 ]
  exit
fi

[ $# -ge 2 ] || { echo "usage: $0 RANKS FOLDER [OPTION ...]" >&2; exit 2; }
self=$(readlink -f -- "${BASH_SOURCE[0]}")
lockstep=$(readlink -f -- "${LOCKSTEP:-${self%/*}/../../build/lockstep}")
ranks=$1
mkdir -p -- "$2"
folder=$(readlink -f -- "$2")
[ -z "$(ls -A "$folder")" ] || { echo "$folder is not empty: of an earlier campaign?" >&2; exit 2; }
shift 2
[ $# -gt 0 ] || set -- --nightly --seed "$(date +%Y%m%d)"

${MPIRUN:-mpirun} -n "$ranks" "$self" shard "$folder" "$lockstep" "$@"
cd "$folder"
exec "$lockstep" campaign --merge ./*.json
