#!/usr/bin/env bash
# The folder that ./dev bundle makes, of the command that is built: it starts in a root that holds nothing else, no shell
# and no library, and says there what the command says here. What would be found if it were not so is made so.
#   bundle_test.sh LOCKSTEP
set -uo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/claims.sh"
make=$(realpath "$examples/../driver/bundle/make.sh")
PATH=$PATH:/usr/sbin:/sbin

# Another root needs the right to make one: root's, or that of a user namespace.
chroot=$(command -v chroot)
for enter in "$chroot" "unshare --map-root-user $chroot"; do
  $enter / /bin/true 2>/dev/null && break
  enter=
done
[ -n "$enter" ] || { echo "skipped: another root may be made neither as this user nor in a user namespace"; exit 77; }

root=$work/root bundle=$work/root/lockstep
built() { # WORD ... : make.sh with the command that is built
  "$make" "$lockstep" "$@" >out 2>err </dev/null
  status=$?
}
inside() { # WORD ... : in the root, with an empty environment
  env -i $enter "$root" /lockstep/lockstep "$@" >out 2>err </dev/null
  status=$?
}
started() { # COMMAND WORD ... : as a user of this machine starts it
  "$@" >out 2>err </dev/null
  status=$?
}
without() { # FILE COMMAND ... : while the folder lacks it
  local file=$1
  shift
  mv "$bundle/$file" "$work/away"
  "$@"
  local held=$?
  mv "$work/away" "$bundle/$file"
  return $held
}
says() { is "$1" && grep -qF -- "$2" err; } # STATUS TEXT

# ---- making it

built "$bundle"
claim "a folder is made of the command" says 0 "$bundle, "
is 0 || exit 1
claim "... that takes less than 60 MB" [ "$(du -sb "$bundle" | cut -f1)" -lt 60000000 ]
built "$work/other" 20
claim "one that takes more than it may is an error, which names what is large" says 1 "libz3.so"
claim "... and nothing of it is left" [ -z "$(compgen -G "$work/other*")" ]
mkdir "$work/mine" && touch "$work/mine/file"
built "$work/mine"
claim "a folder that is no bundle is not written over" says 2 "is no bundle"
claim "... nor what is in it lost" [ -f "$work/mine/file" ]
touch "$bundle/of_an_earlier_one"
built "$bundle/"
claim "an earlier bundle is" eval 'is 0 && [ ! -e "$bundle/of_an_earlier_one" ]'
licences_are_there() {
  [ -f "$bundle/LICENSE" ] && { ! command -v dpkg-query >/dev/null || ls "$bundle/licences"/libz3* >/dev/null; }
}
claim "its licence is there, and those of the libraries" licences_are_there

# ---- in a root of its own

# What needs a library or a symbol of the machine's, by objdump.
from_the_machine() { objdump -p -T "$1" 2>/dev/null | grep -E '^ *(NEEDED|INTERP) |GLIBC_' >found; }
claim "what is started needs no library and no symbol" eval '! from_the_machine "$bundle/lockstep"'
claim "... which is seen where it is not so" from_the_machine "$bundle/lib/lockstep"
claim "the root holds the folder and nothing else" [ "$(ls -A "$root")" = lockstep ]

inside --help
claim "it starts there" holds "Usage: lockstep"
ln -s root/lockstep lockstep # so that files have the same names here and there
program=lockstep/examples/dot.dpia text=lockstep/examples/streaming/wc.snesl
same() { # WORD ... : the output and the status are those of the command itself
  inside "$@"
  mv out expected
  local there=$status
  call "$@"
  cmp -s out expected && [ "$status" = "$there" ]
}
claim "run says the same as here" same run $program 'xs=[1,2]' 'ys=[3,4]' --target interpreter
claim "... of .snesl" same run $text file=$text --target chunked
claim "so do stages" same stages $program
claim "... cost" same cost $program n=10
claim "... emit" same emit $program --target hip
claim "... and primitives" same primitives
claim "an error is one there" same run $program 'xs=[1]' 'ys=[1,2]' --json
claim "... with its status" is 2
claim "what is not the same is seen" eval '! lockstep=/bin/echo same primitives'

