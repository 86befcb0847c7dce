#!/usr/bin/env bash
# Runs every program of examples/streaming on each target and compares it with other means: the text tools in the C
# locale, or awk. Prints a line a claim.
#   tests/cli/snesl_examples_test.sh LOCKSTEP
# STREAMING_TARGETS: those to run on (default: all that are there); a target may carry a chunk size, as in chunked:7.
set -u
. "$(dirname "$0")/claims.sh"
export LC_ALL=C
programs=$examples/streaming

call targets --json
targets=${STREAMING_TARGETS:-$(awk '/"programs": ".snesl"/ { snesl = 1 } /"target"/ { gsub(/[",]/, ""); t = $2 }
  /"available": true/ { if (snesl) print t == "chunked" ? t ":1 " t ":7 " t : t } /}/ { snesl = 0 }' out | tr '\n' ' ')}

# ---- inputs
mkdir texts
cp "$programs/text.txt" texts/text
head -c -1 "$programs/text.txt" >texts/no_final_newline
: >texts/empty
printf '\n' >texts/newline
printf '\n\n  \n a  b\n\n' >texts/blank_lines
printf 'x' >texts/one_character
printf 'one two three\nalone\n trailing \nends in blank ' >texts/fields
printf '\ta\tbcdefgh\ti\n12345678\t\n\t' >texts/tabs
printf 'abcdef\rgh\fijk\vl\n\001\002xy\177\n' >texts/controls
seq 1 800000 | gzip -n >bytes # what is compressed has no pattern left
head -c 3000 bytes | tail -c 2500 >texts/bytes
head -c 1000000 bytes >megabyte
seq 1 60000 | awk '{ print $1, "word" $1 % 7, "and", $1 % 3 ? "more" : "", "\t." }' >long_text
cp "$programs/weather.csv" weather.csv
awk 'BEGIN { for (i = 0; i < 200; i++) printf "%d,%d,%d\n", i, i * 7919 % 1000 - 500, i * i }' | head -c -1 >numbers.csv

# ---- what the comparisons are made of
on() { # TARGET[:CHUNK] WORD ... : runs on it
  local target=${1%%:*} chunk=
  case $1 in *:*) chunk=${1#*:} ;; esac
  shift
  call run "$@" --target "$target" ${chunk:+--chunk "$chunk"}
}
prints() { is 0 && [ "$(tr -d ' ' <out)" = "$1" ]; }               # LITERAL
near() { # NUMBERS: as many numbers as the result has, each within 1e-12
  is 0 && awk -v want="$1" -v got="$(tr -d '(){}[]' <out | tr ',' ' ')" 'BEGIN {
    n = split(want, w, " "); if (split(got, g, " ") != n || n == 0) exit 1
    for (i = 1; i <= n; i++) { d = g[i] - w[i]; if (d < 0) d = -d; m = w[i] < 0 ? -w[i] : w[i]; if (d > 1e-12 * (m > 1 ? m : 1)) exit 1 } }'
}
equal() { is 0 && awk -v want="$1" -v got="$(cat out)" 'BEGIN { exit !(got != "" && got + 0 == want + 0) }'; } # NUMBER, to the last bit
writes() { is 0 && cmp -s "$1" "$2"; }                              # FILE EXPECTED
# Sums in the order that semantics/snesl/README.md gives to Reals.
blocked='function add(x) { lane[count++ % 8] += x }
  function total(  i, t) { t = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7])); count = 0; for (i in lane) delete lane[i]; return t }'

# ---- the comparisons themselves notice what is wrong
printf '{2,3}\n' >out; status=0
claim "self check: another literal is noticed" eval '! prints "{2,4}"'
claim "self check: a number too many is noticed" eval 'near "2 3" && ! near "2 3 4" && ! near "2 3.0000001"'
printf '0.1\n' >out
claim "self check: the last bit counts" eval 'equal 0.1 && ! equal 0.10000000000000002'
printf 'a\n' >one; printf 'a' >other
claim "self check: a missing newline is noticed" eval '! writes one other'

