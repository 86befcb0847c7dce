#!/usr/bin/env bash
# verify on .snesl where a program gives nothing, for it waits for itself or its lengths do not fit: the row of its
# stage says so, as a text, as JSON and in the certificate. A mistake outside of a run stays an internal error.
#   tests/cli/planted_test.sh PLANTED
set -u
. "$(dirname "$0")/claims.sh"

cat >p.snesl <<'END'
fun main(n) = {(x * 3 + 1) % 7 - k : x in &n; k in {y * y : y in &n}}
fun late(n) = {let cs = seq(tab(w)); m = sum(w) in {c - m : c in cs} : w in sep({(x, x % 30 == 29) : x in &n} ++ {(0, true)})}
END
verify() { # MISTAKE FUNCTION WORD ...
  call "$1" verify "p.snesl:$2" n=90 "${@:3}"
}
says() { # STATUS TEXT ...
  is "$1" || return 1
  shift
  local text
  for text; do grep -qF -- "$text" out err || return 1; done
}
refuted() { grep -A 5 "\"subject\": \"the program after $1" "$2" | grep -q '"standing": "refuted"'; } # STAGE CERTIFICATE
row() { grep '✗ differs' out | head -n 1 | grep -q "^$1 "; } # STAGE: its row is the first that differs

verify right main; claim "without a mistake every stage agrees" holds "every stage and target agrees with the source"
verify right late; claim "... of both programs" holds "every stage and target agrees with the source"

verify waits late; claim "a network that waits for itself is a disagreement" says 1 "found     nothing: a network of transducers waits for itself: no transducer can fire"
claim "... of the row of its stage" row same-streams
verify waits late --json
claim "... as JSON" says 1 '"ok": false' "nothing: a network of transducers waits for itself"
verify waits late --certificate waits.json
claim "... and in the certificate" refuted same-streams waits.json

verify lengths main; claim "lengths that do not fit are a disagreement" says 1 "found     nothing: a network's steps: "
claim "... of the row of the stage that has them" row clusters

verify eager main; claim "SVCODE's stages are named so too" says 1 "nothing: an interpreter gives up"
verify stage main; claim "a stage that gives up itself is an internal error" is 4
claim "... and says so" grep -qF "internal error: a stage gives up" err

conclude
