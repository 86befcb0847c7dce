#!/usr/bin/env bash
# Tests certificates (driver/certificate.h): what they say, and that a replay finds what is not as they say.
#   tests/cli/certificate_test.sh LOCKSTEP
set -u
. "$(dirname "$0")/claims.sh"
differs() { is 1 && [ ! -s out ] && grep -qF -- "$1" err; }
tampered() { # SED-SCRIPT: t.json, which must be another text than c.json
  status=none
  sed "$1" c.json >t.json
  ! cmp -s c.json t.json
}

cat >p.dpia <<'END'
fun other (x : i32) : i32 = x
fun sums [n] (xs : [4*n]f32) : [n]f32 = map (\row -> reduce (+) 0 row) (split 4 xs)
END
cp p.dpia whole.dpia

call verify p.dpia --inputs 6 --seed 3 --certificate c.json
claim "verify writes a certificate" eval 'is 0 && [ -s c.json ]'
for what in '"lockstep": "' '"compiler": "' '"z3": ' '"entry": "sums"' '"seed": 3' '"inputs_asked": 6' '"source_sha256": "' '"result_sha256": "' '"digest": "' \
  '"standing": "proved"' '"method": "' '"standing": "tested"' '"runs_interleaved": ' '"standing": "assumed"' '"seconds": ' \
  '"obligations": ['; do
  claim "a certificate says $what" grep -qF -- "$what" c.json
done
claim "... each obligation by its name and how it was proved" grep -qF '"read xs[i * 4 + i_1] of 4 * n (par i < n, for i_1 < 4): normalisation"' c.json
claim "... how each claim is known" eval '[ "$(grep -c "\"method\": \"1 by normalisation\"" c.json)" -gt 1 ]'
claim "it holds the source" grep -qF 'reduce (+) 0 row' c.json
claim "... its hash, and that of no other text" grep -qF "\"source_sha256\": \"$(sha256sum p.dpia | cut -c1-64)\"" c.json

call verify --replay c.json; claim "a certificate that is right is repeated" holds "came out as before"
call verify --replay c.json --json; claim "a replay as JSON" holds '"differences": []'
mkdir beside && cp c.json p.dpia beside && mv p.dpia moved.dpia
call verify --replay beside/c.json; claim "the program may lie beside its certificate" holds "came out as before"
call verify --replay c.json moved.dpia; claim "the program may lie anywhere, when it is said where" holds "came out as before"

# ---- what is missing
call verify --replay c.json; claim "a program that is missing is named" refused 2 "p.dpia"
mv moved.dpia p.dpia
call verify --replay none.json; claim "a certificate that is missing is named" refused 2 "none.json"
for n in -1 0 1e30 99999999999; do
  sed "s/\"inputs_asked\": [0-9]*/\"inputs_asked\": $n/" c.json >number.json
  call verify --replay number.json; claim "of $n inputs there is no certificate" refused 2 "inputs_asked"
done
echo '{}' >empty.json; call verify --replay empty.json; claim "what is no certificate is refused" refused 2 "no certificate"
echo '{"cert' >half.json; call verify --replay half.json; claim "half a certificate is refused" refused 2 "no certificate"
grep -v '"seed": 3' c.json >t.json; call verify --replay t.json; claim "a certificate without its seed is refused" refused 2 "seed"
call verify --replay c.json p.dpia n=3; claim "a replay takes no sizes" refused 2 "--replay takes the sizes"
call verify --replay c.json --seed 4; claim "nor a seed" refused 2 "--replay"
call verify; claim "verify wants a program" refused 2 "FILE"

# ---- another program
sed -i 's/0 row/1 row/' p.dpia
call verify --replay c.json; claim "a changed source file is found, with the line" differs "it differs at line 2"
cp whole.dpia p.dpia; echo '-- later' >>p.dpia
call verify --replay c.json; claim "a comment more is another text" differs "SHA-256"
cp whole.dpia p.dpia

# ---- another certificate
tampered 's/"runs": 18,/"runs": 1800,/' && call verify --replay t.json
claim "a number of runs that was raised is found and named" eval 'differs "runs: the certificate says 1800" && grep -qF "changed after it was written" err'
tampered 's/"standing": "tested"/"standing": "proved"/' && call verify --replay t.json
claim "tested is not proved" differs 'standing: the certificate says "proved", now it is "tested"'
tampered 's/"worst_error": [0-9.e-]*/"worst_error": 0.0/' && call verify --replay t.json
claim "an error made smaller is found" differs "worst_error"
tampered '0,/"result_sha256": "/s/"result_sha256": "/&0/' && call verify --replay t.json
claim "another result of the source is found" differs "result_sha256"
tampered 's/"seed": 3,/"seed": 4,/' && call verify --replay t.json
claim "another seed is found" differs "inputs, "
tampered 's/"entry": "sums"/"entry": "other"/' && call verify --replay t.json
claim "another entry point is found" differs "function"
tampered 's/"entry": "sums"/"entry": "none"/' && call verify --replay t.json
claim "an entry point that is not there is found" differs "does not define"
tampered 's/"openmp"$/"openmq"/' && call verify --replay t.json
claim "a target that is none is found" differs "openmq"
# As the certificate of another machine is: its digest is of what it says.
for what in compiler processor build; do
  sed "s/\"$what\": \"[^\"]*\"/\"$what\": \"another\"/" c.json >t.json
  "$CERTIFICATE_EDITS" --digest t.json >elsewhere.json
  call verify --replay elsewhere.json
  claim "another $what is no difference" holds "came out as before"
  claim "... and is named" holds "not as it was: $what: the certificate says \"another\", now it is"
  call verify --replay t.json
  claim "... but where the $what was changed by hand" differs "changed after it was written"
