#!/usr/bin/env bash
# No primitive is known by name: outside semantics/primitives, and the mutants, nothing compares with the literal name of
# one, but for the lines below. What is to be known of a primitive is a facet (semantics/primitives/primitive.h).
#   names_of_primitives_test.sh LOCKSTEP
set -euo pipefail
lockstep=$(realpath "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# FILE LITERAL: what it compares with is no primitive, or it is a text about that very one.
allowed() {
  cat <<'END'
proofs/calculus/views/equations.cpp fst             a step of an equation's left side
proofs/calculus/views/equations.cpp snd             a step of an equation's left side
proofs/calculus/views/equations.cpp !               the view that is written so
semantics/functional/inference/advice.cpp if        the form of the source that is written again
semantics/functional/inference/refusals.cpp map     advice: map of several arrays
semantics/functional/inference/arguments.cpp select advice: an array in place of the condition
semantics/functional/inference/other_orders.cpp while advice: the condition comes first
semantics/imperative/parse_types.cpp idx            a type of data
semantics/imperative/parse_types.cpp exp            a type of phrases
semantics/imperative/parse.cpp if                   a phrase
codegen/c/text.cpp splat                            a function of the generated text
driver/languages/dpia/literal.cpp -                 the sign of a number
driver/languages/dpia/primitives.cpp -              the subject of a claim, split-join
proofs/kernel/values.cpp ^                          the mark of a second iteration
proofs/calculus/facets/terms.cpp generate           what a claim is about
props/dpia/altered.cpp permute as it is written
props/dpia/shrink_tree.cpp replicate as it is written
props/dpia/generate_views.cpp fst as it is written: how the generator applies that very one
props/dpia/generate_views.cpp snd as it is written: how the generator applies that very one
props/dpia/generate_views.cpp lanes as it is written: how the generator applies that very one
props/dpia/generate_views.cpp splat as it is written: how the generator applies that very one
props/dpia/generate_views.cpp replicate as it is written: how the generator applies that very one
props/dpia/generate_views.cpp select as it is written: how the generator applies that very one
props/dpia/generate_views.cpp reverse as it is written: how the generator applies that very one
props/dpia/generate_views.cpp zip as it is written: how the generator applies that very one
props/dpia/generate_views.cpp unzip as it is written: how the generator applies that very one
props/dpia/generate_views.cpp join as it is written: how the generator applies that very one
props/dpia/generate_views.cpp transpose as it is written: how the generator applies that very one
props/dpia/generate_views.cpp mapTranspose as it is written: how the generator applies that very one
props/dpia/generate_views.cpp take as it is written: how the generator applies that very one
props/dpia/generate_views.cpp drop as it is written: how the generator applies that very one
props/dpia/generate_views.cpp concat as it is written: how the generator applies that very one
props/dpia/generate_views.cpp pad as it is written: how the generator applies that very one
props/dpia/generate_views.cpp gather as it is written: how the generator applies that very one
props/dpia/generate_views.cpp slide as it is written: how the generator applies that very one
props/dpia/generate_views.cpp split as it is written: how the generator applies that very one
props/dpia/generate_views.cpp asVector as it is written: how the generator applies that very one
props/dpia/generate_views.cpp asScalar as it is written: how the generator applies that very one
props/dpia/distribution.cpp / a share that is about that very one
props/dpia/distribution.cpp % a share that is about that very one
props/dpia/distribution.cpp ! a share that is about that very one
props/dpia/distribution.cpp gather a share that is about that very one
props/dpia/distribution.cpp scatter a share that is about that very one
props/dpia/distribution.cpp permute a share that is about that very one
props/dpia/distribution.cpp while a share that is about that very one
props/dpia/distribution.cpp toStream a share that is about that very one
props/dpia/distribution.cpp && a share that is about that very one
props/dpia/distribution.cpp || a share that is about that very one
END
}

"$lockstep" primitives | awk 'NF == 0 { past = 1 } NR > 2 && !past { print $1 }' >"$folder/names"
[ "$(wc -l <"$folder/names")" -gt 80 ] || { echo "lockstep primitives lists too few"; exit 1; }

# Compared with a literal that is a primitive's name, or begins one; and a primitive's name looked up in a table. A token
# and an operator of the source, .text and .symbol, are no primitives.
comparisons() { # of the files on standard input
  xargs awk '
    FILENAME == ARGV[1] { names[$1] = 1; next }
    {
      rest = $0
      while (match(rest, /[A-Za-z_>.\]\[()0-9-]* *(==|!=) *"[^"]*"|"[^"]*" *(==|!=)|(starts_with|ends_with)\("[^"]*"/)) {
        found = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        if (found ~ /(text|symbol) *(==|!=)/) continue
        literal = found
        sub(/^[^"]*"/, "", literal)
        sub(/".*$/, "", literal)
        hit = literal in names
        if (found ~ /_with/ && literal ~ /^[a-z][a-z]/)
          for (n in names) hit = hit || index(n, literal) == 1
        if (hit) print FILENAME, literal, FNR
      }
      if ($0 ~ /(contains|count|find|at)\([^()]*primitive(->|\.)name/ && $0 !~ /calculus|counting/) print FILENAME, "a-table", FNR
    }' "$folder/names"
}

cd "$root"
sources() {
  find semantics/core semantics/functional semantics/imperative semantics/kernel translate/dpia translate/rewriting \
    codegen/c codegen/targets props/dpia proofs driver/languages/dpia driver/commands -name '*.h' -o -name '*.cpp' |
    grep -v -e '^semantics/functional/syntax/' -e '^props/dpia/mutants/'
}
allowed >"$folder/allowed"
sources | comparisons |
  awk 'FILENAME == ARGV[1] { allowed[$1 " " $2] = 1; next } !(($1 " " $2) in allowed)' "$folder/allowed" - >"$folder/found"
if [ -s "$folder/found" ]; then
  while read -r file literal line; do echo "$file:$line compares with the name of a primitive, $literal"; done <"$folder/found"
  exit 1
fi

# It fails where it should.
cat >"$folder/planted.cpp" <<'END'
if (x.primitive->name == "zip") return 1;
const bool both = name != "&&";
if ("scan" == name) return 2;
if (name.starts_with("map")) return 3;
if (exact_ones.contains(x->primitive->name)) return 4;
if (token.text == "+") return 0;
END
wanted="zip 1 && 2 scan 3 map 4 a-table 5 "
got=$(echo "$folder/planted.cpp" | comparisons | awk '{ printf "%s %s ", $2, $3 }')
[ "$got" = "$wanted" ] || { echo "planted: found $got, wanted $wanted"; exit 1; }
echo "no primitive is known by name, and each of five planted comparisons is found"
