// Equations and read paths against the meanings, at every small size: what a view's meaning gives is the element that
// its equation names, and its meaning traps exactly where the check that its facet emits would. Read paths are given
// numbers for sizes and indices here, where proofs give them names: a facet may ask whether a size is 1 without
// `decide`. So are acceptors, which together have to write the meaning. In: a view; out: obligations.
#include "proofs/calculus/views/equations.h"
#include "proofs/calculus/views/hypotheses.h"

namespace lockstep::proofs {
namespace {

constexpr std::int64_t largest = 4;  // size
constexpr int seeds = 12;            // contents, of arguments that hold numbers

// The arguments at some sizes: elements of unknown type are all different, numbers are drawn.
class Contents {
 public:
  Contents(const SymbolicView& v, const SizeValues& sizes, std::uint64_t seed)
      : view_(v), sizes_(sizes), state_(seed) {}

  std::int64_t number_of(const std::string& function, const std::vector<std::int64_t>& indices, const Type& leaf) {
    const auto [it, fresh] = numbers_.try_emplace({function, indices}, 0);
    if (!fresh) return it->second;
    const auto* s = as<ScalarType>(leaf);
    if (const auto* x = as<IndexType>(leaf))
      it->second = drawn() % evaluate(x->bound, sizes_).value();
    else if (s && *s == ScalarType::Bool)
      it->second = drawn() % 2;
    else if (s)
      it->second = drawn() % 5 == 0 ? drawn() % 8 - 2 : drawn() % 3;
    else
      it->second = 1000 + static_cast<std::int64_t>(numbers_.size());
    return it->second;
  }
  Value argument(std::size_t k) { return value(view_.arguments[k], "x" + std::to_string(k), {}); }
  // Of a call in an equation or check. What is asked for is an element that the arguments have, or a new one.
  std::int64_t call(const std::string& function, const std::vector<std::int64_t>& indices) {
    const auto it = numbers_.find({function, indices});
    return it == numbers_.end() ? -1000 : it->second;
  }

 private:
  std::int64_t drawn() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::int64_t>(state_ >> 40);
  }
  Value value(const Type& t, const std::string& function, std::vector<std::int64_t> indices) {
    const auto scalar = [&](ScalarType s, const std::vector<std::int64_t>& at) {
      return make_integer(s, static_cast<std::uint64_t>(number_of(function, at, t)));
    };
    if (const auto* a = as<ArrayType>(t)) {
      std::vector<Value> items;
      for (std::int64_t i = 0; i < evaluate(a->length, sizes_).value(); ++i) {
        auto inner = indices;
        inner.push_back(i);
        items.push_back(value(*a->element, function, inner));
      }
      return array_value(std::move(items));
    }
    if (const auto* p = as<PairType>(t)) {
      Value first = value(*p->first, function + ".1", indices);
      return pair_value(std::move(first), value(*p->second, function + ".2", indices));
    }
    if (const auto* x = as<VectorType>(t)) {
      Lanes lanes;
      for (std::int64_t l = 0; l < x->width.constant().value(); ++l) {
        auto at = indices;
        at.push_back(l);
        lanes.push_back(as_scalar(value(*x->element, function, at)));
      }
      return lanes_value(std::move(lanes));
    }
    const auto* unknown = as<TypeVariable>(t);
    if (unknown && !view_.scalars.contains(unknown->name)) indices.push_back(0);  // the rest of a path
    const auto* s = as<ScalarType>(t);
    return scalar_value(scalar(s ? *s : ScalarType::I64, indices));
  }

  const SymbolicView& view_;
  const SizeValues& sizes_;
  std::uint64_t state_;
  std::map<std::pair<std::string, std::vector<std::int64_t>>, std::int64_t> numbers_;
};

// One view at some sizes and contents.
class MeaningTest {
 public:
  using AtElement = std::function<std::string(MeaningTest&, const Scalar&, const Place&, int lane)>;

  // `compare`: of an element of the result what is wrong; its place has numbers.
  MeaningTest(const SymbolicView& v, const Checks& checks, const SizeValues& sizes, std::uint64_t seed,
              const AtElement& compare)
      : view_(v),
        compare_(compare),
        checks_(checks),
        sizes_(sizes),
        contents_(v, sizes_, seed),
        names_(sizes.begin(), sizes.end()) {
    names_["rest"] = 0;
  }

