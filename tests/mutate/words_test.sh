#!/usr/bin/env bash
# What `./dev mutate` refuses, that a number of a seed is always the same mistake, and that both loops say what is found
# and what is not, in a tree of one program. tests/mutate/words_test.sh MUTATE
set -uo pipefail
mutate=$(readlink -f -- "$1")
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null
cd "$work" || exit 1
failures=0
refused() { # MESSAGE COMMAND ...
  local status=0 message=$1
  shift
  "$@" >out 2>err || status=$?
  [ "$status" = 2 ] && [ ! -s out ] && grep -qF -- "$message" err || {
    echo "not refused, with status $status: $*"
    cat out err
    failures=$((failures + 1))
  }
}
script=("$here/mutate.sh" "$here/../.." "$mutate")
refused "--sample takes a number from 1 to 9999" "${script[@]}" --sample 0
refused "--sample takes a number from 1 to 9999" "${script[@]}" --sample many
refused "--from takes a number below 100000" "${script[@]}" --from -1
refused "an option without a value" "${script[@]}" --seed
refused "unknown option --all" "${script[@]}" --all
refused "mutate count FILE" "$mutate"
refused "cannot read none.cpp" "$mutate" count none.cpp
refused "cannot read none" "$mutate" rows tree none

# Of a seed a number is always the same mistake, and none comes twice.
mkdir semantics
cat >semantics/right.cpp <<'END'
int f(int a, int b) {
  if (a < b) g(a, b);
  return a == 1 ? h(b, a) : a - 1;
}
END
: >without
mkdir -p repository/.git
refused "repository has the sources themselves" "$mutate" rows repository without </dev/null
refused ". has the sources themselves" "$mutate" rows . without </dev/null
[ -f semantics/right.cpp ] || { echo "the sources are gone"; failures=$((failures + 1)); }
sample() { mkdir -p "$1" && echo semantics/right.cpp | "$mutate" sample "$1" s 0 "$2" without; }
refused "there are not so many places" sample tree 99
for tree in one other; do sample $tree 6 >$tree.table; done
if ! cmp -s one.table other.table || cmp -s one/semantics/right.cpp semantics/right.cpp; then
  echo "of a seed not the same mistakes: $(cat one.table other.table)"
  failures=$((failures + 1))
fi
if [ "$(cut -f 5 one.table | sort -u | wc -l)" != 6 ]; then
  echo "a mistake came twice: $(cat one.table)"
  failures=$((failures + 1))
fi
echo 3 >without
if [ "$(sample one 6 | cut -f 1 | paste -sd ' ')" != "0 1 2 4 5" ]; then
  echo "number 3 was not left out"
  failures=$((failures + 1))
fi

# A tree of one program.
mkdir -p toy/semantics toy/tests/mutate && cd toy || exit 1
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(toy LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
enable_testing()
add_executable(largest_test semantics/largest.cpp)
set_target_properties(largest_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
add_test(NAME largest_test COMMAND largest_test)
END
cat >CMakePresets.json <<'END'
{ "version": 6, "configurePresets": [{ "name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build" }] }
END
cat >semantics/largest.cpp <<'END'
#include <cstring>
struct Wrong {};
int largest(int a, int b) {
  if (a < b) return b;
  return a;
}
bool is_unused(int a) { return a + 1 > 2 && a - 1 < 3; }
Wrong nothing(int a, Wrong b) { return a == 0 ? nothing(1, b) : b; }
int main(int n, char** words) {
  if (n > 3 && std::strcmp(words[3], "broken") == 0) return 1;
  return largest(1, 2) == 2 && largest(2, 1) == 2 ? 0 : 1;
}
END
cp "$here/planted.h" tests/mutate
git init -q . && git add . && git -c user.name=t -c user.email=t@t commit -qm toy
says() { # STATUS COMMAND ..., then the lines it must say, from standard input
  local want=$1 status=0 line
  shift
  timeout 120 "$@" >"$work/out" 2>"$work/err" || status=$?
  [ "$status" = "$want" ] || { echo "status $status, not $want: $*"; cat "$work/out" "$work/err"; failures=$((failures + 1)); }
  while IFS= read -r line; do
    grep -qE -- "$line" "$work/out" "$work/err" && continue
    echo "'$line' is not said by $*"
    cat "$work/out" "$work/err"
    failures=$((failures + 1))
  done
}
row() { printf 'of semantics/largest.cpp\n- %s\n+ %s\n= %s\n\n' "$@"; }
loop=("$here/decisions.sh" "$PWD" "$mutate" "$work/rows")
row 'a < b' 'b < a' largest_test >"$work/rows"
row 'return a;' 'return b;' 'largest_test of two' >>"$work/rows"
says 0 "${loop[@]}" <<<'2 of 2 mistakes found, each by its test; median [0-9.]+ s'
# A copy that stands is built on, and configured anew where its flags were others.
touch build/decisions/build/kept
says 0 "${loop[@]}" <<<'2 of 2 mistakes found'
[ -e build/decisions/build/kept ] || { echo "a copy was configured anew for nothing"; failures=$((failures + 1)); }
sed -i 's/^\(CMAKE_CXX_FLAGS_RELEASE:[A-Z]*=\)-O1/\1-O3/' build/decisions/build/CMakeCache.txt
says 0 "${loop[@]}" <<<'2 of 2 mistakes found'
[ ! -e build/decisions/build/kept ] || { echo "a copy kept its old flags"; failures=$((failures + 1)); }
row 'a < b' 'a <= b' largest_test >>"$work/rows"
says 1 "${loop[@]}" <<'END'
not found by largest_test: semantics/largest.cpp:4 changed: < -> <=
2 of 3 mistakes found
END
row 'a < b' 'b < a' 'largest_test broken' >"$work/rows"
says 1 "${loop[@]}" <<<'not ok without a mistake: largest_test broken'
row 'return a;' 'return c;' largest_test >"$work/rows"
says 1 "${loop[@]}" <<<'does not compile: semantics/largest.cpp:5 changed: a -> c'
row 'a > b' 'a >= b' largest_test >"$work/rows"
says 1 "${loop[@]}" <<<"stands 0 times in semantics/largest.cpp, not once"

# More are planted than are asked for: two of them do not compile.
says 0 "$here/mutate.sh" "$PWD" "$mutate" --sample 9 --seed s <<'END'
do not compile: 3 8
nothing comes by .* semantics/largest.cpp:7 negated: && -> \|\|
largest_test .* semantics/largest.cpp:4 exchanged: a < b -> b < a
nothing  .* semantics/largest.cpp:4 shifted: < -> <=
2 of 9 mistakes found \(22%\), seed s, numbers 0 to 10; not among them, as they do not compile: 3 8
END
[ "$failures" = 0 ] && echo "all refused, each mistake once, and what is found is said"
