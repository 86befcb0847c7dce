#!/usr/bin/env bash
# The references of the languages, taken at their word. Prints a line a claim.
#   tests/cli/reference_test.sh LOCKSTEP [tables]     tables: these alone
# A block ```dpia or ```snesl is the file that its first line names, "-- first.dpia", and is accepted by `check`, unless
# commands use it. A block ```console holds commands after "$ ", each over what it prints on both streams, and "exit N"
# where its status is not 0; how long something took may be anything. A block ```ebnf is grammar_test's. There is no
# other kind. A table whose second column is `type` names what `lockstep primitives` lists, all of it, at its types.
# UPDATE_GOLDEN=1 writes a row for what has none.
set -u
only=${2:-}
set -- "$1"
. "$(dirname "$0")/claims.sh"
root=$(cd "$examples/.." && pwd)
mkdir bin && ln -s "$lockstep" bin/lockstep && PATH=$work/bin:$PATH

timeless() { sed -E 's/[0-9.]+ (µs|ms|s)$/#/' "$1"; }

cut_into_blocks() { # FILE FOLDER: the blocks as FOLDER/001.dpia, FOLDER/002.console, ...
  awk -v folder="$2" '
    /^```/ && !inside { inside = 1; file = sprintf("%s/%03d.%s", folder, ++n, substr($0, 4)); printf "" >file; next }
    /^```/            { inside = 0; close(file); next }
    inside            { print >file }' "$1"
}
printed_by() { # CONSOLE_BLOCK: the block as the commands print it, where the programs are
  local line status
  while IFS= read -r line; do
    [[ $line == '$ '* ]] || continue
    printf '%s\n' "$line"
    timeout 120 bash -c "${line#\$ }" </dev/null 2>&1
    status=$?
    [ "$status" = 0 ] || echo "exit $status"
  done <"$1"
}
blocks_hold() { # FILE: says what does not
  local blocks programs block kind name good=0 count=0
  blocks=$(mktemp -d -p "$work") programs=$(mktemp -d -p "$work")
  cut_into_blocks "$1" "$blocks"
  if grep -nE '^ +```' "$1"; then echo "a block that is indented"; good=1; fi
  for block in "$blocks"/*; do
    kind=${block##*.} count=$((count + 1))
    case $kind in
      dpia | snesl)
        name=$(sed -nE "1s/^-- ([a-z0-9_]+\.$kind)\$/\1/p" "$block")
        if [ -z "$name" ]; then echo "a program without a name: $(head -n 1 "$block")"; good=1; continue; fi
        if [ -e "$programs/$name" ]; then echo "two programs of the name $name"; good=1; fi
        cp "$block" "$programs/$name"
        if ! grep -qF -- "$name" "$blocks"/*.console; then
          (cd "$programs" && timeout 60 "$lockstep" check "$name") >"$work/said" 2>&1 || { cat "$work/said"; good=1; }
        fi ;;
      console)
        (cd "$programs" && printed_by "$block") >"$work/printed"
        diff -u <(timeless "$block") <(timeless "$work/printed") >"$work/said" || { tail -n +3 "$work/said"; good=1; } ;;
      ebnf) ;;
      *) echo "a block that nothing checks: \`\`\`$kind"; good=1 ;;
    esac
  done
  [ "$good" = 0 ] && [ "$count" -gt 0 ]
}

tabled() { # FILE: name and type of every row of its tables of names
  sed 's/\\|/\x01/g' "$1" | awk -F'|' '
    $0 !~ /^\|/                          { inside = 0 }
    $0 ~ /^\|/ && $3 ~ /^ *type *$/      { inside = 1; next }
    inside && split($3, type, "`") > 1   { n = split($2, name, "`"); for (k = 2; k <= n; k += 2) print name[k] "\t" type[2] }' |
    tr '\001' '|' | sort
}
listed() { # LANGUAGE: the same of `lockstep primitives`, and the kind and the summary
  "$lockstep" primitives --json | sed -nE 's/^ *"(language|name|kind|type|summary)": "(.*)",?$/\1\t\2/p' |
    awk -F'\t' -v language="$1" '
      { is[$1] = $2 }
      $1 == "summary" && is["language"] == language { print is["name"] "\t" is["type"] "\t" is["kind"] "\t" $2 }' | sort
}
tables_hold() { # FILE LANGUAGE: < stands in the reference, > in the listing
  listed "$2" | cut -f 1,2 | sort >"$work/listed"
  tabled "$1" >"$work/tabled"
  diff "$work/tabled" "$work/listed" && [ -s "$work/listed" ]
}
add_rows() { # FILE LANGUAGE: what has no row gets one, at the end of the table of its kind
  local name type kind summary heading row
  tabled "$1" >"$work/tabled"
  while IFS=$'\t' read -r name type kind summary; do
    if cut -f 1 "$work/tabled" | grep -qxF -- "$name"; then continue; fi
    case $kind in
      view) heading='### Arrays from arrays' ;;
      loop) heading='### Loops' ;;
      operator) heading='### Pairs, choice and scalars' ;;
      *) heading='### Sequences and vectors' ;;
    esac
    row=$(printf '| `%s` | `%s` | %s |' "${name//|/\\|}" "${type//|/\\|}" "${summary//|/\\|}")
    row=$row heading=$heading awk '
      $0 == ENVIRON["heading"] { inside = 1 }
      inside == 2 && !/^\|/     { print ENVIRON["row"]; inside = 0 }
      inside && /^\|/           { inside = 2 }
                               { print }' "$1" >"$work/with_row"
    cp "$work/with_row" "$1"
  done < <(listed "$2")
}

links_hold() { # FILE FOLDER: its links, seen from the folder, lead to a heading of it or to what is there
  local target good=0
  grep -E '^#+ ' "$1" | sed -E 's/^#+ //; s/[^A-Za-z0-9 _-]//g; s/ /-/g' | tr A-Z a-z >"$work/headings"
  while IFS= read -r target; do
    case $target in
      '#'*) grep -qxF -- "${target#?}" "$work/headings" ;;
      *) [ -e "$2/${target%%#*}" ] ;;
    esac || { echo "a link to nowhere: $target"; good=1; }
  done < <(awk '/^```/ { inside = !inside; next } !inside' "$1" | sed 's/`[^`]*`//g' | grep -oE '\]\([^)]+\)' |
    sed 's/^](//; s/)$//')
  return "$good"
}

quietly() { "$@" >out 2>err; }
finds() { # TEXT COMMAND ...: the command fails, and says TEXT
  local text=$1
  shift
  ! "$@" >out 2>err && grep -qF -- "$text" out
}

for language in functional:dpia snesl:snesl; do
  reference=$root/semantics/${language%:*}/README.md name=.${language#*:}
  if [ "${UPDATE_GOLDEN:-}" = 1 ]; then add_rows "$reference" "$name"; fi
  claim "$name: its tables are what lockstep primitives lists" quietly tables_hold "$reference" "$name"
  [ "$only" != tables ] || continue
  claim "$name: every program and every command of the reference" quietly blocks_hold "$reference"
  claim "$name: its links lead somewhere" quietly links_hold "$reference" "$(dirname "$reference")"

  # Each mistake in a reference is found.
  awk '/^```console/ { seen = 1 } { print } seen && /^```$/ { exit }' "$reference" >first.md
  claim "$name: the first program and its commands" quietly blocks_hold first.md
  awk '/^```console/ { seen = 1 } seen && /^```$/ { print "what is not printed" } { print }' first.md >wrong.md
  claim "$name: output that is not printed is found" finds "-what is not printed" blocks_hold wrong.md
  sed -E "s/^-- [a-z]+\.${name#.}\$/-- a program/" first.md >wrong.md
  claim "$name: a program without a name is found" finds "without a name" blocks_hold wrong.md
  (cat first.md; printf '```\nsome text\n```\n') >wrong.md
  claim "$name: a block of no kind is found" finds "nothing checks" blocks_hold wrong.md
  (cat first.md; printf '```%s\n-- wrong.%s\nfun\n```\n' "${name#.}" "${name#.}") >wrong.md
  claim "$name: a program that check refuses is found" finds "wrong.${name#.}:" blocks_hold wrong.md
  grep -vE '^\|.*`zip`' "$reference" >wrong.md
  claim "$name: a primitive that is left out is found" finds "> zip" tables_hold wrong.md "$name"
  add_rows wrong.md "$name"
  claim "$name: a row is written for what has none" quietly tables_hold wrong.md "$name"
  sed -E 's/^(\|.*`zip`[^|]*\|) `[^`]*`/\1 `zip`/' "$reference" >wrong.md
  claim "$name: a wrong type is found" finds "< zip	zip" tables_hold wrong.md "$name"
  sed -E 's/^(\|.*`zip)`/\1` `zap`/' "$reference" >wrong.md
  claim "$name: a name that is none is found" finds "< zap" tables_hold wrong.md "$name"
  sed 's/^## Grammar$/## The grammar/' "$reference" >wrong.md
  claim "$name: a link to nowhere is found" finds "nowhere: #grammar" links_hold wrong.md "$(dirname "$reference")"
done
conclude
