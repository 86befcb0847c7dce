#!/usr/bin/env bash
# The HIP text of every example compiles with hipcc, host and kernels, for three of AMD's architectures, without a GPU.
#   tests/cli/hipcc_test.sh LOCKSTEP
set -u
. "$(dirname "$0")/claims.sh"
command -v hipcc >/dev/null || { echo "not run: Debian has hipcc in the packages hipcc and libamdhip64-dev"; exit 77; }

compiled() { # FILE: for all of them; what is said is in err
  hipcc --offload-arch=gfx906 --offload-arch=gfx90a --offload-arch=gfx1030 -O1 -Wall -Werror -ffp-contract=off -fwrapv -c "$1" \
    -o out.o >out 2>err </dev/null
}
# All of them as one source, each in a namespace: the compiler's start and HIP's headers take most of the time for one.
printf '#include <hip/hip_runtime.h>\n#include <stdint.h>\n#include <stdio.h>\n' >all.hip
count=0
for program in "$examples"/*.dpia; do
  folder=$(basename "$program" .dpia)
  call emit "$program" --target hip --output "$folder"
  is 0 || { claim "emit $folder" is 0; continue; }
  count=$((count + 1))
  printf 'namespace n%s {\n#include "%s"\n}\n' "$count" "$(echo "$folder"/*.hip)" >>all.hip
done
claim "the examples have HIP texts, $count" [ "$count" -gt 40 ]
compiled all.hip; status=$?; claim "they compile with hipcc for gfx906, gfx90a and gfx1030, without a warning" is 0
sed 's/__syncthreads();/__syncthread();/' dot_gpu/*.hip transpose_gpu/*.hip >wrong.hip
compiled wrong.hip; status=$?; claim "a call that HIP has not is seen" eval '! is 0 && grep -q "wrong.hip.*__syncthread" err'
conclude
