#!/usr/bin/env bash
# Tests the command line of lockstep (languages.md §4): statuses, streams, values, files. Prints a line a claim.
#   tests/cli/cli_test.sh LOCKSTEP
set -u
. "$(dirname "$0")/claims.sh"
prints() { is 0 && [ "$(cat out)" = "$1" ] && [ "$(wc -l <out)" = 1 ]; }  # exactly that line
json() { # STATUS PATTERN ... : an object as it is printed, each pattern on a line of it
  is "$1" && [ "$(head -c 1 out)" = "{" ] && [ "$(tail -n 1 out)" = "}" ] || return 1
  shift
  local pattern
  for pattern; do grep -qE -- "$pattern" out || return 1; done
}

cat >p.dpia <<'END'
fun pick [n m] (is : [n]i64) (xs : [m]f32) : [n]f32 = gather is xs
fun half (k : nat) (xs : [2*k]f32) : [k]f32 = take k xs
fun quotients [n] (ys : [4*n]i32) : [4*n]i32 = asScalar (map (\y -> splat 4 12 / y) (asVector 4 ys))
fun at [n] (i : idx(n)) (xs : [n]i32) : i32 = xs ! i
fun twice [n] (xs : [n]f32<4>) : [n]f32<4> = map (\x -> x + x) xs
fun swap [n] (xs : [n](i32, (f32, bool))) : [n](bool, i32) = map (\(a, b, c) -> (c, a)) xs
fun small (x : u8) : u8 = x
fun long (x : i64) : i64 = x
fun real (x : f32) : f32 = x
fun matrix [m n] (a : [m][n]i32) : [m][n]i32 = a
fun both [n] (xs : [n]f64) : (f64, [n]f64) = (reduce (+) 0 xs, xs)
fun even [n] (xs : [n]i32) : [n]i32 where n % 2 == 0 = xs
fun help (f : i32 -> i32) : i32 = f 1
fun last [n] (xs : [n]i32) : i32 = reduce (+) 0 xs
END

# ---- statuses and streams
call; claim "no command is refused" refused 2 "a command is missing"
call --help; claim "--help goes to standard output" holds "Subcommands"
for c in check run verify stages cost prove emit bench campaign derive tune primitives targets; do
  call $c --help; claim "$c --help says its options" holds "--json"
done
call frob; claim "an unknown command is refused" is 2
call check --json --json p.dpia; claim "a flag given twice is refused" refused 2 "given twice"
call run p.dpia --target interpreter --target openmp xs=[1]; claim "an option given twice is refused" refused 2 "given twice"
call run p.dpia xs=[1] xs=[2]; claim "an argument given twice is refused" refused 2 "given twice"
call check none.dpia; claim "a missing file is status 2" refused 2 "none.dpia"
call check .; claim "a directory is status 2" refused 2 "directory"
printf 'fun f : i32 = 1\0' >zero.dpia; call check zero.dpia; claim "a binary file is status 2" refused 2 "zero byte"
echo 'fun f : i32 = true' >wrong.dpia; call run wrong.dpia; claim "a wrongly typed program is status 2" refused 2 "wrong.dpia:1:15"
call check wrong.dpia --json; claim "errors are JSON too" json 2 '"ok": false' '"line": 1,'
call prove --only splitAcc; claim "prove without a file proves the calculus, or a part of it" holds "1 wrong statement, refuted"
call prove --only reduceI --json; claim "proofs as JSON" json 0 '"ok": true' '"verdict": "proved"' '"counterexample": "a = 0, b = 1"'
call prove --only 'reads split'; claim "what rests on names for sizes says up to which numbers facets were tested" holds "at numbers up to 4 for views, and at none beyond"
call prove --only 'neutral on bool'; claim "... and what does not, not" eval 'is 0 && ! grep -q "facets ran" out'
call prove --only 'translation map its'; claim "... and which loop was tested, where stages put one for another" holds "runs as mapPar, sizes up to 3"
call prove --only zzz; claim "a pattern that no obligation has is refused" refused 2 "zzz"
call prove p.dpia --only zip; claim "--only is for the calculus" refused 2 "without FILE"
call prove p.dpia; claim "prove lists the kernels' obligations by kind" holds "initialisation"
call prove p.dpia:pick --all; claim "prove --all names each obligation, with where it stands" holds "read xs[is[i_1]] of m"
call prove p.dpia:pick --json; claim "prove as JSON" json 0 '"kernel_for": "GPU"' '"verdict": "proved"' '"assumed"'
call prove p.dpia:help; claim "prove of what is no entry point is refused" refused 2 "help"
printf 'fun f [n] (xs : [n]i32) : [n/2+n%%2]i32 = map (\\i -> xs ! (2 * i)) (iota ((n+1)/2))\n' >half.dpia
call verify half.dpia --inputs 3; claim "users-dpia B3: what check proves, the stages' type checks hold too" holds "every stage and target agrees"
printf 'fun f [n] (xs : [n]i32) : [n/2]i32 where n %% 2 == 1 = map (\\p -> p ! 0 + p ! 1) (split 2 (take (n-1) xs))\n' >half.dpia
call verify half.dpia --inputs 3; claim "users-dpia B3: a loop's extent is compared under the facts" holds "the loops that were written came out"
printf 'fun f (a : [1][2]i64) : [1][2]i64 = mapWorkgroup (\\b -> scatter [0, 0] (toLocal (mapLocal (\\x -> x)) b) b) a\n' >half.dpia
call prove half.dpia; claim "issue 11: a barrier at the head of a loop stands before what it reads" is 0
printf 'fun f [n] (xs : [n]f32) : [n]f32 where n %% 4 == 2 = xs |> split 2 |> split (n/2) |> join |> transpose |> join\n' >left.dpia
call verify left.dpia --inputs 3 --certificate left.json
claim "verify names and times what is not proved" eval 'holds "not proved, in " && grep -qE "^CPU +initialisation +every scalar of output.*s$" out'
claim "what a proof is given is beside it, in the certificate" grep -qF '"given": "n%4 == 2 and 64-bit indices"' left.json
claim "and why the rest is not proved" grep -qF '"not_proved_because": "unknown' left.json
call verify --replay left.json; claim "a certificate of what is not proved is repeated" holds "came out as before"
call prove left.dpia; claim "what a proof is given is said of a program, too" holds "assumed: n%4 == 2"
call primitives splti; claim "primitives names the nearest to a name that is none" refused 2 "did you mean split?"
call primitives 'π'; claim "primitives of what is near nothing" refused 2 "'lockstep primitives' lists them"
call primitives zip; claim "primitives NAME tells of both languages" holds "built-in of .snesl"
call primitives /; claim "primitives NAME tells when an operator traps" holds "on integers: division by zero: x / y"
call primitives reduce; claim "primitives NAME tells what a loop costs" holds "work f.work*n + 2*n + 2, depth f.depth*n + 2*n + 2"
call primitives reduceBlock; claim "... and what one of a block costs, of a number of elements" holds "work 256*f.work"
described() { # each name that primitives lists is described by its own
  "$lockstep" primitives --json | sed -nE 's/^ *"name": "(.*)",?$/\1/p' | sort -u >names
  [ "$(wc -l <names)" -gt 100 ] || return 1
  while IFS= read -r name; do
    call primitives "$name"
    is 0 || { echo "primitives $name: status $status"; return 1; }
  done <names
}
claim "primitives NAME succeeds for every name of the list" described
call primitives + --json; claim "primitives as JSON" json 0 '"laws": "associative, commutative, neutral element 0' '"type": "\(n, n\) -> n"'
call primitives zip unzip; claim "primitives takes one name" is 2
call --help; claim "--help says where the languages are described" holds "semantics/functional/README.md is the reference of .dpia"
call targets --json; claim "targets as JSON" json 0 '"target": "interpreter"' '"available": true'
"$lockstep" run p.dpia xs=[1] >/dev/full 2>err; status=$?
claim "a full standard output is status 4" is 4

