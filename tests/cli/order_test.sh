#!/usr/bin/env bash
# Tests in which order reductions are computed: the same bits at every number of threads; --strict. Prints a line a claim.
#   tests/cli/order_test.sh LOCKSTEP
set -u
. "$(dirname "$0")/claims.sh"

cat >sums.dpia <<'END'
fun waves (n : nat) : [n]f32 = map (\i -> f32 (i * 7919 % 1009) * 0.37 - f32 (i % 3) * 100.0) (iota n)
fun sum (n : nat) : f32 = reduce (+) 0 (waves n)
fun both (n : nat) : (f64, f64) = reduce (\x (s, t) -> (f64 x + s, f64 x * f64 x + t)) (0, 0) (waves n)
fun rows (n : nat) (m : nat) : [m]f32 = map (\k -> reduce (+) (f32 k) (waves n)) (iota m)
END
echo 'fun int f([int] a) = reduce(op +, 0, a)' >sum.l0

for program in "sum n=1000003" "both n=300001" "rows n=5001 m=7"; do
  # shellcheck disable=SC2086
  set -- $program
  function=$1; shift
  for threads in 1 2 3 7; do OMP_NUM_THREADS=$threads "$lockstep" run "sums.dpia:$function" "$@" --target openmp >"by_$threads"; done
  claim "$function has the same bits on 1, 2, 3 and 7 threads" eval '[ -s by_1 ] && cmp by_1 by_2 && cmp by_1 by_3 && cmp by_1 by_7'
  call run "sums.dpia:$function" "$@" --target openmp --strict
  claim "... and in the order that is written others" eval 'is 0 && ! cmp -s out by_1'
done
call run sums.dpia:sum n=100003 --target openmp --compare; claim "--compare: within the error bound, with the bits of the kernel" eval 'is 0 && grep -q "within the error bound.*bit for bit" err'
call run sums.dpia:sum n=100003 --target openmp --compare --strict; claim "... in the order that is written bit for bit" eval 'is 0 && grep -q "with the interpreter: bit for bit" err'

echo 'fun above (n : nat) : bool = reduce (+) 0 (map (\i -> f32 (i % 7) * 0.1 - 0.2) (iota n)) > 0' >above.dpia
call run above.dpia n=100003 --target openmp --compare; claim "what is whole and made of floats is compared, too" eval 'is 0 && grep -q "agrees with the interpreter" err'

call stages sums.dpia:sum --stage reduce-in-blocks; claim "the order is a program that is shown" holds "split 1024"
call stages sums.dpia:sum --stage reduce-in-blocks --strict; claim "... with --strict the one that was written" eval 'is 0 && ! grep -q split out'
call verify sums.dpia:sum n=2100 --certificate c.json; claim "verify says where floats are reassociated, and by which laws" eval 'is 0 && grep -q "reduce-in-blocks.*1 reassociated" out && grep -qF "the operator (+) on f32 is associative, on the reals" out && grep -q "is associative, on the reals" c.json'
call verify sums.dpia:sum n=2100 --strict --certificate s.json; claim "... with --strict nothing" eval 'is 0 && ! grep -q "reassociated\|associative" out && grep -q "\"strict\": true" s.json'
call verify --replay s.json; claim "a certificate of --strict repeats it" is 0
call prove sums.dpia:sum; claim "prove says which laws it needs, and how they are known" holds "the operator (+) on f32 is commutative, on the reals: claimed by +, on the reals by Z3"
call run sum.l0 'a=[1]' --strict; claim "of another language --strict says nothing" refused 2 "is of .dpia programs"

conclude
