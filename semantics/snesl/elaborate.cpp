// Entry points: what is known of their types, and the one that is run, at the types given.
#include "semantics/snesl/elaborate.h"

#include <algorithm>

#include "semantics/snesl/elaborate_tree.h"

namespace lockstep::snesl {

namespace {

using namespace elaboration;

// By position, so that they are read as the file is.
void sort(Diagnostics& d) {
  std::stable_sort(d.begin(), d.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.region.begin < b.region.begin; });
}

const SlotInfo& parameter(const Inferred& f, std::size_t k) {
  return f.slots[static_cast<std::size_t>(f.parameters[k])];
}

// The entry point's types in a graph of their own, to be settled by what is given.
class Entry {
 public:
  explicit Entry(const Inferred& f) : f_(f) {
    for (std::size_t k = 0; k < f.parameters.size(); ++k) parameters_.push_back(copy(parameter(f, k).type));
    result_ = copy(f.result);
    for (Constraint c : f.open) {
      for (TypeId& t : c.types)
        if (t >= 0) t = copy(t);
      open_.push_back(std::move(c));
    }
  }
  // An Int fits a Real: where the parameter is free to choose, it is Int.
  void give(std::size_t k, const Type& t) {
    if (!well_formed(t)) {
      diagnostics_.push_back({f_.parameter_regions[k],
                              "the parameter " + parameter(f_, k).name + " is given a value of the type " + show(t) +
                                  ", where a vector holds a sequence",
                              "vectors of what is in memory: scalars, tuples and vectors", ""});
      return;
    }
    if (const auto m = types_.unify(given(t), parameters_[k])) {
      diagnostics_.push_back(
          {f_.parameter_regions[k],
           "the parameter " + parameter(f_, k).name + " is given a value of the type " + show(t),
           f_.types.show(parameter(f_, k).type),
           m->kind == Mismatch::Kind::Sequence ? types_.why(m->why).subject + " must not be a sequence" : ""});
    }
  }
  // With nothing given: types that fit, of what is open.
  std::map<std::string, Type> examples(const TypeGraph::Names& open) {
    relate();
    while (shape_one() || choose_one()) relate();
    for (const auto& [theirs, letter] : open) {
      std::vector<TypeId> unknown;
      types_.unknowns(copy(theirs), unknown);
      std::for_each(unknown.begin(), unknown.end(), [&](TypeId t) { choose(t); });
    }
    std::map<std::string, Type> out;
    SolvedTypes known;
    for (const auto& [theirs, letter] : open) out.emplace(letter, solved_type(types_, copy(theirs), {}, known));
    return out;
  }
  Diagnostics settle(Assignment& out) {
    relate();
    for (const TypeId t : ints_) {
      if (types_.form(t) != TypeGraph::Form::Unknown || (types_.mask(t) & mask_of(Prim::Int)) == 0) continue;
      types_.restrict(t, mask_of(Prim::Int));
      relate();
    }
    for (std::size_t k = 0; k < parameters_.size() && diagnostics_.empty(); ++k) {
      std::vector<TypeId> unknown;
      types_.unknowns(parameters_[k], unknown);
      if (!unknown.empty())
        diagnostics_.push_back({f_.parameter_regions[k],
                                "the parameter " + parameter(f_, k).name + " of " + f_.name +
                                    " fits values of several types: " + described(parameters_[k], unknown),
                                "a value that says which", "give it by name: " + parameter(f_, k).name + "=..."});
    }
    if (diagnostics_.empty()) {
      std::vector<TypeId> unknown;
      types_.unknowns(result_, unknown);
      const bool shows = !open_.empty() ||
                         std::any_of(unknown.begin(), unknown.end(), [&](TypeId t) { return !types_.open_to_all(t); });
      if (shows)
        diagnostics_.push_back({f_.region,
                                "nothing determines the type of the result of " + f_.name + ": " + types_.show(result_),
                                "", "give an empty sequence its type: {0 | false} is one of Int"});
    }
    SolvedTypes known;
    if (diagnostics_.empty())
      for (const auto& [theirs, ours] : made_)
        if (f_.types.form(theirs) == TypeGraph::Form::Unknown)
          out.emplace(theirs, solved_type(types_, ours, {}, known));
    return diagnostics_;
  }

