// Instances of schemes.
#include "semantics/imperative/instance.h"

#include "semantics/primitives/build.h"
#include "semantics/primitives/operators.h"

namespace lockstep {
namespace {

using Result = tl::expected<PrimitiveType, std::string>;

Result of_operator(const PrimPhrase& p, const ScalarOp& op) {
  if (p.types.size() != 1) return tl::unexpected("`" + p.primitive->name + "` stands at one operand type");
  const Type operand = as<IndexType>(p.types[0]) ? scalar(ScalarType::I64) : p.types[0];
  const auto arity = static_cast<std::size_t>(static_cast<const int&>(op.arity));
  return PrimitiveType{std::vector<PhraseType>(arity, exp_type(operand)), exp_type(operator_result(op, operand))};
}

// [a, b, c] has as many arguments as elements.
Result of_literal_array(const PrimPhrase& p) {
  if (p.types.size() != 1 || p.sizes.size() != 1)
    return tl::unexpected(std::string("a literal array has a length and a type"));
  return PrimitiveType{std::vector<PhraseType>(p.arguments.size(), exp_type(p.types[0])),
                       exp_type(array(p.sizes[0], p.types[0]))};
}

Result of_scheme(const PrimPhrase& p, const Calculus::Entry& entry) {
  if (p.sizes.size() != entry.sizes.size() || p.types.size() != entry.types.size()) {
    return tl::unexpected("`" + p.primitive->name + "` stands at " + std::to_string(entry.sizes.size()) +
                          " sizes and " + std::to_string(entry.types.size()) + " types");
  }
  SizeSubstitution sizes;
  for (std::size_t k = 0; k < p.sizes.size(); ++k) sizes.insert_or_assign(entry.sizes[k], p.sizes[k]);
  TypeSubstitution types;
  for (std::size_t k = 0; k < p.types.size(); ++k) types.insert_or_assign(entry.types[k], p.types[k]);
  PrimitiveType out{{}, exp_type(substitute(entry.scheme.type, sizes, types))};
  // The scheme itself says how many arguments there are: the result may be a function only where a type variable is.
  Type scheme = entry.scheme.type;
  while (const auto* f = as<FunctionType>(scheme)) {
    const auto* at = as<FunctionType>(data_of(out.result));
    out.arguments.push_back(spread(exp_type(*at->from)));
    out.result = exp_type(*at->to);
    scheme = Type(*f->to);
  }
  return out;
}

}  // namespace

PhraseType spread(const PhraseType& t) {
  return match(
      t.node,
      [&](const ExpType& x) {
        const auto* f = as<FunctionType>(x.data);
        return f ? phrase_function(spread(exp_type(*f->from)), spread(exp_type(*f->to))) : t;
      },
      [&](const AccType&) { return t; }, [&](const CommType&) { return t; },
      [](const PhraseFunction& x) { return phrase_function(spread(*x.from), spread(*x.to), x.passive); },
      [](const PhraseProduct& x) { return phrase_product(spread(*x.first), spread(*x.second)); });
}

const Calculus::Entry& Instances::entry(const PrimitiveRef& p) {
  const Calculus::Entry* known = met_.find(p->name);
  if (!known || known->primitive != p) {
    met_.add(p);
    known = met_.find(p->name);
  }
  return *known;
}

std::size_t Instances::explicit_sizes(const PrimitiveRef& p) {
  return std::holds_alternative<ScalarOp>(p->kind) ? 0 : entry(p).scheme.nats.size();
}

Result Instances::type_of(const PrimPhrase& p) {
  const Result view = [&]() -> Result {
    if (const auto* op = std::get_if<ScalarOp>(&p.primitive->kind)) return of_operator(p, *op);
    if (is_literal_array(p)) return of_literal_array(p);
    return of_scheme(p, entry(p.primitive));
  }();
  if (p.acceptor < 0 || !view) return view;
  const auto* facets = std::get_if<View>(&p.primitive->kind);
  const auto k = static_cast<std::size_t>(p.acceptor);
  if (!facets || k >= facets->acceptors.size()) {
    return tl::unexpected("`" + p.primitive->name + "` has no acceptor " + std::to_string(k));
  }
  return PrimitiveType{{acc_type(data_of(view->result))},
                       acc_type(data_of(view->arguments.at(facets->acceptors[k].argument)))};
}

}  // namespace lockstep
