// The C interface of generated programs (c_entry.h). In: a program; out: the texts around its body, and traps by
// number.
#include "codegen/c_entry.h"

#include <bit>

namespace lockstep {

using namespace kernel;

std::string entry_name(const Program& p) { return c_identifier(p.name); }
std::string own_entry() { return "__attribute__((visibility(\"protected\"))) "; }
std::string loader_name(const Program& p) { return "lockstep_" + entry_name(p); }

std::vector<const Check*> checks_of(const Program& p) {
  std::vector<const Check*> r;
  auto note = [&](const Stmt& s) {
    if (const Check* c = std::get_if<Check>(&s.node)) r.push_back(c);
  };
  walk(p.body, note, [](const Expr&) {});
  return r;
}

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
    std::string hole = "{" + std::to_string(k) + "}", shown = show(s, ieee_domain());
    for (std::size_t at = 0; (at = message.find(hole, at)) != std::string::npos; at += shown.size())
      message.replace(at, hole.size(), shown);
  }
  return {c.primitive, message, c.region};
}

std::string joined(const std::vector<std::string>& parts) {
  std::string r;
  for (std::size_t k = 0; k < parts.size(); ++k) r += (k ? ", " : "") + parts[k];
  return r;
}

EntryParameters declare_parameters(CText& text, const Program& p, const std::string& restrict_word) {
  EntryParameters r;
  auto buffers = [&](const std::vector<Buffer>& bs, const std::string& qualifier, const std::string& from) {
    for (std::size_t k = 0; k < bs.size(); ++k) {
      std::string pointer = qualifier + std::string(c_memory_type(bs[k].type.scalar)) + "*";
      r.declarations.push_back(pointer + " " + restrict_word + text.declare_buffer(bs[k].name));
      r.from_loader.push_back("(" + pointer + ")" + from + "[" + std::to_string(k) + "]");
    }
  };
  for (std::size_t k = 0; k < p.sizes.size(); ++k) {
    r.declarations.push_back("int64_t " + text.declare_variable(p.sizes[k]));
    r.from_loader.push_back("sizes[" + std::to_string(k) + "]");
  }
  buffers(p.inputs, "const ", "inputs");
  buffers(p.outputs, "", "outputs");
  r.declarations.push_back("struct " + entry_name(p) + "_trap* trap");
  r.from_loader.push_back("trap");
  return r;
}

std::string trap_struct(const Program& p) {
  return "struct " + entry_name(p) + "_trap {\n  int32_t check;  /* which one failed: " + entry_name(p) +
         "_trap_text(check) says where */\n  int32_t unused;\n  int64_t values[4];  /* for {0} to {3} in its text "
         "*/\n};\n";
}

std::string trap_table(const Program& p) {
  auto checks = checks_of(p);
  std::string r = "extern \"C\" const char* " + entry_name(p) + "_trap_text(int32_t check) {\n";
  if (checks.empty()) return r + "  (void)check;\n  return \"\";\n}\n";
  r += "  static const char* const texts[] = {\n";
  for (const Check* c : checks) {
    std::string text = c->primitive + "\t" + c->message;
    if (c->region.source) {
      Position at = position_of(*c->region.source, c->region.begin);
      text += "\t" + c->region.source->name + "\t" + std::to_string(at.line) + "\t" + std::to_string(at.column);
    }
    r += "      " + c_string(text) + ",\n";
  }
  return r + "  };\n  return check >= 0 && check < " + std::to_string(checks.size()) + " ? texts[check] : \"\";\n}\n";
}

std::string loader_text(const Program& p, const EntryParameters& parameters) {
  std::string unused;
  if (p.sizes.empty()) unused += "  (void)sizes;\n";
  if (p.inputs.empty()) unused += "  (void)inputs;\n";
  if (p.outputs.empty()) unused += "  (void)outputs;\n";
  return "extern \"C\" int32_t " + loader_name(p) +
         "(const int64_t* sizes, const void* const* inputs, void* const* outputs,\n    struct " + entry_name(p) +
         "_trap* trap) {\n" + unused + "  return " + entry_name(p) + "(" + joined(parameters.from_loader) + ");\n}\n";
}

namespace {

std::string shape_of(const CText& text, const Buffer& b) {
  SizeSubstitution renamed;
  std::set<std::string> names;
  for (const Size& d : b.dims) collect_names(d, names);
  for (const std::string& n : names) renamed[n] = Size::name(text.variable(n));
  std::string r;
  for (const Size& d : b.dims) r += "[" + show(substitute(d, renamed)) + "]";
  r += " of " + std::string(c_memory_type(b.type.scalar));
  return b.type.width == 1 ? r : r + " x " + std::to_string(b.type.width);
}

}  // namespace

std::string c_header(const Program& p, const std::string& how_to_build) {
  CText text;
  EntryParameters parameters = declare_parameters(text, p, "");
  std::string name = entry_name(p), guard = "LOCKSTEP_" + name + "_H";
  std::string r = "/* " + name + ", generated by lockstep.\n" + how_to_build + "\n";
  for (const Buffer& b : p.inputs) r += "     " + text.buffer(b.name) + ": " + shape_of(text, b) + ", read\n";
  for (const Buffer& b : p.outputs) r += "     " + text.buffer(b.name) + ": " + shape_of(text, b) + ", written\n";
  r += "   Arrays are row-major; outputs overlap nothing. Returns 0 when done, 3 after a trap (*trap says which, "
       "unless\n"
       "   it is null; the outputs are undefined then), 4 when memory or a device fails. */\n";
  r += "#ifndef " + guard + "\n#define " + guard +
       "\n#include <stdint.h>\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  r += trap_struct(p) + "\nint32_t " + name + "(" + joined(parameters.declarations) + ");\n";
  r += "/* primitive, message, file, line and column, between tabs */\nconst char* " + name +
       "_trap_text(int32_t check);\n";
  r += "int32_t " + loader_name(p) +
       "(const int64_t* sizes, const void* const* inputs, void* const* outputs,\n    struct " + name +
       "_trap* trap);\n";
  return r + "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
}

}  // namespace lockstep
