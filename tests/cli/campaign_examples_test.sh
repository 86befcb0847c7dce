#!/usr/bin/env bash
# The scripts of examples/campaign, with stand-ins for sbatch and mpirun: the shards' reports are joined to the whole, also
# where a shard fails, and their arguments arrive as they were given.
#   PLANTED=... tests/cli/campaign_examples_test.sh LOCKSTEP
set -u
. "$(dirname "$0")/claims.sh"
export LOCKSTEP=$lockstep
mkdir bin spool
PATH=$work/bin:$PATH

# As Slurm does, it runs a copy of the script, at another place; the array's jobs come in any order.
cat >bin/sbatch <<'END'
#!/bin/bash
first=1 last=1
while [[ $1 = --* ]]; do
  case $1 in --array=1-*) last=${1#--array=1-} ;; --output=*) log=${1#--output=} ;; --dependency=*) echo "$1" >>spool/calls ;; esac
  shift
done
cp "$1" spool/script
for ((i = last; i >= first; --i)); do
  SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_COUNT=$last bash spool/script "${@:2}" >"${log/%%a/$i}" 2>&1 || echo "$i: $?" >>spool/failed
done
echo 4711
END
# As Open MPI does, it ends with the status of a rank that fails.
cat >bin/mpirun <<'END'
#!/bin/bash
[ "$1" = -n ] || exit 9
for ((i = 0; i < $2; ++i)); do OMPI_COMM_WORLD_RANK=$i OMPI_COMM_WORLD_SIZE=$2 "${@:3}" || exit; done
END
chmod +x bin/*
script() { # NAME WORD ...: status, out, err
  "$examples/campaign/$1.sh" "${@:2}" >out 2>err </dev/null
  status=$?
}

script mpirun 3 "a folder" --programs 30 --seed 5
claim "mpirun.sh prints the joined report" holds "seed 5, 30 programs; 3 shards joined"
script mpirun 3 "a folder" --programs 30
claim "... and takes no folder of an earlier one" refused 2 "is not empty"
script slurm 3 slurm --programs 30 --seed 5
claim "slurm.sh says where the report will be" holds "slurm/report.txt"
claim "... and it is there" grep -q "seed 5, 30 programs; 3 shards joined" slurm/report.txt
claim "... after the array, whatever it found" grep -qx -- "--dependency=afterany:4711" spool/calls
claim "both give the same" cmp -s <(sed 's/ in .*//' slurm/report.txt) <("$lockstep" campaign --merge "a folder"/*.json | sed 's/ in .*//')
script slurm 2
claim "without a folder it says how it is used" refused 2 "SHARDS FOLDER"
script mpirun 2
claim "... so does the other" refused 2 "RANKS FOLDER"

# A shard that fails, of a lockstep with a mistake in it.
printf '#!/bin/bash\nexec "%s" lengths "$@"\n' "$PLANTED" >wrong
chmod +x wrong
export LOCKSTEP=$work/wrong
script mpirun 2 failing --language snesl --programs 40
claim "where a shard fails all are run, and the whole fails" eval 'is 1 && grep -q "2 shards joined" out && grep -q " fails: " out'
rm -f spool/failed
script slurm 2 failing-jobs --language snesl --programs 40
claim "... in an array too" eval 'grep -q " fails: " failing-jobs/report.txt && grep -q "^1: 1" spool/failed'
claim "... whose failures are in the folder" eval '[ -n "$(ls failing-jobs/campaign-failures)" ]'
# One that is stopped.
printf '#!/bin/bash\n[[ "$*" != *--shard\\ 2/* ]] || exit 137\nexec "%s" "$@"\n' "$lockstep" >wrong
script mpirun 2 stopped --programs 30
claim "where a shard is stopped there is no report" eval '[ "$status" != 0 ] && ! grep -q joined out'
script slurm 2 stopped-jobs --programs 30
claim "... and of an array it is named" grep -q "2.json is empty: its shard did not come to its end" stopped-jobs/join.log
conclude
