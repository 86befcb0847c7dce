#!/usr/bin/env bash
# ./dev gpu-check on a GPU that is none (fake_cuda.cpp): its record, and what is wrong in it.
#   tests/cli/gpu_check_test.sh LOCKSTEP     FAKE_CUDA: the folder of the driver, GPU_CHECK: the program that times
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/claims.sh"
gpu_check() { # FOLDER
  "$here/../gpu_check.sh" "$lockstep" "$GPU_CHECK" "$1" --small >out 2>err </dev/null
  status=$?
}
gpu_check none; claim "without a GPU it says so, and writes nothing" eval 'refused 4 "there is no GPU: no: LOCKSTEP_HIP_DEVICE is none" && [ ! -e none ]'
mkdir headers && ln -s "$examples/../codegen/targets/hip_cpu" headers/hip
export LOCKSTEP_HIP_DEVICE=0 FAKE_CUDA_HEADERS=$work/headers LD_LIBRARY_PATH=$FAKE_CUDA${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
gpu_check records
claim "the record has the device, what agrees, and a row for each of ten programs" eval \
  'holds "# a GPU that is none (sm_90)" && holds "verify --target hip: 2 examples agree, 0 are refused" && holds "no failure" && [ "$(grep -c "^| [a-z_]*_gpu | " out)" = 10 ]'
claim "... and is a file of its day and device" eval 'cmp -s out records/"$(date -u +%Y-%m-%d)"-a-GPU-that-is-none.md'
printf '#!/bin/sh\necho "a GPU that is none (sm_90)"\nexit 1\n' >no_times && chmod +x no_times  # in place of what takes long
GPU_CHECK=$work/no_times FAKE_CUDA_WRONG=1 gpu_check wrong
claim "what is wrong is said, and is its status" eval 'is 1 && grep -q "^- WRONG: scal_gpu scan_gpu campaign times" out'
conclude
