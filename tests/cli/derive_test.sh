#!/usr/bin/env bash
# Tests `lockstep derive`: statuses, what is printed and saved, replaying, refusals. Prints a line a claim.
#   tests/cli/derive_test.sh LOCKSTEP
set -u
. "$(dirname "$0")/claims.sh"

cat >p.dpia <<'END'
fun sum [n] (xs : [n]f32) : f32 = reduce (+) 0 xs
fun minus [n] (xs : [n]i32) : i32 = reduce (-) 0 xs
fun five [n] (xs : [n]i32) : i32 = reduce (+) 5 xs
fun largest [n] (xs : [n]i32) : i32 = reduce (\x acc -> if x < acc then acc else x) 0 xs
fun mixed [n] (xs : [n]i32) : f64 = reduce (\x acc -> f64 x + acc) 0 xs
END
printf 'reduceBlocksRest 4 ; repeat (topDown reduceSeq)\n' >blocks.strat
printf 'reduceSeq ;\n  reduceBlocks 4\n' >late.strat
printf 'reduceSeq ;\n  mapFuson\n' >typo.strat

# ---- steps
call derive p.dpia:sum --strategy blocks.strat; claim "a step says its rule, its place and how the law is known" eval 'holds "-- 1  reduceBlocksRest 4 at . (reduce)" && holds "proved: (+) is associative up to rounding, claimed by +, on the reals by Z3"'
claim "a reassociated float is compared on the reals and within its bound" holds "reassociated, the same on the reals, within its bound"
claim "a step that keeps the order is compared bit for bit" holds "the same bits as before"
call derive p.dpia:five --strategy blocks.strat; claim "blocks start from a neutral element where the start is none" holds "reduce (+) 0 block"
claim "the start that was given is kept" holds "reduce (+) 5"
claim "integers are never called reassociated" eval '! grep -q reassociated out'
call derive p.dpia:largest --strategy blocks.strat; claim "a function of one's own is proved by Z3" holds "is associative, by Z3 for all values"
call derive p.dpia:mixed --strategy blocks.strat; claim "an element of another type is combined after its block" holds "reduce (+) 0"
printf 'reduceUnmap ; reduceBlocks 64 ; at map (mapLevel workgroup ; topDown reduceBlock)\n' >tree.strat
printf 'topDown reduceBlock\n' >nowhere.strat
echo 'fun absolutes (xs : [256]f32) : f32 = reduce (\x acc -> abs x + acc) 0 xs' >tree.dpia
call derive tree.dpia --strategy tree.strat; claim "a block's tree needs that its operator is associative, and says where it stands" eval 'holds "reduceBlock at 2.0.0 (reduce)" && holds "proved: directly in mapWorkgroup, of 64 elements, by inspection" && holds "reduceBlock (+) 0 block"'

# ---- refusals
call derive tree.dpia --strategy nowhere.strat; claim "a block's tree that stands in no block says what is missing" refused 2 "reduceBlock does not apply at . (reduce): reduceBlock stands directly in mapWorkgroup, and here is no parallel loop around it"
call derive p.dpia:minus --strategy blocks.strat; claim "an operator that is not associative is refused with values" refused 2 "f x (f y z) = "
claim "its place in the strategy is shown" grep -q "blocks.strat:1:1" err
call derive p.dpia:sum --strategy late.strat; claim "a rule that does not apply is named with its place" refused 2 "reduceBlocks does not apply at . (reduceSeq): reduceSeq is one sequential loop"
claim "and its line" grep -q "late.strat:2:3" err
call derive p.dpia:sum --strategy typo.strat; claim "an unknown rule is refused with the nearest" refused 2 "did you mean mapFusion?"
call derive p.dpia:sum --strategy none.strat; claim "a strategy file that is missing is status 2" refused 2 "none.strat"
call derive p.dpia:sum; claim "a strategy is asked for" refused 2 "a strategy is missing"
call derive --strategy blocks.strat; claim "a program is asked for" refused 2 "a program is missing"
call derive p.dpia:sum --strategy blocks.strat --replay x.json; claim "one of the two" refused 2 "given both"
call derive p.dpia:sum --strategy blocks.strat -o out.txt; claim "an output of another kind is refused" refused 2 ".dpia nor .json"
call derive p.dpia:sum --strategy blocks.strat -o none/out.dpia; claim "an output that cannot be written is status 4" is 4