inside check $program
claim "check checks" holds "no size obligations"
inside prove $program
claim "prove proves, by Z3, which is in the folder" holds "Z3"
inside verify $program
claim "verify verifies every stage" holds "✓ host"
inside campaign --programs 3 --json
claim "a campaign runs" holds '"programs"'
build_of() { grep -oE '"build": *"[0-9a-f]{8,}"' out; }
there=$(build_of)
call campaign --programs 3 --json
claim "it is the same build, which it finds without /proc" eval '[ -n "$there" ] && [ "$there" = "$(build_of)" ]'
inside run $program xs=[1] ys=[1] --target openmp
claim "what needs a compiler says so" says 4 "no C++ compiler"

without lib/libz3.so.4 inside --help
claim "without one of its libraries it does not start there" says 127 "libz3.so.4"
without lib/libm.so.6 inside --help
claim "... nor without one of the C library's" says 127 "libm.so.6"
without lib/ld-linux-x86-64.so.2 inside --help
claim "without the loader it says what to do" says 4 "copy the whole folder"

# ---- on a machine that has more

mkdir "a folder"
cp -R "$bundle" "a folder/copied"
ln -s "a folder/copied/lockstep" link
arguments=(run $program 'xs=[1,2]' 'ys=[3,4]')
started "$work/a folder/copied/lockstep" "${arguments[@]}" --target interpreter
claim "it may be copied, and called by a path with a blank" holds 11
started ./link "${arguments[@]}" --target interpreter
claim "... by a link" holds 11
PATH="$work/a folder/copied:$PATH" started lockstep "${arguments[@]}" --target interpreter
claim "... by its name on PATH" holds 11
started bash -c 'exec -a nothing "a folder/copied/lockstep" "$@"' - "${arguments[@]}" --target interpreter
claim "... and by a name that is none of its own" holds 11
mv "a folder" a:folder
started a:folder/copied/lockstep --help
claim "a path that the loader cannot take is an error" says 4 "':' and ';'"
rm -r a:folder

# Every library that a start initialises, the C library among them, is the folder's.
own_libraries() {
  LD_DEBUG=libs started "$bundle/lockstep" --help
  sed -n 's/.*calling init: //p' err >initialised
  grep -qxF "$bundle/lib/libc.so.6" initialised && ! grep -qvF "$bundle/lib/" initialised
}
claim "its libraries are the folder's, not the machine's" own_libraries
claim "... which is seen where it is not so" eval '! without lib/libfmt.so.9 own_libraries'

# What is compiled is linked with the folder's SLEEF where a machine has none for compilers: here none has this name.
# Where the C library is older, it is linked with parts of it, which are the folder's when it is loaded.
mv "$bundle/lib/link/libsleef.so" "$bundle/lib/link/libnamed_so_here.so"
parts='-l:libdl.so.2 -l:libmvec.so.1 -l:libpthread.so.0 -l:librt.so.1'
printf '#!/bin/bash\nexec %s -Wl,--no-as-needed "${@/-lsleef/-lnamed_so_here}" %s\n' "${CXX:-g++}" "$parts" >compiler
chmod +x compiler
compiles() {
  rm -rf "$LOCKSTEP_CACHE"
  LOCKSTEP_CXX=$work/compiler LD_DEBUG=libs started "$bundle/lockstep" "${arguments[@]}" --target openmp
  local part
  for part in libgomp.so.1 ${parts//-l:/}; do grep -qF "calling init: $bundle/lib/$part" err || return; done
  holds 11
}
claim "where there is a compiler it runs programs compiled, linked and loaded with what is in the folder" compiles
claim "... which is seen where there is nothing to link with" eval '! without lib/link compiles'
claim "... or a part of the C library is not the folder's" eval '! without lib/libpthread.so.0 compiles'

conclude
