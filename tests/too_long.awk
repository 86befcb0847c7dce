# Of C++ as clang-format lays it out: FILE FUNCTION LINES for each function over 80 lines, its head counted, and FILE -
# LINES for each file over 400. What stands in a function is part of it; a type or a table of rows is none.

function code(line) { # without strings, characters and remarks
  gsub(/\\\\/, "", line); gsub(/\\"/, "", line); gsub(/\\'/, "", line)
  gsub(/[0-9]'[0-9]/, "0", line)
  gsub(/"[^"]*"/, "\"\"", line); gsub(/'[^']*'/, "0", line)
  sub(/\/\/.*/, "", line)
  return line
}
function gather(text) { # what stands between two of { } ;
  if (text !~ /[^ ]/) return
  if (head == "") begun = FNR
  head = head " " text
}
function heads_function() {
  return head ~ /\)[^()]*$/ && head !~ /(^| )return / && head !~ /= *$/
}
function opens() {
  ++depth
  start[depth] = begun
  name[depth] = head
  is_function[depth] = !inside && heads_function()
  if (is_function[depth]) inside = 1
}
function closes() {
  if (is_function[depth]) {
    inside = 0
    lines = FNR - start[depth] + 1
    sub(/\(.*/, "", name[depth])
    sub(/.*[ :&*]/, "", name[depth])
    if (lines > 80) print file, name[depth], lines
  }
  --depth
}
function ends() { if (all > 400) print file, "-", all }

FNR == 1 { if (NR > 1) ends(); file = FILENAME; depth = inside = raw = initialiser = 0; head = "" }
{ all = FNR }
raw { if (index($0, raw_end)) raw = 0; next } # in a raw string
/^ *#/ { next }
match($0, /R"[a-z_]*\(/) {
  raw_end = ")" substr($0, RSTART + 2, RLENGTH - 3) "\""
  raw = !index(substr($0, RSTART + RLENGTH), raw_end)
  $0 = substr($0, 1, RSTART - 1) (raw ? "" : "\"\";")
}
{
  rest = code($0)
  while (match(rest, /[{};]/)) {
    before = substr(rest, 1, RSTART - 1)
    gather(before)
    character = substr(rest, RSTART, 1)
    rest = substr(rest, RSTART + 1)
    # A body stands after a blank, an initialiser `member{` is a part of the head.
    if (character == "{" && (initialiser > 0 || before ~ /[A-Za-z0-9_>]$/)) { ++initialiser; continue }
    if (initialiser > 0) { initialiser -= character == "}"; continue }
    if (character == "{") opens()
    if (character == "}") closes()
    head = ""
  }
  gather(rest)
}
END { ends() }
