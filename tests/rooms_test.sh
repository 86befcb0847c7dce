#!/usr/bin/env bash
# Rooms are enforced by what a compiler is shown: a file of a room that includes a header of another compiles where the
# table below says that the other lies below it, and nowhere else.
#   rooms_test.sh BUILD_DIR
set -euo pipefail
build=$1
root=$(cd "$(dirname "$0")/.." && pwd)
export BUILD=$build CXX=${CXX:-g++}

# FOLDER: the folders of whose headers it may include, beside its own.
table() {
  cat <<'END'
semantics/core:
semantics/scalars: semantics/core
semantics/text: semantics/core
semantics/language: semantics/core
semantics/functional/syntax: semantics/core semantics/text
semantics/kernel: semantics/core semantics/scalars semantics/text semantics/language semantics/functional/syntax semantics/primitives
semantics/primitives: semantics/core semantics/scalars semantics/text semantics/language semantics/functional/syntax semantics/kernel
semantics/host: CALCULUS
semantics/functional/inference: CALCULUS
semantics/functional: CALCULUS semantics/functional/inference
semantics/imperative: FUNCTIONAL semantics/host
semantics/snesl: semantics/core semantics/scalars semantics/text semantics/language
semantics/svcode: semantics/core semantics/scalars semantics/text semantics/language semantics/snesl
semantics/transducer: SNESL
semantics/l0: semantics/core semantics/scalars semantics/text semantics/language
semantics/fcl: semantics/core semantics/scalars semantics/text semantics/language
translate/pipeline: semantics/core semantics/language
translate/dpia: DPIA translate/pipeline translate/fusion translate/rewriting
translate/rewriting: FUNCTIONAL
translate/flatten: SNESL
translate/simplify: SNESL translate/pipeline
translate/streamability: SNESL
translate/transducers: SNESL semantics/transducer translate/pipeline
translate/snesl: SNESL semantics/transducer translate/pipeline translate/flatten translate/simplify translate/streamability translate/transducers
translate/fusion: semantics/core
translate/l0: L0 translate/pipeline translate/fusion
translate/lowered: FUNCTIONAL
translate/l0/lower: FUNCTIONAL semantics/l0 translate/lowered translate/pipeline translate/fusion translate/l0
translate/fcl: semantics/core semantics/scalars semantics/text semantics/language semantics/fcl translate/pipeline
translate/fcl/lower: FUNCTIONAL semantics/fcl translate/pipeline translate/fcl translate/lowered
codegen/runtime: semantics/core semantics/text
codegen/dialects: semantics/core semantics/scalars
codegen/c: CALCULUS semantics/host codegen/dialects
codegen/targets: FUNCTIONAL semantics/host codegen/dialects codegen/c codegen/runtime
codegen/streaming: SNESL semantics/transducer codegen/dialects codegen/runtime codegen/streaming/kernels
proofs/smt: semantics/core codegen/runtime
proofs/sizes: FUNCTIONAL proofs/smt
proofs/calculus: PROVEN
proofs/calculus/views: PROVEN
proofs/calculus/loops: PROVEN
proofs/calculus/facets: PROVEN
proofs/calculus/scattered: PROVEN
proofs/calculus/strategies: PROVEN
proofs/calculus/operators: PROVEN
proofs/laws: PROVEN
proofs/kernel: PROVEN proofs/laws
props/engine: semantics/core semantics/language
props/dpia: DPIA STAGES translate/lowered codegen/dialects codegen/c codegen/runtime codegen/targets props/engine
props/dpia/mutants: PROVEN proofs/laws translate/lowered codegen/dialects codegen/c codegen/runtime codegen/targets props/engine props/dpia
props/snesl: SNESL semantics/transducer translate/pipeline translate/flatten translate/simplify translate/streamability translate/transducers translate/snesl codegen/runtime codegen/dialects codegen/streaming codegen/streaming/kernels props/engine
props/l0: DPIA STAGES semantics/l0 translate/l0 translate/lowered translate/l0/lower codegen/dialects codegen/c codegen/runtime codegen/targets props/engine props/dpia
props/fcl: DPIA STAGES semantics/fcl translate/fcl translate/lowered translate/fcl/lower codegen/dialects codegen/c codegen/runtime codegen/targets props/engine props/dpia props/dpia/mutants
driver: BASE
driver/commands: BASE driver
driver/kernels: BASE driver PROVEN proofs/laws proofs/kernel codegen/dialects codegen/c codegen/targets props/dpia translate/lowered
driver/languages/dpia: BASE driver driver/kernels PROVEN proofs/laws proofs/kernel codegen/dialects codegen/c codegen/targets props/dpia props/dpia/mutants translate/lowered
driver/languages/snesl: BASE driver SNESL semantics/transducer translate/pipeline translate/flatten translate/simplify translate/streamability translate/transducers translate/snesl codegen/dialects codegen/streaming codegen/streaming/kernels props/snesl
driver/languages/l0: BASE driver driver/kernels PROVEN semantics/l0 translate/l0 translate/lowered translate/l0/lower proofs/laws proofs/kernel codegen/dialects codegen/c codegen/targets props/dpia props/l0
driver/languages/fcl: BASE driver driver/kernels DPIA STAGES semantics/fcl translate/fcl translate/fcl/lower proofs/smt proofs/sizes proofs/kernel codegen/dialects codegen/c codegen/targets props/dpia props/dpia/mutants props/fcl translate/lowered
END
}
expanded() {
  table | sed -e 's| PROVEN| DPIA STAGES proofs/smt proofs/sizes PROVED|' \
    -e 's| PROVED| proofs/calculus proofs/calculus/views proofs/calculus/loops proofs/calculus/facets proofs/calculus/scattered proofs/calculus/strategies proofs/calculus/operators|' \
    -e 's| STAGES| translate/pipeline translate/fusion translate/rewriting translate/dpia|' \
    -e 's| DPIA| FUNCTIONAL semantics/host semantics/imperative|' \
    -e 's| FUNCTIONAL| CALCULUS semantics/functional/inference semantics/functional|' \
    -e 's| BASE| semantics/core semantics/language codegen/runtime props/engine|' \
    -e 's| CALCULUS| semantics/core semantics/scalars semantics/text semantics/language semantics/functional/syntax semantics/kernel semantics/primitives|' \
    -e 's| L0| semantics/core semantics/scalars semantics/text semantics/language semantics/l0|' \
    -e 's| SNESL| semantics/core semantics/scalars semantics/text semantics/language semantics/snesl semantics/svcode|'
}

