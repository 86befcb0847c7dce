#!/usr/bin/env bash
# Tests the command line on .fcl (fcl.md §1; languages.md §4): statuses, values, files, refusals. Prints a line a claim.
#   tests/cli/fcl_test.sh LOCKSTEP
set -u
. "$(dirname "$0")/claims.sh"
prints() { is 0 && [ "$(cat out)" = "$1" ] && [ "$(wc -l <out)" = 1 ]; }  # exactly that line

cat >p.fcl <<'END'
sig swap : [(a, b)] -> [(b, a)]<grid>
fun swap ps = push <grid> (map (fn p => (snd p, fst p)) ps)
fun scale k xs = push <grid> (map (fn x => k * x) xs)
config #BlockSize = 64
sig dup : <lvl> -> [a] -> [a]<lvl>
fun dup xs = push <lvl> (append xs xs)
fun settings u = push <thread> [#BlockSize, #WarpSize, u]
config #BlockSize = 128
config #WarpSize = 16
fun mean xs = push <thread> [index (force (foldl (+) 0.0 xs)) 0 / double (length xs)]
fun rows m = push <grid> (map (fn r => length r) m)
fun three = 3
fun apply f = push <thread> [f 1]
fun sums = mapPush (fn x => x + 1) . push <block>
fun first xs = push <thread> (generate (index xs 0) (fn i => i))
fun upTo n = push <grid> (iota n)
fun last xs = push <thread> [index xs (length xs - 1)]
END

call check p.fcl; claim "check lists every definition with its type" holds "scale       int -> [int] -> [int]<grid>"
claim "... and says what holds" holds "12 definitions, types, kinds, levels and places hold"
claim "... and which cannot be run" holds 'no: it gives `int`, and only push arrays can be evaluated in full'
call check p.fcl:dup; claim "check of one definition tells of no other" eval 'grep -q "where a : BT" out && ! grep -q scale out'
call check p.fcl --json; claim "check as JSON" eval 'is 0 && grep -q "\"language\": \"fcl\"" out && grep -q "\"runs\": false" out'
tiles=$examples/fcl/transpose.fcl
call check "$tiles"; claim "check says what a block needs of its memory" holds "a block needs 4*tileDim*tileDim bytes of local memory, which has 49152: tileDim is 110 at most"
call check "$examples/fcl/reduction.fcl"; claim "... and what of it is live at one time" holds "9 arrays, 2044 bytes in all, 1536 live at one time"
call check "$tiles" --json; claim "... as JSON" eval 'is 0 && grep -q "\"greatest_live\"" out'
call run "$tiles" tileDim=111 cols=111 rows=111 mat=random mat.length=12321 --target hip-cpu; claim "a launch beyond it is refused, with the arrays" refused 4 "a block would need 49284 bytes of local memory, which has 49152, for 'tmp' (4*tileDim*tileDim): it fits where tileDim is 110 at most, not 111"
call check p.fcl:nowhere; claim "a definition that is not there" refused 2 "defines no nowhere"

call run p.fcl 'xs=[1,2,3]'; claim "the last definition runs" prints "[3]"
call run p.fcl:scale k=3 'xs=[1,2]'; claim "arguments by name" prints "[3, 6]"
call run p.fcl:swap 'ps=[(1,2.5),(2,3)]'; claim "pairs; an int among doubles is one" prints "[(2.5, 1), (3.0, 2)]"
call run p.fcl:dup lvl=block 'xs=[true]'; claim "a level is given by name" prints "[true, true]"
call run p.fcl:dup lvl=team 'xs=[1]'; claim "... and is one of four" refused 2 "it is thread, warp, block or grid"
call run p.fcl:settings u=0; claim "settings are the definition's own" prints "[128, 16, 0]"
call run p.fcl:settings u=0 --block-size 32; claim "... but for what is asked for" prints "[32, 16, 0]"
call run p.fcl:settings u=0 --block-size 2000; claim "... within what a GPU has" refused 2 "not in range 1 to 1024"
call run p.fcl:mean 'xs=[1,2,4.5]'; claim "doubles" prints "[2.5]"
call run p.fcl:rows 'm=[[1,2],[3,4]]'; claim "nested arrays" prints "[2, 2]"
call run p.fcl:rows 'm=[[1,2],[3]]'; claim "... are regular" refused 2 "irregular"
call run p.fcl:sums 'x1=[1,2]'; claim "a parameter without a name" prints "[2, 3]"
call run p.fcl:three; claim "what gives no push array is not run" refused 2 "write a definition that gives one"
call run p.fcl:apply f=1; claim "a function cannot be given" refused 2 "only scalars, pairs and pull arrays can be given"

call run p.fcl:scale k=2 'xs=[1,2]' --output s.npy; claim "results are written" eval 'is 0 && [ ! -s out ] && head -c 128 s.npy | grep -qF "<i4"'
call run p.fcl:scale k=2 xs=s.npy; claim "... and read" prints "[4, 8]"
call run p.fcl:swap 'ps=[(1,2.5)]' --output t.npy; claim "pairs are a file for each part" eval 'is 0 && [ -e t.0.npy ] && [ -e t.1.npy ]'
call run p.fcl:rows m=s.npy; claim "a file of another rank" refused 2 "an array of 2 dimensions"

call run p.fcl 'xs=[]'; claim "a trap ends with its place" eval 'is 3 && [ ! -s out ] && grep -qF "p.fcl:17:30: trap: index: index -1 is outside [0, 0)" err'
call run p.fcl:scale k=2; claim "what is missing is listed" refused 2 "xs : [int]"
call run p.fcl:scale k=2 'xs=[1]' ys=1; claim "an unknown parameter" refused 2 "has no parameter ys"
call run p.fcl:scale k=2.5 'xs=[1]'; claim "a literal of another type" refused 2 "a whole number"
call run p.fcl:scale k=3000000000 'xs=[1]'; claim "an int has 32 bits" refused 2 "too large for an int"

cat >places.fcl <<'END'
fun reversed n xs = splitUp n xs |> map (push <block>) |> interleave n (fn p => fst p * n + n - 1 - snd p)
fun halved n xs = splitUp n xs |> map (push <block>) |> interleave n (fn p => fst p * n + snd p / 2)
fun both xs = interleave 2 (fn p => fst p) (generate 2 (fn i => push <block> [i, index xs i]))
END
call run places.fcl 'xs=[1,2]'; claim "literal places at which two elements meet are refused" refused 2 "elements (0, 0) and (0, 1) of this"
call prove places.fcl:halved; claim "prove shows who meets, at the least sizes" holds "as it may not: at n = 2, n_1_parts = 1, elements (0, 0) and (0, 1) both go to 0"
call prove places.fcl:halved --json; claim "... as JSON" eval 'is 0 && grep -q "\"places_of_their_own\": " out && grep -q "\"verdict\": \"refuted\"" out'
call verify places.fcl:halved n=1; claim "... and verify, of what is right at some sizes" holds "elements (0, 0) and (0, 1) both go to 0" "every stage and target agrees"
call verify places.fcl:reversed; claim "digits are a bijection for all sizes" holds "has a place of its own: for all sizes, by the digits of its indices"
call primitives interleave; claim "primitives knows the built-ins" holds "(int, int) -> int"
call primitives splitUp; claim "... and the prelude" holds "int -> [a] -> [[a]]"

printf 'fun f xs = force xs\nfun g = 1 + 2.0\n' >bad.fcl
call check bad.fcl; claim "errors have places and mends" refused 2 "bad.fcl:2:9: error"
printf 'sig f : [int] -> [int]<grid>\nfun f xs = push <blok> xs\n' >level.fcl
call check level.fcl; claim "an unknown level" refused 2 "did you mean"
printf 'fun f n xs = let g = fn a => force (push <grid> a) in concat n (mapPull (fn x => push <block> (g x)) xs)\n' >place.fcl
call check place.fcl; claim "a level where it cannot stand" refused 2 "what this \`force\` writes is an array of grid, and stands in a block"
claim "... and what put it there" eval 'grep -qF "into which \`concat\` (place.fcl:1:55) deals chunks" err'
call run place.fcl n=1 'xs=[[1]]'; claim "... is not run" refused 2 "at most block there"
call stages p.fcl:scale; claim "stages are shown" holds "-- fuse (FCL §2.1, (36), (37))"
call run p.fcl:scale k=3 'xs=[1,2]' --target openmp --compare; claim "a target of kernels" eval 'is 0 && grep -qF "[3, 6]" out && grep -q "bit for bit what the source gives" err'
call run p.fcl:mean 'xs=[1,2,4.5]' --target openmp --compare; claim "a fold runs on targets" eval 'is 0 && grep -qF "[2.5]" out && grep -qF "bit for bit" err'
call run p.fcl:first 'xs=[2,2]' --target openmp; claim "what stays on the interpreter is refused where a target was asked for" refused 4 "the length of an array is known only when it runs"
call run p.fcl:first 'xs=[2,2]'; claim "... and runs there where none was, and says why" eval 'is 0 && grep -qF "[0, 1]" out && grep -qF "first runs on the interpreter only" err'
call run p.fcl:scale k=2 'xs=[1,2]' --target hip-cpu --compare; claim "... on the GPU's text, too" eval 'is 0 && grep -qF "[2, 4]" out'
call verify p.fcl:scale --target openmp; claim "every stage, the machine and a target are held against the source" eval 'is 0 && grep -q "^step .*values" out && grep -q "^openmp .*bit for bit" out && grep -qF "every stage and target agrees" out'
call verify "$examples/fcl/reduction.fcl" --block-size 8 --warp-size 4; claim "... kernels in every order of threads, and with each barrier taken out" eval 'is 0 && grep -q "^each kernel ran in every order of iterations and threads, up to equivalence, on [1-9]" out && grep -q "^each of 3 barriers is needed: without it two threads race" out'
call verify p.fcl:dup; claim "... at a level at which it stands" eval 'is 0 && grep -qF "levels: lvl = grid" out'
call verify p.fcl:dup lvl=block; claim "... or at one that is given" eval 'is 0 && grep -qF "levels: lvl = block" out'
call verify p.fcl:scale k=3 n=4; claim "a word that verify has no use for" refused 2 "scale has no parameter n"
call verify p.fcl:scale xs=random:sorted; claim "kinds of random values are of run and bench" refused 4 "kinds and seeds"
call run p.fcl:scale k=2 xs=random xs.length=5 --compare; claim "what is random is as long as a word says" is 0; cp out expected
call run p.fcl:scale k=2 xs=random xs.length=5; claim "... and the same again" eval 'is 0 && cmp -s out expected'
call run p.fcl:scale k=2 xs=random; claim "... which has to be said" refused 2 "nothing that is given says how long random values are"
call run p.fcl:scale k=2 xs=random xs.length=many; claim "... with a number" refused 2 "xs.length is a length, and many is none"
call run p.fcl:scale k=2 'xs=[1]' xs.length=1; claim "... of what is drawn" refused 2 "has no parameter xs.length"
call prove p.fcl:scale; claim "kernels of .fcl are proved" eval 'is 0 && grep -q "races" out'
call cost p.fcl:scale xs.length=1024; claim "cost at a length" eval 'is 0 && grep -q "of the program in the calculus" out && grep -q 1024 out'
claim "... of the source, too" eval 'grep -qE "^loads +1024 +0 +0" out && grep -qE "^load +xs +32 +32 +1 transaction$" out'
call cost p.fcl:scale k=2 xs.length=1024 --json; claim "... as JSON" eval 'is 0 && grep -q "\"operations\": 1024" out && grep -q "\"stages\"" out'
call cost p.fcl:scale; claim "without arguments the source's is not known" holds "the source: give arguments, or what says how long random ones are"
call cost p.fcl:scale k=2 xs.length=4000001; claim "... nor of arguments that are too long" holds "the source: its arguments have more elements than 4000000"
call cost p.fcl:upTo n=100000001; claim "... nor where it takes too long" holds "the source: it is more work than 100000000"
call cost p.fcl:last 'xs=[]'; claim "a trap is told as a run tells it" refused 3 "p.fcl:17:30: trap: index: index -1 is outside [0, 0)"
call cost p.fcl:first 'xs=[2,2]'; claim "what is not in the calculus has its source's cost" eval 'is 0 && grep -qE "^work +3$" out && grep -qF "first runs on the interpreter only" out'
call cost p.fcl:first; claim "... and none there" refused 4 "known only when it runs"
call bench p.fcl:scale --sizes 1000 --target openmp; claim "bench draws what is not given" eval 'is 0 && grep -q "^openmp" out'
call campaign --language fcl --programs 20; claim "a campaign of .fcl" eval 'is 0 && grep -qE "of the located machine, [0-9]+ of them typed anew" out'
call campaign --language fcl --programs 6 --compiled 6 --target openmp; claim "... on a target" eval 'is 0 && grep -q "run on a target" out'
call campaign --language fcl --mutants "concat: fst*"; claim "a planted mistake is found" eval 'is 0 && grep -q "fst and snd are exchanged" out'
call emit p.fcl:scale --target hip; claim "texts for targets" eval 'is 0 && grep -q "__global__" scale.hip'
conclude
