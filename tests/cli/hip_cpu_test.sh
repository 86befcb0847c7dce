#!/usr/bin/env bash
# HIP texts on the CPU under the thread and the address sanitizer: nothing is said of a text as it stands, and what is
# planted in it is named with its line, a race also where the result is right.
#   tests/cli/hip_cpu_test.sh LOCKSTEP     CXX: the compiler, g++ where it is not set
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/claims.sh"
headers=$examples/../codegen/targets/hip_cpu
mkdir -p include && ln -s "$headers" include/hip

. "$here/device_programs.sh" hip
under() { # SANITIZER PROGRAM [SED]: of the text, changed where a change is given; out, err and status are the run's
  sed "${3:-}" "$2.hip" >text
  [ $# -lt 3 ] || ! cmp -s "$2.hip" text || { status=9; return; }
  "${CXX:-g++}" -std=c++20 -O1 -g -w "-fsanitize=$1" -ffp-contract=off -fwrapv -D__restrict__= -Iinclude -I. -pthread \
    "$2.main.cpp" -o "$2.$1" >out 2>err || { status=8; return; }
  status=0
  "./$2.$1" >out 2>err </dev/null || status=$?
}
line_of() { grep -nF -m 1 -- "$1" text | cut -d : -f 1; } # TEXT: where it stands in the text at hand

for sanitizer in thread address; do
  for program in turned warps; do
    under $sanitizer $program
    claim "$program under the $sanitizer sanitizer: nothing is said" eval 'is 0 && ! grep -q "WARNING: Thread\|ERROR" err'
  done
done
under thread turned; claim "... and the result is right" eval '[ "$(cat out)" = "$expected_turned" ]'

# The barrier between what is written and what is read.
under thread turned '0,/__syncthreads();/! { 0,/__syncthreads();/ s/__syncthreads();/;/ }'
claim "a barrier that is gone is a race, with the line" eval \
  'grep -q "ThreadSanitizer: data race" err && grep -q "text:$(line_of "tmp_[7 - i_2_] * (uint32_t)2")" err'
under thread turned '0,/__syncthreads();/ s/__syncthreads();/;/'
claim "... between two rounds, too" eval 'grep -q "ThreadSanitizer: data race" err && grep -q "text:$(line_of "tmp_[i_1_] =")" err'
under thread warps '/^    *warp_barrier();/ s/warp_barrier();/;/'
claim "... and of a warp" eval 'grep -q "ThreadSanitizer: data race" err'
under thread warps 's/tmp_1_\[3 - l_\]/tmp_1_of_warps_[3 - l_]/'
claim "a warp's barrier parts no two warps" eval \
  'grep -q "ThreadSanitizer: data race" err && grep -q "text:$(line_of "tmp_1_of_warps_[3 - l_]")" err'
under thread turned 's/output_\[i_ \* 8 + i_2_\] =/output_[i_2_] = /'
claim "blocks that write one place are a race" eval 'grep -q "ThreadSanitizer: data race" err && grep -q "text:$(line_of "output_[i_2_]")" err'
under thread turned 's/LAUNCH(kernel_1<int32_t>, grid_of/LAUNCH(kernel_1<int32_t>, 2 * grid_of/'
claim "... also where they write the same, and the result is right" eval \
  '[ "$(cat out)" = "$expected_turned" ] && grep -q "ThreadSanitizer: data race" err'
under address turned 's/tmp_\[7 - i_2_\]/tmp_[9 - i_2_]/'
claim "an index past a block's array is named, with the line" eval \
  'grep -q "ERROR: AddressSanitizer" err && grep -q "text:$(line_of "tmp_[9 - i_2_]")" err'
under address turned 's/xs_\[i_ \* 8 + i_1_\]/xs_[i_ * 8 + i_1_ + 64]/'
claim "... and one past the device's" eval 'grep -q "ERROR: AddressSanitizer" err && grep -q "text:$(line_of "+ i_1_ + 64]")" err'
conclude
