#!/usr/bin/env bash
# Campaigns of several languages, on several threads, in shards; `campaign --merge` makes of the shards' reports what the
# whole campaign prints, and refuses files that are not all the shards of one campaign, each once and whole.
#   PLANTED=... tests/cli/merge_test.sh LOCKSTEP
set -u
. "$(dirname "$0")/claims.sh"

timeless() { sed -E '/^ *"seconds":/d; s/ in [0-9.]+ (µs|ms|s|min|h)$//'; } # what does not depend on the machine
same() { diff <(timeless <"$1") <(timeless <"$2") >out; }
parts() { # COMMAND WORD ...: 1.json, 2.json, 3.json
  for i in 1 2 3; do
    "$@" --shard "$i/3" --json >"$i.json" 2>err </dev/null
    status=$?
  done
}
merge() { call campaign --merge "$@"; }

# ---- one language: the shards together are the whole
call campaign --programs 100 --seed 7 --json; cp out whole.json
parts "$lockstep" campaign --programs 100 --seed 7
merge 3.json 1.json 2.json --json; claim "shards are joined to the whole campaign, in whatever order" is 0
sed -e '/"shards": 3/s/3/1/' -e '/"shard": \[/,/\]/{/^ *[23],\?$/d; s/^\( *1\),$/\1/}' out >joined.json
claim "... of which nothing but times differs" same whole.json joined.json
call campaign --programs 100 --seed 7; cp out whole
merge 1.json 2.json 3.json; claim "what is joined says so" holds "seed 7, 100 programs; 3 shards joined, their times added"
sed 1d out >joined; claim "... and says what the whole does" same whole joined
call campaign --programs 100 --seed 7 --statistics; cp out shares
claim "what was drawn is said where it is asked for" eval 'holds "reads its inputs" && ! grep -q "reads its inputs" whole'
merge 3.json 1.json 2.json --statistics; sed 1d out >joined
claim "... of what is joined as of the whole" same shares joined
call campaign --programs 100 --seed 7 --threads 2; cp out joined
claim "threads share the programs, and give the same" same whole joined
merge whole.json; claim "a campaign that was not sharded is its only shard" holds "no failure"

# ---- of several languages
parts "$lockstep" campaign --language all --programs 31 --compiled 5 --seed 4
merge 1.json 2.json 3.json; cp out joined
claim "of several languages each is joined with its own" eval 'holds ".snesl" && holds ".l0" && holds ".fcl" && holds "8 programs" && holds "7 programs"'
claim "... and so is what is compiled" eval '[ "$(grep -Ec "^[0-9]+ programs? compiled" out)" = 2 ]'
call campaign --language all --programs 31 --compiled 5 --seed 4
claim "... as the whole has it" grep -qxF "$(grep '11 programs' joined | timeless)" <(timeless <out)
call campaign --nightly --programs 12 --compiled 0
claim "a night is all languages, from the day's seed" eval 'holds "seed 20" && holds "12 programs" && holds ".dpia" && holds ".snesl"'
call campaign --nightly --programs 12 --compiled 0 --language dpia --seed 5; cp out one
call campaign --programs 12 --seed 5; claim "... or what else is given" cmp -s <(timeless <out) <(timeless <one)

# ---- what fails
parts "$PLANTED" lengths campaign --language snesl --programs 60 --seed 2
claim "a shard that fails has status 1" is 1
merge 1.json 2.json 3.json
claim "so has the campaign that it is of" eval 'is 1 && grep -q "^[0-9]* failures$" out'
claim "... and it lists all their failures, in the order of programs" \
  eval '[ "$(grep -c "^program .* fails: " out)" = "$(cat [123].json | grep -c "\"property\":")" ] &&
    grep -o "^program [0-9]* fails" out | sort -nCk2'
claim "... with the command that repeats each" grep -qF "again: lockstep campaign --language snesl --seed 2" out
"$PLANTED" lengths campaign --language all --programs 60 --threads 2 >out 2>err; status=$?
claim "a campaign of all languages fails where one does" is 1

