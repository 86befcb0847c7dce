// Calls of primitives: sizes and types are unknowns of each call, and what the scheme needs of them is required.
#include "semantics/functional/inference/advice.h"
#include "semantics/functional/inference/calls.h"
#include "semantics/functional/inference/numbers.h"
#include "semantics/functional/inference/refusals.h"
#include "semantics/functional/inference/sizes.h"

namespace lockstep::inference {

using namespace surface;

namespace {

// α -> β -> β, as the function of reduce and scan.
bool accumulates(const Type& t) {
  const auto* f = as<FunctionType>(t);
  const auto* g = f ? as<FunctionType>(*f->to) : nullptr;
  return g && *g->from == *g->to && !(*f->from == *g->from);
}

std::string type_of(const TypeScheme& s) {
  std::string text;
  for (const std::string& k : s.nats) text += (text.empty() ? "(" : " -> (") + k + " : nat)";
  return text + (text.empty() ? "" : " -> ") + show(s.type);
}

// Of the scheme; nothing for sizes.
std::vector<std::optional<Type>> parameters_of(const TypeScheme& s) {
  std::vector<std::optional<Type>> out(s.nats.size());
  for (const Type* t = &s.type; as<FunctionType>(*t); t = &*as<FunctionType>(*t)->to)
    out.emplace_back(*as<FunctionType>(*t)->from);
  return out;
}

// Whether an argument is, as it is written, what its parameter cannot take: another order may be meant.
bool is_misplaced(const Work& w, const Argument& a, const std::optional<Type>& parameter) {
  const Expr* e = a.made ? nullptr : a.expression;
  if (!parameter) return is_written_function(w, a) || (a.expression && !is_written_size(w, *a.expression));
  if (!as<FunctionType>(*parameter) && is_written_function(w, a)) return true;
  return as<ArrayType>(*parameter) && e && std::holds_alternative<Literal>(e->node);
}

// What its sizes and types are at a call.
struct SchemeAt {
  std::vector<Size> sizes;
  std::vector<Type> types;
  SizeSubstitution by_size;
  TypeSubstitution by_type;
};
SchemeAt scheme_at(Work& w, const Calculus::Entry& entry, const std::vector<Argument>& arguments,
                   const Region& region) {
  SchemeAt at;
  const std::string& what = entry.primitive->name;
  for (std::size_t k = 0; k < entry.sizes.size(); ++k) {
    at.sizes.push_back(k < entry.scheme.nats.size()
                           ? size_of_argument(w, arguments[k], what, region)
                           : w.types().fresh_size(region, "the size " + entry.sizes[k] + " of " + what));
    at.by_size.insert_or_assign(entry.sizes[k], at.sizes.back());
  }
  for (const std::string& t : entry.types) {
    at.types.push_back(w.types().fresh_type(region, "the type '" + t + " of " + what));
    at.by_type.insert_or_assign(t, at.types.back());
  }
  return at;
}

void require_needs(Work& w, const Calculus::Entry& entry, const SizeSubstitution& sizes, const Region& region) {
  const std::string& what = entry.primitive->name;
  for (const SizeFact& need : entry.needs) {
    const SizeFact here = lockstep::substitute(need, sizes);
    if (here.left.constant() && here.right.constant() && evaluate(here, {}) == false)
      w.fail(region, what + " needs " + show(need) + ", which is " + show(here) + " here", show(need),
             "its type is " + type_of(entry.scheme));
    w.require(here, region, what);
  }
}

// Short vectors are of scalars.
void refuse_compound_lanes(Work& w, const std::string& what, const Type& lane, const Type& result,
                           const Region& region) {
  const Type element = w.types().deep(lane);
  if (!as<ArrayType>(element) && !as<PairType>(element)) return;
  w.fail(region,
         what + " makes short vectors of scalars, and " +
             (as<ArrayType>(result) ? "the elements here are " : "this is a ") + readable(element),
         as<ArrayType>(result) ? "an array of scalars" : "a scalar",
         as<PairType>(element) ? "make a short vector of each component: map fst xs, map snd xs"
                               : "join makes one array of the rows");
}

}  // namespace

Typed call_primitive(Work& w, const Calculus::Entry& entry, const std::vector<Argument>& arguments,
                     const Region& region, const std::optional<Type>& expected) {
  const Applied to{entry.primitive->name, type_of(entry.scheme), region};
  const std::vector<std::optional<Type>> written = parameters_of(entry.scheme);
  if (arguments.size() != written.size()) wrong_count(w, to, written.size(), arguments);
  bool misplaced = false;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    misplaced = misplaced || is_misplaced(w, arguments[k], written[k]);
    if (written[k] && accumulates(*written[k]) && arguments[k].expression && !arguments[k].made)
      w.orders.accumulating.push_back(arguments[k].expression->region);
  }
  if (misplaced) refuse_other_order(w, to, arguments, written);
  const SchemeAt at = scheme_at(w, entry, arguments, region);
  require_needs(w, entry, at.by_size, region);
  std::vector<Type> parameters;
  for (const std::optional<Type>& p : written)
    if (p) parameters.push_back(lockstep::substitute(*p, at.by_size, at.by_type));
  const Type* last = &entry.scheme.type;
  while (const auto* f = as<FunctionType>(*last)) last = &*f->to;
  const Type result = lockstep::substitute(*last, at.by_size, at.by_type);
  if (expected) push_wanted(w, *expected, result, region, to.name);
  Lets lets;
  std::vector<PhraseRef> done = arguments_in_order(w, arguments, written, parameters, to, lets);
  if (const auto* view = std::get_if<View>(&entry.primitive->kind); view && view->vectors == ShortVectors::Made)
    refuse_compound_lanes(w, to.name, at.types[0], result,
                          arguments.back().expression ? arguments.back().expression->region : region);
  return {wrap(lets, prim(entry.primitive, at.sizes, at.types, std::move(done), result, region)), result};
}

}  // namespace lockstep::inference