  // What differs, or "".
  std::string run() {
    std::vector<std::int64_t> sizes;
    for (const Size& s : view_.instance.sizes) sizes.push_back(evaluate(s, sizes_).value());
    std::vector<Value> arguments;
    for (std::size_t k = 0; k < view_.arguments.size(); ++k) arguments.push_back(contents_.argument(k));
    bool trapped = false;
    try {
      if (view_.view->check_meaning) view_.view->check_meaning(sizes, arguments);
    } catch (const TrapSignal&) {
      trapped = true;
    }
    if (trapped == checks_hold())
      return trapped ? "the meaning traps, the check does not" : "the check traps, the meaning does not";
    if (trapped) return "";
    return compared(view_.view->meaning(sizes, arguments), view_.result, Place{{}, {}, {}, {}, view_.result, 0});
  }
  std::size_t cases() const { return cases_; }
  const SymbolicView& view() const { return view_; }
  std::int64_t value_of(const Term& t) {
    return evaluate(t, names_,
                    [&](const std::string& f, const std::vector<std::int64_t>& x) { return contents_.call(f, x); });
  }

 private:
  bool holds(const CheckedFact& f, std::size_t loop) {
    if (loop == f.loops.size()) return value_of(f.condition) != 0;
    const std::int64_t n = value_of(f.loops[loop].second);
    for (std::int64_t i = 0; i < n; ++i) {
      names_[f.loops[loop].first] = i;
      if (!holds(f, loop + 1)) return false;
    }
    return true;
  }
  bool checks_hold() {
    return std::all_of(checks_.facts.begin(), checks_.facts.end(), [&](const CheckedFact& f) { return holds(f, 0); });
  }
  std::string compared(const Value& v, const Type& t, const Place& p) {
    if (const auto* a = as<ArrayType>(t)) {
      const std::int64_t n = evaluate(a->length, sizes_).value();
      if (length_of(v) != n)
        return "the result has " + std::to_string(length_of(v)) + " elements, its type says " + std::to_string(n);
      for (std::int64_t i = 0; i < n; ++i) {
        Place q = p;
        q.indices.push_back(number(i));
        q.path.push_back(PathIndex{Size(i)});
        if (const std::string what = compared(element_of(v, i), *a->element, q); !what.empty()) return what;
      }
      return "";
    }
    if (const auto* b = as<PairType>(t)) {
      Place first = p, second = p;
      first.projections.push_back(1);
      first.path.push_back(PathProjection{1});
      second.projections.push_back(2);
      second.path.push_back(PathProjection{2});
      const std::string what = compared(first_of(v), *b->first, first);
      return what.empty() ? compared(second_of(v), *b->second, second) : what;
    }
    if (const auto* x = as<VectorType>(t)) {
      Place q = p;
      q.lanes = static_cast<int>(x->width.constant().value());
      const Value vector = force(v);
      const Lanes& lanes = as_lanes(vector);
      if (static_cast<int>(lanes.size()) != q.lanes) return "the result has another number of lanes";
      for (int l = 0; l < q.lanes; ++l)
        if (const std::string what = at_leaf(lanes[static_cast<std::size_t>(l)], q, l); !what.empty()) return what;
      return "";
    }
    Place q = p;
    const auto* unknown = as<TypeVariable>(t);
    if (unknown && !view_.scalars.contains(unknown->name)) {
      q.indices.push_back(name("rest"));
      q.path.push_back(PathIndex{Size::name("rest")});
    }
    return at_leaf(as_scalar(force(v)), q, 0);
  }
  std::string at_leaf(const Scalar& s, const Place& p, int lane) {
    ++cases_;
    const std::string wrong = compare_(*this, s, p, lane);
    if (wrong.empty()) return "";
    std::string at;
    for (const Term& i : p.indices)
      if (i.op == TermOp::Number) at += " ! " + std::to_string(i.number);
    if (p.lanes > 0) at += ", lane " + std::to_string(lane) + ",";
    return "the meaning's element" + at + " is another" + wrong;
  }

