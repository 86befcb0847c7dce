#!/usr/bin/env bash
# Tests ./dev alone: dev is copied into a folder with a space in its name, and everything that it calls (apt-get, cmake,
# ninja, ctest ...) is replaced, so nothing is installed or built. Prints a line a claim; fails if one does not hold.
#   tests/cli/dev_test.sh [DEV]
set -uo pipefail
dev=$(readlink -f -- "${1:-"$(dirname -- "${BASH_SOURCE[0]}")/../../dev"}")
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
export FAKE="$work/fake" # the state that the replacements share: uid, missing, offline, calls ...
checkout="$work/a check out"
failures=0

ok() { # CLAIM COMMAND ...
  local claim=$1
  shift
  if "$@"; then
    echo "ok - $claim"
  else
    echo "not ok - $claim"
    echo "  status $status"
    sed 's/^/  out: /' "$work/out"
    sed 's/^/  err: /' "$work/err"
    sed 's/^/  call: /' "$FAKE/calls"
    failures=$((failures + 1))
  fi
}

# ---- the machine

script_tool=$(command -v script) # gives a command a terminal

replace() { # NAME, its text on standard input
  { echo '#!/bin/bash'; echo "echo \"${1##*/} \$*\" >>\"\$FAKE/calls\""; cat; } >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

make_machine() {
  local tool
  mkdir -p "$work/bin"
  for tool in bash env readlink mkdir flock grep sed tail tr sleep rm cat chmod xargs dirname; do
    ln -s "$(command -v "$tool")" "$work/bin/$tool"
  done
  replace id <<<'cat "$FAKE/uid"'
  replace sudo <<<'[ "$1" != -v ] || exit 0; [ "$1" != -n ] || shift; exec "$@"'
  replace git <<<'while [ "$1" = -C ]; do shift 2; done; [ "$1" != ls-files ] || printf "a b.cpp\0c.h\0"'
  replace clang-format <<<'[ ! -e "$FAKE/badly-laid-out" ]'
  replace dpkg-query <<'END'
shift 3 # -W -f FORMAT
status=0
for p; do if grep -qx -- "$p" "$FAKE/missing"; then status=1; else printf 'installed=%s ' "$p"; fi; done
printf 'config-files=%s ' $(<"$FAKE/missing")
exit $status
END
  replace apt-get <<'END'
case " $* " in
  *" update "*) [ ! -e "$FAKE/offline" ] && : >"$FAKE/lists" ;;
  *) [ -e "$FAKE/lists" ] || { echo "E: Unable to locate package"; exit 100; }; : >"$FAKE/missing" ;;
esac
END
  replace cmake <<'END'
[ ! -e "$FAKE/cmake-fails" ] || { echo "CMake Error: no"; exit 1; }
[[ $* == *asan-ubsan* ]] && dir=build-asan || dir=build
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >"$dir/CMakeCache.txt"
[[ $* != *LOCKSTEP_BENCH:BOOL=ON* ]] || echo LOCKSTEP_BENCH:BOOL=ON >>"$dir/CMakeCache.txt"
: >"$dir/build.ninja"
END
  replace ninja <<'END'
echo "[1/2] Building noise.o"
trap 'echo "ninja: build stopped: interrupted by user."; exit 2' INT # as ninja does
[ ! -e "$FAKE/ninja-is-slow" ] || sleep 3
[ ! -e "$FAKE/ninja-fails" ] || { printf 'FAILED: x.o\nx.cpp:1: error: the reason\n'; exit 1; }
mkdir -p "$2/tests/bench"
printf '#!/bin/bash\necho "${0##*/} in $PWD:"; printf "<%%s>\\n" "$@"; exit 3\n' >"$2/lockstep"
cat "$2/lockstep" >"$2/tests/bench/bench"
chmod +x "$2/lockstep" "$2/tests/bench/bench"
END
  replace ctest <<'END'
echo "UPDATE_GOLDEN=${UPDATE_GOLDEN-}" >>"$FAKE/calls"
while [ "$1" != --output-junit ]; do shift; done
cat "$FAKE/ctest.xml" >"$2"
exit "$(<"$FAKE/ctest-status")"
END
}