# ---- what is refused
no() { claim "$1" refused 2 "$2"; } # CLAIM MESSAGE
parts "$lockstep" campaign --programs 30 --seed 3
edit() { # FILE SED: x.json
  sed -E "$2" "$1" >x.json
  ! cmp -s "$1" x.json || echo "not ok nothing was edited by $2"
}
merge 1.json 3.json;               no "a shard that is left out" "the report of shard 2 of 3 is missing"
merge 1.json 2.json 2.json 3.json; no "one that is given twice" "2.json and 2.json are both of shard 2 of 3"
edit 2.json 's/"seed": 3/"seed": 4/'
merge 1.json x.json 3.json;        no "another seed" "x.json is of another campaign than 1.json: its seed is 4, there 3"
edit 2.json 's/"build": "/&0/'
merge 1.json x.json 3.json;        no "another build" "x.json is of another campaign than 1.json: its build is"
edit 2.json 's/"lockstep": "/&0/'
merge 1.json x.json 3.json;        no "another version" "its lockstep is"
edit 2.json 's/"shards": 3/"shards": 4/'
merge 1.json x.json 3.json;        no "another number of shards" "its shards is 4, there 3"
edit 2.json 's/"limit": [0-9]+/"limit": 7/'
merge 1.json x.json 3.json;        no "other options" "its limit is 7"
edit 2.json 's/"target": ""/"target": "openmp"/'
merge 1.json x.json 3.json;        no "another target" "its target is \"openmp\""
head -c 600 2.json >x.json
merge 1.json x.json 3.json;        no "a report cut short" "x.json is cut short: it ends within a report"
: >x.json
merge 1.json x.json 3.json;        no "an empty file" "x.json is empty: its shard did not come to its end"
edit 2.json 's/"programs": 10,/"programs": 9,/'
merge 1.json x.json 3.json;        no "fewer programs than the shard has" "x.json has 9 programs of .dpia, not the 10 of its shard"
edit 2.json 's/"programs": 10,/"programs": 11,/'
merge 1.json x.json 3.json;        no "more" "x.json has 11 programs of .dpia, not the 10 of its shard"
edit 2.json '/"inputs":/d'
merge 1.json x.json 3.json;        no "a field that is missing" "x.json is no report of this version: 'inputs' is missing"
edit 2.json 's/^  "traps": .*/  "traps": "many",/'
merge 1.json x.json 3.json;        no "one that is something else" "'traps' is no count"
edit 2.json 's/^  "traps"/  "steps": 1, "traps"/'
merge 1.json x.json 3.json;        no "one that there is not" "'steps' is nothing that is said of .dpia"
edit 2.json '1,/"ok"/s/"ok": true/"ok": false/'
merge 1.json x.json 3.json;        no "an outcome that nothing shows" "says of itself another outcome"
edit 2.json '/"seed"/d'
merge 1.json x.json 3.json;        no "a header that is not whole" "its 'seed' is missing"
echo '{"a": 1}' >x.json
merge x.json;                      no "other JSON" "x.json is no report of a campaign"
echo 'fun main = 1' >x.json
merge x.json;                      no "no JSON" "x.json is no JSON"
merge absent.json;                 no "a file that is not there" "cannot read absent.json"
"$lockstep" campaign --programs 3 --shard 4/3 --json >x.json 2>err
merge x.json;                      no "an error in place of a report" "x.json holds an error in place of a report"
"$lockstep" campaign --mutants pad-read --json >x.json
merge x.json;                      no "a report of mutants" "those are not joined"
merge;                             no "no file" "--merge"
merge 1.json --seed 3;             no "--merge with what has been run" "--seed says nothing to --merge"
call campaign --compiled 5 --programs 3;        no "more compiled than there are" "--compiled 5 is more"
call campaign --language all --target engine;   no "one target of all languages" "--target is of one language"
call campaign --language all --limit 5;         no "what says nothing to one of all languages" "--limit counts rounds"
call campaign --target engine;                   no "a target that campaigns do not compile for" "openmp, hip-cpu, opencl or hip compiles its programs too, found engine"
call campaign --nightly --mutants;              no "mistakes by night" "--nightly says nothing to --mutants"
merge 1.json 2.json 3.json --json; cp out all.json
merge all.json; claim "what was joined is whole" holds "3 shards joined"
merge all.json 2.json;             no "... and holds each of its shards" "are both of shard 2 of 3"
conclude