  const SymbolicView& view_;
  const AtElement& compare_;
  const Checks& checks_;
  const SizeValues& sizes_;
  Contents contents_;
  std::map<std::string, std::int64_t> names_;
  std::size_t cases_ = 0;
};

// Every choice of sizes up to the largest that satisfies the facts and gives each idx(n) a value.
std::vector<SizeValues> small_sizes(const SymbolicView& v) {
  std::vector<SizeValues> all = every_size(v.sizes, largest);
  std::erase_if(all, [&](const SizeValues& values) {
    const std::map<std::string, std::int64_t> names(values.begin(), values.end());
    const auto holds = [&](const Term& f) {
      return evaluate(f, names, [](const auto&, const auto&) { return 0; }) != 0;
    };
    for (const Type& t : v.arguments)
      if (const auto* x = as<IndexType>(t); x && evaluate(x->bound, values).value() == 0) return true;
    return !std::all_of(v.facts.begin(), v.facts.end(), holds);
  });
  return all;
}

bool holds_numbers(const SymbolicView& v) {
  for (const Type& t : v.arguments)
    for (const Place& p : places(v, t, ""))
      if (!as<TypeVariable>(p.leaf)) return true;
  return false;
}

struct Unread {
  std::string why;
};

// What differs in any of the cases, or how many there were. `compare_at`: how elements are compared at some sizes.
Outcome tested(const Calculus& calculus, const std::string& view,
               const std::function<MeaningTest::AtElement(const SymbolicView&, const SizeValues&)>& compare_at) {
  std::size_t cases = 0;
  try {
    for (const SymbolicView& v : symbolic_views(*calculus.find(view))) {
      const Checks checks = checks_of(calculus, v);
      if (!checks.error.empty()) return {Standing::Unknown, "", "the check uses " + checks.error};
      for (const SizeValues& sizes : small_sizes(v)) {
        const MeaningTest::AtElement compare = compare_at(v, sizes);
        for (int seed = 0; seed < (holds_numbers(v) ? seeds : 1); ++seed) {
          MeaningTest test(v, checks, sizes, static_cast<std::uint64_t>(seed), compare);
          const std::string what = test.run();
          cases += test.cases();
          std::string at;
          for (const auto& [name, n] : sizes) at += (at.empty() ? "" : ", ") + name + " = " + std::to_string(n);
          if (!what.empty()) return {Standing::Refuted, "tested", at + ": " + what};
        }
      }
    }
  } catch (const Unread& u) {
    return {Standing::Unknown, "", u.why};
  } catch (const WrongEquation& e) {
    return {Standing::Refuted, "tested", e.what};
  } catch (const Bug& b) {
    return {Standing::Refuted, "tested", b.what()};
  }
  if (cases == 0) return {Standing::Unknown, "", "no element was compared"};
  return {Standing::Tested, std::to_string(cases) + " elements, sizes up to " + std::to_string(largest), ""};
}

Outcome equation_tested(const Calculus& calculus, const std::string& view) {
  const auto equation = ViewEquation::read(*calculus.find(view));
  if (!equation) return {Standing::Unknown, "", "its equation has " + equation.error()};
  return tested(calculus, view, [&](const SymbolicView&, const SizeValues&) -> MeaningTest::AtElement {
    return [&](MeaningTest& t, const Scalar& s, const Place& p, int lane) {
      return s.integer() == t.value_of(equation->element({t.view(), p, lane})) ? "" : ", by the equation";
    };
  });
}

// What the read facet gives at numbers, in every way that what it asks may be answered there.
Outcome reading_tested(const Calculus& calculus, const std::string& view) {
  return tested(calculus, view, [](const SymbolicView& v, const SizeValues& sizes) -> MeaningTest::AtElement {
    return [numbers = at_numbers(v, sizes)](MeaningTest& t, const Scalar& s, const Place& p, int lane) -> std::string {
      for (const Reading& r : readings(numbers, p.path)) {
        if (!r.understood) throw Unread{r.error};
        if (!r.error.empty()) return ": " + r.error;
        const bool possible =
            std::all_of(r.known.begin(), r.known.end(), [&](const Term& k) { return t.value_of(k) != 0; });
        if (possible && t.value_of(r.elements.at(static_cast<std::size_t>(lane))) != s.integer())
          return ", by the read path at these numbers";
      }
      return "";
    };
  });
}

// A scalar of a view's result at numbers, or of an argument: below the last index the lane of a short vector.
using At = std::pair<std::vector<int>, std::vector<std::int64_t>>;
// Every place in t, whose lengths are numbers, with each lane of short vectors.
void each_place(const SymbolicView& v, const Type& t, const Place& p,
                const std::function<void(const Place&, int lane)>& f) {
  const auto deeper = [&](const Type& inner, const PathStep& step, const std::function<void(Place&)>& change) {
    Place q = p;
    q.path.push_back(step);
    change(q);
    each_place(v, inner, q, f);
  };
  if (const auto* a = as<ArrayType>(t)) {
    for (std::int64_t i = 0; i < a->length.constant().value(); ++i)
      deeper(*a->element, PathIndex{Size(i)}, [&](Place& q) { q.indices.push_back(number(i)); });
  } else if (const auto* b = as<PairType>(t)) {
    deeper(*b->first, PathProjection{1}, [](Place& q) { q.projections.push_back(1); });
    deeper(*b->second, PathProjection{2}, [](Place& q) { q.projections.push_back(2); });
  } else if (const auto* x = as<VectorType>(t)) {
    Place q = p;
    q.leaf = t, q.lanes = static_cast<int>(x->width.constant().value());
    for (int lane = 0; lane < q.lanes; ++lane) f(q, lane);
  } else {
    Place q = p;
    q.leaf = t;
    if (const auto* unknown = as<TypeVariable>(t); unknown && !v.scalars.contains(unknown->name)) {
      q.indices.push_back(name("rest"));
      q.path.push_back(PathIndex{Size::name("rest")});
    }
    f(q, 0);
  }
}
At at(const Place& p, int lane) {
  At out{p.projections, {}};
  for (const Term& i : p.indices)
    out.second.push_back(evaluate(i, {{"rest", 0}, {"$lane", lane}}, [](const auto&, const auto&) { return 0; }));
  if (p.lanes > 0) out.second.push_back(lane);
  return out;
}

// What the acceptors of a view at numbers write where.
struct Written {
  std::map<At, Term> elements{};
  std::string wrong{};
};
Written written_at(const SymbolicView& v) {
  Written out;
  std::set<At> inside;
  each_place(v, v.result, {}, [&](const Place& p, int lane) { inside.insert(at(p, lane)); });
  for (const AcceptorFacet& acceptor : v.view->acceptors)
    each_place(v, v.arguments.at(acceptor.argument), {}, [&](const Place& from, int lane) {
      const auto to = locate(v, v.result, acceptor.path(Instance{v.instance}, from.path));
      if (!out.wrong.empty()) return;
      if (!to) {
        out.wrong = ": " + to.error();
        return;
      }
      const At place = at(*to, lane);
      if (!inside.contains(place)) out.wrong = ": " + acceptor.name + " writes outside at these numbers";
      if (!out.elements.emplace(place, element(v, acceptor.argument, from, lane)).second)
        out.wrong = ": " + acceptor.name + " writes over what is written at these numbers";
    });
  return out;
}

Outcome writing_tested(const Calculus& calculus, const std::string& view) {
  return tested(calculus, view, [](const SymbolicView& v, const SizeValues& sizes) -> MeaningTest::AtElement {
    return [written = written_at(at_numbers(v, sizes))](MeaningTest& t, const Scalar& s, const Place& p,
                                                        int lane) -> std::string {
      if (!written.wrong.empty()) return written.wrong;
      const auto it = written.elements.find(at(p, lane));
      if (it == written.elements.end()) return ": no acceptor writes it at these numbers";
      return t.value_of(it->second) == s.integer() ? "" : ", by the acceptors at these numbers";
    };
  });
}

}  // namespace

std::vector<Obligation> meaning_obligations(const CalculusRef& calculus, const std::string& view) {
  std::vector<Obligation> out{
      {"views", view, "its equation is its meaning", [=](const Solver&) { return equation_tested(*calculus, view); }},
      {"views", view, "its read path at numbers is its meaning",
       [=](const Solver&) { return reading_tested(*calculus, view); }, false, largest}};
  if (!std::get<View>(calculus->primitive(view)->kind).acceptors.empty())
    out.push_back({"views", view, "its acceptors at numbers write its meaning",
                   [=](const Solver&) { return writing_tested(*calculus, view); }, false, largest});
  return out;
}

}  // namespace lockstep::proofs
