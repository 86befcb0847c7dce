// The C interface of generated programs (entry.h). In: a program; out: the texts around its body, and traps by
// number.
#include "codegen/c/entry.h"

#include "semantics/kernel/walk.h"

#include <bit>
#include <cctype>
#include <cstdio>

namespace lockstep {

using namespace kernel;

namespace {

// A name as C can spell it. What has other characters than letters, digits and underscores is marked at its end, and
// its underscores are marked too, so that no two names become one.
std::string spelled(const std::string& name) {
  const auto is_plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  if (std::all_of(name.begin(), name.end(), is_plain)) return name;
  std::string r;
  for (char c : name) {
    char hex[8];
    std::snprintf(hex, sizeof hex, "_x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    r += c == '_' ? "_u" : c == '\'' ? "_q" : is_plain(c) ? std::string(1, c) : hex;
  }
  return r + "_quoted";
}

std::string without_underscores(const std::string& name) { return name.substr(0, name.find_last_not_of('_') + 1); }

// Whether the name is one of another's exports, but for underscores that were added: dot_call, dot_trap_.
bool reads_as_export(const std::string& name) {
  const std::string plain = without_underscores(name);
  return plain.ends_with("_call") || plain.ends_with("_trap") || plain.ends_with("_trap_text") ||
         plain.ends_with("_quoted");
}

}  // namespace

std::string file_stem(const Program& p) {
  const std::string name = spelled(p.name);
  return name + (name == p.name && without_underscores(name).ends_with("_quoted") ? "_" : "");
}

std::string loader_name(const Program& p) {
  const std::string name = spelled(p.name);
  return "lockstep_" + name + (name == p.name && reads_as_export(name) ? "_" : "");
}
std::string entry_name(const Program& p) { return loader_name(p) + "_call"; }
std::string fault_name(const Program& p) { return loader_name(p) + "_fault"; }
std::string device_name(const Program& p) { return loader_name(p) + "_device"; }
std::string time_limit_name(const Program& p) { return loader_name(p) + "_time_limit"; }
std::string kernel_seconds_name(const Program& p) { return loader_name(p) + "_kernel_seconds"; }
std::string release_name(const Program& p) { return loader_name(p) + "_release"; }
std::string trap_name(const Program& p) { return loader_name(p) + "_trap"; }
std::string own_entry() { return "__attribute__((visibility(\"protected\"))) "; }

std::vector<const Check*> checks_of(const Program& p) {
  std::vector<const Check*> r;
  auto note = [&](const Stmt& s) {
    if (const Check* c = std::get_if<Check>(&s.node)) r.push_back(c);
  };
  each_statement(p.body, note);
  return r;
}

namespace {

std::string filled(std::string message, std::size_t hole, const std::string& shown) {
  const std::string mark = "{" + std::to_string(hole) + "}";
  for (std::size_t at = 0; (at = message.find(mark, at)) != std::string::npos; at += shown.size())
    message.replace(at, mark.size(), shown);
  return message;
}

}  // namespace

Trap trap_of(const Program& p, const EntryTrap& t) {
  auto checks = checks_of(p);
  if (t.check < 0 || static_cast<std::size_t>(t.check) >= checks.size())
    throw Bug("the generated code of '" + p.name + "' reports check " + std::to_string(t.check));
  const Check& c = *checks[static_cast<std::size_t>(t.check)];
  std::string message = c.message;
  for (std::size_t k = 0; k < std::min<std::size_t>(c.values.size(), 4); ++k) {
    ScalarType type = c.values[k].type.scalar;
    auto bits = static_cast<std::uint64_t>(t.values[k]);
    Scalar s = is_float(type) ? make_ieee(type, std::bit_cast<double>(bits)) : make_integer(type, bits);
    message = filled(message, k, show(s, ieee_domain()));
  }
  return {c.primitive, message, c.region};
}

std::string refusal_of(const Program& p, const EntryTrap& t) {
  const auto all = preconditions(p);
  const std::int64_t k = -1 - static_cast<std::int64_t>(t.check);
  if (k < 0 || static_cast<std::size_t>(k) >= all.size())
    throw Bug("the generated code of '" + p.name + "' reports precondition " + std::to_string(t.check));
  std::string message = all[static_cast<std::size_t>(k)].message;
  for (std::size_t v = 0; v < 4; ++v) message = filled(message, v, std::to_string(t.values[v]));
  return message;
}

namespace {

// In a comment, where a name of C++ might be a macro.
std::string remark(const std::string& name) {
  std::string r = name;
  for (char& c : r)
    if (c == '*' || c == '\\' || c == '\n') c = '_';
  return " /* " + r + " */";
}

}  // namespace

EntryParameters declare_parameters(CText& text, const Program& p, const std::string& restrict_word) {
  EntryParameters r;
  auto add = [&](const std::string& type, const std::string& name, const std::string& shown, const std::string& from) {
    r.names.push_back(name);
    r.declarations.push_back(type + " " + name);
    r.for_header.push_back(type + remark(shown));
    r.from_loader.push_back(from);
  };
  auto array = [&](const Buffer& b, const std::string& qualifier, const std::string& from) {
    std::string pointer = qualifier + text.memory_type(b.type.scalar) + "*", name = text.declare_buffer(b.name);
    add(pointer, name, b.name, "(" + pointer + ")" + from);
    r.declarations.back() = pointer + " " + restrict_word + name;
  };
  for (std::size_t k = 0; k < p.sizes.size(); ++k)
    add("int64_t", text.declare_variable(p.sizes[k]), p.sizes[k], "sizes[" + std::to_string(k) + "]");
  for (std::size_t k = 0; k < p.inputs.size(); ++k) {
    const Buffer& b = p.inputs[k];
    const std::string from = "inputs[" + std::to_string(k) + "]", type = text.memory_type(b.type.scalar);
    if (b.is_one_scalar())
      add(type, text.declare_value(b.name), b.name, "*(const " + type + "*)" + from);
    else
      array(b, "const ", from);
  }
  for (std::size_t k = 0; k < p.outputs.size(); ++k) array(p.outputs[k], "", "outputs[" + std::to_string(k) + "]");
  const std::string trap = "struct " + trap_name(p) + "*";
  add(trap, "trap", "trap", "trap");
  return r;
}

std::string trap_struct(const Program& p) {
  return "struct " + trap_name(p) + " {\n  int32_t check;  /* which one failed: " + trap_name(p) +
         "_text(check) says */\n  int32_t unused;\n  int64_t values[4];  /* for {0} to {3} in its text */\n};\n";
}

std::string trap_table(const Program& p) {
  const auto checks = checks_of(p);
  const auto refusals = preconditions(p);
  std::string r = "extern \"C\" const char* " + trap_name(p) + "_text(int32_t check) {\n";
  if (checks.empty() && refusals.empty()) return r + "  (void)check;\n  return \"\";\n}\n";
  const auto table = [&](const std::string& name, const std::vector<std::string>& texts, const std::string& number) {
    if (texts.empty()) return;
    r += "  static const char* const " + name + "[] = {\n";
    for (const std::string& t : texts) r += "      " + c_string(t) + ",\n";
    r += "  };\n  if (" + number + " >= 0 && " + number + " < " + std::to_string(texts.size()) + ") return " + name +
         "[" + number + "];\n";
  };
  std::vector<std::string> traps, needs;
  for (const Check* c : checks) {
    traps.push_back(c->primitive + "\t" + c->message);
    if (!c->region.source) continue;
    Position at = position_of(*c->region.source, c->region.begin);
    traps.back() += "\t" + c->region.source->name + "\t" + std::to_string(at.line) + "\t" + std::to_string(at.column);
  }
  for (const Precondition& n : refusals) needs.push_back("precondition\t" + n.message);
  table("traps", traps, "check");
  table("preconditions", needs, "-1 - check");
  return r + "  return \"\";\n}\n";
}

std::string loader_text(const Program& p, const EntryParameters& parameters) {
  std::string unused;
  if (p.sizes.empty()) unused += "  (void)sizes;\n";
  if (p.inputs.empty()) unused += "  (void)inputs;\n";
  if (p.outputs.empty()) unused += "  (void)outputs;\n";
  return "extern \"C\" int32_t " + loader_name(p) +
         "(const int64_t* sizes, const void* const* inputs, void* const* outputs,\n    struct " + trap_name(p) +
         "* trap) {\n" + unused + "  return " + entry_name(p) + "(" + comma_list(parameters.from_loader) + ");\n}\n";
}

namespace {

// "[m + 5][n] of float", "one float".
std::string shape_of(const Buffer& b) {
  const std::string type(memory_type(cpp_dialect(), b.type.scalar));  // of the interface, which is C
  std::string r;
  for (const Size& d : b.dims) r += "[" + show(d) + "]";
  if (b.type.width > 1) return r + (r.empty() ? "" : " of ") + type + " x " + std::to_string(b.type.width);
  return r.empty() ? "one " + type : r + " of " + type;
}

// What each parameter is, in two columns.
std::string parameter_lines(const Program& p) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const std::string& n : p.sizes) rows.emplace_back(n, "a size, 0 or more");
  for (const Buffer& b : p.inputs)
    rows.emplace_back(b.name, shape_of(b) + (b.below ? ", 0 or more and less than " + show(*b.below) : "") +
                                  (b.is_one_scalar() ? ", by value" : ", read"));
  for (const Buffer& b : p.outputs) rows.emplace_back(b.name, shape_of(b) + ", written");
  rows.emplace_back("trap", "says what was wrong after status 3 or 5; may be null");
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.first.size());
  std::string r;
  for (const auto& [name, what] : rows) r += "     " + name + std::string(width - name.size() + 2, ' ') + what + "\n";
  return r;
}