 private:
  using Names = TypeGraph::Names;
  TypeId copy(TypeId t) { return types_.copy(f_.types, t, made_, f_.region, f_.name); }
  std::string described(TypeId t, const std::vector<TypeId>& unknown) const {
    if (types_.form(t) == TypeGraph::Form::Unknown) return types_.open_to_all(t) ? "any" : types_.show(t);
    Names names;
    std::string out = types_.show(t, names);
    for (const TypeId u : unknown)
      out += ", " + names[types_.find(u)] + (types_.open_to_all(u) ? " any type" : " " + show_mask(types_.mask(u)));
    return out;
  }
  TypeId given(const Type& t) {
    return match(
        t.node,
        [&](Prim p) {
          if (p != Prim::Int) return types_.prim(p);
          ints_.push_back(types_.unknown(f_.region, any_number));
          return ints_.back();
        },
        [&](const TupleType& x) {
          std::vector<TypeId> items;
          for (const Type& i : x.items) items.push_back(given(i));
          return types_.tuple(std::move(items));
        },
        [&](const VectorType& x) { return types_.vector_of(given(*x.element)); },
        [&](const SequenceType& x) { return types_.sequence_of(given(*x.element)); });
  }
  void relate() {
    for (bool moved = true; moved;) {
      moved = false;
      std::vector<Constraint> left;
      for (Constraint& c : open_) {
        const Progress p = types_.step(c);
        moved = moved || p == Progress::Done || p == Progress::Narrowed;
        if (p == Progress::Failed)
          diagnostics_.push_back({c.region,
                                  "with the values given, " + c.what +
                                      (c.kind <= Constraint::Kind::Choice ? " stands between " : " is applied to ") +
                                      operands(c),
                                  "", ""});
        if (p == Progress::Waits || p == Progress::Narrowed) left.push_back(std::move(c));
      }
      open_ = std::move(left);
    }
  }
  std::string operands(const Constraint& c) const {
    return c.kind <= Constraint::Kind::Choice ? types_.show(c.types[0]) + " and " + types_.show(c.types[1])
                                              : types_.show(c.types[0]);
  }

  // A form for one unknown that is taken apart: as many components as are asked for.
  bool shape_one() {
    for (const Constraint& c : open_) {
      const TypeId t = c.types[0];
      if (types_.form(t) != TypeGraph::Form::Unknown || !types_.open_to_all(t)) continue;
      if (c.kind == Constraint::Kind::Countable)
        return !types_.unify(t, types_.vector_of(types_.unknown(c.region, any_number)));
      if (c.kind != Constraint::Kind::Component) continue;
      int last = 1;
      for (const Constraint& other : open_)
        if (other.kind == Constraint::Kind::Component && types_.find(other.types[0]) == types_.find(t))
          last = std::max(last, other.index);
      std::vector<TypeId> items;
      for (int k = 0; k <= last; ++k) items.push_back(types_.unknown(c.region));
      return !types_.unify(t, types_.tuple(std::move(items)));
    }
    return false;
  }
  // Of the prims that an unknown may be Int, or the first; false where it may be anything, or is known.
  bool choose(TypeId t) {
    if (types_.form(t) != TypeGraph::Form::Unknown || types_.open_to_all(t)) return false;
    const Mask m = types_.mask(t);
    return !types_.restrict(t, m & mask_of(Prim::Int) ? mask_of(Prim::Int) : m & ~(m - 1));
  }
  bool choose_one() {
    for (const Constraint& c : open_)
      if (std::any_of(c.types.begin(), c.types.end(), [&](TypeId t) { return t >= 0 && choose(t); })) return true;
    return false;
  }

