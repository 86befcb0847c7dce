#!/usr/bin/env bash
# Tests what `lockstep emit` writes, as a user of C and C++ compiles and calls it. Prints a line a claim.
#   tests/cli/emit_test.sh LOCKSTEP
set -u
. "$(dirname "$0")/claims.sh"
strict="gcc -std=c11 -Wall -Wextra -pedantic -Werror"
flags_in() { sed -n '1s/.*Compile with \(.*\)\.$/\1/p' "$1"; }  # FILE: those that its first line names
compilers=(g++)
command -v clang++ >/dev/null && echo 'int main(){}' | clang++ -fopenmp -x c++ - -o probe 2>/dev/null && compilers+=(clang++)
declare -A quiet=([g++]="" [clang++]=-Wno-pass-failed)  # what it says of loops that it does not vectorise

# ---- headers, preconditions and statuses (users-dpia E, soundness A8)
cat >p.dpia <<'END'
fun take4 [n] (xs : [n]i32) : [4]i32 where n >= 4 = map (\x -> x + 1) (take 4 xs)
fun quarters [n] (xs : [n]f32) : [n/4]f32 where n % 4 == 0, 8 <= n = map (\r -> reduce (+) 0 r) (split 4 xs)
fun at [n] (i : idx(n)) (xs : [n]i32) : i32 = xs ! i
fun all_at [n m] (is : [m]idx(n)) (xs : [n]i32) : [m]i32 = map (\i -> xs ! i) is
fun scaled [n] (factor : f32) (flag : bool) (xs : [n]f32) : [n]f32 = map (\x -> if flag then x * factor else x) xs
fun plane [n m] (x : i64) : i64 = reduce (+) x (join (map (\i -> map (\j -> i + j) (iota m)) (iota n)))
fun tail [m] (k : nat) (xs : [5+m][k](i32, bool)) : [m][k]i32 = map (\r -> map (\p -> fst p) r) (drop 5 xs)
fun f' (x : i32) : i32 = 100 / x
fun errno [stdin NULL] (linux : [stdin]i32) (M_PI : [NULL]i32) : [stdin]i32 = linux
END
for f in take4 quarters at all_at scaled plane tail "f'" errno; do
  call emit "p.dpia:$f"; claim "emit $f" is 0
