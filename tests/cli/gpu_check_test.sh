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
. "$here/fake_gpu.sh"
export LOCKSTEP_HIP_DEVICE=0 LD_LIBRARY_PATH=$FAKE_CUDA${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
gpu_check records
claim "the record has the device, what agrees, and a row for each of ten programs" eval \
  'holds "# a GPU that is none (sm_90)" && holds "verify --target hip: 2 examples agree, 0 are refused" && holds "no failure" && [ "$(grep -c "^| [a-z_]*_gpu | " out)" = 10 ]'
claim "... and is a file of its day and device" eval 'cmp -s out records/"$(date -u +%Y-%m-%d)"-a-GPU-that-is-none--small.md'
claim "the vendor's library stands beside the six that it has, and no other" eval \
  'holds "The vendor'"'"'s library: libcublas.so.12." && [ "$(grep -c "^| [a-z]*_gpu .*| [0-9.]* | [0-9.]* |$" out)" = 6 ] && [ "$(grep -c "| – | – |$" out)" = 4 ]'
timed() { # VARIABLE ...
  env "$@" "$GPU_CHECK" --small >out 2>err </dev/null
  status=$?
}
timed FAKE_CUBLAS_WRONG=1
claim "results of the library that are others are said" eval 'is 1 && [ "$(grep -c "OTHER RESULTS" out)" = 1 ] && grep -q "^| dot_gpu .*OTHER RESULTS" out'
timed FAKE_CUBLAS_FAIL=1
claim "... and a call of it that fails" eval 'is 4 && grep -qF "cublasSscal_v2 of libcublas.so.12: status 1" err'
# In place of what takes long: no times, and a campaign that makes its failure no smaller.
printf '#!/bin/sh\necho "a GPU that is none (sm_90)"\nexit 1\n' >no_times
printf '#!/bin/sh\n[ "$1" != campaign ] || { echo "4 programs"; echo "1 failure"; exit 1; }\nexec "%s" "$@"\n' "$lockstep" >no_campaign
chmod +x no_times no_campaign
lockstep=$work/no_campaign GPU_CHECK=$work/no_times FAKE_CUDA_REFUSES=alpha LOCKSTEP_CACHE=$work/another gpu_check refused
claim "a program whose kernels are not compiled is none that agrees" eval \
  'is 1 && grep -q "verify --target hip: 1 examples agree, 0 are refused" out && grep -q "^- WRONG: scal_gpu campaign times" out'
lockstep=$work/no_campaign GPU_CHECK=$work/no_times FAKE_CUDA_WRONG=1 gpu_check wrong
claim "what is wrong is said, and is its status" eval 'is 1 && grep -q "^- WRONG: scal_gpu scan_gpu campaign times" out'
conclude