# ---- entry points
call run p.dpia xs=[1,2]; claim "the last entry point is the default" prints 3
call run p.dpia:small x=7; claim "an entry point by name" prints 7
call run p.dpia:smal x=7; claim "an unknown entry point is refused with the nearest" refused 2 "small"
call run p.dpia:help f=1; claim "a function of functions is no entry point" refused 2 "no entry point"
cp p.dpia 'a:small'; call run 'a:small' xs=[4]; claim "a file whose name holds a colon" prints 4
call run 'a:small:small' x=4; claim "its entry point" prints 4
call check p.dpia; claim "check counts the obligations" holds "size obligation"
cat >higher.dpia <<'END'
fun pairs [n] (f : 'a -> 'a -> i32) (xs : [2*n]'a) : [n]i32 where 1 <= n = map (\r -> f (r ! 0) (r ! 1)) (split 2 xs)
fun sums [n] (xs : [4*n]i32) : [2*n]i32 where 1 <= n = pairs (\x y -> x + y) xs
END
call check higher.dpia:pairs; claim "check FILE:FUN tells of any definition" holds \
  "pairs [n] (f : 'a -> 'a -> i32) (xs : [2*n]'a) : [n]i32 where 1 <= n"
claim "... and of its own obligations alone" eval 'holds "higher.dpia:pairs: 1 definition" && ! grep -q sums out'
call check higher.dpia:sums; claim "... of an entry point too" eval 'holds "sums [n] (xs : [4*n]i32) : [2*n]i32 where 1 <= n" && ! grep -qE "^pairs" out'
call check higher.dpia; claim "... of the file: the same of the entry point" holds "sums [n] (xs : [4*n]i32) : [2*n]i32 where 1 <= n"
claim "... of the file: both" eval 'grep -qE "^pairs .*1 <= n" out && grep -qE "^sums .*1 <= " out'
call check higher.dpia:sum; claim "check of a function that is none names the nearest" refused 2 "did you mean sums?"
call check higher.dpia:pairs --json; claim "... as JSON" json 0 '"definitions": 1' '"definition": "pairs '

# ---- values
for target in interpreter openmp; do
  t="--target $target"
  call run p.dpia:real x=3 $t; claim "$target: an integer literal fits a float" prints 3.0
  call run p.dpia:real x=-1.5 $t; claim "$target: a negative literal" prints -1.5
  call run p.dpia:real x=inf $t; claim "$target: inf" prints inf
  call run p.dpia:real x=nan $t; claim "$target: nan" prints nan
  call run p.dpia:long x=-9223372036854775808 $t; claim "$target: the least i64" prints -9223372036854775808
  call run p.dpia:matrix 'a=[[1, 2], [3, 4]]' $t; claim "$target: a matrix prints as it is read" prints "[[1, 2], [3, 4]]"
  call run p.dpia:matrix 'a=[]' $t; claim "$target: an empty matrix" prints "[]"
  call run p.dpia:swap 'xs=[(1,2.5,true),(3,(4,false))]' $t; claim "$target: tuples, flat or nested" prints "[(true, 1), (false, 3)]"
  call run p.dpia:swap xs.0=[1] xs.1=[2] xs.2=[true] $t; claim "$target: an array of tuples by its leaves" prints "[(true, 1)]"
  call run p.dpia:twice 'xs=[<1,2,3,4>]' $t; claim "$target: short vectors" prints "[<2.0, 4.0, 6.0, 8.0>]"
  call run p.dpia:half k=2 xs=[1,2,3,4] $t; claim "$target: an explicit size" prints "[1.0, 2.0]"
  call run p.dpia:at i=2 xs=[5,6,7] $t; claim "$target: an index" prints 7
  call run p.dpia:pick is=[0,5] xs=[1,2] $t; claim "$target: a trap is status 3 and names the values" refused 3 "index 5 is outside [0, 2)"
  call run p.dpia:pick is=[0,5] xs=[1,2] $t --output t.npy
  claim "$target: a trap writes no file" eval 'is 3 && [ ! -e t.npy ]'
  call run p.dpia:quotients ys=[1,2,0,4] $t; claim "soundness A2: $target: a division by zero in a lane traps" refused 3 "/: division by zero: 12 / 0"
done
call run p.dpia:real x=3.4e39; claim "a float out of range is refused" refused 2 "out of the range"
call run p.dpia:small x=256; claim "an integer out of range is refused" refused 2 "out of the range"
call run p.dpia:small x=-1; claim "a negative u8 is refused" refused 2 "out of the range"
call run p.dpia:long x=9223372036854775808; claim "an i64 too large is refused" refused 2 "out of the range"
call run p.dpia:small x=1.5; claim "a fraction is no integer" refused 2 "expected u8"
call run p.dpia:matrix 'a=[[1,2],[3]]'; claim "ragged lists are refused" refused 2 "ragged"
call run p.dpia xs=[1,2; claim "a list without an end is refused" refused 2 "column"
call run p.dpia; claim "what is missing is named" refused 2 "xs : [n]i32"
call run p.dpia:pick; claim "all that is missing is named at once" grep -q "xs :" err
call run p.dpia ys=[1]; claim "an unknown name is refused with the nearest" refused 2 "did you mean xs"
call run p.dpia '[1]'; claim "a word without = is refused" refused 2 "name=value"
call run p.dpia:half k=2 xs=[1,2,3]; claim "a size that does not fit is refused" refused 2 "makes it 4"
call run p.dpia:half k=-1 xs=[]; claim "a negative size is refused" refused 2 "natural"
call run p.dpia:even xs=[1]; claim "a fact that does not hold names the values" refused 2 "n = 1"
call run p.dpia:at i=3 xs=[5,6,7]; claim "an index outside its type is refused" refused 2 "idx(n)"
call run p.dpia:both xs=random; claim "random without sizes is refused" refused 2 "n=..."
call run p.dpia:both xs=random:1 n=3; cp out first; call run p.dpia:both xs=random:1 n=3 --target interpreter
claim "random is the same on every run and target" eval 'is 0 && [ -s first ] && cmp -s first out'
call run p.dpia:both xs=random:2 n=3; claim "another seed gives other values" eval '! cmp -s first out'
call run p.dpia:both xs=random n=1000000000000; claim "too much memory is status 4" refused 4 "available"

# ---- files
call run p.dpia:matrix 'a=[[1,2,3],[4,5,6]]' --output m.npy; claim "--output prints nothing" eval 'is 0 && [ ! -s out ] && [ -f m.npy ]'
call run p.dpia:matrix a=m.npy; claim "a file is read back" prints "[[1, 2, 3], [4, 5, 6]]"
call run p.dpia:matrix a=m.npy --output m.npy; call run p.dpia:matrix a=m.npy
claim "a file may be input and output" prints "[[1, 2, 3], [4, 5, 6]]"
call run p.dpia:both xs=[1,2] --output b.npy; claim "a tuple becomes its leaves" eval '[ -f b.0.npy ] && [ -f b.1.npy ] && [ ! -e b.npy ]'
call run p.dpia:real x=b.0.npy; claim "a file of another type is refused" refused 2 "f64"
call run p.dpia:both xs=b.0.npy; claim "a scalar has shape ()" refused 2 "shape ()"
call run p.dpia:matrix a=none.npy; claim "a missing array is refused" refused 2 "none.npy"
call run p.dpia:matrix a=p.dpia.npy; claim "its name is in the message" refused 2 "p.dpia.npy"
call run p.dpia:matrix a=[[1]] --output none/m.npy; claim "an output without a folder is status 4" refused 4 "none"

# ---- the other commands
call run p.dpia:both xs=random n=100 --compare; claim "--compare agrees" eval 'is 0 && grep -q agrees err'
call run p.dpia xs=[1] --target hip; claim "a target that is not here is status 4" refused 4 "hip"
call run p.dpia xs=[1] --target hop; claim "a target that is none is status 2" refused 2 "hop"
LOCKSTEP_CXX=/none call run p.dpia xs=[1,2]; claim "without a compiler the interpreter runs" prints 3
LOCKSTEP_CXX=/none call run p.dpia xs=[1] --target openmp; claim "a target without its compiler is status 4" refused 4 "compiler"
call stages "$examples/saxpy.dpia"; claim "stages ends in C++" holds "#pragma omp"
call stages "$examples/dot.dpia" --stage translate; claim "one stage alone" eval 'holds "-- translate" && ! grep -q "^-- paths" out'
call stages "$examples/dot.dpia" --stage nothing; claim "an unknown stage is refused" is 2
call cost "$examples/dot.dpia" n=1000 --json; claim "costs at a size" json 0 '"work": "[0-9]+"'
call cost "$examples/transpose_gpu.dpia" --json; claim "what a GPU takes as JSON" json 0 '"sectors": \{' '"turns": \{' '"for_all_sizes": true' '"barriers_of_block": \{'
call cost "$examples/dot.dpia" --target openmp; claim "of another target a GPU's cost is not asked" eval '! holds "on a GPU"'
call cost "$examples/dot.dpia"; claim "cost says its units" eval 'is 0 && grep -q "^work  *scalar operations, reads and writes" out'
cat >rounds.dpia <<'END'
fun f (x : i32) : i32 = while (\y -> y < 9) (\y -> while (\z -> z < y) (\z -> z + 3) (y + 1)) x
END
call cost rounds.dpia; claim "source and stages count rounds by the same names" \
  eval '[ "$(grep -c "#iterations_1\*#iterations_2" out)" = 22 ] && holds "#iterations_k  rounds of the k-th"'
call emit "$examples/dot.dpia" --output made; claim "emit writes a source and a header" eval 'is 0 && [ -s made/dot.cpp ] && [ -s made/dot.h ]'
call emit "$examples/dot_gpu.dpia" --target hip --output made; claim "emit writes HIP, and the header for NVIDIA's compilers" \
  eval 'is 0 && [ ! -s err ] && grep -q __global__ made/dot_gpu.hip && [ -s made/nvidia/hip/hip_runtime.h ] && [ "$(grep -c . out)" = 3 ]'
printf 'fun f [n] (xs : [n][n]f32) : [n][n]f32 = mapLocal (\\r -> mapWorkgroup (\\x -> x + 1) r) xs\n' >local.dpia
call check local.dpia; claim "levels that the machine does not have are a type error" refused 2 "mapWorkgroup runs over blocks of threads, but it stands inside mapLocal"
printf 'fun f [n] (xs : [n][n]f32) : [n][n]f32 = mapGlobal (toPrivate (mapSeq (\\x -> x + 1))) xs\n' >local.dpia
call emit local.dpia --target hip; claim "emit refuses a thread's memory of no fixed length" eval 'refused 2 "memory" && [ ! -e f.hip ]'
call stages local.dpia --target hip; claim "stages says why there is no HIP text" holds "// none: "
call bench "$examples/dot.dpia" n=1000 --runs 3 --json; claim "bench counts bytes" json 0 '"bytes": 8004,' '"runs": 3,' '"work": [0-9]' '"work_per_second": [0-9]'
call bench "$examples/dot.dpia" n=1000 --runs 3 --plot dot.svg --roofline --peer other=0.5 --peer third=1; claim "bench draws a roofline, as text and as a picture" \
  eval 'holds "GFLOP/s of f32" "roofline: 0.2[0-9]* operations on floats a byte; its data fit the caches" "o  dot: " "A  other: " "B  third: " && grep -q "<circle" dot.svg'
call bench "$examples/dot.dpia" n=1000 --runs 3 --peer other=0.5 --json; claim "... and counts operations on floats" json 0 '"f32": 2[0-9]{3}' '"share_of_roofline": 0' '"other": [0-9]'
call bench "$examples/dot.dpia" --sizes 512 --target interpreter --runs 1; claim "bench takes the size of all that is not given" holds "dot at n = 512"
call verify "$examples/dot.dpia" --certificate dot.json; claim "verify agrees and writes a certificate" eval 'holds "every stage and target agrees" && [ -s dot.json ]'
cp dot.json out
claim "a certificate claims nothing but proved, tested and assumed" eval 'json 0 "\"standing\": \"tested\"" && ! grep "\"standing\"" out | grep -qvE "\"(proved|tested|assumed)\""'
call verify "$examples/dot_gpu.dpia"; claim "verify runs the GPU's pipeline too" holds "for the GPU" "barriers"
call verify "$examples/dot.dpia" --json --seed 2 --inputs 3; claim "verify as JSON" eval 'json 0 "\"ok\": true" "\"seed\": 2," && ! grep -q "\"refuted\"" out'
mkdir alone; cd alone || exit 2
call verify "$examples/dot.dpia"; claim "users-dpia G: without --certificate no file is written" eval 'is 0 && [ "$(ls)" = "$(printf "err\nout")" ]'
cd .. && rm -r alone
call run p.dpia:both xs=[] --target hop --json; claim "a failure prints one JSON object" eval 'json 2 "\"ok\": false" && [ "$(grep -c "^{" out)" = 1 ]'
call verify p.dpia:pick; claim "inputs that trap are counted" holds "trap"
printf 'fun f [n] (xs : [n]f32) : [n]bool = map (\\x -> (x * 0 + 4) / 3 * 3 == 4) xs\n' >near.dpia
call verify near.dpia; claim "a program whose way rounding decides fails, with the place" eval 'is 1 && grep -q "left undecided by rounding" err && grep -q "near.dpia:1:" err && grep -q "verify FILE n=4" err'

# Loops that may not end, inputs that give no values (users-dpia B1, B2)
cat >loops.dpia <<'END'
fun collatz (start : i64) : i64 =
  snd (while (\(y, _) -> y != 1) (\(y, s) -> (if y % 2 == 0 then y / 2 else 3 * y + 1, s + 1)) (start, 0))
fun newton (x : f64) : f64 =
  snd (while (\(old, new) -> abs (new - old) > 1e-12) (\(old, new) -> (new, 0.5 * (new + x / new))) (0, x))
fun dot [n] (xs : [n]f64) (ys : [n]f64) : f64 = reduce (+) 0 (map (\(x, y) -> x * y) (zip xs ys))
fun axpy [n] (a : f64) (xs : [n]f64) (ys : [n]f64) : [n]f64 = map (\(x, y) -> a * x + y) (zip xs ys)
fun cg [n] (a : [n][n]f64) (b : [n]f64) : [n]f64 =
  fst (while (\(x, r, p, rs) -> rs > 1e-20)
    (\(x, r, p, rs) ->
      let ap = map (\row -> dot row p) a in
      let alpha = rs / dot p ap in
      let r2 = axpy (-alpha) ap r in
      let rs2 = dot r2 r2 in
      (axpy alpha p x, r2, axpy (rs2 / rs) p r2, rs2))
    (replicate n 0, b, b, dot b b))
fun forever [n] (xs : [n]f32) : [n]f32 = while (\ys -> true) (\ys -> map (\y -> y * 2) ys) xs
fun never (x : i32) : i32 = x / (x - x)
END
call verify loops.dpia:collatz; claim "users-dpia B1: verify of collatz draws again what does not end" eval 'holds "after too many rounds" && grep -q "every stage and target agrees" out'
call verify loops.dpia:newton --json; claim "users-dpia B1: of Newton's method too, as one JSON document" eval 'json 0 "\"ok\": true" "\"endless\": [1-9]" && [ "$(grep -c "^{" out)" = 1 ]'
call verify loops.dpia:cg; claim "users-dpia B1: of conjugate gradients it comes back" holds "every stage and target agrees"
call verify loops.dpia:forever --limit 500; claim "users-dpia B1: a loop without an end is said to have none" eval 'is 1 && grep -q "not end within 500 rounds" err && grep -q "not tested" out'
awk 'BEGIN { printf "fun a (x : i32) : i32 = x"; for (k = 1; k < 40; ++k) printf " + x * %d", k; printf "\nfun b (x : i32) : i32 = a x"
  for (k = 1; k < 800; ++k) printf " + a x"; printf "\nfun c (x : i32) : i32 = x + 1\nfun d (x : i32) : i32 = c x"; for (k = 1; k < 300; ++k) printf " + c x"
  print "\nfun at [n] (xs : [n]i32) (k : nat) : i32 = let y = xs ! k in y + 1\nfun f (xs : [3]i32) : i32 = at xs 5" }' >late.dpia
call check late.dpia; claim "users-dpia D: what the place of a call decides is judged though calls are expanded late" refused 2 "the index 5 is outside an array of 3 elements"
awk 'BEGIN { print "fun f0 (g : i32 -> i32) (x : i32) : i32 = g x"; for (k = 1; k <= 40; ++k) printf "fun f%d (g : i32 -> i32) (x : i32) : i32 = f%d (\\y -> g (g y)) x\n", k, k - 1
  print "fun e (x : i32) : i32 = f40 (\\y -> y + 1) x" }' >twice.dpia