text_tools() { # TARGET FILE: every program of text on it
  local t=$1 f=$2 n=${2##*/}
  on "$t" "$programs/wc.snesl" file="$f"; claim "$t: words of $n" prints "$(wc -w <"$f")"
  on "$t" "$programs/longest_line.snesl" file="$f"; claim "$t: widest line of $n" prints "$(wc -L <"$f")"
  cut -d" " -f2 "$f" >want
  for p in cut cut_vectors; do
    rm -f got; on "$t" "$programs/$p.snesl" file="$f" out=got; claim "$t: $p of $n" writes got want
  done
  for text in a 'th' '  ' ''; do
    on "$t" "$programs/grep_count.snesl" file="$f" text="$text"; claim "$t: lines of $n with '$text'" prints "$(grep -acF -e "$text" "$f")"
  done
  on "$t" "$programs/character_classes.snesl" file="$f"
  claim "$t: characters of $n" prints "($(tr -dc 'A-Za-z' <"$f" | wc -c),$(tr -dc '0-9' <"$f" | wc -c),$(tr -dc ' ' <"$f" | wc -c),$(tr -d 'A-Za-z0-9 ' <"$f" | wc -c))"
  tr -dc '\001-\177' <"$f" >ascii # util-linux's rev refuses other bytes in the C locale
  rev ascii >want
  rm -f got; on "$t" "$programs/rev.snesl" file=ascii out=got; claim "$t: lines of $n reversed" writes got want
}

for t in $targets; do
  for f in texts/*; do text_tools "$t" "$f"; done
  for c in 1 2 3 4; do
    for f in weather.csv numbers.csv texts/empty; do
      on "$t" "$programs/csv_sum.snesl" file="$f" column=$c; claim "$t: column $c of $f" prints "$(awk -F, -v c=$c '{ s += $c } END { printf "%d", s }' "$f")"
    done
  done

  for n in 0 1 9 1000; do
    on "$t" "$programs/logsum.snesl" n=$n
    claim "$t: logsum of $n" equal "$(awk -v n=$n "$blocked"'BEGIN { for (i = 1; i <= n; i++) add(log(i)); printf "%.17g", total() }')"
  done
  on "$t" "$programs/logsumsum.snesl" m=30
  claim "$t: logsumsum" equal "$(awk "$blocked"'BEGIN { for (j = 1; j <= 30; j++) { for (i = 1; i <= int(10 * j / 30); i++) add(log(i)); s[j] = total() } for (j = 1; j <= 30; j++) add(s[j]); printf "%.17g", total() }')"
  on "$t" "$programs/sum_logsums.snesl" n=12
  claim "$t: sum of log-sums" equal "$(awk "$blocked"'BEGIN { for (j = 1; j <= 12; j++) { for (i = 1; i <= j * j; i++) add(log(i)); s[j] = total() } for (j = 1; j <= 12; j++) add(s[j]); printf "%.17g", total() }')"

  xs=$(awk 'BEGIN { for (i = 0; i < 60; i++) printf "%s%d", i ? "," : "", (i * 7919 + 13) % 101 - 20 }')
  list() { printf '%s' "$xs" | tr ',' '\n'; }
  on "$t" "$programs/prefix_maxima.snesl" xs="[$xs]"
  claim "$t: prefix maxima" prints "{$(list | awk 'NR == 1 || $1 > m { m = $1 } { printf "%s%d", (NR > 1 ? "," : ""), m }')}"
  on "$t" "$programs/prefix_maxima.snesl" xs="[]"; claim "$t: prefix maxima of nothing" prints "{}"
  on "$t" "$programs/prefix_maxima.snesl" xs="[-1.5,2,1e3]"; claim "$t: prefix maxima of Reals" near "-1.5 2 1000"
  on "$t" "$programs/buckets.snesl" xs="[$xs]" k=20
  claim "$t: bucket counts" prints "{$(list | awk '{ n[$1]++ } END { for (b = 0; b < 20; b++) printf "%s%d", b ? "," : "", n[b] }')}"
  for n in 0 2 3 50 400; do
    on "$t" "$programs/sieve.snesl" n=$n
    claim "$t: primes below $n" prints "{$(if [ $n -gt 2 ]; then seq 2 $((n - 1)) | factor; fi | awk 'NF == 2 { printf "%s%d", c++ ? "," : "", $2 }')}"
  done
  on "$t" "$programs/matmul.snesl" "a=[[1,2,3],[4,5,6]]" "b=[[1,0,2,-1],[0,1,0,7],[3,3,1,1]]"; claim "$t: matrix product" prints "{{10,11,5,16},{22,23,14,37}}"
  on "$t" "$programs/matmul.snesl" "a=[]" "b=[]"; claim "$t: matrix product of nothing" prints "{}"
  on "$t" "$programs/nbody.snesl" "bodies=[((0,0,0),(1,0,0)),((1,2,2),(0,0.5,0)),((-3,1,0.25),(0,0,0))]" dt=0.125
  claim "$t: a step of three bodies" near "$(awk 'BEGIN { n = 3
    split("0 0 0 1 2 2 -3 1 0.25", p, " "); split("1 0 0 0 0.5 0 0 0 0", v, " "); dt = 0.125
    for (i = 0; i < n; i++) { for (k = 1; k <= 3; k++) a[k] = 0
      for (j = 0; j < n; j++) { r = 0.01; for (k = 1; k <= 3; k++) r += (p[3*j+k] - p[3*i+k])^2; for (k = 1; k <= 3; k++) a[k] += (p[3*j+k] - p[3*i+k]) / r^1.5 }
      for (k = 1; k <= 3; k++) printf "%.17g ", p[3*i+k] + dt * v[3*i+k] + dt * dt / 2 * a[k]
      for (k = 1; k <= 3; k++) printf "%.17g ", v[3*i+k] + dt * a[k] } }')"
  on "$t" "$programs/quicksort.snesl" xs="[$xs]"; claim "$t: quicksort" prints "[$(list | sort -n | paste -sd,)]"
  on "$t" "$programs/quicksort.snesl" xs="[0.5,-2,0.5]"; claim "$t: quicksort of Reals with equals" near "-2 0.5 0.5"
done

# ---- long files, on the target that is the fastest
if [[ " $targets " == *" engine "* ]]; then
  for f in long_text megabyte; do text_tools engine "$f"; done
fi
conclude
