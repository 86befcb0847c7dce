#!/usr/bin/env bash
# The target hip without a GPU: a driver and an NVRTC that are none (fake_cuda.cpp) load and call what is compiled for
# them. What is computed is as on the interpreter, and each call that fails is an error with its words.
#   tests/cli/hip_driver_test.sh LOCKSTEP     FAKE_CUDA: the folder with the two libraries
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/claims.sh"
mkdir -p headers && ln -s "$examples/../codegen/targets/hip_cpu" headers/hip
export LOCKSTEP_HIP_DEVICE=0
export FAKE_CUDA_HEADERS=$work/headers LD_LIBRARY_PATH=$FAKE_CUDA${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

call targets; claim "a device is found, and said to be there" eval 'is 0 && grep -Eq "hip +yes" out'
for program in scan_gpu scal_gpu blackscholes_gpu histogram_atomic_gpu; do
  call verify "$examples/$program.dpia" --target hip; claim "$program on hip" holds "every stage and target agrees with the source"
done
printf 'fun f [n] (xs : [n]i32) : [n]i32 = xs |> mapGlobal (\\x -> 1000 / x)\n' >f.dpia
run() { call run f.dpia --target hip 'xs=[1,2,3]'; }
run; claim "a result" holds "[1000, 500, 333]"
call run f.dpia --target hip 'xs=[1,0,3]'; claim "a trap inside a kernel is one of the source" eval '! is 0 && grep -q "f.dpia:1" err'
run; claim "... and the device is usable after it" holds "[1000, 500, 333]"
fails() { # ASKED WORDS : the run ends with an error of the machine that says them
  FAKE_CUDA_FAIL=$1 run
  claim "$1 is an error: $2" refused 4 "$2"
}
fails cuMemAlloc_v2:2 "memory of the device: out of memory (256 bytes"
fails cuMemcpyHtoD_v2:999 "a copy to the device: unknown error"
fails cuMemcpyDtoH_v2:999 "from the device: unknown error"
fails cuMemsetD8_v2:999 "hipMemset: unknown error"
fails cuLaunchKernel:719 "kernel_1<int32_t>: unspecified launch failure"
fails cuModuleLoadDataEx:209 "the driver does not take kernel_1<int32_t>"
fails cuModuleGetFunction:500 "the module of kernel_1<int32_t> has no launch_"
fails cuInit:100 "NVIDIA's driver: cuInit fails with error 100"
FAKE_CUDA_LOST=4 run; claim "a device that disappears is an error" refused 4 "unknown error"
FAKE_CUDA_VERSION=9020 run; claim "a driver that is too old" refused 4 "too old: it is made for CUDA 9.2"
FAKE_CUDA_DEVICES=0 run; claim "no device" refused 4 "it has no device"
LOCKSTEP_HIP_DEVICE=3 run; claim "a device that is not there" refused 4 "LOCKSTEP_HIP_DEVICE is 3"
FAKE_CUDA_ARCH_CRASH=1 LOCKSTEP_CACHE=$work/other run
claim "a compiler that ends where it does not know an architecture ends alone" refused 4 "ends by signal 6 where it compiles for sm_90"
conclude
