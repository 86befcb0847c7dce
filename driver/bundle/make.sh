#!/usr/bin/env bash
# Makes a folder with the command in it that runs on any x86-64 Linux: what it needs of this machine lies in the folder,
# down to the C library and its loader. It is an error if the folder is larger than so many megabytes, 60 unless said.
#   make.sh LOCKSTEP FOLDER [MEGABYTES]          what ./dev bundle does with the command that it built
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
root=$here/../..
loader=ld-linux-x86-64.so.2
# Their headers are compiled into the command.
header_packages=(libboost-dev tao-pegtl-dev libcli11-dev nlohmann-json3-dev libexpected-dev)

stop() { # STATUS MESSAGE
  printf 'lockstep: %s\n' "$2" >&2
  exit "$1"
}

[ $# = 2 ] || [ $# = 3 ] || stop 2 "usage: make.sh LOCKSTEP FOLDER [MEGABYTES]"
command=$1 folder=$(realpath -m -- "$2") most=${3:-60}
[ "$(uname -m)" = x86_64 ] || stop 4 "a bundle is for x86-64, and is made there"
# An earlier bundle is replaced, and nothing else.
[ ! -e "$folder" ] || [ -f "$folder/lib/lockstep" ] || [ -z "$(ls -A -- "$folder")" ] ||
  stop 2 "$folder is there and is no bundle; name another folder, or remove it"

mkdir -p -- "${folder%/*}" && new=$(mktemp -d -- "$folder.XXXXXX") || stop 4 "cannot write beside $folder"
trap 'rm -rf -- "$new"' EXIT
chmod 755 "$new"
mkdir -p -- "$new/lib/link" "$new/licences"

# The libraries that the command needs, and that those need. For what a compiler makes OpenMP's too, and those that the
# C library's parts were in before they were one: another machine's would not fit this C library.
openmp=$("${CXX:-g++}" -print-file-name=libgomp.so.1)
needed=$(ldd "$command" "$openmp") || stop 4 "cannot tell what $command needs"
[[ $needed != *'not found'* ]] || stop 4 "a library is not there: $(grep 'not found' <<<"$needed")"
mapfile -t libraries < <({ grep -oE '/[^ ]+ \(0x' <<<"$needed" | sed 's/ (0x$//'; echo "$openmp"; } | sort -u)
cp -L -- "${libraries[@]}" "$new/lib"
[ -e "$new/lib/$loader" ] || stop 4 "$command has no loader $loader"
c_library=$(printf '%s\n' "${libraries[@]}" | grep '/libc\.so\.6$')
for part in libdl.so.2 libmvec.so.1 libpthread.so.0 librt.so.1; do cp -L -- "${c_library%/*}/$part" "$new/lib"; done
# What is compiled is linked with SLEEF by this name, which otherwise Debian's libsleef-dev has.
ln -s ../libsleef.so.3 "$new/lib/link/libsleef.so"
strip -o "$new/lib/lockstep" -- "$command"
"${CXX:-g++}" -std=c++20 -Wall -Wextra -Werror -O2 -static -s -o "$new/lockstep" "$here/start.cpp"

(cd "$root" && git ls-files -z -- examples LICENSE | xargs -0r cp --parents -t "$new") ||
  stop 4 "git cannot say which examples there are"
cp "$here/of_a_bundle.md" "$new/README.md"
# dpkg knows a file by the path of before /usr was merged, or of after.
for library in "${libraries[@]}"; do
  path=$(readlink -f -- "$library")
  dpkg-query -S "$path" "${path#/usr}" 2>/dev/null || true
done | cut -d: -f1 | sort -u | { cat; printf '%s\n' "${header_packages[@]}"; } | while read -r package; do
  [ ! -f "/usr/share/doc/$package/copyright" ] || cp "/usr/share/doc/$package/copyright" "$new/licences/$package"
done

bytes=$(du -sb -- "$new" | cut -f1)
size="$((bytes / 1000000)).$((bytes / 100000 % 10)) MB"
if [ "$bytes" -ge $((most * 1000000)) ]; then
  (cd "$new" && find . -type f -size +1M -printf '%s %p\n' | sort -rn >&2)
  stop 1 "the bundle takes $size, which is not under $most MB; its largest files are listed above, in bytes"
fi
rm -rf -- "$folder"
mv -- "$new" "$folder"
printf 'lockstep: %s, %s; %s/lockstep starts it, wherever it is copied\n' "$folder" "$size" "$folder" >&2
