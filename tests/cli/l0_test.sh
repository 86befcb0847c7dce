#!/usr/bin/env bash
# Tests the command line on .l0 (l0.md §1; languages.md §4): statuses, values, files, refusals. Prints a line a claim.
#   tests/cli/l0_test.sh LOCKSTEP
set -u
. "$(dirname "$0")/claims.sh"
prints() { is 0 && [ "$(cat out)" = "$1" ] && [ "$(wc -l <out)" = 1 ]; }  # exactly that line

cat >p.l0 <<'END'
fun *[int] set(*[int] a, int i, int x) = let a[i] = x in a
fun int pick([int] a, int i) = a[i]
fun [char] name([char] s, char c) = concat(s, {c})
fun [(int, [real])] rows([(int, [real])] ps) = map(fn (int, [real]) (int n, [real] r) => (n + 1, map(op * (2.0), r)), ps)
fun ((int, real), bool) nested(((int, real), bool) t) = t
fun [[int]] square(int n) = map(fn [int] (int i) => map(fn int (int j) => i * j, iota(n)), iota(n))
fun [[int]] none([[int]] m) = m
fun int deep(int n) = if n == 0 then 0 else 1 + deep(n - 1)
fun [[int]] matmultFun(int N, [[int]] x, [[int]] y) =
  let yt = replicate(N, transpose(y)) in
  let ar = map(fn [[int]] ([int] a) => replicate(N, a), x) in
  map(fn [int] ([[int]] as, [[int]] bs) => map(fn int ([int] a, [int] b) => reduce(op +, 0, map(op *, zip(a, b))), zip(as, bs)),
      zip(ar, yt))
END

call check p.l0; claim "check lists every function with its type" holds "*[int] set(*[int] a, int i, int x)"
claim "... and says what holds" holds "9 functions, types and uniqueness hold"
call check p.l0:pick; claim "check of one function tells of no other" eval '! grep -q square out'
call check p.l0 --json; claim "check as JSON" eval 'is 0 && grep -q "\"language\": \"l0\"" out && grep -q "\"function\": \"square\"" out'
call check p.l0:nowhere; claim "a function that is not there" refused 2 "defines no function nowhere"

call run p.l0 N=2 'x=[[1,2],[3,4]]' 'y=[[5,6],[7,8]]'; claim "the last function runs" prints "[[19, 22], [43, 50]]"
call run p.l0:set 'a=[1,2,3]' i=1 x=-9; claim "an argument is fresh, and consumed" prints "[1, -9, 3]"
call run p.l0:name s=ab 'c='"'c'"; claim "a text is given as it stands" prints '"abc"'
call run p.l0:name 's="a\nb"' 'c='"'!'"; claim "... or between quotes" prints '"a\nb!"'
call run p.l0:nested 't=((1,2),true)'; claim "nested tuples print nested, and an int fits a real" prints "((1, 2.0), true)"
call run p.l0:rows 'ps=[(1,[0.5]),(2,[1.5])]'; claim "arrays of tuples are given element by element" prints "[(2, [1.0]), (3, [3.0])]"
call run p.l0:rows 'ps.0=[1,2]' 'ps.1=[[0.5],[1.5]]'; claim "... or leaf by leaf" prints "[(2, [1.0]), (3, [3.0])]"
call run p.l0:none 'm=[]'; claim "an array of nothing" prints "[]"
call run p.l0:none 'm=[]' --output none.npy; claim "... has no lengths further in" eval 'is 0 && head -c 128 none.npy | grep -qaF "(0, 0)"'
call run p.l0:rows 'ps=[(1,[0.5]),(2,[])]'; claim "rows are regular" refused 2 "irregular"
call run p.l0:rows 'ps.0=[1,2]' 'ps.1=[[0.5]]'; claim "parts of tuples are equally long" refused 2 "equally long"

call run p.l0:square n=3 --output m.npy; claim "results are written" eval 'is 0 && [ ! -s out ] && head -c 128 m.npy | grep -qaF "(3, 3)"'
call run p.l0:none m=m.npy; claim "... and read" prints "[[0, 0, 0], [0, 1, 2], [0, 2, 4]]"
call run p.l0:pick a=m.npy i=0; claim "a file of another rank" refused 2 "an array of 1 dimension"
call run p.l0:rows ps=m.npy; claim "one file for two leaves" refused 2 "give its leaves, left to right: ps.0="
call run p.l0:nested 't=((1,2.5),true)' --output t.npy; claim "a tuple is a file for each leaf" eval 'is 0 && [ -e t.0.npy ] && [ -e t.2.npy ]'