# A new checkout on a machine where the lists of apt are not fetched yet, by root, everything installed.
fresh() {
  rm -rf -- "$checkout" "$FAKE"
  mkdir -p "$checkout/inner dir" "$FAKE"
  cp "$dev" "$checkout/dev"
  echo 0 >"$FAKE/uid"
  echo 0 >"$FAKE/ctest-status"
  : >"$FAKE/missing"
  : >"$FAKE/calls"
  tests_that run run
}

tests_that() { # STATUS ..., as ctest reports them
  { echo '<testsuite'; printf '\t<testcase name="n" time="0" status="%s">\n' "$@"; echo '</testsuite>'; } \
    >"$FAKE/ctest.xml"
}

run() { # from the folder "inner dir", by a relative path
  : >"$FAKE/calls"
  status=0
  (cd "$checkout/inner dir" && PATH="$work/bin" ../dev "$@") </dev/null >"$work/out" 2>"$work/err" || status=$?
}

on_terminal() { # ANSWER ARGUMENT ...
  local answer=$1
  shift
  : >"$FAKE/calls"
  status=0
  (cd "$checkout/inner dir" && echo "$answer" |
    PATH="$work/bin" SHELL=/bin/bash "$script_tool" -qec "../dev $*" /dev/null) >"$work/out" 2>"$work/err" || status=$?
}

# ---- what may be said of a run

status_is() { [ "$status" = "$1" ]; }
out_is() { [ "$(<"$work/out")" = "$1" ]; }
out_ends() { [ "$(tail -n 1 "$work/out")" = "$1" ]; }
out_has() { grep -qF -- "$1" "$work/out"; }
err_is_empty() { [ ! -s "$work/err" ]; }
err_has() { grep -qF -- "$1" "$work/err"; }
called() { grep -qE -- "$1" "$FAKE/calls"; }
never_called() { ! called "$1"; }
called_only() { [ "$(cut -d ' ' -f 1 "$FAKE/calls")" = "$1" ]; }

make_machine

# ---- passing through

fresh
run verify "a file.dpia" ""
ok "another word goes to lockstep in the caller's folder, its arguments unchanged" \
  out_is "lockstep in $checkout/inner dir:"$'\n<verify>\n<a file.dpia>\n<>'
ok "lockstep's exit status comes back" status_is 3
ok "dev says nothing when there is nothing to say" err_is_empty
ok "only the command is built for it" called '^ninja .* lockstep$'
run verify "a file.dpia"
ok "once built, ninja alone is asked" called_only ninja
run --help
ok "--help is the command's" out_has "<--help>"
run bench dot.dpia --json
ok "bench with a file is the command's" out_has "<dot.dpia>"
ok "bench with a file configures nothing anew" called_only ninja
run bench --some=1
ok "bench without a file is the project's own" out_is "bench in $checkout/inner dir:"$'\n<--some=1>'
ok "bench is configured for" called '^cmake .*LOCKSTEP_BENCH:BOOL=ON'
run bench
ok "bench is configured for once" called_only ninja
run bench streaming
ok "bench with the name of a part is the project's own" out_is "bench in $checkout/inner dir:"$'\n<streaming>'
run bench dot.dpia streaming
ok "bench with a file and anything else is the command's" out_has "<dot.dpia>"

# ---- configuring

fresh
run build
sed -i 's/=.*/=elsewhere/' "$checkout/build/CMakeCache.txt"
run build
ok "a checkout that was moved is configured afresh" called '^cmake --fresh --preset release'
run build
ok "and only once" never_called '^cmake'
rm "$checkout/build/.packages"
echo catch2 >"$FAKE/missing"
touch "$FAKE/lists"
run build
ok "what was found before a package came is found anew" called '^cmake --fresh'
touch -d '1 hour' "$checkout/CMakePresets.json"
run build
ok "changed presets are taken up" called '^cmake'


fresh
touch "$FAKE/cmake-fails"
run verify x
ok "a configuration that fails shows why" err_has "CMake Error: no"
ok "a configuration that fails exits with 4" status_is 4
fresh
touch "$FAKE/ninja-fails"
run verify x
ok "a build that fails exits with 4" status_is 4
ok "a build that fails shows the error on standard error" err_has "the reason"
ok "a build that fails does not show the rest" eval '! err_has noise'
ok "a build that fails leaves standard output empty" out_is ""
rm "$FAKE/ninja-fails"
run verify x
ok "after a failure the packages are looked at again" called '^dpkg-query'
touch "$FAKE/ninja-is-slow"
run verify x
ok "a build of more than two seconds says so" err_has "building ..."