call run twice.dpia x=1; claim "users-dpia D: functions that double what they are given are expanded to a limit" refused 2 "e expands to more than 2000000 nodes"
printf 'fun endless [n] (xs : [n]i32) : i32 = while (\\y -> true) (\\y -> y + 1) (reduce (+) 0 xs)\nfun traps [n] (xs : [n]i64) : i64 = reduce (+) 0 xs / 0\n' >derived.dpia
printf 'repeat (topDown reduceSeq)\n' >derived.strat
call derive derived.dpia:endless --strategy derived.strat --limit 100; claim "users-dpia B1: derive of a loop without an end comes back" holds "not tested: no input was found that ends within 100 rounds"
call derive derived.dpia:traps --strategy derived.strat; claim "users-dpia B2: derive does not call tested what only traps" holds "not tested: none of 12 inputs gave values"
cat >tuned.dpia <<'END'
fun product [m k n] (a : [m][k]f32) (b : [k][n]f32) : [m][n]f32 =
  map (\row -> map (\column -> reduce (+) 0 (map (\(x, y) -> x * y) (zip row column))) (transpose b)) a
fun sums [m] (a : [m][8]f32) : [8]f32 = map (\column -> reduce (+) 0 column) (transpose a)
fun scal [n] (xs : [n]f32) : [n]f32 = map (\x -> 2 * x) xs
END
call tune tuned.dpia:product m=64 k=64 n=64 --runs 1; claim "tune says what it tried" holds "product at k = 64, m = 64, n = 64 on " "products in tiles of 8 x 8" "60 strategies tried, of which"
call tune tuned.dpia:sums m=4096 --runs 1 --json; claim "... and takes nothing that has other bits" json 0 '"not_used": "it has other bits"' '"tried": 60'
call tune tuned.dpia:scal n=100; claim "... nor what does not apply" eval 'holds "60 strategies tried, of which 0 apply" "no file was written" && [ ! -e tuned.scal.strat ]'
call tune tuned.dpia:scal n=100 --output scal.dpia; claim "... and writes strategies" refused 2 "does not end in .strat"
call tune tuned.dpia:scal n=100 --output derived.strat; claim "... over none that somebody wrote" refused 2 "'tune' has not written it"
call tune squares.snesl; claim "... of .dpia" refused 4 "strategies rewrite .dpia programs"
call run tuned.dpia:sums a=[[1,2,3,4,5,6,7,8],[1,0,0,0,0,0,0,0.5]]; cp out without
printf 'at 0.0 reduceSeq\n' >fits.strat
call run tuned.dpia:sums a=[[1,2,3,4,5,6,7,8],[1,0,0,0,0,0,0,0.5]] --strategy fits.strat; claim "run takes a strategy" eval 'is 0 && [ ! -s err ] && cmp -s out without'
call cost tuned.dpia:sums --strategy fits.strat; claim "... and so does cost" holds "reduce-in-blocks"
printf 'splitJoin 2 ;\nmapFusion\n' >stale.strat
call run tuned.dpia:sums a=[[1,2,3,4,5,6,7,8],[1,0,0,0,0,0,0,0.5]] --strategy stale.strat; claim "a strategy that does not fit is refused with its step, and the program runs without it" \
  eval 'is 0 && cmp -s out without && grep -qF "stale.strat does not fit sums, which is taken without it: stale.strat:2:1: mapFusion does not apply at ." err'