done
cat >main.c <<'END'
#include <assert.h>
#include <complex.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "take4.h"
#include "quarters.h"
#include "at.h"
#include "all_at.h"
#include "scaled.h"
#include "plane.h"
#include "tail.h"
#include "f_q_quoted.h"
#include "errno.h"
static int failures = 0;
static void is(const char* what, int64_t found, int64_t expected) {
  if (found == expected) return;
  printf("%s: %lld, expected %lld\n", what, (long long)found, (long long)expected);
  ++failures;
}
static void says(const char* text, const char* expected) {
  if (strcmp(text, expected) == 0) return;
  printf("'%s', expected '%s'\n", text, expected);
  ++failures;
}
int main(void) {
  int32_t xs[] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8] = {0}, one = 0;
  struct lockstep_take4_trap t;
  is("take4", lockstep_take4_call(4, xs, out, &t), 0);
  is("take4[3]", out[3], 5);
  out[3] = 99;
  is("take4 of 2", lockstep_take4_call(2, xs, out, &t), 5);
  is("nothing was written", out[3], 99);
  says(lockstep_take4_trap_text(t.check), "precondition\t4 <= n does not hold where n is {0}");
  is("its value", t.values[0], 2);
  is("take4 of -1", lockstep_take4_call(-1, xs, out, &t), 5);
  says(lockstep_take4_trap_text(t.check), "precondition\tn is {0}, but a size is 0 to 2^56");
  is("take4 of 2^56 + 1", lockstep_take4_call((INT64_C(1) << 56) + 1, xs, out, &t), 5);
  is("take4 without a trap", lockstep_take4_call(2, xs, out, 0), 5);

  float fs[12] = {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}, gs[12];
  is("quarters", lockstep_quarters_call(12, fs, gs, 0), 0);
  is("quarters[2]", (int64_t)gs[2], 12);
  is("quarters of 10", lockstep_quarters_call(10, fs, gs, 0), 5);
  is("quarters of 4", lockstep_quarters_call(4, fs, gs, 0), 5);

  struct lockstep_at_trap a;
  is("at", lockstep_at_call(8, 7, xs, &one, &a), 0);
  is("at 7", one, 8);
  is("at 8", lockstep_at_call(8, 8, xs, &one, &a), 5);
  says(lockstep_at_trap_text(a.check), "precondition\ti is {0}, outside [0, {1})");
  is("at -1", lockstep_at_call(8, -1, xs, &one, &a), 5);
  int64_t is_[] = {7, 0, 3}, bad[] = {7, 8, -1};
  struct lockstep_all_at_trap l;
  is("all_at", lockstep_all_at_call(8, 3, is_, xs, out, &l), 0);
  is("all_at[2]", out[2], 4);
  is("all_at outside", lockstep_all_at_call(8, 3, bad, xs, out, &l), 5);
  says(lockstep_all_at_trap_text(l.check), "precondition\tis has at place {0} the index {1}, outside [0, {2})");
  is("the first place", l.values[0], 1);
  is("its index", l.values[1], 8);
  int64_t many[200000];
  for (int k = 0; k < 200000; ++k) many[k] = k % 8;
  many[199990] = -1, many[150000] = 9;
  int32_t* much = malloc(sizeof(int32_t) * 200000);
  is("all_at, many", lockstep_all_at_call(8, 200000, many, xs, much, &l), 5);
  is("the first of many", l.values[0], 150000);
  free(much);

  is("scaled", lockstep_scaled_call(2, 1.5f, 1, fs, gs, 0), 0);
  is("scaled[0]", (int64_t)(gs[0] * 2), 3);
  is("not scaled", lockstep_scaled_call(2, 1.5f, 0, fs, gs, 0), 0);
  is("not scaled[0]", (int64_t)(gs[0] * 2), 2);
  float factor = 2;
  uint8_t flag = 1;
  int64_t sizes[] = {2};
  const void* inputs[] = {&factor, &flag, fs};
  void* outputs[] = {gs};
  is("by addresses", lockstep_scaled(sizes, inputs, outputs, 0), 0);
  is("by addresses[0]", (int64_t)gs[0], 2);

  int64_t sum = 0;
  struct lockstep_plane_trap p;
  is("plane", lockstep_plane_call(3, 4, 1, &sum, &p), 0);
  is("its sum", sum, 31);
  is("a plane that leaves 64 bits", lockstep_plane_call(4294967296, 4294967296, 1, &sum, &p), 5);
  says(lockstep_plane_trap_text(p.check), "precondition\tm*n leaves 64 bits where m is {0}, n is {1}");

  int32_t table[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 8};
  uint8_t flags[12] = {0};
  is("tail", lockstep_tail_call(1, 2, table, flags, out, 0), 0);
  is("tail[0][1]", out[1], 8);
  is("f'", lockstep_f_q_quoted_call(7, &one, 0), 0);
  is("f' 7", one, 14);
  struct lockstep_f_q_quoted_trap f;
  is("f' 0", lockstep_f_q_quoted_call(0, &one, &f), 3);
  is("a function called errno", lockstep_errno_call(2, 1, xs, xs, out, 0), 0);
  is("what it gives", out[1], 2);
  return failures != 0;
}
END
for cxx in "${compilers[@]}"; do
  objects=()
  for f in take4 quarters at all_at scaled plane tail f_q_quoted errno; do
    # A header called errno.h must not be found where <errno.h> is meant: -iquote, not -I.
    $cxx $(flags_in $f.cpp) -Wall -Wextra ${quiet[$cxx]} -c $f.cpp -o $f.o >>compiled 2>&1 || echo "$f failed" >>compiled
    objects+=($f.o)
  done
  claim "$cxx compiles what was emitted without a warning" eval '[ ! -s compiled ] || { cat compiled; false; }'
  $strict -iquote . -c main.c -o main.o >compiled 2>&1 && $cxx main.o "${objects[@]}" -fopenmp -o main >>compiled 2>&1
  claim "a C program takes the headers without a warning ($cxx)" eval '[ ! -s compiled ] || { cat compiled; false; }'
  ./main >called; status=$?
  claim "users-dpia E, soundness A8: facts, naturals, products and idx bounds are checked on entry ($cxx)" \
    eval '[ $status = 0 ] && [ ! -s called ] || { cat called; false; }'
  rm -f ./*.o compiled main
done
says() { grep -qF -- "$2" "$1"; }
claim "users-dpia E: the header says the facts" says quarters.h "It needs: n%4 == 0, 8 <= n."
claim "... and the bounds of indices" eval 'says at.h "0 <= i < n" && says all_at.h "0 <= is[...] < n"'
claim "... and what each parameter is, sizes first" eval 'says tail.h "m       a size, 0 or more" && says tail.h "[m + 5][k] of int32_t, read"'
claim "... that a number is one, by value" says scaled.h "one float, by value"
claim "... and its statuses and both functions" eval 'says at.h "     5  where" && says at.h "lockstep_at:" && says at.h "int32_t lockstep_at_call(int64_t /* n */, int64_t /* i */"'

