#!/usr/bin/env bash
# Programs as users write them (tests/users): verify, as a comment of each says, finds nothing wrong, and with what is
# given there draws no input again; and run gives what a comment says. With LOCKSTEP_LONG only what takes more than a
# third of a second, which comments tell, else the others. And what verify, run and bench say of values and kinds of
# random ones.
#   tests/cli/users_test.sh LOCKSTEP
set -u
users=$(cd "$(dirname "$0")/../users" && pwd)
. "$(dirname "$0")/claims.sh"
cp "$users"/* .

verified() { # FILE[:FUN] WORD ...: with the words every input gives values
  call verify "$@"
  is 0 && grep -q "agrees with the source" out && ! grep -q "not run" out || return 1
  [ $# = 1 ] || ! sed 's/, 0 inputs undecided$//' out | grep -qE "drawn again|undecided| traps?,"
}
gives() { # VALUE FILE[:FUN] WORD ...: lines of a value are parted by \n; verify compares the targets
  local value=$1
  shift
  call run "$@" --target interpreter
  is 0 && [ "$(cat out)" = "$(printf %b "$value")" ]
}
verified_in() { # FILE PREFIX: as its comments with the prefix say, one at least
  local words all=0
  while read -ra words; do
    all=$((all + 1))
    verified "${words[@]}" || { echo "  ${words[*]}"; return 1; }
  done < <(sed -n "s/^-- $2lockstep verify //p" "$1")
  [ "$all" -gt 0 ]
}
said_in() { # FILE: as its comments say
  local line words
  ! grep -q '^-- lockstep verify ' "$1" || verified_in "$1" '' || return 1
  while IFS= read -r line; do
    read -ra words <<<"${line%% ==> *}"
    gives "${line#* ==> }" "${words[@]}" || { echo "  $line"; return 1; }
  done < <(sed -n 's/^-- lockstep run //p' "$1")
  [ "$(programs "$1" | wc -l)" -gt 0 ]
}
programs() { sed -nE 's/^-- (long: )?lockstep verify ([^ ]*).*/\2/p' "$@" | sort -u; } # FILE ...
if [ -n "${LOCKSTEP_LONG:-}" ]; then
  for file in $(grep -l '^-- long: ' *.dpia *.snesl); do
    claim "$file: verify finds nothing wrong in what takes long" verified_in "$file" 'long: '
  done
  conclude
  exit
fi
for file in *.dpia *.snesl; do
  claim "$file: verify finds nothing wrong" said_in "$file"
done
# Programs that testers wrote stand in findings.* and in these files, and are not counted.
testers=" attention.dpia bitonic.dpia cg.dpia collatz.dpia csr.dpia fft.dpia gauss_jordan.dpia gauss_jordan_rows.dpia \
  jacobi_solve.dpia lu.dpia newton.dpia findings.dpia findings.snesl "
own=$(for file in *.dpia *.snesl; do [[ $testers == *" $file "* ]] || echo "$file"; done)
# shellcheck disable=SC2086
claim "there are a hundred programs beside those of testers" [ "$(programs $own | wc -l)" -ge 100 ]
claim "... of both languages" [ "$(programs ./*.snesl | wc -l)" -ge 15 ]

# ---- the same function finds what is wrong
sed -i 's/ ==> 3.5$/ ==> 3.25/' samples.snesl
claim "another result fails" eval '! said_in samples.snesl >said && grep -q "==> 3.25" said'
sed -i 's/^fun range(n) = &n/fun range(n) = {1 \/ (n - n) : _ in \&n}/' findings.snesl
claim "... and a .snesl program that traps" eval '! said_in findings.snesl >said && grep -q ":range" said'
sed -i 's/random:permutation/random:sorted/' inverse.dpia
claim "numbers that are no permutation fail" eval '! said_in inverse.dpia >/dev/null'
sed -i 's/random:positive/0/' collatz.dpia
sed -i '1s/.*/fun f (x : i32) : i32 = x/' rank.dpia
claim "a program that says nothing is no program" eval '! said_in rank.dpia'
claim "a value on which a loop does not end fails" eval '! said_in collatz.dpia >/dev/null'