call run squares.snesl --strategy fits.strat; claim "strategies are of .dpia" refused 4 "strategies rewrite no others yet"
call derive derived.dpia:traps --strategy derived.strat --inputs 0; claim "derive at no inputs is refused" refused 2 "--inputs 0"
printf 'fun zero (xs : [0]i64) : [0]i64 = xs\nfun sum [n] (xs : [n]i64) : i64 = reduce (+) 0 xs\n' >one.dpia
call verify one.dpia:zero; claim "users-dpia B2: a program of one input is tested by it" holds "every stage and target agrees"
call verify one.dpia:sum n=0; claim "users-dpia B2: so is one at sizes that leave one" holds "every stage and target agrees"
call verify one.dpia:sum --inputs 1000000000000; claim "inputs that no memory holds are refused" refused 2 "--inputs"
call verify loops.dpia:collatz --limit 0; claim "a limit of no rounds is refused" refused 2 "--limit"
call verify loops.dpia:never; claim "users-dpia B2: a program that always traps is not tested, exit 1" eval 'is 1 && grep -q "0 of 12 inputs gave values" err && grep -q "not tested" out && ! grep -q "✓ 1[24]" out'
call verify loops.dpia:never --json; claim "users-dpia B2: nor is it claimed" eval 'json 1 "\"ok\": false" && ! grep -q "computes what the source does" out'
# An option that says nothing is refused (users-dpia F)
echo 'fun f(n) = sum({x * x : x in &n})' >squares.snesl
while IFS='|' read -r words text; do
  call $words; claim "users-dpia F: $words is refused" refused 2 "$text"
