#!/usr/bin/env bash
# Tests certificates (driver/certificate.h): what they say, and that a replay finds what is not as they say.
#   tests/cli/certificate_test.sh LOCKSTEP
set -u
[ $# = 1 ] || { echo "usage: $0 LOCKSTEP" >&2; exit 2; }
lockstep=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
cd "$work" || exit 2
export LOCKSTEP_CACHE=$work/cache
passed=0 failed=0 status=0

call() { # WORD ... : status, out, err
  "$lockstep" "$@" >out 2>err </dev/null
  status=$?
}
claim() { # CLAIM CONDITION ... (a command that succeeds where it holds)
  local what=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
    echo "ok - $what"
  else
    failed=$((failed + 1))
    echo "not ok - $what (status $status)"
    head -n 8 out err | sed 's/^/  /'
  fi
}
is() { [ "$status" = "$1" ]; }
says() { is 0 && grep -qF -- "$1" out; }
differs() { is 1 && [ ! -s out ] && grep -qF -- "$1" err; }
refused() { is 2 && [ ! -s out ] && grep -qF -- "$1" err; }
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
  '"status": "proved"' '"method": "' '"status": "tested"' '"runs_interleaved": ' '"status": "assumed"' '"seconds": '; do
  claim "a certificate says $what" grep -qF -- "$what" c.json
done
claim "it holds the source" grep -qF 'reduce (+) 0 row' c.json

call verify --replay c.json; claim "a certificate that is right is repeated" says "came out as before"
call verify --replay c.json --json; claim "a replay as JSON" says '"differences": []'
mkdir beside && cp c.json p.dpia beside && mv p.dpia moved.dpia
call verify --replay beside/c.json; claim "the program may lie beside its certificate" says "came out as before"
call verify --replay c.json moved.dpia; claim "the program may lie anywhere, when it is said where" says "came out as before"

# ---- what is missing
call verify --replay c.json; claim "a program that is missing is named" refused "p.dpia"
mv moved.dpia p.dpia
call verify --replay none.json; claim "a certificate that is missing is named" refused "none.json"
echo '{}' >empty.json; call verify --replay empty.json; claim "what is no certificate is refused" refused "no certificate"
echo '{"cert' >half.json; call verify --replay half.json; claim "half a certificate is refused" refused "no certificate"
grep -v '"seed": 3' c.json >t.json; call verify --replay t.json; claim "a certificate without its seed is refused" refused "seed"
call verify --replay c.json p.dpia n=3; claim "a replay takes no sizes" refused "--replay takes the sizes"
call verify --replay c.json --seed 4; claim "nor a seed" refused "--replay"
call verify; claim "verify wants a program" refused "FILE"

# ---- another program
sed -i 's/0 row/1 row/' p.dpia
call verify --replay c.json; claim "a changed source file is found, with the line" differs "it differs at line 2"
cp whole.dpia p.dpia; echo '-- later' >>p.dpia
call verify --replay c.json; claim "a comment more is another text" differs "SHA-256"
cp whole.dpia p.dpia

# ---- another certificate
tampered 's/"runs": 18,/"runs": 1800,/' && call verify --replay t.json
claim "a number of runs that was raised is found and named" eval 'differs "runs: the certificate says 1800" && grep -qF "changed after it was written" err'
tampered 's/"status": "tested"/"status": "proved"/' && call verify --replay t.json
claim "tested is not proved" differs 'status: the certificate says "proved", now it is "tested"'
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
tampered 's/"compiler": "[^"]*"/"compiler": "cc 1.0"/' && call verify --replay t.json
claim "another compiler is named" differs 'compiler: the certificate says "cc 1.0"'
tampered 's/"lockstep": "[^"]*"/"lockstep": "9.9.9"/' && call verify --replay t.json
claim "another version is named" differs 'lockstep: the certificate says "9.9.9"'
tampered 's/0 row/1 row/' && call verify --replay t.json
claim "another source inside is found" differs "source: the certificate says"
tampered '0,/"seconds": [0-9.e-]*/s/"seconds": [0-9.e-]*/"seconds": 1e-9/' && call verify --replay t.json
claim "what does not count is seen to have been changed" differs "its digest is not that of what it says"
LOCKSTEP_CXX=/none call verify --replay c.json
claim "a target that does not run any more is a difference" differs "the target openmp"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
