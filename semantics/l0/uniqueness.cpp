// What shares data with what, and what is consumed: variables, how effects go together, and how what is wrong is told.
#include "semantics/l0/uniqueness.h"

#include <algorithm>

#include "semantics/l0/aliases.h"
#include "semantics/text/reader.h"

namespace lockstep::l0 {
namespace aliasing {

Leaves together(const Shares& shares) {
  Leaves out;
  for (const Leaves& l : shares) out.insert(l.begin(), l.end());
  return out;
}

std::vector<Leaf> Analysis::bind(const std::string& name, const Region& at, const Type& type, Origin origin,
                                 const Shares& shares) {
  std::vector<Leaf> found;
  const std::vector<LeafType> types = leaves_of(type);
  variables_.push_back({name, at, origin, borders_.size()});
  for (std::size_t k = 0; k < types.size(); ++k) {
    if (types[k].rank == 0) {
      found.push_back(no_leaf);
      continue;
    }
    const Leaf leaf = rows_.size();
    rows_.push_back({variables_.size() - 1, closed(shares[k])});
    for (const Leaf other : rows_[leaf].aliases) rows_[other].aliases.insert(leaf);
    found.push_back(leaf);
  }
  if (name != "_") scope_.bind(name, found);
  return found;
}

std::vector<Leaf> Analysis::bind(const Pattern& p, const Shares& shares) {
  return match(
      p.node, [&](const NamePattern& n) { return bind(n.name, p.region, p.type.value, Origin::Local, shares); },
      [&](const TuplePattern& t) {
        std::vector<Leaf> found;
        auto next = shares.begin();
        for (const Pattern& part : t.items) {
          const auto end = next + static_cast<std::ptrdiff_t>(leaf_count(part.type.value));
          const std::vector<Leaf> leaves = bind(part, Shares(next, end));
          found.insert(found.end(), leaves.begin(), leaves.end());
          next = end;
        }
        return found;
      });
}

Leaves Analysis::closed(const Leaves& some) const {
  Leaves out = some;
  for (const Leaf l : some) out.insert(rows_[l].aliases.begin(), rows_[l].aliases.end());
  return out;
}

Effects Analysis::use(const std::string& name, const Region& at) const {
  Effects out;
  for (const Leaf l : leaves_named(name))
    if (l != no_leaf) out.used.emplace(l, at);
  return out;
}

Effects Analysis::consume(const Leaves& some, const Region& at, const std::string& name) {
  Effects out;
  const std::string what = name.empty() ? "what is consumed here" : "`" + name + "`";
  for (const Leaf l : closed(some)) {
    const Variable& v = variables_[rows_[l].variable];
    const std::string through = v.name == name ? "" : " may share data with `" + v.name + "`, which";
    if (v.origin == Origin::Observed) {
      report(
          at,
          what + (through.empty() ? " is" : through + " is") + " a parameter without `*`: who calls may use it again",
          "an array that is nobody else's",
          "declare it `*[…] " + v.name + "` at " + show_position(v.region) + ", or update a `copy(" + v.name + ")`");
      break;
    }
    if (v.level < borders_.size()) {
      const bool loop = borders_[v.level] == Border::Loop;
      report(
          at,
          what + (through.empty() ? " is" : through + " is") + " defined outside the " + (loop ? "loop" : "function") +
              ", which may come to it again",
          loop ? "a name that the loop hands on: `loop (" + v.name + ") = …`" : "an array that is the function's own",
          loop ? "" : "update a `copy(" + v.name + ")`, or let a parameter with `*` be consumed");
      break;
    }
    out.consumed.emplace(l, Consumption{at, name});
  }
  return out;
}

void Analysis::report(const Region& at, std::string message, std::string expected, std::string mend) {
  if (diagnostics_.size() < reading::error_limit)
    diagnostics_.push_back({at, std::move(message), std::move(expected), std::move(mend)});
}

bool Analysis::shared_with_another(const Shares& shares, std::size_t k) const {
  const Leaves mine = closed(shares[k]);
  for (std::size_t j = 0; j < shares.size(); ++j)
    if (j != k && std::any_of(shares[j].begin(), shares[j].end(), [&](Leaf l) { return mine.count(l) != 0; }))
      return true;
  return false;
}

void Analysis::report_misuse(const Region& used, Leaf leaf, const Consumption& by) {
  const std::string& name = name_of(leaf);
  const std::string consumed = by.name.empty() || by.name == name
                                   ? "it is consumed"
                                   : "`" + by.name + "`, with which it may share data, is consumed";
  const std::string place = show_position(by.at);
  report(used, "`" + name + "` is used here, and " + consumed + (place.empty() ? "" : " at " + place),
         "no use of an array beside or after what consumes it",
         "what is wanted of it later can be taken before, or of a `copy(" + name + ")`");
}

void Analysis::forbid(const Effects& consuming, const Effects& others) {
  std::set<std::uint32_t> told;
  for (const auto& [leaf, by] : consuming.consumed) {
    if (const auto u = others.used.find(leaf); u != others.used.end()) {
      if (told.insert(u->second.begin).second) report_misuse(u->second, leaf, by);
    } else if (const auto c = others.consumed.find(leaf); c != others.consumed.end()) {
      if (told.insert(c->second.at.begin).second) report_misuse(c->second.at, leaf, by);
    }
  }
}

namespace {

Effects joined(Effects a, Effects b) {
  if (a.used.size() < b.used.size()) a.used.swap(b.used);
  a.used.merge(b.used);
  if (a.consumed.size() < b.consumed.size()) a.consumed.swap(b.consumed);
  a.consumed.merge(b.consumed);
  return a;
}

}  // namespace

Effects Analysis::then(Effects first, Effects second) {
  if (!first.consumed.empty()) forbid(first, second);
  return joined(std::move(first), std::move(second));
}
// Without a definition between, in whatever order they come.
Effects Analysis::beside(Effects a, Effects b) {
  forbid(a, b);
  forbid(b, a);
  return joined(std::move(a), std::move(b));
}
Effects Analysis::either(Effects a, Effects b) { return joined(std::move(a), std::move(b)); }

void Analysis::leave(Shares& shares, const Effects& effects) {
  for (Leaves& leaves : shares)
    for (const auto& [leaf, by] : effects.consumed) leaves.erase(leaf);
}

// A star says that nobody else has it: no parameter without one, nothing from outside, no other part of the result.
void Analysis::check_result(const Type& declared, const Shares& shares, const std::string& whose, const Region& at,
                            std::size_t level) {
  const std::vector<LeafType> types = leaves_of(declared);
  for (std::size_t k = 0; k < types.size(); ++k) {
    if (!types[k].unique) continue;
    const Leaves mine = closed(shares[k]);
    for (const Leaf l : mine) {
      const Variable& v = variables_[rows_[l].variable];
      if (v.origin != Origin::Observed && v.level >= level) continue;
      report(
          at,
          whose + " is declared unique, `" + show(leaf_type(types[k])) + "`, and may share data with `" + v.name + "`",
          v.level < level ? "an array that is made in the function" : "an array that no parameter without `*` shares",
          "give a `copy(" + v.name + ")`");
      return;
    }
    if (shared_with_another(shares, k)) {
      report(at,
             "part " + std::to_string(k + 1) + " of " + whose + " is declared unique, `" + show(leaf_type(types[k])) +
                 "`, and may share data with another",
             "arrays that share nothing", "give a copy of one of them");
      return;
    }
  }
}

void Analysis::function(const Function& f) {
  const Within within(*this, Border::Function);
  for (const Parameter& p : f.parameters) {
    const std::vector<LeafType> types = leaves_of(p.type);
    const bool unique = std::any_of(types.begin(), types.end(), [](const LeafType& t) { return t.unique; });
    bind(p.name, p.region, p.type, unique ? Origin::Unique : Origin::Observed, Shares(types.size()));
    // of a tuple those leaves without a star are others'
    if (unique && std::any_of(types.begin(), types.end(), [](const LeafType& t) { return !t.unique && t.rank > 0; })) {
      variables_.push_back({p.name, p.region, Origin::Observed, borders_.size()});
      const std::vector<Leaf>& leaves = leaves_named(p.name);
      for (std::size_t k = 0; k < types.size(); ++k)
        if (types[k].rank > 0 && !types[k].unique) rows_[leaves[k]].variable = variables_.size() - 1;
    }
  }
  const Found body = find(*f.body);
  check_result(f.result, body.shares, "what `" + f.name + "` gives", f.body->region, borders_.size());
}

}  // namespace aliasing

Diagnostics wrong_uses(const Program& program) {
  aliasing::Analysis analysis(program);
  for (const Function& f : program.functions) analysis.function(f);
  return std::move(analysis.diagnostics());
}

Consumed consumed_by(const Program& program) {
  aliasing::Analysis analysis(program);
  for (const Function& f : program.functions) analysis.function(f);
  return analysis.consumed();
}

Checked<Program> checked(const Program& program) {
  Checked<Program> result = typed(program);
  if (!result) return result;
  if (Diagnostics wrong = wrong_uses(*result); !wrong.empty()) return tl::make_unexpected(std::move(wrong));
  return result;
}

}  // namespace lockstep::l0