done <<'END'
verify squares.snesl --limit 5|--limit counts rounds of 'while', and .snesl has no loop
campaign --language snesl --limit 5|--limit counts rounds of 'while', and .snesl has no loop
campaign --language snesl --mutants --limit 5|--limit says nothing to --mutants
campaign --language snesl --mutants --minutes 1|--minutes says nothing to --mutants
campaign --mutants --limit 5|--limit says nothing to --mutants
campaign --mutants --minutes 1|--minutes says nothing to --mutants
campaign --mutants --statistics|--statistics says nothing to --mutants
campaign --mutants --target openmp|--target says nothing to --mutants
campaign --mutants --sanitizer thread|--sanitizer says nothing to --mutants
campaign --sanitizer thread|--sanitizer thread is of --target hip-cpu
campaign --target openmp --sanitizer address|--sanitizer address is of --target hip-cpu
campaign --language snesl --sanitizer address|--sanitizer says nothing to these programs
campaign --target hip-cpu --sanitizer memory|memory not in
campaign --show|--show is of --mutants
campaign --language snesl --show|--show is of --mutants
run one.dpia:sum xs=[1] --chunk 2|--chunk is of .snesl programs
run one.dpia:sum xs=[1] --threads 2|--threads is of .snesl programs
bench one.dpia:sum --chunk 2|--chunk is of .snesl programs
bench one.dpia:sum --peer 3|--peer 3 is no NAME=SECONDS
bench one.dpia:sum --peer other=-3|is no NAME=SECONDS
bench one.dpia:sum --plot a.png|--plot a.png does not end in .svg
bench one.dpia:sum n=8 --target interpreter --roofline|no operations on floats whose number is known
bench one.dpia:sum --threads 2|--threads is of .snesl programs
cost one.dpia:sum --chunk 2|--chunk is of .snesl programs
prove --all|--all lists what is proved of a program
prove --block-size 64|--block-size is of a program
run squares.snesl --block-size 64|--block-size is not of .snesl programs
emit squares.snesl --warp-size 64|--warp-size is not of .snesl programs
run one.dpia:sum xs=[1] --warp-size 24|a warp has 1, 2, 4, ... or 64 threads, not 24
prove squares.snesl --all|--all is of .dpia programs
END
# The launch that is asked for reaches the text, and a certificate repeats it.
printf 'fun twice [n] (xs : [4*n]i32) : [4*n]i32 = join (mapWorkgroup (\\b -> mapLocal (\\x -> x + x) b) (split 4 xs))\n' >launch.dpia
call emit launch.dpia --target hip --block-size 96 --output launched; claim "--block-size is that of the launches" eval 'is 0 && grep -qF ", 1, 65535), 96, 0, " launched/*.hip'
call stages launch.dpia --target hip --block-size 96 --warp-size 64 --stage barriers; claim "... and of the program, with --warp-size" holds "block 96 warp 64"
call emit launch.dpia --target hip --grid-size 7 --output launched; claim "... and --grid-size how many blocks at most" eval 'is 0 && grep -qF ", 1, 7), 256, 0, " launched/*.hip'
call stages launch.dpia --target hip --grid-size 7 --stage barriers; claim "... which the program says" holds "twice(n) grid 7"
call emit launch.dpia --target hip --index-bits 64 --output wide; claim "... and --index-bits how wide indices are" eval 'is 0 && grep -q "template <class Index>" launched/*.hip && ! grep -q "template <class Index>" wide/*.hip'
call emit launch.dpia --target hip --block-size 4 --warp-size 4 --grid-size 7 --index-bits 16 --output wide; claim "... of those that HIP has" refused 2 "HIP has indices of 32 and of 64 bits, not of 16: --index-bits 32"
call verify launch.dpia --block-size 4 --warp-size 4 --grid-size 2 --index-bits 6; claim "verify runs narrow indices of few bits" eval 'is 0 && grep -q "widths" out'
call verify launch.dpia --block-size 2 --warp-size 1 --grid-size 3 --certificate launch.json; claim "verify runs such blocks" is 0
call verify --replay launch.json; claim "... and repeats them" is 0
call verify --replay launch.json --block-size 4; claim "... not others" is 2
sed 's/"block": 2/"block": 3/' launch.json >other.json; call verify --replay other.json; claim "another block in a certificate is noticed" is 1
sed 's/"grid": 3/"grid": 4/' launch.json >other.json; call verify --replay other.json; claim "... and another grid" is 1
sed 's/"grid": 3/"grid": 2147483648/' launch.json >other.json; call verify --replay other.json; claim "... which none has" refused 2 "grid is 2147483648"
sed 's/"index": 0/"index": 64/' launch.json >other.json; call verify --replay other.json; claim "... and another width of indices" is 1
printf 'fun endless : i32 = while (\\x -> x > 0) (\\x -> x) 1\n' >endless.dpia
call verify endless.dpia --limit 70; claim "users-dpia B2: the limit that no input ended within is said" eval 'is 1 && grep -qF "ends within 70 rounds of \`while\`, so nothing was run" out'
# What only the bits say (soundness A12)
printf 'fun f [n] (xs : [4*n]f32) : [4*n]f32 = asScalar (map (\\v -> abs v) (asVector 4 xs))\n' >abs.dpia
call run abs.dpia xs=[-0.0,-1,0.0,2] --compare; claim "soundness A12: the target's bits are those of its kernel's interpreter" eval 'prints "[0.0, 1.0, 0.0, 2.0]" && grep -q "of the kernel that is compiled, bit for bit" err'
printf 'fun f [n] (xs : [n]u64) : [n]f32 = map f32 xs\n' >u64.dpia
call run u64.dpia xs=[9223372586610589697] --compare; claim "soundness A12: a u64 becomes an f32 by one rounding, everywhere" eval 'prints "[9.223373e+18]" && grep -q "bit for bit" err'
printf 'fun f [n] (xs : [n]f64) : [n](f32, (f32, (f64, f64))) = map (\\x -> (sin 5.500681955914521f32, (tanh 0.6037087077507799f32, (exp (-4.802569277165711f64), pow x 2.0)))) xs\n' >lib.dpia
call run lib.dpia xs=[497.65,995.3] --compare; claim "soundness A12: the library's functions are called, not computed by the compiler" eval 'is 0 && grep -q "interpreter: bit for bit" err'
call campaign --programs 3 --shard 3/2; claim "a shard that is none is refused" refused 2 "--shard"
call campaign --mutants pad-read; claim "a mutant is killed, and nothing is said without it" eval 'is 0 && grep -q "^pad-read .* meaning, paths" out && holds "1 of 1 mutant killed" && holds "nothing to report"'
call campaign --mutants permute-range --programs 1; claim "a mutant that survives is a failure" eval 'is 1 && grep -q "^permute-range .*SURVIVES" out && grep -q "^0 of 1" out'
call campaign --mutants 'barrier*' --json --shard 1/4; claim "mutants as JSON, with the shrunk program" json 0 '"killed": 3,' '"total": 3,' '"program_is": "directed"' '"program": "fun main' '"false_alarm": ""'
call campaign --mutants hippopotamus; claim "a mutant that there is not is refused" refused 2 "families"
call campaign --language lisp; claim "a language that is none is refused" refused 2 "lisp"

