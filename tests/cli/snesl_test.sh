#!/usr/bin/env bash
# Tests the command line on .snesl (languages.md §2, §4): statuses, values, files, refusals. Prints a line a claim.
#   tests/cli/snesl_test.sh LOCKSTEP
set -u
. "$(dirname "$0")/claims.sh"
prints() { is 0 && [ "$(cat out)" = "$1" ] && [ "$(wc -l <out)" = 1 ]; }  # exactly that line
json() { # STATUS PATTERN ... : an object as it is printed, each pattern on a line of it
  is "$1" && [ "$(head -c 1 out)" = "{" ] && [ "$(tail -n 1 out)" = "}" ] || return 1
  shift
  local pattern
  for pattern; do grep -qE -- "$pattern" out || return 1; done
}
npy() { # FILE TYPE SHAPE: what its header says
  head -c 128 "$1" | tr -d '\0' | grep -qaF "'descr': '$2'" && head -c 128 "$1" | grep -qaF "'shape': $3"
}

cat >p.snesl <<'END'
fun pick(v, i) = v ! i
fun pair(x, s) = (x, sum(s))
fun div(a, b) = a / b
fun nested(n) = {{j : j in &i} : i in &n}
fun square(n) = {{i * j : j in &n} : i in &n}
fun mixed(n) = {(i, real(i), {i == j : j in &n}) : i in &n}
fun save(out) = write_file(out, {'a', '\n'})
fun copy(file, out) = write_file(out, read_file(file))
fun characters(file) = #read_file(file)
fun none() = ()
fun scale(k, xs) = {k * x : x in seq(xs)}
fun flip(b) = !b
fun code(c) = int(c)
fun rows(m) = {sum(seq(r)) : r in seq(m)}
fun points(ps) = (sum({p.1 : p in seq(ps)}), sum({p.2 + 0.0 : p in seq(ps)}))
fun zipped(a, b) = {x + y : x in a; y in b}
fun parts(s, flags) = flagpart(s, flags)
fun only(s) = the(s)
fun greatest(s) = maximum(s)
fun some(s) = (reduce1-plus(s), reduce1-times(s), reduce1-max(s), reduce1-min(s))
fun each_some(s) = {(reduce1-or(t), reduce1-and({!x : x in t})) : t in s}
fun find(file, text) = sum({int(reduce-or({c == t : t in seq(text)})) : c in read_file(file)})
fun same(x) = x
fun texts(n) = ({"", "a"}, [""], #"")
fun sizes(a, b) = (#read_file(a), #read_file(b))
fun each(n) = {#read_file("-") : i in &n}
fun letters(n) = {write_file(tab({'o', '/', char(97 + i / 676), char(97 + i / 26 % 26), char(97 + i % 26)}), {'x'}) : i in &n}
fun nothings(n) = {() : i in &n}
fun last(n) = sum({i * i : i in &n})
END

printf 'fun f() = {flagpart({1}, {false}) | true}\n' >open.snesl  # ends of one-element traversals around one another

# ---- checking
call check p.snesl; claim "check lists every function with its type" holds "pick (v : [a], i : Int) : a"
claim "... and whether it streams" holds "streams"
call check p.snesl --json; claim "check as JSON" json 0 '"function": "last"' '"streams": true' '"language": "snesl"'
call check p.snesl:pick; claim "check of one function" holds "pick (v : [a], i : Int) : a"
claim "... tells of no other" eval '! grep -q last out'
call check p.snesl:nowhere; claim "check of a function that is not there" refused 2 "defines no function nowhere"
refuses() { # CLAIM SOURCE TEXT: check says so at its place
  printf '%b' "$2" >wrong.snesl
  call check wrong.snesl; claim "$1" refused 2 "$3"
}
refuses "a syntax error has its place" 'fun f(x) = x +\n' "wrong.snesl:2:1"
refuses "a type error has its place" "fun f(x) = x + 'c' + true\n" "wrong.snesl:1:"
refuses "an unknown name is refused" 'fun f(x) = y\n' "wrong.snesl:1:12"
refuses "recursion is refused by name" 'fun f(x) = g(x)\nfun g(x) = f(x)\n' "f"
refuses "two functions of one name are refused" 'fun f(x) = x\nfun f(x) = x\n' "wrong.snesl:2:5"
refuses "a sequence in a comprehension names tab" 'fun f(s, n) = {sum(s) : i in &n}\n' "tab"
refuses "a sequence that is needed before it is through names tab" 'fun f(n) = let s = &n; m = sum(s) in {x - m : x in s}\n' "tab"
refuses "... also where a function is not the last" 'fun f(s) = let m = sum(s) in {x - m : x in s}\nfun g(n) = n + 1\n' "tab"
refuses "s ++ scan(s) is refused" 'fun f(s) = s ++ scan-plus(s)\n' "tab"
refuses "filters of one sequence do not meet" 'fun f(s) = zip({x : x in s | x > 1}, {x : x in s | x < 5})\n' "tab"
refuses "an empty file is refused" '' "no functions"
refuses "what is not UTF-8 is refused" 'fun f(x) = x \0377\n' "UTF-8"
refuses "a zero byte is refused" 'fun f(x) = \0000x\n' "zero byte"
refuses "a literal out of range is refused" 'fun f(x) = x + 9223372036854775808\n' "wrong.snesl:1:16"
awk 'BEGIN { printf "fun f(x) = "; for (i = 0; i < 5000; i++) printf "("; printf "x"; for (i = 0; i < 5000; i++) printf ")"; print "" }' >deep.snesl
call check deep.snesl; claim "nesting deeper than 1,000 is refused" refused 2 "1,000"
call check none.snesl; claim "a missing file is status 2" refused 2 "none.snesl"
mkdir folder.snesl; call check folder.snesl; claim "a directory is no program" refused 2 "is a directory"
printf 'fun f(n) = n\nfun g(s) = let t = tab(s); m = sum(seq(t)) in {x - m : x in seq(t)}\n' >mended.snesl
call check mended.snesl; claim "tab and seq mend it" holds "g (s"

# ---- values, on every target
cat >twice.snesl <<'END'
fun two(a, b) = (write_file(a, {'o', 'n', 'e'}), write_file(b, {'t', 'w', 'o'}))
fun standard(n) = (write_file("-", {'a'}), write_file("-", {'b'}))
fun one(a) = write_file(a, {'x' : i in &3})
END
call targets --json; claim "targets lists those of .snesl" json 0 '"programs": ".snesl"' '"target": "chunked"'
call targets; engine=$(awk '$1 == ".snesl" && $2 == "engine" { print $3 == "yes" ? "engine" : "" }' out)
for target in "" interpreter eager chunked $engine; do
  t=${target:+--target $target}
  call run p.snesl n=4 $t; claim "$target: the last function is run, an Int" prints 14
  call run p.snesl:pair x=2 's={0.5,1}' $t; claim "$target: a tuple; integers fit a Real" prints "(2, 1.5)"
  call run p.snesl:div a=7 b=-2 $t; claim "$target: an open type takes the value's" prints -3
  call run p.snesl:div a=7 b=-2.0 $t; claim "$target: ... and an integer fits beside a Real" prints -3.5
  call run p.snesl:nested n=4 $t; claim "$target: nested sequences" prints "{{}, {0}, {0, 1}, {0, 1, 2}}"
  call run p.snesl:none $t; claim "$target: the empty tuple is printed" prints "()"
  call run p.snesl:flip b=true $t; claim "$target: a Bool" prints false
  call run p.snesl:code "c='a'" $t; claim "$target: a Char" prints 97
  call run p.snesl:pick 'v="abc"' i=1 $t; claim "$target: a text as a literal" prints "'b'"
  call run p.snesl:pick v=abc i=1 $t; claim "$target: a text as it stands" prints "'b'"
  call run p.snesl:rows 'm=[[1,2],[],[3]]' $t; claim "$target: vectors of vectors" prints "{3, 0, 3}"
  call run p.snesl:scale k=2 'xs=[]' $t; claim "$target: an empty vector" prints "{}"
  call run p.snesl:parts 's={3,1,4,1,5,9}' 'flags={false,false,false,true,true,false,true,false,false,true}' $t
  claim "$target: flagpart, as the thesis has it" prints "{{3, 1, 4}, {}, {1}, {5, 9}}"
  call run p.snesl:same 'x={}' $t; claim "$target: an empty sequence fits what is open" prints "{}"
  call run p.snesl:same 'x=[[]]' $t; claim "$target: ... and an empty vector in one" prints "[[]]"
  call run p.snesl:texts n=0 $t; claim "$target: an empty text is printed as a text" prints '({"", "a"}, [""], 0)'
  printf 'one\ntwo' >in.txt
  call run p.snesl:characters file=in.txt $t; claim "$target: read_file" prints 7
  call run p.snesl:find file=in.txt text=on $t; claim "$target: a file and a text" prints 3
  "$lockstep" run p.snesl:characters file=- $t <in.txt >out 2>err; status=$?; claim "$target: - is standard input" prints 7
  cat in.txt | "$lockstep" run p.snesl:characters file=/dev/stdin $t >out 2>err; status=$?; claim "$target: a pipe is read" prints 7
  rm -f out.txt; call run p.snesl:copy file=in.txt out=out.txt $t; claim "$target: write_file, and () printed" eval 'prints "()" && cmp -s in.txt out.txt'
  call run p.snesl:copy file=in.txt out=- $t; claim "$target: - is standard output, with nothing else on it" eval 'is 0 && cmp -s in.txt out'
  call run p.snesl:copy file=in.txt out=in.txt $t; claim "$target: a file may be copied onto itself" eval 'is 0 && [ "$(cat in.txt)" = "one
two" ]'

  # what can be read only once, read twice
  feed() { # TEXT WORD ...: it stands on standard input, a pipe
    local text=$1
    shift
    printf '%s' "$text" | "$lockstep" run "$@" $t >out 2>err
    status=$?
  }
  feed abcdef p.snesl:sizes a=- b=-; claim "users-snesl E2, $target: standard input read twice traps at the second place" refused 3 "p.snesl:25:36: trap: read_file: cannot read '-': standard input is read twice"
  feed abcdef p.snesl:sizes a=/dev/stdin b=-; claim "users-snesl E2, $target: ... by whatever names" refused 3 "trap: read_file: cannot read"
  feed abcdef p.snesl:sizes a=- b=in.txt; claim "users-snesl E2, $target: ... once it is read" prints "(6, 7)"
  feed abc p.snesl:each n=2; claim "users-snesl E2, $target: ... and in every element" refused 3 "p.snesl:26:17: trap: read_file"
  feed abc p.snesl:each n=1; claim "users-snesl E2, $target: ... of which there is one" prints "{3}"
  rm -f pipe; mkfifo pipe; printf 1234 >pipe & call run p.snesl:sizes a=pipe b=pipe $t; wait $!
  claim "users-snesl E2, $target: a pipe with a name is read once too" refused 3 "cannot read 'pipe': it is read twice"
  call run p.snesl:sizes a=in.txt b=in.txt $t; claim "users-snesl E2, $target: a file is read as often as one likes" prints "(7, 7)"
  call run p.snesl:copy file=in.txt out= $t; claim "users-snesl E7, $target: an output without a name is refused alike" refused 4 "lockstep: an output file has no usable name"
  # one file or stream written twice, and outputs that cannot be written (users-snesl E)
  for names in "out.txt ./out.txt" "./out.txt out.txt" "out.txt a/../link.txt" "link.txt out.txt"; do
    mkdir -p a; rm -f out.txt; echo old >out.txt; ln -sf out.txt link.txt
    call run twice.snesl:two "a=${names% *}" "b=${names#* }" $t; claim "users-snesl E, $target: of one file under the names $names the later content stays" eval 'is 0 && [ "$(cat out.txt)" = two ]'
  done
  call run twice.snesl:two a=- b=- $t; claim "users-snesl E, $target: what is written to - twice is printed twice" eval 'is 0 && [ "$(cat out)" = "onetwo((), ())" ]'
  call run twice.snesl:standard n=0 $t; claim "users-snesl E, $target: ... by its name in the program too" eval 'is 0 && [ "$(cat out)" = "ab((), ())" ]'
  rm -f pipe; mkfifo pipe; exec 9<>pipe; call run twice.snesl:two a=pipe b=pipe $t; read -r -n 6 -t 5 -u 9 got; exec 9>&-; claim "users-snesl E, $target: a pipe takes both" eval 'is 0 && [ "$got" = onetwo ]'
  for bad in "none/out|cannot write 'none/out': No such file or directory; its folder must exist" "a|cannot write 'a': it is a folder; name a file in it" \
    "none/|cannot write 'none/': it names a folder, not a file" "/dev/full|cannot write '/dev/full': No space left on device; free some space or name a file on another disk"; do
    call run twice.snesl:one "a=${bad%%|*}" $t; claim "users-snesl E, $target: ${bad%%|*} cannot be written, in the words of all targets" eval 'is 4 && [ "$(cat err)" = "lockstep: ${bad#*|}" ]'
  done
  "$lockstep" run twice.snesl:one a=- $t >/dev/full 2>err; status=$?; claim "users-snesl E, $target: ... nor standard output that is full" eval 'is 4 && [ "$(cat err)" = "lockstep: cannot write to standard output: No space left on device" ]'
  mkdir o; call run p.snesl:letters n=300 $t; claim "users-snesl E5, $target: hundreds of outputs, and nothing beside them" eval 'is 0 && [ "$(ls -A o | wc -l)" = 300 ]'
  rm -r o
  for value in '[{1}]' '{[{1}]}' '[(1,{2})]' '[[{}]]' '({1},[{2}])'; do
    call run p.snesl:same "x=$value" $t; claim "users-snesl E1, $target: a sequence in a vector, $value, is refused at its place" refused 2 "this sequence is inside a vector"
  done

  # traps: status 3 with the place, nothing on standard output, no file
  call run p.snesl:pick 'v=[1,2]' i=2 $t; claim "$target: an index outside traps at its place" refused 3 "p.snesl:1:18"
  call run p.snesl:div a=1 b=0 $t; claim "$target: division by zero traps" refused 3 "p.snesl:3:17"
  call run p.snesl n=-1 $t; claim "$target: & of a negative number traps" refused 3 "-1"
  call run p.snesl:zipped 'a={1}' 'b={1,2}' $t; claim "$target: zip of unequal lengths traps" refused 3 "p.snesl:16:20: trap: zip: sequences of unequal lengths, 1 and more"
  call run p.snesl:parts 's={1,2,3}' 'flags={false,true}' $t; claim "$target: ... flags that are too few" refused 3 "flagpart: the elements and the false flags are not as many, 1 and more"
  call run p.snesl:parts 's={1,2}' 'flags={false,true,false}' $t; claim "$target: ... a last flag that is false" refused 3 "flagpart: the last flag, 2, is not true"
  call run p.snesl:parts 's={1}' 'flags={true,true}' $t; claim "$target: flags that do not fit trap" refused 3 "flagpart"
  call run open.snesl $t; claim "$target: ... and flags whose last is not true" refused 3 "open.snesl:1:12: trap: flagpart"
  call run p.snesl:only 's={1,2}' $t; claim "$target: the of two traps" refused 3 "the"
  call run p.snesl:greatest 's={}' $t; claim "$target: the maximum of nothing traps" refused 3 "maximum"
  call run p.snesl:some 's={3,1,2}' $t; claim "$target: reductions of some" prints "(6, 6, 3, 1)"
  call run p.snesl:some 's={}' $t; claim "$target: ... and of nothing, a trap at its place" refused 3 "p.snesl:20:16: trap: reduce1-plus: the sequence is empty"
  call run p.snesl:each_some 's={{true,false},{false}}' $t; claim "$target: ... and of segments" prints "{(true, false), (false, true)}"
  call run p.snesl:each_some 's={{true},{}}' $t; claim "$target: ... one of which is empty" refused 3 "p.snesl:21:22: trap: reduce1-or"
  call run p.snesl:characters file=none.txt $t; claim "$target: a file that is not there traps" refused 3 "none.txt"
  call run p.snesl:characters file=. $t; claim "$target: a directory traps" refused 3 "directory"
  rm -f out.txt; call run p.snesl:copy file=none.txt out=out.txt $t; claim "$target: a trap writes nothing" eval 'is 3 && [ ! -e out.txt ]'
  call run p.snesl:save out=no/folder $t; claim "$target: an output that cannot be created is status 4" refused 4 "no/folder"
  call run p.snesl n=10 $t --compare; claim "$target: --compare agrees" eval 'prints 285 && grep -q agrees err'
  call run p.snesl:pick 'v=[1]' i=1 $t --compare; claim "$target: a trap on both sides is a trap" is 3
done
for chunk in 1 2 5; do
  call run p.snesl:nested n=4 --target chunked --chunk $chunk; claim "chunks of $chunk give the same" prints "{{}, {0}, {0, 1}, {0, 1, 2}}"
done

# ---- memory
cat >large.snesl <<'END'
fun count(n) = &n
fun late(n, k) = {100 / (k - i) : i in &n}
fun back(n) = let v = tab({i * i % 1013 : i in &n}) in sum({v ! (n - 1 - i) : i in &n})
fun id(s) = {x : x in s}
fun total(v) = sum(seq(v))
fun evens(n) = let v = tab({i : i in &n | i % 2 == 0}) in #v + v ! 0
fun lines(cs) = sep({(c, c == '\n') : c in cs})
fun rare(file) = sum({let v = tab(l) in if #v > 1000 then int(v ! 5) else 0 : l in lines(read_file(file))})
fun sums(file) = sum({let v = tab(l) in if #v > 1000 then sum({int(c) : c in seq(v)}) else 0 : l in lines(read_file(file))})
fun last(n) = let v = tab(&n) in v ! (n - 1)
fun all(n) = ({(i, {real(j) : j in &i}) : i in &n}, tab(&n), {tab({'a' : _ in &i}) : i in &n}, [[1], [n]], {() : _ in &n})
END
started() { "$lockstep" run large.snesl:count n=1000000000000 2>err | head -c 12 >out; status=${PIPESTATUS[0]}; }
started; claim "users-snesl A3: a sequence is printed as it comes" eval '[ "$(cat out)" = "{0, 1, 2, 3," ] && [ "$status" -ne 3 ]'
for n in 0 1 30; do
  "$lockstep" run large.snesl:all n=$n --target interpreter >expected
  for how in "" "--chunk 1" "--threads 2 --chunk 7"; do
    call run large.snesl:all n=$n --target engine $how; claim "... and every result as the interpreter has it, n=$n $how" eval 'is 0 && cmp -s out expected'
  done
done
call run "$examples/streaming/buckets.snesl" xs=[1,2,1] k=3 --threads 3
claim "users-snesl E10: threads that a program cannot use are said" eval 'holds "{0, 2, 1}" && grep -q "buckets runs on one thread" err'
call run "$examples/streaming/buckets.snesl" xs=[1,2,1] k=3 --threads 3 --json; claim "... and how many run" json 0 '"threads": 1'
call run "$examples/streaming/sieve.snesl" n=30 --threads 2; claim "... of others nothing" eval 'is 0 && [ ! -s err ]'
# what does not fit, within so many KiB of address space
limited() { (ulimit -v "$1" && shift && exec "$lockstep" "$@" >out 2>err); status=$?; }
for target in interpreter eager chunked $engine; do
  limited 350000 run large.snesl:back n=1000000000000 --target $target
  claim "users-snesl A3, $target: what does not fit is refused with the amount before it starts" refused 4 "TiB"
  limited 350000 run large.snesl:evens n=1000000000000 --target $target
  claim "users-snesl A3, $target: ... and, where the amount does not follow from the arguments, with what was asked for" eval 'refused 4 "asked for" && grep -qE "[0-9.]+ (bytes|[KMGT]iB)( asked for beside [0-9.]+ [MT]iB|, and)" err'
  limited 350000 run large.snesl:last n=1000000000000000000 --target $target --json
  claim "users-snesl A3, $target: ... as any amount is" eval '[ "$status" = 4 ] && grep -qE "[0-9.]+ EiB" out'
done
limited 350000 run large.snesl:count n=1000000000000 --output s.npy; claim "users-snesl A3: ... a result that is kept too" refused 4 "what count keeps: 7.3 TiB needed"
# what is resident (MiB): data and 64
if [ -n "$engine" ]; then
  call bench p.snesl:copy --runs 3; claim "bench on the engine draws files, and leaves none" eval 'holds "file : a file of " && [ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name "lockstep-bench-*" -user "$(id -un)" -newer p.snesl)" ]'
  call bench p.snesl:scale --runs 3; claim "... and a million elements" holds "xs : [Int] of 1048576"
  resident() { # MIB WORD ...: run within so much
    local most=$1
    shift
    "$RESIDENT" "$most" "$lockstep" run "$@" >out 2>err
    status=$?
  }
  yes 'some text in a line' | head -c 24000000 >lines.txt
  printf 'x\n' >small.txt
  for name in rare sums; do
    call run large.snesl:$name file=small.txt
    resident 32 large.snesl:$name file=lines.txt; claim "users-snesl A1: lines that are seldom asked go as they come, $name" prints 0
  done
  call run large.snesl:back n=1
  resident 87 large.snesl:back n=3000000; claim "users-snesl A2: a vector takes its data" is 0
  resident 20 large.snesl:back n=3000000; claim "... and no less, which is noticed" eval '[ $status = 99 ] && grep -q "MiB, more than 20" err'
  resident 87 large.snesl:count n=3000000; claim "users-snesl A3: a result that is printed" is 0
  resident 87 large.snesl:count n=3000000 --output s.npy; claim "users-snesl A3: a result as an array" is 0
  call run large.snesl:total v=[1]
  resident 87 large.snesl:total v=s.npy; claim "users-snesl A3: an argument" prints 4499998500000
  { printf "\x93NUMPY\x01\x00\x76\x00%-117s\n" "{'descr': '<i4', 'fortran_order': False, 'shape': (12000000,), }"; head -c 48000000 /dev/zero; } >i4.npy
  resident 155 large.snesl:total v=i4.npy; claim "users-snesl A3: an argument of another type takes what Ints of it take" prints 0
  rm -f lines.txt i4.npy s.npy
fi
call run large.snesl:late n=100 k=50; claim "where the program traps early nothing is printed" eval 'is 3 && [ ! -s out ]'
call run large.snesl:late n=1000000 k=999999; claim "... and what came long before the trap stands there" eval 'is 3 && [ "$(head -c 4 out)" = "{0, " ]'
call run large.snesl:count n=1000 --output s.npy; call run large.snesl:id s=s.npy --output t.npy
claim "an array is an argument, and a result an array, as it lies in memory" eval 'is 0 && cmp -s s.npy t.npy'
call run large.snesl:total v=s.npy; claim "... of vectors too" prints 499500

# ---- files of runs that are killed
for signal in TERM HUP KILL PIPE INT; do
  mkdir killed; printf old >killed/out; chmod 640 killed/out; mkfifo endless
  # as a shell starts a command that is not in the background, where Ctrl-C ends it
  env --default-signal=INT,PIPE "$lockstep" run p.snesl:copy file=endless out=killed/out >out 2>err </dev/null & run=$!
  { head -c 1000000 /dev/zero; sleep 20; } >endless & writer=$!
  for wait in $(seq 200); do ls -l /proc/$run/fd 2>/dev/null | grep -q "$work/killed" && break; sleep 0.02; done
  [ "$wait" != 200 ]; claim "users-snesl E5: a run is in the middle of its output" is $?
  kill -$signal $run; wait $run 2>/dev/null; kill $writer; wait $writer 2>/dev/null
  claim "users-snesl E5: SIG$signal in the middle leaves the old output and nothing beside it" eval '[ "$(ls -A killed)" = out ] && [ "$(cat killed/out)" = old ]'
  rm -r killed endless
done
printf left >.out.txt.lockstep-0; call run p.snesl:copy file=in.txt out=out.txt
claim "users-snesl E5: what a killed run left is removed by the next" eval 'is 0 && cmp -s in.txt out.txt && ! ls -A | grep -q lockstep-'

# ---- arguments that are wrong
call run p.snesl:pick; claim "all that is missing is named" eval 'refused 2 "v : [a]" && grep -q "i : Int" err'
call run p.snesl n=1 n=2; claim "an argument given twice is refused" refused 2 "given twice"
call run p.snesl:pick vs=1 i=1; claim "an unknown name is refused" refused 2 "no parameter vs"
call run p.snesl:pik; claim "an unknown function is refused with the nearest" refused 2 "did you mean pick"
call run p.snesl n; claim "a word without = is refused" refused 2 "name=value"
call run p.snesl n=1.5; claim "a fraction is no Int" refused 2 "1.5"
call run p.snesl n=; claim "nothing is no Int" refused 2 "argument n"
call run p.snesl n=99999999999999999999; claim "an Int out of range is refused" refused 2 "argument n:1:1"
call run p.snesl:pick 'v=[1,2' i=0; claim "a list without an end is refused" refused 2 "argument v"
call run p.snesl:pick 'v=[1,true]' i=0; claim "a mixed list is refused" refused 2 "argument v"
call run p.snesl:zipped 'a=[1]' 'b={1}'; claim "a vector is no sequence" refused 2 "sequence {1,2}"
call run p.snesl:flip b=1; claim "1 is no Bool" refused 2 "true or false"
call run p.snesl n=1 --target openmp; claim "a target of .dpia is refused" refused 2 "for .dpia programs"
call run p.snesl n=1 --target enginn; claim "a target that is none is refused with the nearest" refused 2 "did you mean engine"
call run p.snesl n=1 --target eager --chunk 4; claim "--chunk is for chunks" refused 2 "--chunk"
call run p.snesl n=1 --chunk 0; claim "a chunk of nothing is refused" refused 2 "at least one element"
call run p.snesl n=1 --json; claim "run as JSON" json 0 '"result": "0"' '"function": "last"'
call run p.snesl n=-1 --json; claim "a trap as JSON" json 3 '"status": 3'

# ---- arrays
call run p.snesl:square n=3 --output m.npy; claim "--output prints nothing" eval 'is 0 && [ ! -s out ] && [ -f m.npy ]'
claim "regular nested sequences are one array" npy m.npy '<i8' '(3, 3)'
call run p.snesl:rows m=m.npy; claim "a file is read back" prints "{0, 3, 6}"
call run p.snesl:nested n=3 --output i.npy; claim "irregular ones are their elements and their lengths" eval '[ ! -e i.npy ] && npy i.0.npy "<i8" "(3,)" && npy i.1.npy "<i8" "(3,)"'
call run p.snesl:rows m.0=i.0.npy m.1=i.1.npy; claim "... and are read back so" prints "{0, 0, 1}"
call run p.snesl:rows m.0=i.0.npy; claim "a missing leaf is named" refused 2 "m.1"
call run p.snesl:rows m.0=i.1.npy m.1=m.npy; claim "a leaf has one dimension" refused 2 "one dimension"
call run p.snesl:mixed n=2 --output t.npy; claim "a sequence of tuples becomes its leaves" eval 'npy t.0.npy "<i8" "(2,)" && npy t.1.npy "<f8" "(2,)" && npy t.2.npy "|b1" "(2, 2)"'
call run p.snesl:points ps.0=t.0.npy ps.1=t.1.npy; claim "... which are read back left to right" prints "(1, 1.0)"
call run p.snesl n=3 --output s.npy; claim "a scalar has shape ()" npy s.npy '<i8' '()'
call run p.snesl n=s.npy; claim "... and is read back" prints 30
call run p.snesl n=m.npy; claim "a matrix is no Int" refused 2 "shape (3, 3)"
call run p.snesl:flip b=s.npy; claim "a file of another type is refused" refused 2 "astype('bool')"
call run p.snesl:pick v=t.1.npy i=1; claim "a file says what is open" prints 1.0
numbers() { # FILE TYPE BYTES: a .npy of two numbers
  printf "\\x93NUMPY\\x01\\x00\\x76\\x00%-117s\\n$3" "{'descr': '$2', 'fortran_order': False, 'shape': (2,), }" >"$1"
}
numbers i4.npy '<i4' '\x02\0\0\0\xff\xff\xff\xff'; numbers f4.npy '<f4' '\0\0\x80\x3f\0\0\0\x40'; numbers u8.npy '<u8' '\x02\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0'
call run p.snesl:same x=i4.npy; claim "users-snesl E11: integers of 32 bits are Ints where the type is open" prints "[2, -1]"
call run p.snesl:same x=f4.npy; claim "users-snesl E11: floats of 32 bits are Reals there" prints "[1.0, 2.0]"
call run p.snesl:scale k=3 xs=i4.npy; claim "users-snesl E11: ... and where it is not" prints "{6, -3}"
call run p.snesl:scale k=0.5 xs=i4.npy; claim "users-snesl E11: integers fit a Real, as literals do" prints "{1.0, -0.5}"
call run p.snesl:same x=u8.npy; claim "users-snesl E11: what fits nothing is refused with all that would" refused 2 "expected bool, uint8 for Char, int64 or float64, but u8.npy holds u64"
call run p.snesl:nothings n=3 --output nothing.npy; claim "users-snesl E13: a result without values has no file, which is said" eval 'is 0 && [ ! -e nothing.npy ] && grep -q "writes no file" err'
call run p.snesl:pick v=none.npy i=1; claim "a missing array is refused" refused 2 "none.npy"
call run p.snesl n=3 --output no/s.npy; claim "an output without a folder is status 4" refused 4 "no"
call run p.snesl:scale k=3 xs=random --json; claim "random fills a vector" json 0 '"result": "\{'
call run p.snesl:scale k=3 xs=random; cp out first; call run p.snesl:scale k=3 xs=random --target interpreter; claim "... the same on every run and target" cmp -s out first

# ---- the other commands
call stages p.snesl; claim "stages shows core and SVCODE" eval 'holds "-- core" && holds "-- flatten" && holds "svcode last"'
call stages p.snesl --stage core; claim "one stage alone" eval 'holds "-- core" && ! grep -q "^-- flatten" out'
call stages p.snesl --stage engine; claim "... the engine's text too" holds "lockstep_engine_run"
call stages p.snesl --stage corr; claim "an unknown stage is refused" refused 2 "did you mean core"
call stages p.snesl --stage nosuch; claim "... and told which there are, the engine's text too" eval 'refused 2 "the stages are source, core, flatten" && grep -q ", engine$" err'
call cost p.snesl n=100; claim "cost counts the source and what was run" eval 'holds "SNESL Fig. 2.3" && holds "flatten"'
call cost p.snesl n=100 --json; claim "cost as JSON" json 0 '"W": [0-9]+' '"eager_space": [0-9]+' '"nesl": \{' '"M": "space that grows'
call cost p.snesl; claim "cost needs the arguments" refused 2 "n : Int"
call verify p.snesl:nested --certificate nested.certificate.json; claim "verify agrees and writes a certificate" eval 'holds "every stage and target agrees" && [ -s nested.certificate.json ]'
cp nested.certificate.json out; claim "a certificate claims nothing but proved, tested and assumed" eval 'json 0 "\"standing\": \"tested\"" && ! grep "\"standing\"" out | grep -qvE "\"(proved|tested|assumed)\""'
call verify --replay nested.certificate.json; claim "a certificate is repeated" holds "came out as before"
sed 's/"seed": 1,/"seed": 2,/' nested.certificate.json >changed.json; call verify --replay changed.json; claim "one that was changed is noticed" is 1
call verify p.snesl:copy --inputs 20; claim "verify makes up the files that it reads" eval 'holds "every stage and target agrees" && [ ! -e copy.certificate.json ]'
call verify p.snesl:pick; claim "inputs that trap are counted" holds "trap"
call verify p.snesl n=10 --json; claim "verify at arguments, as JSON" eval 'json 0 "\"ok\": true" && ! grep -q "\"refuted\"" out'
# Every row agrees, on traps.
all_trap() { is 1 && grep -q "0 of 1 inputs gave values" err && ! grep -q "✗" out && grep -q "^engine .*not tested" out; }
# What a claim says is what ran, and none stands higher than what it rests on.
cat >rare.snesl <<'END'
fun lines(cs) = sep({(c, c == '\n') : c in cs})
fun f(file) = sum({let v = tab(l) in (if #v > 1000 then int(v ! 5) else 0) : l in lines(read_file(file))})
END
for k in $(seq 400); do echo "line $((k % 7))"; done >lines.txt
call verify rare.snesl file=lines.txt
claim "users-snesl A1: lines that nobody asks for go, and the theorem's constant holds" eval 'holds "every stage and target agrees" && grep -qE "space at 1 [01]\.[0-9]+ ≤ 5\.5" out'
call verify p.snesl:nested --json
claim "users-snesl A1: a certificate claims the theorems' constants, not what was just measured" eval 'is 0 && grep -qE "work <= 48 \(1 \+ W\)" out && ! grep -q "at most .* times" out'
claim "streaming is tested, not proved, and says what it rests on" eval 'tr -d "\n" <out | grep -qE "runs at every chunk size[^}]*\"standing\": \"tested\"[^}]*\"rests_on\": \[ *\"the analysis of clocks and lags" && ! tr -d "\n" <out | grep -qE "(every chunk size|clocks and lags accepts)[^}]*\"standing\": \"(proved|assumed)\""'
: >seen.txt; call verify p.snesl:copy file="$work/in.txt" out="$work/seen.txt"
claim "users-snesl E9: verify runs every target on files anywhere, and writes none of them" eval 'holds "every stage and target agrees" && ! grep -q "not run" out && [ ! -s seen.txt ]'
call verify p.snesl:copy file=../x/none out="$work/seen.txt"; claim "users-snesl E9: ... also on one that is not there, where all trap and nothing is tested" all_trap
call verify p.snesl:copy file=in.txt out=; claim "users-snesl E9: a target that did not run is said not to have agreed" eval 'is 0 && grep -q "^every stage agrees.* 2 of 3 targets ran, not engine" out && ! grep -q "target agrees" out'
LOCKSTEP_CXX=/none call verify p.snesl:nested --target engine; claim "the target that was asked for and is missing is status 4" refused 4 "engine"
call verify p.snesl:nested --target chunked; claim "verify of one target runs that one" eval 'holds "every stage and target agrees" && ! grep -q ^engine out'
call verify p.snesl:nested --target chunked --certificate chunked.json; call verify --replay chunked.json; claim "... and its certificate is repeated" holds "came out as before"
LOCKSTEP_CXX=/none call verify --replay nested.certificate.json; claim "a certificate of a target that cannot run here is status 4" refused 4 "of the target engine"
LOCKSTEP_CXX=/none call verify p.snesl:last; claim "users-snesl E9: ... nor one that cannot run here" eval 'is 0 && grep -q "2 of 3 targets ran, not engine" out && ! grep -q "target agrees" out'
for words in "two a=- b=-" "two a=/dev/null b=/dev/null" "two a=q b=./q" "standard n=0"; do
  call verify twice.snesl:$words; claim "users-snesl E: verify of $words: targets agree on what is written twice" holds "every stage and target agrees"
done
call run twice.snesl:standard n=0 --compare; claim "users-snesl E: --compare on the engine takes no -, in the program either" refused 2 "takes no file -"
printf abc | "$lockstep" verify p.snesl:sizes a=- b=- >out 2>err; status=$?
claim "users-snesl E2: verify sees standard input read twice trap everywhere, and says that nothing is tested" all_trap
call prove p.snesl; claim "prove says what is proved" holds "runs at every chunk size"
call campaign --language snesl --programs 20 --seed 3; claim "a campaign compiles nothing unasked" eval 'holds "no failure" && ! grep -q "compiled for the engine" out'
call campaign --language snesl --programs 2 --target openmp; claim "... and for the engine only" refused 2 "engine compiles its programs too, found openmp"
call campaign --language snesl --programs 0; claim "a campaign of no programs is refused" refused 2 "0 programs check nothing"
call campaign --programs 0; claim "... in the other language too" refused 2 "0 programs check nothing"
call campaign --mutants --programs 00; claim "... and of mutants" refused 2 "0 programs check nothing"
call campaign --language snesl --minutes 0; claim "... as one of no time" refused 2 "nothing is checked"
call derive p.snesl --strategy none.strat; claim "derive has no rules for .snesl, and says so" refused 4 "not for .snesl yet"
call bench p.snesl n=1000 --runs 2 --json; claim "bench counts bytes" json 0 '"bytes": 16,' '"runs": 2,'
call bench p.snesl:scale --target interpreter --runs 1 --sizes 1000; claim "bench draws what is not given, and says what" holds "scale at k = " "xs : [Int] of 1000: "
call bench p.snesl:scale k=3 --target interpreter --runs 1 --sizes 1000; claim "... only that" eval 'holds "scale at xs : [Int] of 1000" && ! grep -q "k = " out'
call bench p.snesl --target interpreter --runs 1; claim "... an Int as large as a run of a second allows" eval 'is 0 && [ "$(sed -nE "s/^last at n = ([0-9]+):.*/\1/p" out)" -ge 1024 ]'
call bench p.snesl --target interpreter --runs 1 --sizes 100 --json; claim "... as JSON, with the work per second" json 0 '"value": "100"' '"work": [0-9]' '"work_per_second": [0-9]'
call bench p.snesl:rows --target interpreter --runs 1 --sizes 4096; claim "... segments of vectors" holds "m : [[Int]] of 256, with " " in them"
call bench p.snesl:zipped --target interpreter --runs 1 --sizes 64; claim "... sequences that belong together" holds "a : {Int} of 64, b : {Int} of 64"
printf 'fun product(a, b) = {{sum({r ! k * (b ! k ! j) : k in &#r}) : j in &#(b ! 0)} : r in seq(a)}\n' >product.snesl
call bench product.snesl --target interpreter --runs 1 --sizes 64; claim "... and rows of one length where others trap" holds "a : [[Int]] of 8, with 64 in them, b : [[Int]] of 8, with 64 in them"
call bench p.snesl:pick i=random:positive v=random:distinct --target interpreter --runs 1; claim "... of kinds that are asked for" holds "v : [Int] of "
call bench p.snesl:copy --target interpreter --runs 1 --sizes 1000; claim "... files for what is read and for what is written" eval 'holds "file : a file of 1000 bytes, out : a file" && ! [ -e out.1000 ]'
call bench p.snesl:find --target interpreter --runs 1 --sizes 1000; claim "... and no file for another text" holds "file : a file of 1000 bytes, text = "
call bench p.snesl:characters file=- --target interpreter </dev/null; claim "bench refuses what can be read only once" refused 2 "- can be read only once"
call bench p.snesl:letters n=-1 --target interpreter; claim "a program that traps says so" is 3
call bench p.snesl:pick i=9 --target interpreter --sizes 4; claim "... and what it was drawn" refused 3 "it ran at v : [Int] of 4"
call bench p.snesl --sizes 4,8; claim "bench has one size" refused 2 "expected one size above 0"
if [ -n "$engine" ]; then
  call emit p.snesl --output made; claim "emit writes a source and a header" eval 'is 0 && [ -s made/last.cpp ] && [ -s made/last.h ]'
  call campaign --language snesl --programs 20 --seed 3 --target engine; claim "a campaign runs programs on the engine" eval 'holds "no failure" && holds "compiled for the engine"'
  cat >two.snesl <<'END'
fun f(x) = x + 1
fun f'(x) = x * 2
fun main(n) = sum({i : i in &n})
END
  for f in f "f'" main; do call emit two.snesl:"$f" --output linked; done
  cat >linked/program.c <<'END'
#include <stdio.h>
#include "f.h"
#include "main.h"
#include "sneslq_f_q.h"
static int64_t of(int32_t (*run)(const struct lockstep_stream*, struct lockstep_stream*, const struct lockstep_options*, struct lockstep_trap*)) {
  int64_t n = 10;
  struct lockstep_stream in = {&n, 1}, out = {0, 0};
  return run(&in, &out, 0, 0) == 0 ? *(int64_t*)out.data : -1;
}
int main(void) { return printf("%d %d %d\n", (int)of(snesl_f), (int)of(sneslq_f_q), (int)of(snesl_main)) < 0; }
END
  (cd linked && for f in f main sneslq_f_q; do "${LOCKSTEP_CXX:-c++}" -std=c++20 -O0 -Wall -Werror -Wno-psabi -c $f.cpp || exit; done && cc -Wall -Werror -c program.c && "${LOCKSTEP_CXX:-c++}" -pthread ./*.o -o program && ./program) >out 2>err; status=$?
  claim "users-snesl E4: emitted programs link together, whatever they are called" prints "11 20 45"
  nm --defined-only -g linked/f.o >out; status=$?
  claim "users-snesl E4: ... and each has its entry and nothing else for others" eval 'is 0 && [ "$(grep -c " T " out)" = 1 ] && ! grep -q " [WVuBD] .*lockstep" out'
  printf "fun f'(x) = x + 2\nfun sneslq_f_q(x) = x\nfun snesl_sneslq_f_q(x) = x\n" >three.snesl
  for f in "f'" sneslq_f_q snesl_sneslq_f_q; do call emit three.snesl:"$f" --output three; done
  claim "users-snesl E4: functions of different names are written to different files" eval 'ls three >out; [ "$(wc -l <out)" = 6 ]'
  LOCKSTEP_CXX=/none call run p.snesl n=2 --target engine; claim "the engine without a compiler is status 4" refused 4 "compiler"
fi
LOCKSTEP_CXX=/none call run p.snesl n=4; claim "without a compiler the interpreters run" prints 14

# ---- what checking costs: linear in the program
for_each() { awk -v n="$2" -v each="$3" -v before="$4" -v after="$5" -v between="$6" 'BEGIN { printf "%s", before; for (k = 0; k < n; k++) { s = each; gsub(/@\+/, k + 1, s); gsub(/@/, k, s); printf "%s%s", k ? between : "", s } printf "%s", after }' >"$1"; }
spent() { # FILE: milliseconds of processor time, at most 20 seconds
  local TIMEFORMAT='%U %S'
  { time timeout 20 "$lockstep" check "$1" >out 2>err; } 2>&1 | awk '{ printf "%d", ($1 + $2) * 1000 }'
}
linear() { # CLAIM N EACH BEFORE AFTER BETWEEN: twice as many take not three times as long, and a little
  local try one two
  for_each once.snesl "$2" "$3" "$4" "$5" "$6"
  for_each twice.snesl $((2 * $2)) "$3" "$4" "$5" "$6"
  for try in 1 2 3; do
    one=$(spent once.snesl); two=$(spent twice.snesl)
    [ "$two" -le $((3 * one + 60)) ] && break
  done
  status=0; [ "$two" -le $((3 * one + 60)) ] || status="$one ms, then $two ms"
  claim "users-snesl C5: checking is linear in $1" is 0
}
linear "functions" 4000 'fun f@(x) = x + @\n' '' '' ''
linear "functions that call the one before" 1000 'fun f@+(x) = f@(x) + @\n' 'fun f0(x) = x\n' '' ''
claim "... the last one is judged, those that it calls as it calls them" holds 'f2000 (x : a) : Int  streams'
claim "... as far as they are not small" holds "f1000 (x : a) : Int  as it is called: 2000 operations, its calls expanded"
call prove twice.snesl:f1000; claim "... unless one is asked for" holds "runs at every chunk size"
for_each doubling.snesl 13 'fun f@+(x) = f@(x + 1) + f@(x * 3)\n' 'fun f0(x) = x\n' '' ''
call check doubling.snesl; claim "users-snesl C5: calls that double are judged where nothing calls them" holds 'f13 (x : a) : Int  streams'
for_each doubling.snesl 400 'fun f@+(x) = f@(x + 1) + f@(x * 3)\n' 'fun f0(x) = x\n' '' ''
call check doubling.snesl; claim "... of open type too, and refused beyond a limit" refused 2 "the calls of f400 expand to more than 200000 operations"
linear "characters of a text" 10000 "$(printf 'a%.0s' $(seq 100))" 'fun f() = "' '"\n' ''
linear "errors" 20000 'fun f@(x) = y@\n' '' '' ''
linear "errors in one line" 20000 'y@' 'fun f() = {' '}\n' ', '
linear "operators in one line" 3000 '1' 'fun f(x) = x + ' '\n' ' + '
linear "appended sequences in one line" 1500 '{@}' 'fun f(x) = ' '\n' ' ++ '
linear "numbers of a sequence" 8000 '@' 'fun f() = {' '}\n' ', '
linear "numbers of a vector" 8000 '@' 'fun f() = [' ']\n' ', '
for_each many.snesl 3000 '1' 'fun f(x) = x + ' '\n' ' + '
call run many.snesl x=1 --target chunked; claim "users-snesl C5: 3,000 operators are no nesting" prints 3001
for_each many.snesl 30000 '@' 'fun f() = {' '}\n' ', '
call check many.snesl; claim "a function that is too large is not taken for one of open type" refused 2 "cut the program into smaller ones"
conclude
