# The switches over names that end in `default:`, FILE LINE: what is added to the names later would be swallowed. Over
# numbers and characters there may be a default, for there is no end of them.
FNR == 1 { depth = switches = 0 }
{
  line = $0
  gsub(/\\./, "", line)             # in strings and characters
  gsub(/"[^"]*"/, "\"\"", line)
  gsub(/'[^']*'/, "0", line)        # digits apart, too
  sub(/\/\/.*/, "", line)
  if (line ~ /(^|[^A-Za-z_])switch *\(/) opening = 1
  if (switches && match(line, /(^|[ {;])case +/)) {
    label = substr(line, RSTART + RLENGTH)
    if (label !~ /^-?[0-9]/) names[switches] = 1
  }
  if (switches && line ~ /(^|[ {;])default *:/) ends[switches] = FNR
  for (i = 1; i <= length(line); ++i) {
    c = substr(line, i, 1)
    if (c == "{") {
      ++depth
      if (opening) { opening = 0; at[++switches] = depth; names[switches] = ends[switches] = 0 }
    }
    if (c == "}") {
      if (switches && at[switches] == depth) {
        if (names[switches] && ends[switches]) print FILENAME, ends[switches]
        --switches
      }
      --depth
    }
  }
}
