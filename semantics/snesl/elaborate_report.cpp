// What inference expects of types, what waits, and what is said where they do not fit.
#include "semantics/snesl/elaborate_infer.h"

namespace lockstep::snesl::elaboration {

using Form = TypeGraph::Form;

void Inference::report(const Region& region, std::string message, std::string expected, std::string mend) {
  failed_ = true;
  diagnostics_.push_back({region, std::move(message), std::move(expected), std::move(mend)});
}

void Inference::report(const Mismatch& m, const Region& region, const std::string& message, const std::string& expected,
                       const std::string& mend) {
  switch (m.kind) {
    case Mismatch::Kind::Shape:
      return report(region, message, expected, mend);
    case Mismatch::Kind::Endless:
      return report(region, message, expected, "no type contains itself");
    case Mismatch::Kind::Deep:
      return report(region, "this type is nested too deeply", "at most 1,000 levels", "");
    case Mismatch::Kind::Sequence: {
      const Why& w = types().why(m.why);
      const bool has = types().form(m.offender) == Form::Sequence;
      int names = 0;
      const Tabbed inner = tabbed(m.offender, names);
      return report(w.in_called ? region : w.region,
                    w.subject + (has ? " is a sequence, of the type " : " has a sequence in it, its type is ") +
                        shown(m.offender),
                    w.expected,
                    w.of_elements
                        ? "tab the inner sequences first: tab({" + inner.value + " : " + inner.pattern + " in s})"
                        : w.mend);
    }
  }
}

// A pattern for what has this type, and the same value with vectors in the place of sequences.
Inference::Tabbed Inference::tabbed(TypeId t, int& names) const {
  if (types().form(t) == Form::Tuple) {
    Tabbed out{"", "", false};
    for (const TypeId item : types().items(t)) {
      const Tabbed part = tabbed(item, names);
      out.pattern += (out.pattern.empty() ? "(" : ", ") + part.pattern;
      out.value += (out.value.empty() ? "(" : ", ") + part.value;
      out.holds_sequence = out.holds_sequence || part.holds_sequence;
    }
    return {out.pattern + ")", out.value + ")", out.holds_sequence};
  }
  static constexpr std::string_view letters = "xyzuvw";
  const auto k = static_cast<std::size_t>(names++);
  const std::string name = k < letters.size() ? std::string(1, letters[k]) : "x" + std::to_string(k);
  if (types().form(t) != Form::Sequence) return {name, name, false};
  const Tabbed element = tabbed(types().items(t)[0], names);
  return {name,
          element.holds_sequence ? "tab({" + element.value + " : " + element.pattern + " in " + name + "})"
                                 : "tab(" + name + ")",
          true};
}

std::string Inference::mend_of(TypeId found, TypeId wanted, NodeId n) const {
  const Form f = types().form(found), w = types().form(wanted);
  if (f == Form::Vector && w == Form::Sequence) return "seq(...) makes a sequence of a vector";
  if (f == Form::Sequence && w == Form::Vector) return "tab(...) makes a vector of a sequence";
  if (f == Form::Sequence && w == Form::Prim) return "a comprehension goes over its elements: {... : x in s}";
  if (f == Form::Sequence && w == Form::Sequence) {
    const Mask element = types().mask(types().items(found)[0]), number = types().mask(types().items(wanted)[0]);
    const bool a_number = element == mask_of(Prim::Char) || element == mask_of(Prim::Bool);
    return number == any_number && a_number ? "int(...) converts each element: {int(x) : x in s}" : "";
  }
  const Mask m = types().mask(found);
  if (f == Form::Prim && w == Form::Sequence && m == mask_of(Prim::Int)) return "&n is 0, 1, ..., n - 1";
  if (f == Form::Prim && w == Form::Prim) {
    const auto* literal = std::get_if<LiteralNode>(&out_[n].node);
    if (types().prim_of(wanted) == Prim::Real)
      return literal && m == mask_of(Prim::Int) ? "write " + std::to_string(literal->atom.integer) + ".0"
                                                : "real(...) converts";
    if (types().prim_of(wanted) == Prim::Int) return "int(...) converts";
    if (types().prim_of(wanted) == Prim::Char) return "char(...) converts";
    if (m == mask_of(Prim::Int)) return "compare it: ... != 0";
  }
  return "";
}

bool Inference::expect(NodeId n, TypeId wanted, const std::string& what) {
  const TypeId found = type(n);
  const auto m = types().unify(found, wanted);
  if (!m) return true;
  report(*m, out_[n].region, what + " has the type " + shown(found), shown(wanted), mend_of(found, wanted, n));
  return false;
}

bool Inference::expect_prim(NodeId n, Mask wanted, const std::string& what, std::string_view of_vector) {
  const TypeId found = type(n);
  if (!types().restrict(found, wanted)) return true;
  std::string mend;
  const auto* text = std::get_if<TextNode>(&out_[n].node);
  if (types().form(found) == Form::Sequence) mend = "a comprehension goes over its elements: {... : x in s}";
  if (types().form(found) == Form::Vector) mend = of_vector;
  if (text && text->text.size() == 1) {
    const auto character = static_cast<unsigned char>(text->text[0]);
    mend = "a character is written " + show(char_atom(character));
  }
  if (types().mask(found) == mask_of(Prim::Bool)) mend = "int(...) makes 1 of true and 0 of false";
  if (types().mask(found) == mask_of(Prim::Real) || types().mask(found) == mask_of(Prim::Char))
    mend = "int(...) converts";
  report(out_[n].region, what + " has the type " + shown(found), show_mask(wanted), mend);
  return false;
}

bool Inference::concrete(TypeId t, Why why) {
  if (const Form f = types().form(t); f == Form::Prim || f == Form::Vector) return true;
  const Region region = why.region;
  const auto m = types().make_concrete(t, types().because(std::move(why)));
  if (m) report(*m, region, "", "", "");
  return !m;
}

// ------------------------------------------------------------------------------------------- what waits
void Inference::constrain(Constraint c) {
  switch (types().step(c)) {
    case Progress::Done:
      return;
    case Progress::Failed:
      return complain(c);
    case Progress::Waits:
    case Progress::Narrowed:
      out_.open.push_back(std::move(c));
  }
}

// Until nothing moves. Two that say the same of the same types are one: the result depends on the operands alone.
void Inference::settle() {
  for (bool moved = true; moved;) {
    moved = false;
    std::map<std::array<int, 4>, TypeId> known;
    std::vector<Constraint> left;
    for (Constraint& c : out_.open) {
      const Progress p = types().step(c);
      moved = moved || p == Progress::Done || p == Progress::Narrowed;
      if (p == Progress::Failed) complain(c);
      if (p == Progress::Done || p == Progress::Failed) continue;
      const bool operands_two = c.kind <= Constraint::Kind::Choice;
      const TypeId result = operands_two ? c.types[2] : c.types[1];
      const auto [it, first] = known.emplace(std::array{static_cast<int>(c.kind), c.index, types().find(c.types[0]),
                                                        operands_two ? types().find(c.types[1]) : -1},
                                             result);
      if (first) {
        left.push_back(std::move(c));
        continue;
      }
      moved = true;  // what has been asked before may now be known
      if (result >= 0 && types().unify(it->second, result)) complain(c);
    }
    out_.open = std::move(left);
  }
  if (out_.open.size() > 10'000 && !failed_)
    report(out_.region, "the type of " + out_.name + " has more than 10,000 conditions on its parameters", "",
           "give the parameters types by using them");
}

// The unknowns that a call decides stay. The others: one that may be any type is of no value at all, an element of what
// is always empty, and is Int; where it is one of several prims, the choice would show.
void Inference::settle_unknowns() {
  if (failed_) return;
  std::vector<TypeId> reached;
  for (const Slot p : out_.parameters) types().unknowns(slot(p).type, reached);
  types().unknowns(out_.result, reached);
  std::vector<bool> in(static_cast<std::size_t>(types().size()), false);
  for (const TypeId t : reached) in[static_cast<std::size_t>(t)] = true;
  std::vector<std::vector<TypeId>> of;
  for (const Constraint& c : out_.open) {
    of.emplace_back();
    for (const TypeId t : c.types)
      if (t >= 0) types().unknowns(t, of.back());
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& group : of) {
      bool any = false, all = true;
      for (const TypeId t : group) (in[static_cast<std::size_t>(t)] ? any : all) = in[static_cast<std::size_t>(t)];
      if (!any || all) continue;
      grown = true;
      for (const TypeId t : group)
        if (!in[static_cast<std::size_t>(t)]) {
          in[static_cast<std::size_t>(t)] = true;
          reached.push_back(t);
        }
    }
  }
  out_.unknowns = reached;
  for (std::size_t k = 0; k < of.size(); ++k)
    if (!of[k].empty() && !in[static_cast<std::size_t>(of[k].front())]) {
      report(out_.open[k].region, "nothing determines the types of " + out_.open[k].what, "",
             "give an empty sequence its type: {0 | false} is one of Int");
      return;
    }
  for (TypeId t = 0; t < types().size(); ++t) {
    if (types().find(t) != t || types().form(t) != Form::Unknown ||
        (static_cast<std::size_t>(t) < in.size() && in[static_cast<std::size_t>(t)]))
      continue;
    if (types().open_to_all(t)) continue;  // solved_type makes it Int
    report(types().origin(t), "nothing determines the type of this: " + show_mask(types().mask(t)),
           "a use that says which",
           "give an empty sequence its type: {0 | false} is one of Int, {0.0 | false} of Real");
    return;
  }
}

void Inference::complain(const Constraint& c) {
  const std::string in = c.within.empty() ? "" : "in " + c.within + ", ";
  const auto t = [&](std::size_t k) { return shown(c.types[k]); };
  switch (c.kind) {
    case Constraint::Kind::Arithmetic:
    case Constraint::Kind::Bits:
    case Constraint::Kind::Comparison:
    case Constraint::Kind::Choice: {
      std::string message = in + c.what + " stands between " + t(0) + " and " + t(1);
      if (c.types[2] >= 0 && types().form(c.types[2]) == Form::Prim) message += " where " + t(2) + " is wanted";
      const Mask both = types().mask(c.types[0]) | types().mask(c.types[1]);
      return report(c.region, message, "operands of one type; a Char widens to Int",
                    both == any_number ? "real(...) makes a Real of an Int" : "");
    }
    case Constraint::Kind::Countable:
      return report(c.region, in + "# is applied to " + t(0), "a vector or a sequence", "");
    case Constraint::Kind::Component: {
      const std::string k = std::to_string(c.index + 1);
      if (types().form(c.types[0]) != Form::Tuple)
        return report(c.region, in + "." + k + " is taken of " + t(0), "a tuple", "");
      if (c.index < static_cast<int>(types().items(c.types[0]).size()))
        return report(c.region, in + "." + k + " of " + t(0) + " is used as " + t(1), t(1), "");
      return report(c.region, in + "." + k + " is taken of " + t(0),
                    "a component from .1 to ." + std::to_string(types().items(c.types[0]).size()), "");
    }
    case Constraint::Kind::Unzipped:
      return report(c.region, in + "unzip of {" + t(0) + "} is used as " + t(1), "a sequence for each component", "");
  }
}

}  // namespace lockstep::snesl::elaboration
