// The instance of a view at symbolic sizes, its places, and its check. In: an entry of a calculus; out: terms.
#include "proofs/calculus/views/symbolic_view.h"

#include "semantics/functional/inference/infer.h"

namespace lockstep::proofs {

Term divides_naturals(const Size& s, const std::map<std::string, Term>& numbers) {
  std::vector<Term> out;
  for (const SizeTerm& t : s.terms())
    for (const auto& [atom, power] : t.powers)
      if (atom.division) {
        const auto& [a, b] = *atom.division;
        out.push_back(at_most(number(0), term_of(a, numbers)));
        out.push_back(at_most(number(1), term_of(b, numbers)));
        out.push_back(divides_naturals(a, numbers));
        out.push_back(divides_naturals(b, numbers));
      }
  return all_of(std::move(out));
}

// ------------------------------------------------------------------------------------------------- instances
namespace {

void vector_names(const Type& t, std::set<std::string>& lanes, std::set<std::string>& widths) {
  const auto go = [&](const Ref<Type>& r) { vector_names(*r, lanes, widths); };
  match(
      t.node, [](ScalarType) {}, [](const IndexType&) {}, [&](const ArrayType& x) { go(x.element); },
      [&](const PairType& x) { go(x.first), go(x.second); },
      [&](const VectorType& x) {
        if (const auto* v = as<TypeVariable>(*x.element)) lanes.insert(v->name);
        collect_names(x.width, widths);
      },
      [&](const FunctionType& x) { go(x.from), go(x.to); }, [](const TypeVariable&) {});
}

SymbolicView symbolic(const Calculus::Entry& entry, const SizeSubstitution& widths) {
  SymbolicView v;
  v.entry = &entry;
  v.view = &std::get<View>(entry.primitive->kind);
  std::set<std::string> unused;
  vector_names(entry.scheme.type, v.scalars, unused);
  std::vector<Size> sizes;
  for (const std::string& s : entry.sizes) {
    const auto it = widths.find(s);
    sizes.push_back(it == widths.end() ? Size::name(s) : it->second);
    if (it == widths.end()) v.sizes.push_back(s);
  }
  std::vector<Type> types;
  for (const std::string& t : entry.types) types.push_back(type_variable(t));
  Type t = substitute(entry.scheme.type, widths);
  while (const auto* f = as<FunctionType>(t)) {
    v.arguments.push_back(*f->from);
    t = Type(*f->to);
  }
  v.result = t;
  v.instance = {entry.primitive, -1, sizes, types, {}};
  for (const SizeFact& f : entry.needs) v.facts.push_back(term_of(substitute(f, widths)));
  return v;
}

}  // namespace

SymbolicView at_numbers(const SymbolicView& v, const SizeValues& sizes) {
  SizeSubstitution by;
  for (std::size_t k = 0; k < v.instance.sizes.size(); ++k)
    by.insert_or_assign(v.entry->sizes[k], Size(evaluate(v.instance.sizes[k], sizes).value()));
  return symbolic(*v.entry, by);
}

std::vector<SymbolicView> symbolic_views(const Calculus::Entry& entry) {
  std::set<std::string> lanes, widths;
  vector_names(entry.scheme.type, lanes, widths);
  if (widths.empty()) return {symbolic(entry, {})};
  std::vector<SymbolicView> out;
  for (const std::int64_t w : {2, 3, 4, 8, 16}) {  // languages.md §1
    SizeSubstitution by;
    for (const std::string& name : widths) by.insert_or_assign(name, Size(w));
    out.push_back(symbolic(entry, by));
  }
  return out;
}

// ------------------------------------------------------------------------------------------------- places
namespace {

class Places {
 public:
  Places(const SymbolicView& v, std::string suffix) : view_(v), suffix_(std::move(suffix)) {}

  void walk(const Type& t, const Place& p, std::vector<Place>& out) const {
    match(
        t.node, [&](ScalarType) { out.push_back(at_leaf(p, t)); },
        [&](const IndexType&) { out.push_back(at_leaf(p, t)); },
        [&](const ArrayType& x) { walk(*x.element, with_index(p, x.length), out); },
        [&](const PairType& x) {
          walk(*x.first, with_projection(p, 1), out);
          walk(*x.second, with_projection(p, 2), out);
        },
        [&](const VectorType& x) {
          Place whole = at_leaf(p, *x.element);
          whole.lanes = static_cast<int>(x.width.constant().value());
          out.push_back(whole);
          const Size lane = Size::name("lane" + suffix_);
          out.push_back(at_leaf(extended(p, PathLane{lane}, lane, x.width), *x.element));
        },
        [](const FunctionType&) { throw Bug("a view of functions"); },
        [&](const TypeVariable& x) {
          if (view_.scalars.contains(x.name)) return out.push_back(at_leaf(p, t));
          Place q = p;
          q.path.push_back(PathIndex{Size::name("rest" + suffix_)});  // of the path, below the element
          q.indices.push_back(name("rest" + suffix_));
          out.push_back(at_leaf(q, t));
        });
  }