bool has_arrays(const Program& p) {
  const auto array = [](const Buffer& b) { return !b.is_one_scalar(); };
  return std::any_of(p.inputs.begin(), p.inputs.end(), array) || std::any_of(p.outputs.begin(), p.outputs.end(), array);
}

}  // namespace

std::string c_header(const Program& p, const std::string& how_to_build, bool of_device) {
  CText text;
  EntryParameters parameters = declare_parameters(text, p, "");
  const std::string name = loader_name(p), guard = "LOCKSTEP_" + name + "_H";
  std::string needs;
  for (const Precondition& n : preconditions(p))
    if (!n.needed.empty()) needs += (needs.empty() ? "" : ", ") + n.needed;
  std::string r = "/* " + p.name + ", generated by lockstep.\n" + how_to_build + "\n\n   " + entry_name(p) +
                  ": its parameters, in this order. Sizes come first, as the program lists them.\n" +
                  parameter_lines(p);
  if (!needs.empty()) r += "   It needs: " + needs + ".\n";
  if (has_arrays(p))
    r += "   [m + 5][n] of float is an array of m + 5 rows of n floats each, one after the other; of float x 4, short\n"
         "   vectors of 4 floats each. Of a tuple x there are x_0, x_1, ..., an array each. A bool is a byte, 0 or 1.\n"
         "   Written arrays overlap no others.\n";
  r += "\n   It returns\n"
       "     0  when done;\n"
       "     3  after an error of the program's own, as an index out of bounds: what was written is undefined;\n"
       "     4  where there is not enough memory, or a device failed;\n";
  if (!preconditions(p).empty())
    r += "     5  where the arguments are not what it needs" + std::string(needs.empty() ? "" : " (see above)") +
         ": a size is negative, or a number made of sizes\n        leaves 64 bits" +
         (needs.empty() ? "" : ", or what is needed does not hold") + ". Nothing was written.\n";
  if (of_device)
    r +=
        "\n   " + release_name(p) +
        ": gives back what is kept of the device from call to call, its memory too. No two of\n   these functions may "
        "run at one time.\n "
        "  " +
        fault_name(p) + ": what the device has said, after status 4.\n   " + time_limit_name(p) +
        ": how many seconds a kernel may take, from then on; 0, as at first: as long as it takes. One\n   that has not "
        "ended by then is given up with status 4; the device is busy until it has.\n   " +
        kernel_seconds_name(p) +
        ": the device's time for kernels since the last call of this, of those that it was to\n   measure; 1: it is to "
        "measure from then on, and waits for each; 0, as at first: it is not.\n";
  r += "\n   " + name +
       ": the same for a caller that learns of the program when it runs. It takes the sizes, and the addresses\n"
       "   of what is read, numbers too, and of what is written, each in the order above. */\n";
  r += "#ifndef " + guard + "\n#define " + guard +
       "\n#include <stdint.h>\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  r += trap_struct(p) + "\nint32_t " + entry_name(p) + "(" + comma_list(parameters.for_header) + ");\n\n";
  r += "int32_t " + name + "(const int64_t* sizes, const void* const* inputs, void* const* outputs,\n    struct " +
       trap_name(p) + "* trap);\n\n";
  if (of_device)
    r += "void " + release_name(p) + "(void);\nconst char* " + fault_name(p) + "(void);\nvoid " + time_limit_name(p) +
         "(double seconds);\ndouble " + kernel_seconds_name(p) + "(int32_t measure);\n\n";
  r += "/* primitive, message, file, line and column, between tabs; of status 5 \"precondition\" and a message "
       "*/\nconst "
       "char* " +
       trap_name(p) + "_text(int32_t check);\n";
  return r + "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
}

}  // namespace lockstep