# ---- what a review and a contract test found
cat >names.dpia <<'END'
fun shift (b : bool) (s : i64) : i64 = (if b then 1 else 3) << s
fun doubled (b : bool) : i64 = (if b then 2147483647 else 5) + (if b then 2147483647 else 5)
fun alarm (x : f64) : f64 = x * 2
fun stdin (x : f64) : f64 = x * 2
fun printf (x : f64) : f64 = x * 2
fun sincos (x : f64) : (f64, f64) = (sin x, cos x)
fun INT_MAX (hip : f64) : f64 = hip * 2
fun sizes [SIZE_MAX] (each_row : [SIZE_MAX]f64) : f64 = reduce (+) 0 each_row
fun failing [m n] (fail : [m][n]f32) : [m][n]f32 = map (toGlobal (map (\x -> x + 1))) fail
fun third [n] (xs : [n + n/3]f32) (ys : [n]f32) : f32 = reduce (+) 0 xs
END
call run names.dpia:shift b=true s=33; claim "a choice of constants has 64 bits" prints 8589934592
call run names.dpia:doubled b=true; claim "a sum of choices of constants has 64 bits" prints 4294967294
for f in alarm stdin printf; do call run names.dpia:$f x=2; claim "a function may have the name of the library's $f" prints 4.0; done
call run names.dpia:sincos x=0; claim "... and of one that the compiler calls" prints "(0.0, 1.0)"
call run names.dpia:INT_MAX hip=2; claim "names with prefixes that the text uses end" prints 4.0
call run names.dpia:sizes each_row=[1,2]; claim "names of macros work" prints 3.0
call run names.dpia:failing fail=[[1]]; claim "names of the text's own functions work" prints "[[2.0]]"
call run names.dpia:third xs=[1,2,3,4] ys=[1,2,3]; claim "a size inside a division is not solved as if it were linear" prints 10.0
call campaign --programs -3; claim "a negative count is refused" refused 2 "negative"
call verify "$examples/dot.dpia" --inputs 99999999999999999999; claim "a count beyond 64 bits is refused" refused 2 "too large"
call run p.dpia:both xs=[1] --output ""; claim "an empty file name is refused" refused 2 "--output"
call cost "$examples/dot.dpia" xs=[1]; claim "cost takes sizes only" refused 2 "no size"
printf 'fun f [n m] (xs : [n]f32) (ys : [m]f32) : [n]f32 where n <= m, m <= n = map (\\(x, y) -> x + y) (zip xs ys)\n' >sizes.dpia
call verify sizes.dpia; claim "sizes that bound each other are equal at every stage" holds "every stage and target agrees"
printf 'fun f [n m] (xs : [n*n]f32) (ys : [m*m]f32) : [n*n]f32 where n*n + 1 <= m*m + 1, m*m < n*n + 1 = map (\\(x, y) -> x + y) (zip xs ys)\n' >sizes.dpia
call verify sizes.dpia n=3 m=3; claim "... also where a solver says so" holds "every stage and target agrees"
printf 'fun f [n m] (d : [m]f32) (is : [n]i64) (xs : [n]f32) : [m]f32 = scatter d is xs\n' >hip.dpia
call emit hip.dpia --target hip; claim "a scatter outside all loops has HIP text" eval 'is 0 && [ -s f.hip ]'
printf 'fun f [n] (xs : [4*n]f32) : [4*n]f32 = let v = reduceSeq (+) (splat 4 0) (asVector 4 xs) in map (\\x -> x * (lanes v ! 0)) xs\n' >hip.dpia
call emit hip.dpia --target hip; claim "a short vector lives across kernels" eval 'is 0 && grep -qF "* load4(acc_1_).lanes[0]" f.hip'
printf 'fun f [n] (xs : [4*n]f32) : [n]f32<4> = mapGlobal (\\v -> v + v) (asVector 4 (mapGlobal (\\x -> min x 1) (mapGlobal (\\x -> min x 2) xs)))\n' >hip.dpia
call emit hip.dpia --target hip; claim "what kernels share is declared once" eval 'is 0 && [ "$(grep -c "one_min_f32(float" f.hip)" -le 1 ]'
printf 'fun f (x : f32) : i32 = i32 (x * 2)\nfun g (x : u64) : u64 = 5 %% x\n' >traps.dpia
for target in interpreter openmp; do
  call run traps.dpia:f x=2e9 --target $target; claim "users-dpia F19: $target: the trap of a conversion names the value" refused 3 "i32: the float 4e+09 is out of range"
  call run traps.dpia:g x=0 --target $target; claim "users-dpia F19: $target: ... and that of a division of u64" refused 3 "remainder by zero: 5 % 0"