done
sed '0,/"seconds": /s//"seconds": 7, "seconds": /' c.json >t.json
call verify --replay t.json; claim "of two equal keys neither is believed" refused 2 "it says seconds twice"
claim "of every stage there is a text" eval '! grep -q "$(printf "" | sha256sum | cut -c1-64)" c.json && [ "$(grep -c text_sha256 c.json)" = "$(grep -cE "\"(stage|target)\": " c.json)" ]'
cp p.dpia q.dpia; call verify q.dpia --inputs 6 --seed 3 --certificate q.json
claim "the same program's texts are the same" eval '[ "$(grep text_sha256 c.json)" = "$(grep text_sha256 q.json)" ]'
sed 's/reduce (+) 0 row/reduce (+) 1 row/' p.dpia >q.dpia; call verify q.dpia --inputs 6 --seed 3 --certificate q.json
claim "another program's are others" eval '! grep text_sha256 c.json | grep -qFf <(grep -o "[0-9a-f]\{64\}" <(grep text_sha256 q.json))'

tampered 's/"lockstep": "[^"]*"/"lockstep": "9.9.9"/' && call verify --replay t.json
claim "another version is named" differs 'lockstep: the certificate says "9.9.9"'
tampered 's/0 row/1 row/' && call verify --replay t.json
claim "another source inside is found" differs "source: the certificate says"
tampered '0,/"seconds": [0-9.e-]*/s/"seconds": [0-9.e-]*/"seconds": 1e-9/' && call verify --replay t.json
claim "what does not count is seen to have been changed" differs "its digest is not that of what it says"
LOCKSTEP_CXX=/none call verify --replay c.json
claim "a target that cannot run any more is not replaced by another" refused 4 "of the target openmp, which cannot run here"
tampered 's/"openmp"/"hip"/; s/the target openmp/the target hip/' && call verify --replay t.json
claim "house A1: a target whose name was changed is not said to have come out as before" refused 4 "of the target hip, which cannot run here"
tampered 's/"openmp"$/"hip"/' && call verify --replay t.json
claim "house A1: ... where only what was asked for was changed, neither" differs "targets"
LOCKSTEP_CXX=/none call verify p.dpia --inputs 6 --certificate none.json
claim "house A2: where no target ran none is said to agree" eval 'is 0 && grep -q "every stage agrees with the source; 0 of 1 targets ran, not openmp: LOCKSTEP_CXX" out && ! grep -q "target agrees" out && grep -q "\"targets_ran\": 0" none.json'
LOCKSTEP_CXX=/none call verify p.dpia --target openmp; claim "house A2: the target that was asked for is status 4" refused 4 "openmp"
call verify p.dpia --target hip; claim "house A2: ... and one whose device is not here" refused 4 "hip"
call verify p.dpia --target interpreter; claim "the stages alone" eval 'is 0 && grep -q "^every stage agrees with the source;" out && ! grep -q openmp out'

# What takes longest.
echo 'fun solve [n m] (a : [n][n]f64) (b : [n]f64) (x : [m]f64) : [n]f64 = map (\(i, row) -> (b ! i) / (row ! i)) (zip (iota n) a)' >g.dpia
call run g.dpia a=random:spd n=4 x=[] b=[1,2,3,4] --output b.npy
call verify g.dpia b=b.npy a=random:spd --sizes 4 --inputs 6 --certificate g.json; claim "a certificate of values that are given" is 0
claim "... has the files by their hashes, and no word that is none" eval '[ "$(grep -c "\"argument\": " g.json)" = 1 ] && grep -qF "$(sha256sum b.npy | cut -c1-64)" g.json'
echo 'fun main(n) = {x * x : x in &n}' >s.snesl
call verify s.snesl --inputs 6 --certificate s.json
claim "every edit of every field is noticed, with the digest made anew" eval 'is 0 && "$CERTIFICATE_EDITS" c.json s.json g.json >edits; [ $? = 0 ] || { head edits; false; }'

conclude