# ---- memory is kept between calls: the system maps it once
echo 'fun twice [n] (xs : [n]u8) : [n]u8 = let ys = scan (+) 0 xs in generate n (\i -> ys ! i + ys ! (n - 1 - i))' >twice.dpia
call emit twice.dpia
cat >pages.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include "twice.h"
static long pages(int64_t n, const uint8_t* xs, uint8_t* out) {
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  if (lockstep_twice_call(n, xs, out, 0) != 0) return -1;
  getrusage(RUSAGE_SELF, &after);
  return after.ru_minflt - before.ru_minflt;
}
int main(void) {
  const int64_t n = 40 << 20;
  uint8_t *xs = calloc(n, 1), *out = malloc(n);
  for (int64_t i = 0; i < n; i += 512) xs[i] = out[i] = 1;
  const long first = pages(n, xs, out), second = pages(n, xs, out);
  printf("%ld pages, then %ld\n", first, second);
  return !(second >= 0 && second < first / 2);
}
END
pages() { # FLAGS: whether the second call maps fewer
  $strict -D_DEFAULT_SOURCE -iquote . -c pages.c -o pages.o && g++ $(flags_in twice.cpp) "$@" twice.cpp pages.o -o pages && ./pages >mapped
}
claim "memory of arrays is kept for the next call" eval 'pages || { cat mapped; false; }'
claim "... and given back to the system with LOCKSTEP_NO_POOL" eval '! pages -DLOCKSTEP_NO_POOL && [ -s mapped ]'

# ---- files and what they say
cat >names.dpia <<'END'
fun g' (x : i32) : i32 = x
fun g_p (x : i32) : i32 = x
fun g_q_quoted (x : i32) : i32 = x
fun exponential [n] (xs : [n]f32) : [n]f32 = mapPar (\x -> exp x) xs
END
for f in "g'" g_p g_q_quoted; do call emit "names.dpia:$f" --output names; cat out; done >files
claim "soundness A8: functions of different names are written to different files" eval '[ "$(sort files | uniq -d)" = "" ] && [ "$(wc -l <files)" = 6 ]'
call emit names.dpia --output both; cp both/exponential.h openmp.h; call emit names.dpia --output both --target hip
claim "soundness A8: the header of one target stays beside the other's" eval 'cmp -s openmp.h both/exponential.h && says both/exponential.hip.h hipcc && [ "$(cd both && echo *)" = "exponential.cpp exponential.h exponential.hip exponential.hip.h nvidia" ]'
claim "soundness A8: the header says the processor, native where nothing else was asked for, and the library where it calls it" eval 'says openmp.h "-march=${LOCKSTEP_MARCH:-native}" && says openmp.h "Link with -lsleef" && says both/exponential.cpp "Link with -lsleef" && ! says at.h sleef && ! says at.cpp sleef && ! says both/exponential.hip sleef'
cat >exponential.c <<'END'
#include <stdio.h>
#include "exponential.h"
int main(void) {
  float xs[67], ys[67];
  for (int k = 0; k < 67; ++k) xs[k] = (float)k / 8;
  if (lockstep_exponential_call(67, xs, ys, 0) != 0) return 1;
  for (int k = 0; k < 67; ++k) printf("%a\n", ys[k]);
  return 0;
}
END
for cxx in "${compilers[@]}"; do
  { $cxx $(flags_in both/exponential.cpp) -Wall -Wextra ${quiet[$cxx]} -c both/exponential.cpp -o exponential.o &&
    $strict -iquote both -c exponential.c -o main.o && $cxx main.o exponential.o -fopenmp -lsleef -o main; } >compiled 2>&1
  claim "a program that calls the library links with it, without a warning ($cxx)" eval '[ ! -s compiled ] || { cat compiled; false; }'
  ./main >"exponential.$cxx"
  claim "... and runs, with the same bits whatever compiled it ($cxx)" eval '[ "$(wc -l <"exponential.$cxx")" = 67 ] && cmp -s exponential.g++ "exponential.$cxx"'