done
call run traps.dpia:f x=2e9 --json; claim "users-dpia F20: a trap as JSON has its fields" json 3 '"primitive": "i32"' '"message": "the float 4e' '"line": 1,' '"column": 25,' '"end_column": 36'

# ---- large programs, on a small stack
terms() { awk -v n="$1" 'BEGIN { printf "fun f (x : i32) : i32 = x"; for (k = 1; k < n; ++k) printf " + x * %d", k; print "" }'; }
doubling() { # LEVELS: each function calls the one before twice
  awk -v n="$1" 'BEGIN { print "fun f0 (x : i32) : i32 = x"; for (k = 1; k <= n; ++k)
    printf "fun f%d (x : i32) : i32 = f%d (x + 1) + f%d (x * 3)\n", k, k - 1, k - 1 }'
}
small_stack() { (ulimit -s 8192; "$lockstep" "$@" >out 2>err </dev/null); status=$?; }
terms 3000 >terms.dpia
small_stack check terms.dpia; claim "users-dpia D: 3,000 operators in a row are no nesting" holds "1 definition"
small_stack stages terms.dpia; claim "... at any stage" holds "x * 2999"
small_stack run terms.dpia x=2 --target interpreter; claim "... nor when they are run" prints 8997002
small_stack cost terms.dpia; claim "... nor in their cost" is 0
terms 100000 >terms.dpia
small_stack check terms.dpia; claim "users-dpia D: 100,000 operators in a row are refused in words" refused 2 "at most 4,000 in a row"
{ printf 'fun f (x : i32) : i32 = '; printf '(%.0s' $(seq 1001); printf x; printf ')%.0s' $(seq 1001); echo; } >deep.dpia
small_stack check deep.dpia; claim "users-dpia D: 1,001 brackets are nesting" refused 2 "nested too deeply"
doubling 64 >doubling.dpia
call check doubling.dpia; claim "users-dpia D: 64 levels of doubling calls are checked" holds "65 definitions"
for c in stages cost verify prove; do
  call $c doubling.dpia; claim "users-dpia D: $c says that they are too many" refused 2 "nodes, its calls expanded"
