# The types that headers declare, by their namespace and name, each with its file: two of one name would be one to the
# linker. Of files that are laid out: what stands at the beginning of a line.
FNR == 1 { depth = 0 }
/^namespace [A-Za-z0-9_:]+ \{/ { names[depth++] = $2 }
/^}  \/\/ namespace/ { --depth }
/^(struct|class) [A-Za-z0-9_]+/ && !/;$/ {
  name = $2
  sub(/[{:].*/, "", name)
  all = ""
  for (k = 0; k < depth; ++k) all = all names[k] "::"
  print all name, FILENAME
}