  const Inferred& f_;
  TypeGraph types_;
  std::unordered_map<TypeId, TypeId> made_;
  std::vector<TypeId> parameters_;
  TypeId result_ = -1;
  std::vector<Constraint> open_;
  std::vector<TypeId> ints_;
  Diagnostics diagnostics_;
};

EntryPoint entry_point(const Inferred& f) {
  EntryPoint out;
  out.name = f.name;
  TypeGraph::Names names;
  for (std::size_t k = 0; k < f.parameters.size(); ++k) {
    out.parameters.push_back(parameter(f, k).name);
    out.types.push_back(f.types.show(parameter(f, k).type, names));
  }
  if (!names.empty()) out.examples = Entry(f).examples(names);
  out.result = f.types.show(f.result, names);
  out.closed = names.empty() && f.unknowns.empty();
  out.written = f.written;
  out.expanded = f.expanded;
  return out;
}

}  // namespace

Checked<TypedProgram> TypedProgram::of(const surface::Program& p) {
  Diagnostics diagnostics;
  std::vector<Inferred> functions = infer(p, diagnostics);
  sort(diagnostics);
  if (!diagnostics.empty()) return tl::unexpected(std::move(diagnostics));
  TypedProgram out;
  out.source_ = p.source;
  for (const Inferred& f : functions) out.index_.emplace(f.name, static_cast<int>(out.index_.size()));
  out.functions_ = std::make_shared<const std::vector<Inferred>>(std::move(functions));
  return out;
}

std::vector<EntryPoint> TypedProgram::entry_points() const {
  std::vector<EntryPoint> out;
  for (const Inferred& f : *functions_) out.push_back(entry_point(f));
  return out;
}

Checked<TypedProgram::Instance> TypedProgram::instance(const std::string& function,
                                                       const std::map<std::string, Type>& given) const {
  Diagnostics diagnostics;
  const auto it = index_.find(function.empty() ? functions_->back().name : function);
  if (it == index_.end()) {
    std::vector<std::string> names;
    for (const Inferred& f : *functions_) names.push_back(f.name);
    const std::string mend = did_you_mean(function, names);
    const Region start{source_, 0, 0};
    diagnostics.push_back({start, "there is no function " + function, "", mend});
    return tl::unexpected(std::move(diagnostics));
  }
  const int k = it->second;
  const Inferred& f = (*functions_)[static_cast<std::size_t>(k)];
  Entry entry(f);
  std::vector<std::string> parameters;
  for (std::size_t j = 0; j < f.parameters.size(); ++j) {
    parameters.push_back(parameter(f, j).name);
    if (const auto g = given.find(parameters.back()); g != given.end()) entry.give(j, g->second);
  }
  for (const auto& [name, type] : given)
    if (std::find(parameters.begin(), parameters.end(), name) == parameters.end()) {
      const std::string mend = did_you_mean(name, parameters);
      diagnostics.push_back({f.region, f.name + " has no parameter " + name, "", mend});
    }
  Instance out{k, {}};
  for (Diagnostic& d : entry.settle(out.types)) diagnostics.push_back(std::move(d));
  if (!diagnostics.empty()) return tl::unexpected(std::move(diagnostics));
  return out;
}

bool TypedProgram::fits(const std::string& function, const std::map<std::string, Type>& given) const {
  return instance(function, given).has_value();
}

Checked<core::Program> TypedProgram::elaborate(const std::string& function,
                                               const std::map<std::string, Type>& given) const {
  const Checked<Instance> at = instance(function, given);
  if (!at) return tl::unexpected(at.error());
  Checked<core::Program> out = expand(*functions_, at->function, at->types);
  if (out)
    if (const std::string wrong = core::check(*out); !wrong.empty())
      throw Bug("elaboration of " + out->name + ": " + wrong);
  return out;
}

Checked<std::vector<EntryPoint>> check(const surface::Program& p) {
  auto typed = TypedProgram::of(p);
  if (!typed) return tl::unexpected(std::move(typed.error()));
  return typed->entry_points();
}

Checked<core::Program> elaborate(const surface::Program& p, const std::string& function,
                                 const std::map<std::string, Type>& given) {
  const auto typed = TypedProgram::of(p);
  if (!typed) return tl::unexpected(typed.error());
  return typed->elaborate(function, given);
}

}  // namespace lockstep::snesl