# ---- what is saved
call derive "$examples/dot.dpia" --strategy "$examples/derive/dot_gpu.strat" -o gpu.dpia; claim "the program at the end is saved" eval 'is 0 && grep -q mapWorkgroup gpu.dpia'
call verify gpu.dpia; claim "it is a program that verify accepts" holds "every stage and target agrees"
call emit gpu.dpia --target hip; claim "and emit" eval 'is 0 && grep -q __global__ dot.hip'
call derive "$examples/asum.dpia" --strategy "$examples/derive/asum_cpu.strat" --verify; claim "--verify takes it through every stage" holds "verify: tested on"
call derive "$examples/asum.dpia" --strategy "$examples/derive/asum_gpu.strat" -o asum.dpia; claim "asum_gpu's strategy ends in a block's tree" grep -qF "reduceBlock (+) 0" asum.dpia
call derive "$examples/gemv.dpia" --strategy "$examples/derive/gemv_gpu.strat" -o gemv.dpia; claim "gemv_gpu's in a warp's" grep -qF "reduceWarp (+) 0" gemv.dpia
call derive p.dpia:sum --strategy blocks.strat -o sum.json; claim "a derivation is saved" eval 'is 0 && grep -q "\"rule\": \"reduceBlocksRest\"" sum.json'
cp sum.json first.json; call derive p.dpia:sum --strategy blocks.strat -o sum.json; claim "it is the same each time" cmp -s first.json sum.json
call derive p.dpia:sum --strategy blocks.strat --json; claim "--json is what is saved" cmp -s out sum.json
claim "nothing but proved, tested and assumed is claimed" eval '! grep "\"status\"" sum.json | grep -qvE "\"(proved|tested|assumed)\""'

# ---- replaying
call derive p.dpia:sum --replay sum.json; claim "a saved derivation repeats" holds "steps, as saved"
call derive p.dpia:five --replay sum.json; claim "of another program it does not" eval 'is 1 && grep -q "another program" err'
sed 's/reduceSeq (+)/reduceSeq (*)/' sum.json >changed.json; call derive p.dpia:sum --replay changed.json; claim "a program changed in it is found" eval 'is 1 && grep -q "differs in its program" err'
sed 's/by Z3/by luck/' sum.json >changed.json; call derive p.dpia:sum --replay changed.json; claim "a law known otherwise is found" eval 'is 1 && grep -q "differs in its conditions" err'
sed 's/"at": "1"/"at": "2"/' sum.json >changed.json; call derive p.dpia:sum --replay changed.json; claim "another place is found" is 1
sed 's/"reassociates": true/"reassociates": false/' sum.json >changed.json; call derive p.dpia:sum --replay changed.json; claim "so is a step that hides that it reorders" eval 'is 1 && grep -q reassociates err'
echo '{"steps": 3' >broken.json; call derive p.dpia:sum --replay broken.json; claim "what is no JSON is status 2" refused 2 "no JSON"
echo '{"steps": 3}' >broken.json; call derive p.dpia:sum --replay broken.json; claim "what is no derivation is status 2" refused 2 "no saved derivation"
call derive p.dpia:sum --replay sum.json -o again.json; claim "replaying saves the same" cmp -s again.json sum.json
echo 'fun count (x : i32) : i32 = fst (while (\p -> snd p > 0) (\p -> (fst p + 1, snd p - 1)) (0, 30 + abs x % 2)) * 2 + 1' >count.dpia
printf 'id' >nothing.strat
call derive count.dpia --strategy nothing.strat --limit 33 --seed 7 --inputs 5 -o limit.json; claim "soundness A2: a saved derivation says its seed, inputs and limit of rounds" eval 'is 0 && grep -q "\"round_limit\": 33" limit.json && grep -q "\"seed\": 7" limit.json && grep -q "\"inputs_asked\": 5" limit.json'
call derive count.dpia --replay limit.json; claim "... and is repeated with them" holds "5 inputs (seed 7)"
call derive count.dpia --replay limit.json -o again.json; claim "... and saved with them" cmp -s again.json limit.json
call derive count.dpia --replay limit.json --inputs 3 --seed 2; claim "... but for those that are given" holds "3 inputs (seed 2)"
sed 's/"round_limit": 33/"round_limit": 20/' limit.json >changed.json; call derive count.dpia --replay changed.json --json; claim "... whose limit holds" grep -q '"round_limit": 20' out
sed 's/"round_limit": 33/"round_limit": -1/' limit.json >changed.json; call derive count.dpia --replay changed.json; claim "... and is a number" refused 2 "cannot have the round_limit -1"