# ---- packages

fresh
printf '%s\n' libz3-dev ccache >"$FAKE/missing"
touch "$FAKE/lists"
run verify x
ok "root installs what is missing, and nothing else" \
  called '^apt-get .*install -y --no-install-recommends libz3-dev ccache$'
ok "what is missing is said" err_has "missing packages: libz3-dev ccache"
ok "root needs no sudo" never_called '^sudo'
ok "lists that are there are not fetched" never_called '^apt-get .*update'
ok "standard output holds lockstep's output only" out_is "lockstep in $checkout/inner dir:"$'\n<verify>\n<x>'

fresh
echo libz3-dev >"$FAKE/missing"
run verify x
ok "without lists they are fetched first" called '^apt-get .*update'
ok "and then the packages are there" status_is 3

fresh
echo libz3-dev >"$FAKE/missing"
touch "$FAKE/offline"
run verify x
ok "an installation that fails exits with 4" status_is 4
ok "an installation that fails says what to type" \
  err_has "apt-get update && apt-get install -y --no-install-recommends libz3-dev"
ok "nothing is built then" never_called '^(cmake|ninja)'

fresh
echo 1000 >"$FAKE/uid"
echo catch2 >"$FAKE/missing"
run verify x
ok "an ordinary user installs through sudo, which must not ask where nobody answers" called '^sudo -n env .*apt-get'
ok "and it goes on" status_is 3

fresh
echo 1000 >"$FAKE/uid"
echo catch2 >"$FAKE/missing"
mv "$work/bin/sudo" "$work/no-sudo"
run verify x
mv "$work/no-sudo" "$work/bin/sudo"
ok "without root and sudo it exits with 4" status_is 4
ok "without root and sudo it says what root has to run" \
  err_has "as root run: apt-get update && apt-get install -y --no-install-recommends catch2"
ok "without root and sudo apt-get is not tried" never_called '^apt-get'

fresh
run verify x
echo libz3-dev >"$FAKE/missing"
touch "$FAKE/offline"
run verify x
ok "once looked at, packages are not looked at again, so it works without a network" called_only ninja
sed -i 's/^bench_packages=(/&libnew-dev /; s/^build_packages=(/&libnew-dev /' "$checkout/dev"
run verify x
ok "a package added to the list is looked for" called '^dpkg-query .*libnew-dev'

fresh
printf '%s\n' libbenchmark-dev libopenblas-dev libhwy-dev >"$FAKE/missing"
run verify x
ok "what only the benchmarks need is not installed for other words" never_called '^apt-get'
run bench
ok "it is installed for them" called '^apt-get .*install .* libbenchmark-dev libopenblas-dev libhwy-dev$'

fresh
echo libz3-dev >"$FAKE/missing"
on_terminal n verify x
ok "on a terminal it asks" out_has "install them now"
ok "no is taken for an answer" never_called '^apt-get'
ok "and exits with 4" status_is 4
on_terminal "" verify x
ok "Enter means yes" called '^apt-get .*install'
echo 1000 >"$FAKE/uid"
echo libz3-dev >"$FAKE/missing"
rm "$checkout/build/.packages"
on_terminal y verify x
ok "on a terminal sudo may ask for the password" called '^sudo -v'

# ---- tests

