#!/usr/bin/env bash
# OpenCL texts under Oclgrind, which runs them with checks of races, memory and what is uninitialised: nothing is said of a
# text as it stands, and what is planted in it is named with its line, a race also where the result is right.
#   tests/cli/opencl_test.sh LOCKSTEP     CXX: the compiler, g++ where it is not set
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/claims.sh"
command -v oclgrind >/dev/null && "$lockstep" targets | grep -Eq "^.dpia +opencl +yes" || {
  echo "not run: Debian has oclgrind in the package of that name, CL/cl.h in opencl-c-headers, a device in pocl-opencl-icd"
  exit 77
}

. "$here/device_programs.sh" opencl
under() { # PROGRAM [SED]: of the text, changed where a change is given; out and status are the run's, err what is said
  sed "${2:-}" "$1.opencl.cpp" >text
  [ $# -lt 2 ] || ! cmp -s "$1.opencl.cpp" text || { status=9; return; }
  "${CXX:-g++}" -std=c++17 -O1 -w -DLOCKSTEP_NO_POOL -I. "$1.main.cpp" -o "$1.run" -lOpenCL >out 2>err || { status=8; return; }
  status=0
  oclgrind --build-options -cl-opt-disable --data-races --uniform-writes --uninitialized --max-errors 50 "./$1.run" >out 2>err </dev/null || status=$?
}
line_of() { grep -nF -m 1 -- "$1" text | cut -d : -f 1; }                       # TEXT: where it stands in the text at hand
says() { grep -q "$1" err && grep -q "At line $(line_of "$2") .* of $3.opencl.cpp" err; } # WHAT TEXT PROGRAM

for program in turned warps; do
  under $program
  claim "$program under Oclgrind: nothing is said" eval 'is 0 && [ ! -s err ]'
done
under turned; claim "... and the result is right" eval '[ "$(cat out)" = "$expected_turned" ]'

under turned '/tmp_0\[i_1_\] =/,/barrier/ s/barrier(.*);/;/'
claim "a barrier that is gone is a race, with the line" says "data race" "tmp_0[7 - i_2_] * (uint)2" turned
under turned '0,/^    barrier(.*);/ s/^    barrier(.*);/;/'
claim "... between two rounds, too" eval 'grep -q "data race" err'
under turned 's/output_\[i_ \* 8 + i_2_\] =/output_[i_2_] = /'
claim "blocks that write one place are a race" says "data race" "output_[i_2_]" turned
under turned 's/grid_of(n_, 1, 3)/2 * grid_of(n_, 1, 3)/'
claim "... also where they write the same, and the result is right" eval \
  '[ "$(cat out)" = "$expected_turned" ] && grep -q "data race" err'
under turned 's/xs_\[i_ \* 8 + i_1_\]/xs_[i_ * 8 + i_1_ + 64]/'
claim "an index past the device's array is named" says "Invalid read" "+ i_1_ + 64]" turned
under turned 's/tmp_0\[i_1_\] =/tmp_0[i_1_ + 8] =/'
claim "... and one past a block's" says "Invalid write" "tmp_0[i_1_ + 8]" turned
under turned 's/__local int tmp_0\[8\];/int tmp_0[8];/'
claim "a block's array that is each thread's own" eval '[ "$(cat out)" != "$expected_turned" ] && grep -q "Uninitialized" err'
under turned 's/tmp_0\[i_1_\] =/if (i_1_ != 3) tmp_0[i_1_] =/'
claim "what nobody has written is named" says "Uninitialized" "tmp_0[7 - i_2_]" turned
under warps '/moved/,/barrier/ s/barrier(.*);/;/'
claim "a barrier of a shuffle that is gone is a race" eval 'grep -q "data race" err'

# A kernel that does not end, and more memory than the device has.
printf 'fun f [n] (xs : [n]i32) : [n]i32 = mapGlobal (\\x -> while (\\y -> y != 0) (\\y -> y * 3) x) xs\n' >endless.dpia
LOCKSTEP_KERNEL_SECONDS=1 call run endless.dpia --target opencl 'xs=[1,2]'
claim "a kernel that does not end is given up" refused 4 "kernel_1 has not ended in 1 s, and is given up"
cat >slow.dpia <<'END'
fun f [n] (k : nat) (xs : [n]i64) : [n]i64 =
  let s = reduceSeq (\i a -> a * 3 + i) 0 (iota k) in mapGlobal (\x -> x + s) xs
END
LOCKSTEP_KERNEL_SECONDS=1 call run slow.dpia --target opencl k=100000000000 'xs=[]'
claim "... also one that gives nothing back, which is waited for" refused 4 "has not ended in 1 s, and is given up"
conclude