done
LOCKSTEP_MARCH=x86-64-v3 call emit names.dpia --output plain
claim "soundness A8: ... and the processor of LOCKSTEP_MARCH, in both files" eval '[ "$(grep -lF -- "-march=x86-64-v3" plain/* | wc -l)" = 2 ] && ! grep -qF native plain/*'

# ---- loops that do not end (users-dpia A2)
cat >loops.dpia <<'END'
fun g (x : f32) : f32 = while (\y -> y > 0) (\y -> y * 1.0) x
fun f (x : i32) : i32 = while (\y -> y != 0) (\y -> y - 2) x
fun h (x : i32) : i32 = let y = while (\y -> y != 0) (\y -> y * 3) x in x + 1
fun k [n] (xs : [n]i32) : [n]i32 = map (\x -> let (_, s) = while (\(y, _) -> y != 1)
  (\(y, s) -> (if y % 2 == 0 then y / 2 else 3 * y + 1, s + 1)) (x, 0) in 7) xs
END
for f in g f h k; do call emit "loops.dpia:$f"; claim "emit the loop $f" is 0; done
cat >loops.c <<'END'
#include "g.h"
#include "f.h"
#include "h.h"
#include "k.h"
int main(int argc, char** argv) {
  float r;
  int32_t i, xs[] = {0, 5}, out[2];
  (void)argc;
  switch (argv[1][0]) {
    case 'g': return lockstep_g_call(1, &r, 0);
    case 'f': return lockstep_f_call(1, &i, 0);
    case 'h': return lockstep_h_call(1, &i, 0);
    default: return lockstep_k_call(2, xs, out, 0);
  }
}
END
running=()
for cxx in "${compilers[@]}"; do
  for how in "$(flags_in g.cpp)" "-O2 -std=c++20" "-O3 -std=c++17 -fopenmp"; do
    name=loops-$cxx-$(echo "$how" | tr -cd 'a-z0-9')
    gcc -c loops.c -o loops.o && $cxx $how -w g.cpp f.cpp h.cpp k.cpp loops.o -fopenmp -o "$name" ||
      { claim "the loops compile with $cxx $how" false; continue; }
    for f in g f h k; do
      (timeout 1 "./$name" $f; echo $? >"$name.$f.status") &
      running+=("$name.$f")
    done
  done
done
wait
for r in "${running[@]}"; do
  claim "users-dpia A2: a loop that does not end gives no result ($r)" [ "$(cat "$r.status")" = 124 ]
done

# ---- three lanes streamed (soundness A7)
echo 'fun f [n] (xs : [3*n]f32) : [n]f32<3> = toStream (mapPar (\v -> v + v)) (asVector 3 xs)' >three.dpia
call run three.dpia 'xs=[1,2,3,4,5,6]' --target openmp
claim "soundness A7: three lanes streamed" holds "[<2.0, 4.0, 6.0>, <8.0, 10.0, 12.0>]"
call verify three.dpia; claim "... and verified" holds "every stage and target agrees"
conclude