# ---- of testers, too long to stand in a file: a chain of 200 terms; and what is refused in words of its own
printf 'fun chain (x : f32) : f32 = x * 0%s\n' "$(printf ' + x * %d' {1..199})" >chain.dpia
claim "200 terms" verified chain.dpia
printf 'fun split_far [n] (xs : [4611686018427387904*n]f32) : [n][4611686018427387904]f32 = split 4611686018427387904 xs\n' >far.dpia
call verify far.dpia; claim "a coefficient of 2^62 is too large, in words" refused 2 "a coefficient leaves 64 bits"

# ---- values and kinds are the same words in verify, run and bench
cp "$users"/* .
cat >p.dpia <<'END'
fun identity [n] (a : [n][n]f64) : [n][n]f64 = map (map (\x -> x)) a
fun shift [n] (p : [n]idx(n)) : [n]i64 = map (\i -> i + 0) p
fun flags [n] (bs : [n]bool) : [n]bool = map not bs
fun apart [n m] (a : [n][m]f32) : [n][m]f32 = map (map (\x -> x + 1)) a
fun bytes [n] (xs : [n]u8) : [n]u8 = map (\x -> x + 1) xs
fun pairs [n] (xs : [n](f32, i32)) : [n]f32 = map fst xs
fun halves [n k] (xs : [2*n]f32) (ys : [n*k]f32) : [n]f32 = take n xs
fun long_ [n] (xs : [n]f32) : [n]f32 where n >= 5 = map (\x -> x / 3) xs
END
call run p.dpia:identity a=random:spd n=3 --output a.npy; claim "run draws a kind" is 0
call run cholesky.dpia a=a.npy; claim "... that is what it says" eval 'is 0 && ! grep -q nan out'
call run p.dpia:identity a=random:spd:7 n=3; cp out first; call run p.dpia:identity a=random:spd:7 n=3 --target interpreter
claim "a kind with a seed is the same again" eval 'is 0 && [ -s first ] && cmp -s first out'
call run p.dpia:identity a=random:spd:8 n=3; claim "... and with another seed another" eval 'is 0 && ! cmp -s first out'
call run p.dpia:shift p=random:permutation n=5; claim "of idx(n)" eval 'is 0 && [ "$(tr -d "[], " <out | fold -w1 | sort | tr -d "\n")" = 01234 ]'
call bench inverse.dpia p=random:permutation n=1000 --target interpreter; claim "bench takes a kind" is 0
call bench inverse.dpia n=1000 --target interpreter; claim "... without which its program traps" is 3
call bench fft.dpia --target interpreter; claim "bench draws sizes that belong together" eval 'is 0 && grep -qE "log2n = ([0-9]+), n = " out && [ "$(sed -nE "s/.*log2n = ([0-9]+), n = ([0-9]+).*/\1 \2/p" out | head -n 1 | { read -r l n; echo $((1 << l == n)); })" = 1 ]'

call run p.dpia:apart a=random:spd n=2 m=2; claim "spd wants a square matrix" refused 2 "a has the type [n][m]f32, and random:spd wants a square matrix of floats, such as [n][n]f64"
call verify p.dpia:flags bs=random:sorted; claim "sorted wants numbers" refused 2 "bs has the type [n]bool, and random:sorted wants an array of numbers"
call verify p.dpia:pairs xs=random:distinct; claim "distinct wants one array" refused 2 "random:distinct wants an array of numbers"
call verify p.dpia:pairs xs=random:positive; claim "positive takes all numbers" is 0
call bench p.dpia:identity a=random:permutation n=3; claim "permutation wants integers" refused 2 "random:permutation wants an array of integers"
call verify p.dpia:shift p=random:positive; claim "an index is not drawn above 0" refused 2 "random:positive wants numbers"
call run p.dpia:identity a=random:sdp n=3; claim "a kind that is none is refused" refused 2 "a: there is no random:sdp"
claim "... with what there is" grep -q "spd" err
call run p.dpia:identity a=random:spd:x n=3; claim "a seed that is none is refused" refused 2 "a: there is no random:spd:x"
call run p.dpia:bytes xs=random:distinct n=300; claim "300 bytes are not distinct" refused 2 "there is no value of [n]u8 that is distinct where it has rows of 300"
call verify p.dpia:bytes xs=random:distinct; claim "verify draws no such sizes" eval 'is 0 && grep -q "agrees with the source" out'

