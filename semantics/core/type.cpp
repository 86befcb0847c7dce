// Types: names, printing, substitution, leaves.
#include "semantics/core/type.h"

#include "semantics/core/diagnostic.h"

namespace lockstep {

std::string show(const Type& t) {
  return match(
      t.node, [](ScalarType s) { return std::string(show(s)); },
      [](const IndexType& x) { return "idx(" + show(x.bound) + ")"; },
      [](const ArrayType& x) {
        const bool function = as<FunctionType>(*x.element) != nullptr;
        return "[" + show(x.length) + "]" + (function ? "(" : "") + show(*x.element) + (function ? ")" : "");
      },
      [](const PairType& x) {
        std::string out = "(" + show(*x.first);
        const Type* rest = &*x.second;
        while (const auto* p = as<PairType>(*rest)) {
          out += ", " + show(*p->first);
          rest = &*p->second;
        }
        return out + ", " + show(*rest) + ")";
      },
      [](const VectorType& x) { return show(*x.element) + "<" + show(x.width) + ">"; },
      [](const FunctionType& x) {
        const bool nested = as<FunctionType>(*x.from) != nullptr;
        return (nested ? "(" + show(*x.from) + ")" : show(*x.from)) + " -> " + show(*x.to);
      },
      [](const TypeVariable& x) { return "'" + x.name; });
}

bool is_data(const Type& t) {
  return match(
      t.node, [](ScalarType) { return true; }, [](const IndexType&) { return true; },
      [](const ArrayType& x) { return is_data(*x.element); },
      [](const PairType& x) { return is_data(*x.first) && is_data(*x.second); }, [](const VectorType&) { return true; },
      [](const FunctionType&) { return false; }, [](const TypeVariable&) { return true; });
}

Type substitute(const Type& t, const SizeSubstitution& sizes, const TypeSubstitution& types) {
  const auto go = [&](const Ref<Type>& r) { return substitute(*r, sizes, types); };
  return match(
      t.node, [](ScalarType s) { return scalar(s); },
      [&](const IndexType& x) { return index_type(substitute(x.bound, sizes)); },
      [&](const ArrayType& x) { return array(substitute(x.length, sizes), go(x.element)); },
      [&](const PairType& x) { return pair(go(x.first), go(x.second)); },
      [&](const VectorType& x) { return vector_type(go(x.element), substitute(x.width, sizes)); },
      [&](const FunctionType& x) { return function(go(x.from), go(x.to)); },
      [&](const TypeVariable& x) {
        const auto it = types.find(x.name);
        return it == types.end() ? t : it->second;
      });
}

void collect_names(const Type& t, std::set<std::string>& sizes, std::set<std::string>& types) {
  match(
      t.node, [](ScalarType) {}, [&](const IndexType& x) { collect_names(x.bound, sizes); },
      [&](const ArrayType& x) {
        collect_names(x.length, sizes);
        collect_names(*x.element, sizes, types);
      },
      [&](const PairType& x) {
        collect_names(*x.first, sizes, types);
        collect_names(*x.second, sizes, types);
      },
      [&](const VectorType& x) {
        collect_names(*x.element, sizes, types);
        collect_names(x.width, sizes);
      },
      [&](const FunctionType& x) {
        collect_names(*x.from, sizes, types);
        collect_names(*x.to, sizes, types);
      },
      [&](const TypeVariable& x) { types.insert(x.name); });
}

namespace {
void add_leaves(const Type& t, std::vector<Size>& dims, std::vector<int>& projections, std::vector<Leaf>& out) {
  match(
      t.node,
      [&](ScalarType s) {
        out.push_back({s, 1, dims, projections});
      },
      [&](const IndexType&) {
        out.push_back({ScalarType::I64, 1, dims, projections});
      },
      [&](const ArrayType& x) {
        dims.push_back(x.length);
        add_leaves(*x.element, dims, projections, out);
        dims.pop_back();
      },
      [&](const PairType& x) {
        projections.push_back(1);
        add_leaves(*x.first, dims, projections, out);
        projections.back() = 2;
        add_leaves(*x.second, dims, projections, out);
        projections.pop_back();
      },
      [&](const VectorType& x) {
        const auto* element = as<ScalarType>(*x.element);
        const auto width = x.width.constant();
        if (!element || !width) throw Bug("leaves of the vector type " + show(t));
        out.push_back({*element, static_cast<int>(*width), dims, projections});
      },
      [&](const FunctionType&) { throw Bug("leaves of the function type " + show(t)); },
      [&](const TypeVariable&) { throw Bug("leaves of the type variable " + show(t)); });
}
}  // namespace

std::vector<Leaf> leaves_of(const Type& t) {
  std::vector<Leaf> out;
  std::vector<Size> dims;
  std::vector<int> projections;
  add_leaves(t, dims, projections, out);
  return out;
}

Size element_count(const Leaf& leaf) {
  Size n = leaf.width;
  for (const Size& d : leaf.dims) n = n * d;
  return n;
}

bool is_passive(const PhraseType& t) {
  return match(
      t.node, [](const ExpType&) { return true; }, [](const AccType&) { return false; },
      [](const CommType&) { return false; }, [](const PhraseFunction& x) { return x.passive || is_passive(*x.to); },
      [](const PhraseProduct& x) { return is_passive(*x.first) && is_passive(*x.second); });
}

std::string at_space(Space s) { return s == Space::Auto ? "" : "@" + std::string(show(s)); }

std::string show(const PhraseType& t) {
  const auto atom = [](const PhraseType& p) {
    const bool plain = as<ExpType>(p) || as<AccType>(p) || as<CommType>(p);
    return plain ? show(p) : "(" + show(p) + ")";
  };
  return match(
      t.node, [](const ExpType& x) { return "exp" + at_space(x.space) + "[" + show(x.data) + "]"; },
      [](const AccType& x) { return "acc" + at_space(x.space) + "[" + show(x.data) + "]"; },
      [](const CommType&) { return std::string("comm"); },
      [&](const PhraseFunction& x) {
        const bool nested = as<PhraseFunction>(*x.from) != nullptr;
        return (nested ? "(" + show(*x.from) + ")" : show(*x.from)) + (x.passive ? " ->p " : " -> ") + show(*x.to);
      },
      [&](const PhraseProduct& x) { return atom(*x.first) + " x " + atom(*x.second); });
}

PhraseType substitute(const PhraseType& t, const SizeSubstitution& sizes, const TypeSubstitution& types) {
  const auto go = [&](const Ref<PhraseType>& r) { return substitute(*r, sizes, types); };
  return match(
      t.node, [&](const ExpType& x) { return exp_type(substitute(x.data, sizes, types), x.space); },
      [&](const AccType& x) { return acc_type(substitute(x.data, sizes, types), x.space); },
      [](const CommType&) { return comm_type(); },
      [&](const PhraseFunction& x) { return phrase_function(go(x.from), go(x.to), x.passive); },
      [&](const PhraseProduct& x) { return phrase_product(go(x.first), go(x.second)); });
}

}  // namespace lockstep
