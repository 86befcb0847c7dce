// Calls of libraries' functions (library.h).
#include "codegen/dialects/library.h"

#include <algorithm>

namespace lockstep {

using scalars::Definition;

namespace {

LibraryFunction function_of(const Dialect& dialect, const Dialect::Lanes& row, const Definition::Library& l) {
  return {std::string(row.before) + l.name + std::string(row.after),
          std::string(dialect.types[row.type]),
          l.operands.size(),
          row.lanes,
          std::string(row.macro),
          l.name,
          {}};
}

// The rows for whole vectors that are held in so many lanes, widest first: none wider than these but where all are.
std::vector<Dialect::Lanes> rows_for(const Dialect& dialect, ScalarType t, int held) {
  std::vector<Dialect::Lanes> rows;
  for (const Dialect::Lanes& row : dialect.library)
    if (row.type == t && row.lanes > 1) rows.push_back(row);
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.lanes > b.lanes; });
  while (rows.size() > 1 && rows.front().lanes > held) rows.erase(rows.begin());
  return rows;
}

std::string part_type(const std::string& element, int lanes) { return element + "_x" + std::to_string(lanes); }

std::string comma_separated(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& w : words) all += (all.empty() ? "" : ", ") + w;
  return all;
}

// A vector in parts of the function's width, the last of which it may not fill.
std::string in_parts(const LibraryFunction& f, int held, const std::string& vector,
                     const std::vector<std::string>& names) {
  const std::string size = " * sizeof(" + f.type + ")", part = part_type(f.type, f.lanes);
  const std::string bytes = std::to_string(std::min(held, f.lanes)) + size;
  std::vector<std::string> parts;
  std::string copies;
  for (const std::string& name : names) {
    parts.push_back("part_" + name);
    copies += "    " + part + " " + parts.back() + " = {};\n    __builtin_memcpy(&" + parts.back() + ", (const " +
              f.type + "*)&" + name + " + l, " + bytes + ");\n";
  }
  return "  " + vector + " r = {};\n  for (int l = 0; l < " + std::to_string(held) +
         "; l += " + std::to_string(f.lanes) + ") {\n" + copies + "    " + parts[0] + " = " + f.name + "(" +
         comma_separated(parts) + ");\n    __builtin_memcpy((" + f.type + "*)&r + l, &" + parts[0] + ", " + bytes +
         ");\n  }\n  return r;\n";
}

}  // namespace

bool calls_library(const std::set<LibraryFunction>& called) {
  return std::any_of(called.begin(), called.end(), [](const LibraryFunction& f) { return !f.of.empty(); });
}

const Dialect::Written* written_function(const Dialect& dialect, const Definition::Library& l, ScalarType t) {
  for (const Dialect::Written& w : dialect.written)
    if (w.function == l.name && w.type == t) return &w;
  return nullptr;
}

LibraryFunction library_function(const Dialect& dialect, const Definition::Library& l, ScalarType t) {
  if (const Dialect::Written* w = written_function(dialect, l, t))
    return {std::string(w->name), std::string(dialect.types[t]), l.operands.size(), 1, "", "", std::string(w->text)};
  if (!l.correctly_rounded)
    for (const Dialect::Lanes& row : dialect.library)
      if (row.type == t && row.lanes == 1) return function_of(dialect, row, l);
  return {l.name + std::string(t == ScalarType::F32 ? dialect.function_suffix : ""), std::string(dialect.types[t]),
          l.operands.size()};
}

std::string body_on_vectors(const Dialect& dialect, const Definition::Library& l, ScalarType t, int width,
                            const std::string& vector, const std::vector<std::string>& names,
                            std::set<LibraryFunction>& called) {
  if (l.correctly_rounded) return "";
  const LibraryFunction one = library_function(dialect, l, t);
  const int held = width == 3 ? 4 : width;
  const std::vector<Dialect::Lanes> rows =
      one.text.empty() ? rows_for(dialect, t, held) : std::vector<Dialect::Lanes>{};
  if (rows.empty() && one.text.empty()) return "";
  called.insert(one);
  std::vector<std::string> lanes;
  for (const std::string& name : names) lanes.push_back(name + "[l]");
  const std::string each = "  " + vector + " r = {};\n  for (int l = 0; l < " + std::to_string(width) +
                           "; ++l) r[l] = " + one.name + "(" + comma_separated(lanes) + ");\n  return r;\n";
  if (rows.empty()) return "\n" + each;
  std::string out = "\n", word = "#if";
  for (const Dialect::Lanes& row : rows) {
    const LibraryFunction f = function_of(dialect, row, l);
    called.insert(f);
    out += word + " defined(" + f.macro + ")\n";
    out += f.lanes == held ? "  return " + f.name + "(" + comma_separated(names) + ");\n"
                           : in_parts(f, held, vector, names);
    word = "#elif";
  }
  return out + "#else\n" + each + "#endif\n";
}

// Under the names by which g++ asks for vectors of a function, the library's: _ZGVdN8v_F, of one argument in 8 lanes.
static std::string vector_names(const Dialect& dialect, const LibraryFunction& f) {
  std::string lines;
  for (const Dialect::Lanes& row : dialect.library) {
    if (dialect.types[row.type] != f.type) continue;
    for (const char letter : row.letters)
      lines += std::string(lines.empty() ? "" : "\n        ") + "\".set _ZGV" + letter + "N" +
               std::to_string(row.lanes) + std::string(f.arity, 'v') + "_" + f.name + ", " + std::string(row.before) +
               f.of + std::string(row.after) + "\\n\"";
  }
  return lines.empty() ? "" : "__asm__(" + lines + ");\n";
}

std::string prototypes(const Dialect& dialect, const std::set<LibraryFunction>& called) {
  std::string r;
  std::set<std::string> parts;
  for (const LibraryFunction& f : called) {
    if (!f.text.empty()) {
      r += f.text;
      continue;
    }
    if (dialect.functions_are_built_in) continue;
    std::string type = f.type;
    if (f.lanes > 1) {
      type = part_type(f.type, f.lanes);
      if (parts.insert(type).second)
        r += "typedef " + f.type + " " + type + " __attribute__((vector_size(" + std::to_string(f.lanes) +
             " * sizeof(" + f.type + "))));\n";
    }
    const std::string names = f.lanes == 1 && !f.of.empty() ? vector_names(dialect, f) : "";
    // `const`: equal calls are one, and may leave a loop.
    const auto declared = [&](const std::string& more) {
      return "extern \"C\" __attribute__((const" + more + ")) " + type + " " + f.name + "(" +
             comma_separated(std::vector<std::string>(f.arity, type)) + ");\n";
    };
    if (!f.macro.empty())
      r += "#if defined(" + f.macro + ")\n" + declared("") + "#endif\n";
    else if (names.empty())
      r += declared("");
    else
      r += "#if defined(__x86_64__) && !defined(__clang__)\n" + declared(", simd(\"notinbranch\")") + names +
           "#else\n" + declared("") + "#endif\n";
  }
  return r.empty() ? r : r + "\n";
}

}  // namespace lockstep
