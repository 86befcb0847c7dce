#!/usr/bin/env bash
# The target hip without a GPU: a driver and an NVRTC that are none (fake_cuda.cpp) load and call what is compiled for
# them. What is computed is as on the interpreter, and each call that fails is an error with its words.
#   tests/cli/hip_driver_test.sh LOCKSTEP     FAKE_CUDA, FAKE_HIP: the folders of such libraries, of NVIDIA and of AMD
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/claims.sh"
. "$here/fake_gpu.sh"
export LOCKSTEP_HIP_DEVICE=0
export LD_LIBRARY_PATH=$FAKE_CUDA${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

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
fails cuMemAlloc_v2:2 "memory of the device: out of memory (256 bytes are asked for, 1048576 of 1073741824 are free)"
fails cuMemcpyHtoD_v2:999 "a copy to the device: unknown error"
fails cuMemcpyDtoH_v2:999 "from the device: unknown error"
fails cuMemsetD8_v2:999 "hipMemset: unknown error"
fails cuLaunchKernel:719 "kernel_1<int32_t>: unspecified launch failure"
fails cuModuleLoadDataEx:209 "the driver does not take kernel_1<int32_t>"
fails cuModuleGetFunction:500 "the module of kernel_1<int32_t> has no launch_"
fails cuInit:100 "NVIDIA's driver: cuInit fails with error 100"
FAKE_CUDA_LOST=5 run; claim "a device that disappears is an error" refused 4 "unknown error"
FAKE_CUDA_VERSION=9020 run; claim "a driver that is too old" refused 4 "too old: it is made for CUDA 9.2"
FAKE_CUDA_DEVICES=0 run; claim "no device" refused 4 "it has no device"
for n in 0 1; do
  FAKE_CUDA_SAYS=1 FAKE_CUDA_DEVICES=2 LOCKSTEP_HIP_DEVICE=$n run
  claim "device $n is that which is asked for, whatever was compiled before" eval 'holds "[1000, 500, 333]" && grep -q "a context of device $n" err'
done
fails cuCtxSetCurrent:709:2 "an error"
LOCKSTEP_HIP_DEVICE=3 run; claim "a device that is not there" refused 4 "LOCKSTEP_HIP_DEVICE is 3"
FAKE_CUDA_ARCH_CRASH=1 LOCKSTEP_CACHE=$work/other run
claim "a compiler that ends where it does not know an architecture ends alone" refused 4 "ends by signal 6 where it compiles for sm_90"

# A kernel that does not end.
limited() { # ... : with a limit of half a second
  FAKE_CUDA_ENDLESS=1 LOCKSTEP_KERNEL_SECONDS=0.5 "$@"
}
limited run; claim "a kernel that does not end is given up, and the device said to be busy" \
  refused 4 "kernel_1<int32_t> has not ended in 0.5 s, and is given up; the device is busy until it has"
claim "... and nothing waits for it" eval '! grep -q "asked to wait" err'
FAKE_CUDA_ROUNDS=3000 limited run; claim "one that ends in time is waited for" holds "[1000, 500, 333]"
FAKE_CUDA_ENDLESS=1 FAKE_CUDA_ROUNDS=3 LOCKSTEP_KERNEL_SECONDS=0 run
claim "without a limit the driver waits" refused 4 "an error"

# A kernel that the device's compiler does not take: in a cache of its own, where nothing was compiled before.
printf 'fun f [n] (xs : [n]i32) : [n]i32 =\n  xs |> mapGlobal (\\x -> x * 1234)\n' >g.dpia
FAKE_CUDA_REFUSES="(uint32_t)1234" LOCKSTEP_CACHE=$work/third call run g.dpia --target hip 'xs=[1,2,3]'
claim "a kernel that the compiler refuses: its log" refused 4 "error: it has (uint32_t)1234"
call emit g.dpia --target hip --output texts
line=$(grep -n "(uint32_t)1234" texts/f.hip | cut -d: -f1)
FAKE_CUDA_REFUSES="(uint32_t)1234" LOCKSTEP_CACHE=$work/third call run g.dpia --target hip 'xs=[1,2,3]'
claim "... and what its line is of" refused 4 "line $line of the text is kernel_1's, of g.dpia:2"

# A wrong result: what wrote it.
line=$(grep -n "output_\[.*(uint32_t)1234" texts/f.hip | cut -d: -f1)
FAKE_CUDA_WRONG=1 call verify g.dpia --target hip
claim "verify says which line of which kernel wrote the first wrong element" \
  eval 'is 1 && grep -q "written by kernel_1, line $line of the text, of g.dpia:2" err'

# What ran is in the certificate; another device is said to be one.
call verify f.dpia --target hip --certificate c.json
claim "verify says what it ran on" holds "hip ran on a GPU that is none (sm_90), driver for CUDA 12.4, kernels by NVRTC 12.0 for sm_90"
claim "... and so does the certificate" grep -q '"device": "a GPU that is none (sm_90), driver for CUDA 12.4' c.json
FAKE_CUDA_VERSION=12080 call verify --replay c.json
claim "on another driver the certificate comes out, and the other is named" \
  eval 'is 0 && grep -q "not as it was: targets, hip, device: the certificate says .*CUDA 12.4.*, now it is .*CUDA 12.8" out'

# Random programs, each with its kernels.
call campaign --target hip --programs 8 --seed 3
claim "a campaign on hip" eval 'holds "8 programs compiled" && holds "no failure"'

# AMD's driver, by the same claims in short.
mkdir no_nvidia && printf 'int cuInit(unsigned flags) { (void)flags; return 100; }\n' >no_nvidia.c
"${CXX:-g++}" -x c -shared -fPIC no_nvidia.c -o no_nvidia/libcuda.so.1
export LD_LIBRARY_PATH=$FAKE_HIP:$work/no_nvidia LOCKSTEP_CACHE=$work/amd
call targets; claim "AMD's device is found" eval 'is 0 && grep -Eq "hip +yes" out'
call verify "$examples/scan_gpu.dpia" --target hip
claim "scan_gpu on AMD's driver" eval 'holds "every stage and target agrees" && holds "(gfx90a), driver for HIP 6.3, kernels by hiprtc 6.3 for gfx90a"'
run; claim "a result" holds "[1000, 500, 333]"
fails cuMemAlloc_v2:2 "memory of the device: out of memory (256 bytes are asked for"
fails cuLaunchKernel:719 "kernel_1<int32_t>: unspecified launch failure"
fails cuModuleLoadDataEx:209 "the driver does not take kernel_1<int32_t>"
limited run; claim "a kernel that does not end is given up" refused 4 "kernel_1<int32_t> has not ended in 0.5 s"
conclude