done
call run doubling.dpia:f63 x=1; claim "users-dpia D: run says that they are too many" refused 2 "at most 2000000"
call run doubling.dpia:f3 x=1; claim "... and runs those that are few" prints 92
call run doubling.dpia:f13 x=1 --target interpreter; claim "... and those that were left to be expanded" prints 100659200

# ---- sizes that leave 64 bits
cat >large.dpia <<'END'
fun g [n] (xs : [n]f32) : [4611686018427387904*n]f32 = join (map (\x -> replicate 4611686018427387904 x) xs)
fun f [n] (xs : [n]f32) : f32 = reduce (+) 0 (g (concat (concat xs xs) (concat xs xs)))
END
for c in check verify prove cost run; do
  call $c large.dpia; claim "soundness A15: $c refuses a size that leaves 64 bits, where it arises" refused 2 "large.dpia:2:46: error"
done
printf 'fun f [n] (xs : [n]f32) : f32 = reduce (+) 0 (map (\\x -> x + x * x) (join (map (\\x -> replicate 4611686018427387904 x) xs)))\n' >large.dpia
call check large.dpia; claim "soundness A15: a large coefficient is a size" holds "1 definition"
call prove large.dpia; claim "soundness A15: ... of which things are proved" is 0
for c in cost verify; do
  call $c large.dpia; claim "soundness A15: $c refuses a cost that leaves 64 bits" refused 2 "a coefficient leaves 64 bits"
done
call run large.dpia xs=[1]; claim "soundness A15: ... and run an array of so many elements" refused 2 "too large"

conclude
