#!/usr/bin/env bash
# A campaign as an array of jobs of Slurm, one for each shard, on a processor each; and a job after them that joins their
# reports. What follows FOLDER goes to `lockstep campaign`; without it, it is a night's campaign from today's seed.
#   examples/campaign/slurm.sh SHARDS FOLDER [OPTION ...]
# FOLDER is made; every machine must see it, this folder, and the lockstep that ./dev build has built (or LOCKSTEP names).
set -euo pipefail

case ${1:-} in
  shard) # FOLDER LOCKSTEP OPTION ..., as a job of the array
    folder=$2 lockstep=$3
    cd "$folder" # failures are written here, too
    exec "$lockstep" campaign "${@:4}" --threads 1 --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --json \
      >"$SLURM_ARRAY_TASK_ID.json"
    ;;
  join) # FOLDER LOCKSTEP
    cd "$2"
    exec "$3" campaign --merge ./*.json >report.txt
    ;;
esac

[ $# -ge 2 ] || { echo "usage: $0 SHARDS FOLDER [OPTION ...]" >&2; exit 2; }
self=$(readlink -f -- "${BASH_SOURCE[0]}")
lockstep=$(readlink -f -- "${LOCKSTEP:-${self%/*}/../../build/lockstep}")
shards=$1
mkdir -p -- "$2"
folder=$(readlink -f -- "$2")
[ -z "$(ls -A "$folder")" ] || { echo "$folder is not empty: of an earlier campaign?" >&2; exit 2; }
shift 2
# The day is the same for all shards, also for those that start after midnight.
[ $# -gt 0 ] || set -- --nightly --seed "$(date +%Y%m%d)"

array=$(sbatch --parsable --array="1-$shards" --cpus-per-task=1 --output="$folder/%a.log" "$self" shard "$folder" "$lockstep" "$@")
# After all of them, whatever they found: a shard with a failure ends with status 1, as the joined campaign does.
sbatch --parsable --dependency="afterany:$array" --output="$folder/join.log" "$self" join "$folder" "$lockstep"
echo "the report will be $folder/report.txt"
