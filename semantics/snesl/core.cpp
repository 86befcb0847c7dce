// Core SNESL as text: a let a line, the type of what it binds behind it.
#include "semantics/snesl/core.h"

#include <algorithm>

namespace lockstep::snesl::core {

std::string_view name_of(Builtin b) {
  switch (b) {
    case Builtin::Scalar:
      return "scalar";
    case Builtin::Mkseq:
      return "mkseq";
    case Builtin::Empty:
      return "empty";
    case Builtin::The:
      return "the";
    case Builtin::Append:
      return "++";
    case Builtin::Zip:
      return "zip";
    case Builtin::Unzip:
      return "unzip";
    case Builtin::Flagpart:
      return "flagpart";
    case Builtin::Sep:
      return "sep";
    case Builtin::Concat:
      return "concat";
    case Builtin::TailFlags:
      return "tail_flags";
    case Builtin::Iota:
      return "&";
    case Builtin::Tab:
      return "tab";
    case Builtin::Seq:
      return "seq";
    case Builtin::Length:
    case Builtin::SeqLength:
      return "#";
    case Builtin::Index:
      return "!";
    case Builtin::Reduce:
      return "reduce";
    case Builtin::Reduce1:
      return "reduce1";
    case Builtin::Scan:
      return "scan";
    case Builtin::ReadFile:
      return "read_file";
    case Builtin::WriteFile:
      return "write_file";
  }
  throw Bug("built-in");
}

namespace {

constexpr int deepest_indent = 60;  // a deep program is not a wide one

class Printer {
 public:
  std::string out;

  void body(const Expr& e, int indent) {
    const Expr* at = &e;
    while (const auto* l = std::get_if<Let>(&at->node)) {
      line(indent);
      out += "let " + l->name + " : " + show(l->value->type) + " =";
      value(*l->value, indent);
      at = &*l->body;
    }
    line(indent);
    if (at != &e) out += "in ";
    simple(*at, indent);
  }

 private:
  void line(int indent) { out += "\n" + std::string(static_cast<std::size_t>(std::min(indent, deepest_indent)), ' '); }
  void value(const Expr& e, int indent) {
    if (!std::holds_alternative<Let>(e.node)) out += " ";
    inner(e, indent);
  }
  void inner(const Expr& e, int indent) {
    if (std::holds_alternative<Let>(e.node)) return body(e, indent + 2);
    simple(e, indent);
  }
  void names(const std::vector<std::string>& ns) {
    out += "(";
    for (std::size_t k = 0; k < ns.size(); ++k) out += (k > 0 ? ", " : "") + ns[k];
    out += ")";
  }
  void list(const std::vector<Using>& us) {
    for (std::size_t k = 0; k < us.size(); ++k) out += (k > 0 ? ", " : " using ") + us[k].name;
  }
  void simple(const Expr& e, int indent) {
    std::visit(Cases{
                   [&](const Var& x) { out += x.name; },
                   [&](const Literal& x) { out += show(x.atom); },
                   [&](const Text& x) { text(x.text); },
                   [&](const Tuple& x) { names(x.items); },
                   [&](const Project& x) { out += x.tuple + "." + std::to_string(x.index + 1); },
                   [&](const Let&) { body(e, indent + 2); },
                   [&](const Apply& x) {
                     out += x.builtin == Builtin::Scalar ? name_of(x.op) : name_of(x.builtin);
                     if (x.builtin == Builtin::Reduce || x.builtin == Builtin::Reduce1 || x.builtin == Builtin::Scan)
                       out += "-" + std::string(name_of(x.monoid));
                     names(x.arguments);
                   },
                   [&](const Comprehension& x) {
                     out += "{";
                     inner(*x.body, indent);
                     out += " : " + x.element + " in " + x.sequence;
                     list(x.variables);
                     out += "}";
                   },
                   [&](const Guarded& x) {
                     out += "{";
                     inner(*x.body, indent);
                     out += " | " + x.condition;
                     list(x.variables);
                     out += "}";
                   },
               },
               e.node);
  }
  void text(const std::string& t) {
    static constexpr char digits[] = "0123456789abcdef";
    out += '"';
    for (const char c : t) {
      const auto u = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\')
        out += {'\\', c};
      else if (c == '\n')
        out += "\\n";
      else if (u < 32 || u > 126)
        out += {'\\', 'x', digits[u / 16], digits[u % 16]};
      else
        out += c;
    }
    out += '"';
  }
};

}  // namespace

std::string print(const Program& p) {
  Printer printer;
  printer.out = "fun " + p.name + "(";
  for (std::size_t k = 0; k < p.parameters.size(); ++k)
    printer.out += (k > 0 ? ", " : "") + p.parameters[k].name + " : " + show(p.parameters[k].type);
  printer.out += ") : " + show(p.body->type) + " =";
  printer.body(*p.body, 2);
  return printer.out + "\n";
}

}  // namespace lockstep::snesl::core
