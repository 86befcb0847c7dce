#!/usr/bin/env bash
# A language and a target are their folders and a line each, a primitive is its file and a row, a scalar operator a row, an
# opcode of SVCODE a row, a kernel and the equation that emits it: a copy of the tree with those of tests/toys, the
# primitives of examples/extending and these lines builds, and what they add works in run, verify, prove, campaign, cost
# and primitives. It builds everything that the command needs.
#   toys_test.sh [--build]     --build: the copy, in build/toys, is made anew, and nothing is run
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tree=$root/build/toys

# Files of the tree that are changed in the copy.
differing() { diff -rq "$root" "$tree" 2>/dev/null | grep -c '^Files .* differ$'; }

make_copy() {
  rm -rf "$tree"
  mkdir -p "$tree"
  (cd "$root" && git ls-files -z | xargs -0 tar -cf -) | tar -C "$tree" -xf -
  cp -r "$here/toys/language/." "$here/toys/target/." "$tree"
  # The registrations: one line each.
  sed -i -E 's/^  LANGUAGE\((\w+)\)$/  LANGUAGE(\1) \\\n  LANGUAGE(toy)/' "$tree/driver/languages/list.cpp"
  sed -i 's/^  TARGET(hip)$/  TARGET(hip) \\\n  TARGET(toy)/' "$tree/codegen/targets/target.cpp"
  # A view, a loop by constants that there are, and a loop with one of its own: a file and a row each.
  for p in rotate pairwise tally; do
    sed 's|"primitives.h"|"semantics/primitives/list.h"|' "$root/examples/extending/$p.cpp" >"$tree/semantics/primitives/$p.cpp"
    sed -i -E "s/^  ONE\\(update\\)( *)\\\\$/&\\n  ONE($p)\\1\\\\/" "$tree/semantics/primitives/list.h"
  done
  # Two scalar operators: a row each, the second of operations that solvers have and with laws.
  for scalar in parity xnor; do
    sed -i "/^      other_bits(),\$/r $here/toys/$scalar.txt" "$tree/semantics/scalars/bitwise.cpp"
  done
  local touched for_an_opcode
  touched=$(differing)
  [ "$touched" = 4 ] || { echo "not ok $touched files of the tree were touched, not four"; return 1; }
  # An opcode: its row, with both steps; its kernel, with how it is called; the equation that emits it.
  sed -i "/chunked::read_whole)\$/r $here/toys/opcode/row.txt" "$tree/semantics/svcode/opcodes.h"
  sed -i "/^\/\/ Round robin, one unary number each/{
  e cat $here/toys/opcode/kernel.txt
}" "$tree/codegen/streaming/kernels/unary.h"
  sed -i 's/a\.e\.not_of(a\.e\.op(Opcode::Uempty, {descriptor_of(a\.first())}))/a.e.op(Opcode::Some, {descriptor_of(a.first())})/' \
    "$tree/translate/flatten/builtins.cpp"
  for_an_opcode=$(($(differing) - touched))
  [ "$for_an_opcode" = 3 ] || { echo "not ok $for_an_opcode files were touched for an opcode, not three"; return 1; }
  echo "an opcode touched $for_an_opcode files: its row, its kernel, the equation that emits it"

  # Wrong where a run is told to be: a primitive, operators, a fusion, a kernel; the step of an opcode, whose law it breaks.
  local wrong='std::getenv("TOYS_WRONG")'
  sed -i "s/+ at.size(0), at.size(1)/+ at.size(0) + ($wrong ? 1 : 0), at.size(1)/" "$tree/semantics/primitives/rotate.cpp"
  sed -i "s/popcount(bits) % 2)/popcount(bits) % ($wrong ? 3 : 2))/; s/\\.laws = {true, true, -1}},\$/.laws = {true, true, $wrong ? 0 : -1}},/" \
    "$tree/semantics/scalars/bitwise.cpp"
  sed -i "s/affine(last.add, s.scale, s.add)/affine(last.add, s.scale, $wrong ? 0 : s.add)/" "$tree/semantics/toy/toy.cpp"
  sed -i "s/out.push(Short || !f.here())/out.push($wrong || Short || !f.here())/" "$tree/codegen/streaming/kernels/unary.h"
  sed -i '/^OPCODE(Some/,/})$/s/r.push_back(snesl::bool_atom(n > 0));/{\n               r.push_back(snesl::bool_atom(n > 0));\n               if (std::getenv("TOYS_WRONG_STEP")) r.push_back(r.back());\n             }/' \
    "$tree/semantics/svcode/opcodes.h"
  [ "$(grep -rl TOYS_WRONG "$tree/semantics" "$tree/codegen" | wc -l)" = 5 ] || { echo "not ok mistakes are not planted"; return 1; }

  cd "$tree" || return 1
  local command
  for command in "cmake --preset release" \
    "ninja -C build -j2 lockstep tests/svcode_laws_test tests/svcode_row_mutants_test tests/svcode_random_test tests/svcode_reference_test"; do
    $command >"$scratch/log" 2>&1 || { echo "not ok $command"; tail -n 40 "$scratch/log"; return 1; }
  done
}
if [ "${1:-}" = --build ]; then
  make_copy
  exit