# ---- the rules
for o in "--limit 4" "--seed 2" "--inputs 3" --verify "--strategy blocks.strat" "--replay sum.json" "-o out.json"; do
  call derive --rules $o; claim "users-dpia F: --rules refuses $o" refused 2 "says nothing to --rules"
done
call derive p.dpia --rules; claim "users-dpia F: ... and a program" refused 2 "leave p.dpia out"
call derive --rules; claim "--rules says what each matches, gives and needs" eval 'holds "reduceColumns SIZE" && holds "associative, commutative, neutral"'
call derive --rules --json; claim "as JSON too" eval 'is 0 && grep -q "\"matches\"" out'
call derive --help; claim "--help says its options" holds "--replay"
call stages p.dpia:sum --strategy blocks.strat; claim "stages begins with the derivation" eval 'holds "reduceBlocksRest 4 at . (reduce)" && holds "-- translate"'

# ---- what a program becomes without a strategy
cat >loops.dpia <<'END'
fun loops [n] (k : nat) (is : [n]i64) (xs : [n]f32) (ys : [n]i32) : (f32, [n]i32, [k]i32, [n]f32, [k]f32) =
  let total = reduce (+) 0 xs in
  let sums = scan (+) 0 ys in
  let odd = permute (\x acc -> acc * 2 + x) (replicate k 0) is ys in
  let turned = scatter (replicate n 0) (map (\i -> n - 1 - i) (iota n)) xs in
  (total, sums, odd, turned, scatter (replicate k 0) is xs)
fun means [n] (xs : [n]f32) : f32 = reduce (\x acc -> (x + acc) / 2) 0 xs
fun none (x : f32) : f32 = x
END
call derive loops.dpia:means --explain; claim "what no law allows stays in order, with the operator and a counterexample" eval 'holds "in order" && holds "(x + acc) / 2 is associative, which does not hold: for x = "'
call derive loops.dpia:loops --explain; claim "by which laws a loop goes in blocks" eval 'holds "the operator (+) on f32 is associative" && holds "every grouping of its elements has the same bits"'
claim "a permute that stays in order says why" holds "acc * 2 + x is associative, which does not hold: for x = "
claim "scatters with and without marks" eval 'grep -q "^scatterBy .*without marks" out && grep -q "^scatter .*a mark for each place" out'
call derive loops.dpia:loops --explain --json; claim "as JSON" eval 'is 0 && grep -q "\"becomes\": \"in blocks\"" out && grep -q "\"becomes\": \"without marks\"" out && grep -q "\"at\": \"2:15\"" out'
call derive loops.dpia:none --explain; claim "of a program without such loops nothing" holds "no reduce, scan, permute or scatter"
call derive loops.dpia:means --explain --strategy blocks.strat; claim "--explain takes no strategy" refused 2 "without a strategy"
call derive --explain; claim "--explain wants a program" refused 2 "a program is missing"

conclude