call run p.l0:pick 'a=[1]' i=1; claim "a trap ends with its place" eval 'is 3 && [ ! -s out ] && grep -qF "p.l0:2:32: trap: index: index [1] is outside an array of shape [1]" err'
call run p.l0:deep n=90000; claim "recursion is deep" prints "90000"
call run p.l0:deep n=100001; claim "... to its limit" eval 'is 3 && grep -qF "100000 calls" err'
call run p.l0:pick 'a=[1]'; claim "what is missing is listed" refused 2 "i : int"
call run p.l0:pick 'a=[1]' i=0 j=1; claim "an unknown parameter" refused 2 "has no parameter j"
call run p.l0:pick 'a=[1.5]' i=0; claim "a literal of another type" refused 2 "a whole number"
call run p.l0:pick a=random i=0; claim "random values have a length that something says" refused 2 "nothing that is given says"
call run p.l0:pick 'a=[1]' i=1 --target interpreter; claim "... as the interpreter says it, there" eval 'is 3 && grep -qF "p.l0:2:32: trap: index: index [1] is outside an array of shape [1]" err'
call run p.l0:pick 'a=[1]' i=1 --compare; claim "... and where source and target trap, they agree" eval 'is 3 && ! grep -q disagree err'
call run p.l0:pick 'a=[7]' i=0 --target openmp --compare; claim "a target of kernels" eval 'is 0 && grep -q "^7$" out && grep -q "bit for bit what the source gives" err'
call run p.l0:deep n=3; claim "what stays on the interpreter runs there, and says why" eval 'is 0 && grep -q "^3$" out && grep -qF "deep runs on the interpreter only: the call of deep stays a call" err'
call run p.l0:deep n=3 --json; claim "... as JSON, too" eval 'is 0 && grep -qF "\"target\": \"interpreter\"" out'
call run p.l0:deep n=3 --target openmp; claim "... and is refused where a target was asked for" refused 4 "deep runs on the interpreter only"
call run p.l0 N=3 'x=[[1,2],[3,4]]' 'y=[[5,6],[7,8]]' --target openmp; claim "other lengths trap as the source does" eval 'is 3 && grep -q "trap: zip: the lengths differ" err'
call run p.l0:square n=-1 --target openmp; claim "... and negative ones" eval 'is 3 && grep -q "the length is negative: -1" err'
call run p.l0:square n=2 --target opencl; [ "$status" = 4 ] || claim "a device gives the same" prints "[[0, 0], [0, 1]]"
printf 'fun [[int]] times(int N, [[int]] x, [[int]] y) = map(fn [int] ([int] r) => map(fn int ([int] c) => reduce(op +, N, map(op *, zip(r, c))), transpose(y)), x)\nfun int sum([int] a, int k) = reduce(op +, k, a)\nfun int kept([int] a) = size(filter(op < (0), a))' >random.l0
call run random.l0:sum a=random k=0 n=3; claim "what is random has the length that a word says" is 0; cp out expected
call run random.l0:sum a=random k=0 n=3; claim "... and is the same again" eval 'is 0 && cmp -s out expected'
call run random.l0:sum a=random:7 k=0 n=1000 --compare; claim "... of a seed, on a target as on the interpreter" is 0
call run random.l0:times N=random 'x=[[1,2],[3,4]]' y=random m_1=2; claim "lengths that given arrays say are not asked for" is 0
call run random.l0:sum a=random k=0; claim "a length that nothing says is asked for" eval 'refused 2 "nothing that is given says how long random values are: n" && grep -qF "give n=1000" err'
call run random.l0:sum a=random k=0 m=3; claim "... by its own name" refused 2 "sum has no parameter m"
call run random.l0:sum a=random k=0 n=many; claim "... with a number" refused 2 "n is a length, and many is none"
call run random.l0:sum 'a=[1]' k=0 n=1; claim "a length that nothing is drawn of is none" refused 2 "sum has no parameter n"
call run random.l0:sum a=random:sorted k=0 n=4; claim "kinds of random values" is 0
call run random.l0:sum a=random:spd k=0 n=4; claim "... are of some types only" refused 2 "square matrix"
call run random.l0:kept a=random; claim "what stays on the interpreter has no lengths to draw" refused 4 "random values have the lengths that a program asks for"
printf 'fun int f([(int, (int, int))] a, [int] b) = let (x, y) = unzip(a) in reduce(op +, 0, x) + size(b)' >parts.l0
call run parts.l0 a=random b=random; claim "parts of an array of tuples have one length" eval 'refused 2 "random values are: n, n_3 in" && grep -qF "a.0 : [n], a.1 : [n_1], a.2 : [n_2], b : [n_3]" err'
call run parts.l0 a=random b=random n_1=5 n_3=7; claim "... that of any says" is 0
call bench random.l0:sum --runs 2; claim "what is not given is drawn, and large" eval 'is 0 && grep -qE "n = [0-9]{6,}" out'
call bench random.l0:times --sizes 16 --runs 2; claim "... as large as was asked for" eval 'is 0 && grep -q "= 16" out'
printf 'fun int less([int] a) = reduce(fn int (int x, int y) => if y < 3 then x + y else x, 0, a)\nfun int most(int k, [int] a) = reduce(max, k, a)\nfun [[real]] rows([[real]] m) = scan(fn [real] ([real] x, [real] y) => map(op +, zip(x, y)), m[0], m)' >laws.l0
call verify laws.l0:less --inputs 6; claim "a reduction whose function is not associative is refuted" eval '[ "$status" = 1 ] && grep -q "the function of the reduction (laws.l0:1:25) is not associative: for x = " err'
call verify laws.l0:most --inputs 6; claim "what is associative is proved so" eval 'holds "every stage" && grep -q "the reduction (laws.l0:2:32): associative, proved for all values" out'
call verify "$examples/l0/maximum_segment_sum.l0" --inputs 6; claim "... where it wraps it is no law, and runs in order" eval 'holds "every stage" && grep -q "it runs in order, as its function is associative but where numbers wrap" out'
call verify laws.l0:rows 'm=[[1.5,2.0],[0.5,1.0]]'; claim "... of arrays it is tested" eval 'holds "every stage" && grep -qE "the scan .*: (associative, (tested|proved)|it runs in order)" out'
call prove p.l0:square; claim "what is proved of the kernels" eval 'is 0 && grep -q "square: " out && grep -q "CPU  *bounds" out'
call prove p.l0:deep; claim "... of which there are none" refused 4 "deep runs on the interpreter only"
call verify p.l0:square n=4 --inputs 3; claim "verify proves it of what it tested" holds "proved for all sizes"
call bench p.l0:square n=20 --runs 2 --json; claim "a function is timed" eval 'is 0 && grep -qF "\"bytes\": 3200," out && grep -qF "\"runs\": 2," out'
call run p.l0:pick 'a=[1]' i=0 --chunk 4; claim "an option of other languages" refused 2 "--chunk"