 private:
  static Place at_leaf(Place p, const Type& t) {
    p.leaf = t;
    return p;
  }
  static Place extended(Place p, const PathStep& step, const Size& i, const Size& bound) {
    p.path.push_back(step);
    p.indices.push_back(term_of(i));
    p.ranges.push_back(within(term_of(i), term_of(bound)));
    return p;
  }
  Place with_index(const Place& p, const Size& bound) const {
    const Size i = Size::name(std::string(1, static_cast<char>('i' + p.indices.size())) + suffix_);
    return extended(p, PathIndex{i}, i, bound);
  }
  static Place with_projection(Place p, int k) {
    p.path.push_back(PathProjection{k});
    p.projections.push_back(k);
    return p;
  }

  const SymbolicView& view_;
  std::string suffix_;
};

// The step of a kind, or nothing.
template <class Step>
const Step* next(const Path& p, std::size_t& at) {
  if (at >= p.size()) return nullptr;
  const auto* s = std::get_if<Step>(&p[at]);
  at += s != nullptr;
  return s;
}

}  // namespace

std::vector<Place> places(const SymbolicView& v, const Type& t, const std::string& suffix) {
  std::vector<Place> out;
  Places(v, suffix).walk(t, Place{{}, {}, {}, {}, t, 0}, out);
  return out;
}

tl::expected<Place, std::string> locate(const SymbolicView& v, const Type& whole, const Path& p,
                                        const std::map<std::string, Term>& numbers) {
  Place out{p, {}, {}, {}, whole, 0};
  Type t = whole;
  std::size_t at = 0;
  const auto wrong = [&](const std::string& what) {
    return tl::unexpected(what + " was expected at step " + std::to_string(at + 1) + " of a path into " + show(whole));
  };
  const auto indexed = [&](const Size& i, const Size& bound) {
    out.indices.push_back(term_of(i, numbers));
    out.ranges.push_back(within(out.indices.back(), term_of(bound)));
  };
  for (;;) {
    if (const auto* a = as<ArrayType>(t)) {
      const auto* i = next<PathIndex>(p, at);
      if (!i) return wrong("an index");
      indexed(i->index, a->length);
      t = Type(*a->element);
    } else if (const auto* b = as<PairType>(t)) {
      const auto* k = next<PathProjection>(p, at);
      if (!k) return wrong("a projection");
      out.projections.push_back(k->component);
      t = k->component == 1 ? Type(*b->first) : Type(*b->second);
    } else if (const auto* x = as<VectorType>(t)) {
      if (const auto* l = next<PathLane>(p, at))
        indexed(l->lane, x->width);
      else
        out.lanes = static_cast<int>(x->width.constant().value());
      t = Type(*x->element);
    } else {
      break;
    }
  }
  const auto* variable = as<TypeVariable>(t);
  if (variable && !v.scalars.contains(variable->name)) {
    const auto* i = next<PathIndex>(p, at);
    if (!i) return wrong("the rest of the path");
    out.indices.push_back(term_of(i->index, numbers));
  }
  if (at != p.size()) return wrong("an end");
  out.leaf = t;
  return out;
}

Term inside(const Place& p) { return all_of(p.ranges); }

Term element(const SymbolicView&, std::size_t k, const Place& p, int lane) {
  std::string function = "x" + std::to_string(k);
  for (const int c : p.projections) function += "." + std::to_string(c);
  std::vector<Term> indices = p.indices;
  if (p.lanes > 0) indices.push_back(number(lane));
  const auto* s = as<ScalarType>(p.leaf);
  const Sort sort = as<IndexType>(p.leaf) || (s && is_integer(*s)) ? integer
                    : s && *s == ScalarType::Bool                  ? boolean
                                                                   : element_sort;
  return call(function, sort, std::move(indices));
}

Term same_place(const Place& a, const Place& b) {
  if (a.projections != b.projections || a.indices.size() != b.indices.size() || a.lanes != b.lanes) return truth(false);
  std::vector<Term> each;
  for (std::size_t k = 0; k < a.indices.size(); ++k) each.push_back(equal(a.indices[k], b.indices[k]));
  return all_of(std::move(each));
}

}  // namespace lockstep::proofs