fresh
run test
ok "test ends with the counts" out_ends "2 passed, 0 failed"
ok "test succeeds where all passed" status_is 0
ok "test builds everything" called '^ninja -C [^ ]*/a check out/build$'
tests_that run fail notrun
echo 8 >"$FAKE/ctest-status"
run test
ok "failures, and tests whose program is absent, are counted" out_ends "1 passed, 2 failed"
ok "test fails with 1" status_is 1
tests_that run notrun
echo '<skipped message="SKIP_RETURN_CODE=77"/>' >>"$FAKE/ctest.xml"
echo 0 >"$FAKE/ctest-status"
run test
ok "a test that skipped itself is neither" out_ends "1 passed, 0 failed"
echo '<testsuite/>' >"$FAKE/ctest.xml"
run test
ok "that nothing ran is a failure" status_is 1
ok "and is counted as it is" out_ends "0 passed, 0 failed"
tests_that run
run test sizes types
ok "names choose tests" called '^ctest .*-R sizes\|types$'
run test -- -V
ok "what follows -- goes to ctest" called '^ctest .* -V$'
run test --asan
ok "--asan has a preset and a folder of its own" called '^ctest --test-dir .*/build-asan '
ok "--asan is configured by its preset" called '^cmake .*--preset asan-ubsan'
ok "what takes minutes is left out" called '^ctest .* -LE \^long\$$'
run test --long names
ok "--long runs that alone, and takes names" called '^ctest .* -L \^long\$ -R names$'
ok "of what takes minutes nothing is left out then" never_called '-LE'
run test --all
ok "--all runs the campaigns in full alone" called '^ctest .* -C All -L \^all\$$'
tests_that fail
echo 8 >"$FAKE/ctest-status"
run test --long
ok "--long fails with 1 where a test fails" status_is 1
echo '<testsuite/>' >"$FAKE/ctest.xml"
run test toys
ok "where no test has a name, it is said where others are" err_has "./dev test --long"
run test --long hippopotami
ok "... but not there" eval '! err_has "./dev test --long"'
echo 0 >"$FAKE/ctest-status"
tests_that run
run test --fast
ok "an unknown option exits with 2" status_is 2
# What continuous integration runs.
ci() {
  mkdir -p "$checkout/.ci"
  cp "${dev%/*}/.ci/run" "$checkout/.ci/run"
  : >"$FAKE/calls"
  status=0
  PATH="$work/bin" "$checkout/.ci/run" >"$work/out" 2>"$work/err" || status=$?
}
ci
ok ".ci/run runs the tests, and then those that take minutes" \
  eval '[ "$(grep -oE -- "-LE? \^long" "$FAKE/calls")" = $'"'-LE ^long\n-L ^long'"' ]'
tests_that run fail
echo 8 >"$FAKE/ctest-status"
ci
ok ".ci/run fails where a test fails" status_is 1
echo 0 >"$FAKE/ctest-status"
tests_that run
run update-golden
ok "update-golden runs the golden tests, the references and the pictures" called '^ctest .*-R golden.reference.picture$'
ok "update-golden tells them to write" called '^UPDATE_GOLDEN=1$'
run test golden
ok "nothing else does" called '^UPDATE_GOLDEN=$'

# ---- the rest

fresh
run
ok "without a word it says what there is" out_has "./dev WORD"
ok "help needs neither packages nor a build" called_only ""
run format
ok "format lays out the tracked files" called '^clang-format --style=file -i a b.cpp c.h$'
touch "$FAKE/badly-laid-out"
run format --check
ok "format --check changes nothing" called '^clang-format --style=file --dry-run -Werror '
ok "format --check fails where a file is laid out otherwise" status_is 1
run format --fast
ok "format refuses what it does not know" status_is 2
run build now
ok "build refuses what it does not know" status_is 2

fresh
mkdir -p "$checkout/driver/bundle"
replace make.sh <<<'exit 1'
mv "$work/bin/make.sh" "$checkout/driver/bundle"
run bundle
ok "bundle builds the command" called '^ninja .* lockstep$'
ok "and makes a folder of it in the build's" called '^make.sh .*/a check out/build/lockstep .*/build/bundle/lockstep$'
ok "what becomes of that is bundle's status" status_is 1
run bundle "a folder"
ok "or makes the folder that is named, from where one stands" called '^make.sh .*/build/lockstep a folder$'
run bundle a folder
ok "bundle refuses more" status_is 2
run bundle --small
ok "bundle refuses an option" status_is 2

# Ctrl-C in a build.
fresh
touch "$FAKE/ninja-is-slow"
status=0
(cd "$checkout" && { sleep 1; printf '\003'; sleep 1; } |
  PATH="$work/bin" SHELL=/bin/bash "$script_tool" -qec "./dev build" /dev/null) >"$work/out" 2>"$work/err" || status=$?
ok "an interrupted build is not called a failed one" eval '[ "$status" = 130 ] && ! out_has "build failed"'

# A second build waits for the first, and both end well.
fresh
touch "$FAKE/ninja-is-slow"
(cd "$checkout" && PATH="$work/bin" ./dev build >/dev/null 2>&1) &
sleep 1
run verify x
wait
ok "a second build in the same folder waits for the first" err_has "another build is under way"
ok "and then runs" status_is 3

[ $failures = 0 ] || { echo "$failures failed"; exit 1; }