call cost p.l0:square n=4; claim "costs are counted at every stage" eval 'is 0 && grep -q "^source " out && grep -q "^simplify " out && grep -q "reads and writes: .*, on these arguments 16" out'
call cost p.l0:pick 'a=[1]' i=1; claim "... unless it traps" eval 'is 3'
call stages p.l0; claim "stages show their text" eval 'is 0 && grep -qF "assertZip" out && grep -qF "reduce2(fn int (int x" out'
call stages p.l0 --stage tuples; claim "... one of them" eval 'is 0 && grep -qF "reduce2(op +, 0, map2(op *, " out'
call verify p.l0 --inputs 6; claim "verify runs every stage beside the source" eval 'is 0 && grep -q "^hindrances " out && grep -q "^lower " out && grep -q "^openmp " out && grep -q "every stage and target agrees with the source" out'
call verify p.l0:pick a='[1,2]' i=1; claim "... on what is given" eval 'is 0 && grep -qF "all of whose values are given" out'
call verify p.l0:pick a='[1,2]' --json; claim "... and draws the rest" eval 'is 0 && grep -q "\"language\": \"l0\"" out'
call fusion p.l0 --fusion paper; claim "fusion says what fused" eval 'is 0 && grep -q "fused by map∘map" out && grep -qF "map∘map 1, map∘replicate 2, reduce∘map 1" out'
call fusion p.l0 --json; claim "... as JSON" eval 'is 0 && grep -q "\"counts\": {" out && grep -q "\"rule\": \"map∘replicate\"" out && grep -q "\"blocked_by\"" out'
cat >two.l0 <<'END'
fun ([int], [int]) two([int] a) =
  let x = map(op + (1), a) in
  let y = map(op * (2), x) in
  let z = map(op * (3), x) in
  (y, z)