cat >indexed.dpia <<'END'
fun at [n m] (p : [n]idx(m)) (xs : [m]f32) : [n]f32 = map (\i -> xs ! i) p
END
call verify indexed.dpia p=[0,1]; claim "indexes want their bound" refused 2 "p holds indexes of idx(m), and nothing that is given says what m is"
call verify indexed.dpia p=[0,1] m=2; claim "... which is given by name" holds "12 inputs (seed 1) with p=[0,1] m=2, at m = 2, n = 2"
call verify indexed.dpia p=[0,7] m=2; claim "... and checked" refused 2 "p holds 7, which is no idx(m)"
call verify indexed.dpia p=random:permutation; claim "a permutation's bound is drawn large enough" is 0

# ---- what is given leaves one input for each of the sizes
call run p.dpia:identity a=random:spd n=4 --output a.npy
call verify jacobi_solve.dpia a=a.npy 'b=[1,2,3,4]'
claim "all values given leave one input, and verify says so" holds "1 input, all of whose values are given: a=a.npy b=[1,2,3,4], at n = 4"
call verify jacobi_solve.dpia a=a.npy; claim "what is not given is drawn" holds "12 inputs (seed 1) with a=a.npy, at n = 4"
call verify p.dpia:halves 'xs=[1,2,3,4]' 'ys=[1,2,3,4,5,6]'; claim "sizes follow from products too" holds ", at k = 3, n = 2"
call verify p.dpia:halves 'xs=[1,2,3,4]' 'ys=[1,2,3]'; claim "values that fit no sizes are refused" refused 2 "no size k makes k*n equal to it"
call verify p.dpia:halves 'xs=[1,2,3]'; claim "... with the shape" refused 2 "the length of xs is 3, but no size n makes 2*n equal to it"
call verify p.dpia:long_ 'xs=[1]'; claim "a fact that what is given breaks is refused" refused 2 "long_ asks for 5 <= n"
call verify p.dpia:halves --sizes 2,4; claim "--sizes says what sizes are" eval 'is 0 && grep -q "from k = 2, n = 2 to k = 4, n = 4" out'
call verify p.dpia:long_ --sizes 2,4; claim "... where none fits, verify says so" eval 'is 1 && grep -q "no sizes were found that satisfy the program.s facts and what is given" err'
call verify collatz.dpia start=7 --sizes 4; claim "--sizes of a program without sizes is refused" refused 2 "collatz has no sizes, so that --sizes says nothing"
call verify p.dpia:identity n=3 --sizes 4; claim "... and where all are given" refused 2 "identity: every size is given, so that --sizes says nothing"
for wrong in , 4, a -1 4,,8 1e3 99999999999999999999; do
  call verify p.dpia:halves --sizes="$wrong"; claim "--sizes '$wrong' is refused" refused 2 "--sizes: expected natural numbers"
done
call verify inverse.dpia 'p=[0,0]'; claim "a trap on what is given is not tested, with what to give" eval 'is 1 && grep -q "not tested: 0 of 1 inputs gave values" err && grep -q "other values" err'
call verify collatz.dpia start=0 --limit 50; claim "so is a loop that does not end" eval 'is 1 && grep -q "1 does not end within 50 rounds" err && grep -q "other values" err'
printf 'fun f (x : i32) : i32 = x / 0\n' >zero.dpia; call verify zero.dpia
claim "the message names kinds" eval 'is 1 && grep -q "help: give values, as in x=x.npy, or of a kind: x=random:positive" err'

