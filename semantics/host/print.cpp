// Host programs as text, for people (program.h): the head is the kernel program's, kernels are printed where they are
// launched.
#include "semantics/kernel/print.h"
#include "semantics/host/program.h"

namespace lockstep::host {
namespace {

std::string indented(int indent, const std::string& line) {
  return std::string(static_cast<std::size_t>(indent), ' ') + line + "\n";
}

std::string names(const std::set<std::string>& all) {
  std::string out;
  for (const std::string& n : all) out += (out.empty() ? "" : ", ") + kernel::print(kernel::variable(n));
  return out;
}

// "launch (n; r, xs) for n, 256 to a block, at most 65535 blocks of 256"
std::string head(const Launch& l, const std::set<std::string>& scalars) {
  const Taken taken = taken_by(l.body, scalars);
  std::set<std::string> by_value = taken.numbers;
  by_value.insert(taken.scalars.begin(), taken.scalars.end());
  const Grid& g = l.grid;
  std::string out = "launch (" + names(by_value) + "; " + names(taken.arrays) + ")";
  if (!loop_of(l)) return out + " once";
  out += " for " + kernel::print(g.count) + ", " + std::to_string(g.to_a_block) + " to a block, at most " +
         std::to_string(g.most) + " blocks of " + std::to_string(g.threads);
  return kernel::constant_of(g.bytes) == 0 ? out : out + ", " + kernel::print(g.bytes) + " bytes each";
}

class Printer {
 public:
  explicit Printer(const Program& p) : by_value_(by_value(p)) {}
  std::string text;

  void statement(const Stmt& s, int indent) {
    const auto line = [&](const std::string& l) { text += indented(indent, l); };
    const auto name = [](const std::string& n) { return kernel::print(kernel::variable(n)); };
    const auto body = [&](const std::string& head, const Stmt& inner) {
      line(head + (head.empty() ? "{" : " {"));
      inside(inner, indent + 2);
      line("}");
    };
    match(
        s.node, [&](const Block&) { body("", s); },
        [&](const Acquire& a) {
          line("acquire " + kernel::print(a.type) + " " + name(a.array) + "[" + kernel::print(a.count) + "];");
        },
        [&](const Release& r) { line("release " + name(r.array) + ";"); },
        [&](const Send& x) { line("send " + name(x.array) + ";"); },
        [&](const Fetch& x) { line("fetch " + name(x.array) + ";"); },
        [&](const Read& r) {
          line("read " + std::string(show(r.type)) + " " + name(r.name) + " = " + name(r.array) + "[0];");
        },
        [&](const Launch& l) {
          line(head(l, by_value_));
          text += kernel::print(l.body, indent + 2);
        },
        [&](const Finish&) { line("finish;"); },
        [&](const For& f) { body("for (" + name(f.name) + " < " + kernel::print(f.extent) + ")", *f.body); },
        [&](const If& i) {
          body("if (" + kernel::print(i.condition) + ")", *i.then);
          body("else", *i.otherwise);
        },
        [&](const While& w) {
          body("loop", *w.before);
          body("while (" + kernel::print(w.condition) + ")", *w.body);
        });
  }

 private:
  void inside(const Stmt& s, int indent) {
    const auto* b = std::get_if<Block>(&s.node);
    if (!b) return statement(s, indent);
    for (const Stmt& x : b->statements) statement(x, indent);
  }

  const std::set<std::string> by_value_;
};

}  // namespace

std::string print(const Program& program) {
  kernel::Program head = program.of;
  head.body = kernel::Stmt{kernel::Block{}};
  std::string text = kernel::print(head);
  text.resize(text.size() - std::string("{}\n").size());
  Printer printer(program);
  printer.statement(program.body, 0);
  return "host " + text.substr(std::string("kernel ").size()) + printer.text;
}

}  // namespace lockstep::host
