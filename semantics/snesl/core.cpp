// Core SNESL as text: a let a line, the type of what it binds behind it.
#include "semantics/snesl/core.h"

#include <algorithm>

#include "semantics/core/table.h"

namespace lockstep::snesl::core {

std::string_view name_of(Builtin b) {
  static constexpr auto rows = table<Builtin>({{Builtin::Scalar, "scalar"},
                                               {Builtin::Mkseq, "mkseq"},
                                               {Builtin::Empty, "empty"},
                                               {Builtin::The, "the"},
                                               {Builtin::Append, "++"},
                                               {Builtin::Zip, "zip"},
                                               {Builtin::Unzip, "unzip"},
                                               {Builtin::Flagpart, "flagpart"},
                                               {Builtin::Sep, "sep"},
                                               {Builtin::Concat, "concat"},
                                               {Builtin::TailFlags, "tail_flags"},
                                               {Builtin::Iota, "&"},
                                               {Builtin::Tab, "tab"},
                                               {Builtin::Seq, "seq"},
                                               {Builtin::Length, "#"},
                                               {Builtin::SeqLength, "#"},
                                               {Builtin::Index, "!"},
                                               {Builtin::Reduce, "reduce"},
                                               {Builtin::Reduce1, "reduce1"},
                                               {Builtin::Scan, "scan"},
                                               {Builtin::ReadFile, "read_file"},
                                               {Builtin::WriteFile, "write_file"}});
  return rows[b];
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
    match(
        e.node, [&](const Var& x) { out += x.name; }, [&](const Literal& x) { out += show(x.atom); },
        [&](const Text& x) { text(x.text); }, [&](const Tuple& x) { names(x.items); },
        [&](const Project& x) { out += x.tuple + "." + std::to_string(x.index + 1); },
        [&](const Let&) { body(e, indent + 2); },
        [&](const Apply& x) {
          out += x.builtin == Builtin::Scalar ? snesl::name_of(x.op) : std::string(name_of(x.builtin));
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
        });
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