END
call fusion two.l0; claim "what does not fuse is told with its case, what is in the way, and the mend" eval 'is 0 && grep -q "not fused, case 4" out && grep -qF "x → y: two consumers on one path would both compute it (4:11)" out && grep -q "help: make them one operation" out'
call fusion p.l0 --fusion some; claim "a mode that is none" refused 2 "--fusion"
call fusion p.l0 --fusion off; claim "nothing fuses where fusion is off" eval 'is 0 && grep -q "no array operation" out'
call run p.l0 N=2 'x=[[1,2],[3,4]]' 'y=[[5,6],[7,8]]' --fusion full; claim "the program after its last stage runs, too" prints "[[19, 22], [43, 50]]"
call run p.l0 N=2 'x=[[1,2],[3,4]]' 'y=[[5,6],[7,8]]' --fusion full --compare; claim "... and is compared with the source" eval 'is 0 && grep -q "bit for bit what the source gives" out err'
call verify p.l0 --sizes 4; claim "sizes say nothing here" refused 2 "has no sizes"
call verify p.l0 --limit 4; claim "... nor a limit" refused 2 "every loop of .l0 ends"
call cost p.l0:square n=4 --target openmp; claim "... nor a target, of what is counted on its own stages" refused 2 "says nothing"
call stages p.l0 --target hip --stage host; claim "stages go on to kernels and host programs" eval 'is 0 && grep -q "launch" out'
call stages p.l0 --fusion off; claim "stages stop before fusion where it is off" eval 'is 0 && ! grep -q "^-- fuse " out'
printf 'fun f (x : f32) : f32 = x' >one.dpia
cat >three.dpia <<'END'
fun three [n] (xs : [n]i32) : (i32, i32) =
  let squares = map (\x -> x * x) xs in
  let sums = map (\x -> x + 1) (map (\x -> x * 2) xs) in
  (reduce (+) 0 sums, reduce (+) (squares ! 0) squares)
END
call fusion three.dpia; claim "of .dpia it says the same" eval 'is 0 && grep -q "map  *3:32  *reduce  *4:4  *fused by reduce∘map" out && grep -q "map  *2:17  *reduce  *4:23  *not fused, case 5" out && grep -q "^reduce∘map 2$" out'
call fusion three.dpia --fusion off; claim "... but of its modes" refused 2 "is of .l0 programs"
echo 'fun one() = 1' >one.snesl
call fusion one.snesl; claim "other languages have no such report" refused 2 "of .dpia and .l0 programs"
call stages one.dpia --fusion off; claim "... nor the option" refused 2 "is of .l0 programs"
call campaign --language l0 --programs 60; claim "random programs of .l0 go through all stages" eval 'is 0 && grep -q "no failure" out'
call campaign --language l0 --mutants "lengths are not asked"; claim "... and a mistake is found" eval 'is 0 && grep -q "1 of 1 mutant" out'
call emit p.l0 --target openmp; claim "a target's text" eval 'is 0 && grep -q "lockstep_matmultFun_call" matmultFun.cpp'
call emit p.l0:deep; claim "... and why there is none" refused 4 "deep runs on the interpreter only"
call primitives; claim "built-ins are listed" eval 'is 0 && grep -q "^redomap2 " out'

for program in "$examples"/l0/*.l0; do
  call verify "$program" --inputs 6; claim "$(basename "$program") agrees at every stage" holds "every stage and target agrees with the source"
done

printf 'fun int f([int] a) = let a[0] = 1 in a[0]' >wrong.l0
call check wrong.l0; claim "a wrong use is told with its mend" eval 'refused 2 "is a parameter without" && grep -qF "or update a \`copy(a)\`" err'
printf 'fun int f() = {}' >wrong.l0
call run wrong.l0; claim "a file that is wrong is not run" refused 2 "replicate(0, v)"
conclude
