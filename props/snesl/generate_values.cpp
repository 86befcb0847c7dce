// Arguments and files of random SNESL programs, and which parts of the language occur in them.
#include <cctype>

#include "props/snesl/generate.h"
#include "props/snesl/tree.h"
#include "semantics/snesl/builtins.h"

namespace lockstep::props::stream {

using namespace snesl::surface;
using snesl::Atom;
using snesl::Prim;
using snesl::Values;

namespace {

unsigned char random_char(Random& random) {
  if (random.percent(5)) return static_cast<unsigned char>(random.below(256));
  return static_cast<unsigned char>(random.percent(30) ? 10 : 32 + random.below(90));
}

// Around what fits 32 and 64 bits.
std::int64_t special_int(Random& random) {
  constexpr std::int64_t word = std::int64_t{1} << 31;
  static const std::vector<std::int64_t> all{INT64_MIN, INT64_MIN, INT64_MAX, word - 1, word + 1, 2 * word, -1};
  return random.among(all);
}

Atom random_atom(Prim p, Random& random) {
  switch (p) {
    case Prim::Bool:
      return snesl::bool_atom(random.percent(50));
    case Prim::Int:
      if (random.percent(5)) return snesl::int_atom(special_int(random));
      return snesl::int_atom(random.below(9) - 2);
    case Prim::Real: {
      if (random.percent(7)) return snesl::real_atom(special_float(random));
      static const std::vector<double> all{0, -0.0, 0.1, 0.2, 0.7, 1, -1.5, 3, 1e16, 1e-9, 2.5, 1.0 / 3};
      return snesl::real_atom(random.among(all));
    }
    case Prim::Char:
      return snesl::char_atom(random_char(random));
    case Prim::Unit:
      break;
  }
  throw Bug("an argument of units");
}

std::string_view infix_name(Infix op) {
  static constexpr std::string_view all[] = {"||", "&&", "==", "!=", "<", "<=", ">", ">=", "|",
                                             "^",  "&",  "<<", ">>", "+", "-",  "*", "/",  "%"};
  return all[static_cast<std::size_t>(op)];
}

void count_expression(const Expr& e, std::map<std::string, std::size_t>& counts) {
  const auto literal = [](const Literal& l) { return "literal " + std::string(snesl::show(l.atom.type)); };
  const std::string name = match(
      e.node, [](const Variable&) -> std::string { return "variable"; }, [&](const Literal& l) { return literal(l); },
      [](const TextLiteral&) -> std::string { return "text"; },
      [](const LetExpr& x) -> std::string { return x.bindings.size() > 1 ? "let several" : "let"; },
      [](const IfExpr&) -> std::string { return "if"; }, [](const SelectExpr&) -> std::string { return "? :"; },
      [](const ComprehensionExpr& x) {
        return std::string("comprehension") + (x.generators.size() > 1 ? " several" : "") + (x.condition ? " |" : "");
      },
      [](const GuardedExpr&) -> std::string { return "{ | }"; },
      [](const SequenceExpr& x) -> std::string { return x.items.empty() ? "{}" : "{...}"; },
      [](const VectorExpr&) -> std::string { return "[...]"; },
      [](const TupleExpr& x) -> std::string { return x.items.empty() ? "()" : "(...)"; },
      [](const ProjectExpr&) -> std::string { return ".k"; },
      [](const PrefixExpr& x) {
        static constexpr std::string_view all[] = {"iota", "#", "negate", "!"};
        return std::string(all[static_cast<std::size_t>(x.op)]);
      },
      [](const InfixExpr& x) { return "infix " + std::string(infix_name(x.op)); },
      [](const IndexExpr&) -> std::string { return "v ! i"; }, [](const AppendExpr&) -> std::string { return "++"; },
      [](const CallExpr& x) { return x.function; });
  ++counts[name];
  for (const Expr* c : children(e)) count_expression(*c, counts);
}

}  // namespace

snesl::Value random_value(const snesl::Type& t, Random& random, int longest) {
  const auto several = [&](const snesl::Type& element) {
    Values items;
    if (longest > 0) {
      for (int n = longest; n > 0; --n) items.push_back(random_value(element, random));
      return items;
    }
    const int kind = random.below(20);
    for (int n = kind < 4 ? 0 : kind < 8 ? 1 : kind == 19 ? 9 + random.below(10) : 2 + random.below(4); n > 0; --n) {
      items.push_back(random_value(element, random));
      if (!std::holds_alternative<Prim>(element.node) && items.size() > 4) break;  // nested ones stay small
    }
    return items;
  };
  return match(
      t.node, [&](Prim p) { return snesl::atom_value(random_atom(p, random)); },
      [&](const snesl::TupleType& x) {
        Values items;
        for (const snesl::Type& i : x.items) items.push_back(random_value(i, random, longest));
        return snesl::tuple_value(std::move(items));
      },
      [&](const snesl::VectorType& x) { return snesl::vector_value(several(*x.element)); },
      [&](const snesl::SequenceType& x) { return snesl::sequence_value(several(*x.element)); });
}

const std::map<std::string, std::string>& campaign_files() {
  static const std::map<std::string, std::string> files{
      {"text", "ab"}, {"lines", "a b\n\nc"}, {"words", " one two  3\n"}, {"empty", ""}};
  return files;
}

std::map<std::string, std::string> random_files(Random& random, int longest) {
  std::map<std::string, std::string> files;
  for (const auto& [name, text] : campaign_files()) {
    std::string other;
    for (int n = longest > 0 ? longest : random.below(9); n > 0; --n)
      other += static_cast<char>(random.percent(15) ? ' ' : random_char(random));
    files.emplace(name, std::move(other));
  }
  return files;
}

void SourceCoverage::count(const Program& p) {
  for (const Function& f : p.functions) count_expression(*f.body, counts);
}

void SourceCoverage::add(const SourceCoverage& other) {
  for (const auto& [name, n] : other.counts) counts[name] += n;
}

std::vector<std::string> SourceCoverage::missing() const {
  static const char* const all[] = {"variable",
                                    "literal Bool",
                                    "literal Int",
                                    "literal Real",
                                    "literal Char",
                                    "text",
                                    "let",
                                    "let several",
                                    "if",
                                    "? :",
                                    "comprehension",
                                    "comprehension several",
                                    "comprehension |",
                                    "comprehension several |",
                                    "{ | }",
                                    "{}",
                                    "{...}",
                                    "[...]",
                                    "()",
                                    "(...)",
                                    ".k",
                                    "iota",
                                    "#",
                                    "negate",
                                    "!",
                                    "v ! i",
                                    "++",
                                    "infix ||",
                                    "infix &&",
                                    "infix ==",
                                    "infix !=",
                                    "infix <",
                                    "infix <=",
                                    "infix >",
                                    "infix >=",
                                    "infix |",
                                    "infix ^",
                                    "infix &",
                                    "infix <<",
                                    "infix >>",
                                    "infix +",
                                    "infix -",
                                    "infix *",
                                    "infix /",
                                    "infix %"};
  std::vector<std::string> out;
  for (const auto& note : snesl::elaboration::builtin_notes())
    if (std::isalpha(static_cast<unsigned char>(note.name[0])) && !counts.contains(std::string(note.name)))
      out.emplace_back(note.name);
  for (const char* name : all)
    if (!counts.contains(name)) out.emplace_back(name);
  return out;
}

}  // namespace lockstep::props::stream