call verify jacobi_solve.dpia a=random:positive --sizes 12
claim "where inputs stay undecided, too" eval 'is 1 && grep -q "12 of 12 inputs are left undecided by rounding" err && grep -q "help: give sizes, as in .*--sizes 4,8" err && grep -q "a=random:spd" err'

# ---- a certificate repeats what was given
call verify jacobi_solve.dpia a=a.npy b=random:positive --seed 3 --certificate c.json
claim "a certificate has the file by its hash" eval 'is 0 && grep -qF "$(sha256sum a.npy | cut -c1-64)" c.json'
call verify --replay c.json; claim "... and is repeated" holds "came out as before"
cp a.npy kept.npy; call run p.dpia:identity a=random:spd:9 n=4 --output a.npy
call verify --replay c.json; claim "another file is noticed by its hash" eval 'is 1 && grep -q "files_given, a=a.npy, sha256: the certificate says" err'
rm a.npy; call verify --replay c.json; claim "a file that is missing is named" refused 2 "a.npy"
cp kept.npy a.npy; call verify --replay c.json --sizes 4; claim "a replay takes no --sizes" refused 2 "--replay"
call verify bitonic.dpia --sizes 4,8 --certificate s.json; call verify --replay s.json; claim "--sizes is repeated" holds "came out as before"
sed 's/"sizes_asked": \[/&2, /' s.json >t.json; call verify --replay t.json; claim "other sizes are noticed" is 1

# ---- .snesl
cat >p.snesl <<'END'
fun total(v) = sum({x : x in seq(v)})
fun gaps(v) = {1 / (v ! i - v ! (i - 1)) : i in &(#v) | i > 0}
fun place(p) = {p ! i : i in &(#p)}
fun rows(a) = {sum({real(x) : x in seq(r)}) : r in seq(a)}
fun yes(b) = {!x : x in seq(b)}
fun sums(ps) = {(ps ! i).3 + #(ps ! i).1 : i in &#ps}
END
call run p.snesl:place p=random:permutation --target interpreter
claim "snesl: a permutation" eval 'is 0 && [ "$(tr -dc "0-9\n" <out | fold -w1 | sort | tr -d "\n")" = "$(tr -dc "0-9\n" <out | fold -w1 | sort -u | tr -d "\n")" ]'
call verify p.snesl:gaps v=random:distinct --target interpreter; claim "snesl: distinct numbers divide by no zero" eval 'is 0 && ! grep -q trap out'
call verify p.snesl:total v=random:positive; claim "snesl: positive" is 0
call verify p.snesl:rows a=random:spd; claim "snesl: what is open is Real where a kind wants Reals" holds "agrees with the source"
call verify p.snesl:sums; claim "snesl: ... a tuple where a component is asked for" eval 'holds "agrees with the source" && grep -qF "12 inputs" out'
call check p.snesl; claim "snesl: ... so that its verdict is its own" eval 'is 0 && grep -q "^sums .* streams" out && ! grep -q "its type is open" out'
call verify p.snesl:total 'v=[3,1,2]'; claim "snesl: all values given leave one input" holds "1 input, all of whose values are given: v=[3,1,2]"
call run p.snesl:yes b=random:sorted; claim "snesl: sorted wants numbers" refused 2 "b has the type [Bool], and random:sorted wants a vector or sequence of numbers, such as [Int] or {Real}"
call run p.snesl:total v=random:spd; claim "snesl: spd wants a matrix" refused 2 "random:spd wants a matrix of Reals"
call verify p.snesl:total --sizes 4; claim "snesl: no --sizes" refused 2 "--sizes is of .dpia programs"
call verify p.snesl:total v=random:sorted --certificate c.json; call verify --replay c.json
claim "snesl: a certificate repeats it" holds "came out as before"

conclude
