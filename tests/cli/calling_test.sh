#!/usr/bin/env bash
# The program of examples/calling, by the lines of its README, with what is installed; and the HIP text on the CPU.
#   tests/cli/calling_test.sh LOCKSTEP
set -u
. "$(dirname "$0")/claims.sh"
mkdir -p bin && ln -s "$lockstep" bin/lockstep && export PATH=$work/bin:$PATH
mkdir calling && cp "$examples/calling/main.c" "$examples/reduction_gpu.dpia" . && mv main.c calling/ && cd calling || exit 2

lines_of() { # N : of its N-th way
  awk -v n="$1" '/^```sh/ { ++block; inside = 1; next } /^```$/ { inside = 0 } inside && block == n' "$examples/calling/README.md"
}
by_readme() { # N : all lines, and the last runs it
  lines_of "$1" >lines
  bash -e lines >out 2>err </dev/null
  status=$?
}
compiled_only() { # N : all lines but the last
  lines_of "$1" | sed '$d' >lines
  bash -e lines >out 2>err </dev/null
  status=$?
}
claim "the README has three ways" eval '[ "$(lines_of 1 | wc -l) $(lines_of 2 | wc -l) $(lines_of 3 | wc -l)" = "4 5 5" ]'
if "$lockstep" targets | grep -Eq '^.dpia +opencl +yes'; then
  by_readme 1; claim "on OpenCL" eval 'is 0 && [ "$(tail -n 1 out)" = 3500003 ]'
fi
if hipcc=$(command -v hipcc); then
  # Without a GPU it is told of one.
  printf '#!/bin/sh\nexec %s --offload-arch=gfx90a "$@"\n' "$hipcc" >"$work/bin/hipcc" && chmod +x "$work/bin/hipcc"
  compiled_only 2; claim "it compiles with hipcc" eval 'is 0 && [ -x hip/sum ]'
fi
if command -v nvcc >/dev/null; then
  compiled_only 3; claim "it compiles with nvcc" eval 'is 0 && [ -x cuda/sum ]'
fi

# Against the calls of HIP on the CPU.
mkdir headers && ln -s "$examples/../codegen/targets/hip_cpu" headers/hip
lockstep emit ../reduction_gpu.dpia --target hip --output cpu >/dev/null
gcc -c '-DHEADER="cpu/reduction_gpu.hip.h"' main.c -o cpu/main.o &&
  g++ -std=c++20 -O1 -ffp-contract=off -D__restrict__= -pthread -Iheaders -x c++ cpu/reduction_gpu.hip -x none cpu/main.o -o cpu/sum
cpu/sum >out 2>err; status=$?; claim "on the CPU" eval 'is 0 && [ "$(cat out)" = 3500003 ]'
HIP_CPU_FAIL=2 cpu/sum >out 2>err; status=$?; claim "what the device says is said" refused 4 "the device: a copy to the device: invalid argument (4000012 bytes)"
conclude