status=0
fail() { printf 'FAILED: %s\n' "$*"; status=1; }

# Every folder with headers is a room of the table, so that a new one is not forgotten.
folders=$(cd "$root" && git ls-files -- 'semantics/*.h' 'translate/*.h' 'codegen/*.h' 'props/*.h' 'proofs/*.h' 'driver/*.h' | xargs -n1 dirname | sort -u)
for folder in $folders; do
  case $folder in codegen/streaming/kernels | codegen/targets/hip_cpu | codegen/targets/device | codegen/targets/driver | codegen/targets/nvidia) continue ;; esac # no sources of their own: texts of the engine's and the targets' room
  expanded | grep "^$folder:" >/dev/null || fail "$folder is a room that the table of this test does not know"
done
[ -z "$(cd "$root" && git grep -nE '#include "[^"]*\.\./' -- '*.cpp' '*.h')" ] || fail "an include climbs by '..'"

# A tool that lays out C++ has been let loose on a README more than once: the first line is a heading no more then.
without_heading() { # names, a line each
  while read -r file; do head -n 1 "$file" | grep -q '^# ' || echo "$file"; done
}
[ -z "$(cd "$root" && git ls-files -- '*.md' | without_heading)" ] || fail "a text begins with no heading"
spoiled=$(mktemp)
echo '#rooms : what is in them' >"$spoiled"
[ -n "$(without_heading <<<"$spoiled")" ] || fail "a text that was laid out as C++ passes"
rm "$spoiled"

# No file over 400 lines, no function over 80. What is longer stands here with its length, which it may not exceed:
# FILE FUNCTION LINES, - for the whole file.
longer() {
  cat <<'END'
props/snesl/mutants_flatten.cpp wrong_flattenings 96
props/snesl/mutants_simplify.cpp simplify_mutants 90
END
}
too_long() { # names of files, a line each; FILE FUNCTION LINES of what is over
  xargs awk -f "$root/tests/too_long.awk"
}
not_excused() { # of these lines
  local file function lines most
  while read -r file function lines; do
    most=$(longer | awk -v file="$file" -v function_="$function" '$1 == file && $2 == function_ { print $3 }')
    [ "$lines" -le "${most:-0}" ] || echo "$file $function has $lines lines"
  done
}
files=$(cd "$root" && git ls-files -- '*.cpp' '*.h' ':!tests')
[ "$(wc -l <<<"$files")" -gt 400 ] || fail "of the files that should be measured there are $(wc -l <<<"$files")"
long=$(cd "$root" && too_long <<<"$files" | not_excused)
[ -z "$long" ] || fail "too long: $long"

# Types of one name in one namespace are one type to the linker, in whatever room they stand.
of_one_name() { # names of headers, a line each; those of a type that another has
  xargs awk -f "$root/tests/type_names.awk" | sort | awk '$1 == name && $2 != file { print $1, file, $2 } { name = $1; file = $2 }'
}
# texts for compilers of devices and of the engine are programs of their own
headers=$(cd "$root" && git ls-files -- '*.h' ':!tests' ':!codegen/streaming/kernels' ':!codegen/targets/device' ':!codegen/targets/hip_cpu' ':!codegen/targets/nvidia' ':!codegen/targets/driver')
[ "$(wc -l <<<"$headers")" -gt 200 ] || fail "of the headers that should be read there are $(wc -l <<<"$headers")"
twice=$(cd "$root" && of_one_name <<<"$headers")
[ -z "$twice" ] || fail "types of one name: $twice"
planted=$(mktemp -d)
printf 'namespace a {\nnamespace b {\nstruct One {\n};\nstruct Two;\n}  // namespace b\n}  // namespace a\n' >"$planted/x.h"
printf 'namespace a {\nstruct One {\n};\nnamespace b {\nclass One : Base {\n};\nstruct Two {\n};\n}  // namespace b\n}  // namespace a\n' >"$planted/y.h"
[ "$(printf '%s\n' "$planted/x.h" "$planted/y.h" | of_one_name)" = "a::b::One $planted/x.h $planted/y.h" ] || fail "a type of another's name is not found, or another is"
rm -r "$planted"

# What is found, and what is not: a method whose head takes two lines, a template, a constructor with initialisers in
# braces, a function that gives a struct, a file, and an excuse that has become too small;
# not 80 lines, a struct, a table of rows, braces in a string, and what stands in the table.
planted=$(mktemp -d)
of_lines() { # COUNT LINE
  for ((i = 0; i < $1; ++i)); do echo "$2"; done
}
{
  printf 'struct Long {\n'; of_lines 90 '  int member;'
  printf '  int short_enough(int a) const {\n'; of_lines 78 '    f("{", 1);'; printf '  }\n'
  printf '  int too_long(int a,\n               int b) {\n'; of_lines 78 '    if (a) { b = 1; }'; printf '  }\n};\n'
} >"$planted/function.cpp"
{
  printf 'template <class A, class B>\nvoid generic(A a) {\n'; of_lines 78 '  f(a);'; printf '}\n'
  printf 'Long::Long(int a) : a_{a}, b_{{2}, 3} {\n'; of_lines 79 '  f(a);'; printf '}\n'
  printf 'struct Long given(int a) {\n'; of_lines 79 '  f(Long{a});'; printf '}\n'
} >"$planted/heads.cpp"
{ printf 'const int rows[] = {\n'; of_lines 398 '  1,'; printf '};\n'; } >"$planted/rows.cpp"
{ cat "$planted/rows.cpp"; echo 'int more;'; } >"$planted/file.cpp"
found=$(printf '%s\n' "$planted"/{file,function,heads,rows}.cpp | too_long | sed "s|$planted/||")
[ "$found" = "file.cpp - 401
function.cpp too_long 81
heads.cpp generic 81
heads.cpp Long 81
heads.cpp given 81" ] || fail "of the planted files these are found to be too long: $found"
[ -z "$(not_excused <<<'props/snesl/mutants_simplify.cpp simplify_mutants 90')" ] || fail "an excuse does not count"
[ -n "$(not_excused <<<'props/snesl/mutants_simplify.cpp simplify_mutants 91')" ] || fail "what grows beyond its excuse passes"
[ -n "$(not_excused <<<'props/snesl/mutants_simplify.cpp - 401')" ] || fail "a function's excuse counts for its file"
rm -r "$planted"

# No switch over names (opcodes, kinds, forms, constants) ends in `default:`, which would swallow what is added to them.
closed_switches() { # names of files, a line each; FILE LINE of such a default
  xargs awk -f "$root/tests/closed_switches.awk"
}
swallowing=$(cd "$root" && git ls-files -- '*.cpp' '*.h' | closed_switches)
[ -z "$swallowing" ] || fail "a switch over names has a default: $swallowing"
planted=$(mktemp -d)
cat >"$planted/found.cpp" <<'END'
int f(Opcode o, char c) {
  switch (o) {
    case Opcode::Input:
      return c == '}' ? 1 : g("case 1: {");
    default:  // of what comes later
      return 0;
  }
}
int g(Kind k) {
  switch (k) {
    case Sum: {
      switch (h()) {
        case 1:
          return 2;
        default:
          return 3;
      }
    }
    default: return 4;
  }
}
END
cat >"$planted/not_found.cpp" <<'END'
int f(Opcode o, int n) {
  switch (o) {
    case Opcode::Input:
      switch (n) {
        case -1:
          return 1;
        case 'a':
          return 2;
        default:
          return "default:"[0];
      }
    case Opcode::Range:
      return 0;
  }
}
END
found=$(printf '%s\n' "$planted"/{found,not_found}.cpp | closed_switches | sed "s|$planted/||")
[ "$found" = "found.cpp 5
found.cpp 19" ] || fail "of the planted switches these are found: $found"
rm -r "$planted"

# Of the lines "HEADER yes|no" those that are not as the compiler has it that includes HEADER in a file of FOLDER, with the
# include paths of its room: all of them in one run.
wrongly() { # FOLDER, lines on standard input
  local header want
  while read -r header want; do
    printf '#if __has_include("%s")\nHEADER %s yes %s\n#else\nHEADER %s no %s\n#endif\n' \
      "$header" "$header" "$want" "$header" "$want"
  done | "$CXX" -E -P -x c++ "@$BUILD/rooms/paths/${1//\//.}" - | awk '/^HEADER/ && $3 != $4 { print $2, $3 }'
}

cd "$build/rooms/paths" # what is read from standard input finds first what stands in the folder
headers=$(for other in $folders; do (cd "$root" && git ls-files "$other/*.h" | head -n 1); done)
pairs=0
while IFS=: read -r room below; do
  lines=$(for header in $headers; do
    case " $room $below " in *" ${header%/*} "*) echo "$header yes" ;; *) echo "$header no" ;; esac
  done)
  pairs=$((pairs + $(wc -l <<<"$lines")))
  while read -r header found; do
    [ -z "$header" ] || fail "a file of $room sees $header: $found, and it should not be so"
  done <<<"$(wrongly "$room" <<<"$lines")"
done < <(expanded)

# A planted breach does not compile; the same file without it does.
planted() { # INCLUDE
  printf '#include "semantics/kernel/syntax.h"\n%s\nint planted() { return 0; }\n' "$1" |
    "$CXX" -std=c++20 -fsyntax-only -x c++ "@$build/rooms/paths/semantics.kernel" - 2>&1
}
planted '' >/dev/null || fail "a file of semantics/kernel does not compile: $(planted '')"
case $(planted '#include "props/dpia/verify.h"') in
  *'props/dpia/verify.h: No such file'* | *"'props/dpia/verify.h' file not found"*) ;;
  *) fail "an include upwards compiles" ;;
esac

# What is wrong in the table is found.
[ -n "$(wrongly props/dpia <<<'semantics/core/ref.h no')" ] || fail "an include that is there passes for one that is not"
[ -n "$(wrongly semantics/core <<<'props/engine/places.h yes')" ] ||
  fail "an include that is not there passes for one that is"
[ "$pairs" -gt 400 ] || fail "only $pairs pairs were tried"
exit $status