fi
[ -x "$tree/build/lockstep" ] || { echo "not ok there is no copy: run $0 --build"; exit 1; }
for name in svcode functional snesl; do cp "$root/semantics/$name/README.md" "$tree/semantics/$name"; done

lockstep=$tree/build/lockstep
cd "$scratch" || exit 1
export LOCKSTEP_CACHE=$scratch/cache
printf 'rise = add 1 | scale 2 | add 3\ntotal = scale 3 | add -1 | sum\n' >p.toy

passed=0 failed=0
says() { # STATUS TEXT COMMAND ...
  local want=$1 text=$2 status=0
  shift 2
  timeout 120 "$lockstep" "$@" >out 2>&1 || status=$?
  if [ "$status" = "$want" ] && grep -qF -- "$text" out; then
    passed=$((passed + 1))
  else
    echo "not ok lockstep $* (status $status): expected $want and '$text', found"
    cat out
    failed=$((failed + 1))
  fi
}
# The language.
says 0 "[15]" run p.toy "xs=[1,2,3]"
says 0 "[7,9,11]" run p.toy:rise "xs=[1,2,3]" --target fused --compare
says 2 "is for .dpia programs" run p.toy "xs=[1]" --target openmp
says 0 "every stage and target agrees with the source" verify p.toy
says 0 "fuse" verify p.toy:rise --certificate rise.json
says 0 "came out as before" verify --replay rise.json
says 0 "2*n" cost p.toy
says 0 "200 programs" campaign --language toy --programs 200
says 0 "scale 2 | add 5" stages p.toy:rise --stage fuse
says 0 ".toy" targets
echo rise >bad.toy; says 2 "no definition" check bad.toy
says 4 "nothing to prove" prove p.toy
says 0 "GB/s" bench p.toy "xs=[1,2,3]" --runs 2
# The target.
says 0 "[2, 4]" run "$root/tests/toys/twice.dpia" "xs=[1,2]" --target toy
says 0 "every stage and target agrees with the source" verify "$root/tests/toys/twice.dpia" --target toy
says 0 "toy " verify "$root/tests/toys/twice.dpia"
says 0 "one CPU thread" targets
# The primitives.
steps=$root/examples/extending/steps.dpia
says 0 "[7, 9, -24, 3]" run "$steps:steps" k=2 "xs=[1,4,9,16,25]" --compare
says 0 "every stage and target agrees with the source" verify "$steps:steps"
says 0 "every stage and target agrees with the source" verify "$steps:lengths"
says 0 "2 proved, 2 tested" prove --only rotate
says 0 "1 tested" prove --only pairwise
says 0 "1 tested" prove --only tally
says 0 "rotate : (k : nat) -> [n]'a -> [n]'a" primitives rotate
says 0 "no failure" campaign --programs 2000 --seed 2
says 0 '"missing": [],' campaign --programs 4000 --json
# The scalar operator, in both languages.
echo 'fun odd [n] (xs : [n]i32) : [n]i32 = map parity xs' >odd.dpia
echo 'fun odd(v) = {parity(x) : x in seq(v)}' >odd.snesl
says 0 "[1, 0, 0]" run odd.dpia "xs=[7,5,-1]" --compare
says 0 "every stage and target agrees with the source" verify odd.dpia
says 0 "{1, 0, 0}" run odd.snesl "v=[7,5,-1]" --target engine --compare
says 0 "every stage and target agrees with the source" verify odd.snesl
says 0 "1 tested" prove --only parity
says 0 "'t -> 't for integers" primitives parity
echo 'fun same [n] (xs : [n]u8) (ys : [n]u8) : u8 = reduce xnor 255 (map (\(x, y) -> xnor x y) (zip xs ys))' >same.dpia
echo 'fun same(v, w) = {xnor(x, y) : x in seq(v); y in seq(w)}' >same.snesl
says 0 "250" run same.dpia "xs=[7,5]" "ys=[7,0]" --compare
says 0 "every stage and target agrees with the source" verify same.dpia
says 0 "{-1, -6}" run same.snesl "v=[7,5]" "w=[7,0]" --target engine --compare
says 0 "every stage and target agrees with the source" verify same.snesl
says 0 "3 proved, 1 tested" prove --only xnor
says 0 "-1 is neutral on i8 u8" prove --only xnor
says 0 "proved" prove same.dpia
holds_text() { # TEXT FILE: the file has it
  if grep -qF -- "$1" "$2"; then passed=$((passed + 1)); else echo "not ok $2 lacks $1"; failed=$((failed + 1)); fi
}
says 0 "same.hip" emit same.dpia --target hip
holds_text " ^ 255" same.hip
says 0 "odd.hip" emit odd.dpia --target hip
holds_text "__builtin_popcountll(" odd.hip
says 0 '"missing": [],' campaign --language snesl --programs 2000 --json
# The opcode.
echo 'fun top(s) = {maximum(t) : t in s}' >top.snesl
echo 'fun lows(n) = {minimum({x * y - n : y in &(x + 1)}) : x in &n}' >lows.snesl
says 0 ":= some s" stages lows.snesl --stage flatten
says 0 "{3, 2}" run top.snesl "s={{3,1},{2}}" --target engine --compare
says 3 "the sequence is empty" run top.snesl "s={{3,1},{}}" --target engine
says 3 "the sequence is empty" run top.snesl "s={{3,1},{}}"
says 0 "every stage and target agrees with the source" verify top.snesl "s={{3,1},{2}}"
says 0 "every stage and target agrees with the source" verify lows.snesl
says 0 "no failure" campaign --language snesl --programs 1000 --seed 5
says 0 "no failure" campaign --language snesl --programs 20 --target engine
unit() { # STATUS TEST TEXT: a unit test passes, or fails and says this
  local status=0
  timeout 100 "$tree/build/tests/svcode_$2_test" >out 2>&1 || status=$?
  if { [ "$1" = 0 ] && [ "$status" = 0 ]; } || { [ "$1" = 1 ] && [ "$status" != 0 ] && grep -qF "$3" out; }; then
    passed=$((passed + 1))
  else
    echo "not ok svcode_$2_test (status $status)"
    cat out
    failed=$((failed + 1))
  fi
}
# What the row says, held against its eager step, and that step against the chunked one; wrong rows and steps; programs
# in which it is drawn; its line of the reference, which is found to be missing, and written.
unit 0 laws
unit 0 row_mutants
unit 0 random
unit 1 reference "some f"
UPDATE_GOLDEN=1 "$tree/build/tests/svcode_reference_test" >/dev/null
unit 0 reference
# The references ask for the operators' rows, in both languages, and write them.
reference() { # STATUS TEXT
  local status=0
  "$tree/tests/cli/reference_test.sh" "$lockstep" tables >out 2>&1 || status=$?
  if [ "$status" = "$1" ] && grep -qF -- "$2" out; then
    passed=$((passed + 1))
  else
    echo "not ok reference_test.sh (status $status): expected $1 and '$2'"
    cat out
    failed=$((failed + 1))
  fi
}
reference 1 "> xnor"
UPDATE_GOLDEN=1 reference 0 "its tables are what lockstep primitives lists"
for name in functional snesl; do holds_text "the bits that are equal" "$tree/semantics/$name/README.md"; done
# A wrong fusion is found, shrunk, and named; so are a wrong primitive, wrong operators, a wrong kernel, and an opcode that
# does not do what its row says. With answers and compiled programs of their own.
export LOCKSTEP_CACHE=$scratch/wrong TOYS_WRONG=yes
says 1 "the program after fuse differs from the source" verify p.toy:rise
says 1 "fails: meaning, at fuse" campaign --language toy --programs 200
says 1 "fails: meaning, at paths" campaign --programs 1000  # one program in 150, of six seeds
says 1 "refuted" prove --only rotate
says 1 "refuted" prove --only parity
says 1 "0 is neutral on i8 u8" prove --only xnor
says 1 "openmp" verify odd.dpia
says 1 "engine" verify top.snesl "s={{3,1},{}}"
unset TOYS_WRONG
TOYS_WRONG_STEP=yes unit 1 laws some
printf '%s passed, %s failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
