// The array operations of FCL (Fig. 3; fcl.md §1).
#include <algorithm>

#include "semantics/fcl/evaluator.h"

namespace lockstep::fcl::evaluation {

Val stored_val(std::vector<Val> elements) {
  const auto n = static_cast<std::int64_t>(elements.size());
  auto all = std::make_shared<const std::vector<Val>>(std::move(elements));
  return pull_val(n, [all](std::int64_t i) { return (*all)[static_cast<std::size_t>(i)]; });
}
bool is_opaque(const Val& v) { return std::holds_alternative<Opaque>(v.node); }

namespace {

template <class T>
const T& known(const Val& v) {
  if (const T* found = std::get_if<T>(&v.node)) return *found;
  if (is_opaque(v)) throw OpaqueSignal{};
  throw Bug("a value of FCL of another type is asked for");
}

}  // namespace

const Scalar& scalar_of(const Val& v) { return known<Scalar>(v); }
std::int64_t int_of(const Val& v) { return scalar_of(v).integer(); }
bool truth_of(const Val& v) { return scalar_of(v).bits != 0; }
const PullArray& pull_of(const Val& v) { return *known<std::shared_ptr<const PullArray>>(v); }
const PushArray& push_of(const Val& v) { return *known<std::shared_ptr<const PushArray>>(v); }
Val apply(const Val& f, const Val& argument) { return (*known<std::shared_ptr<const Function>>(f))(argument); }
Val first_of(const Val& v) { return is_opaque(v) ? v : known<std::shared_ptr<const std::pair<Val, Val>>>(v)->first; }
Val second_of(const Val& v) { return is_opaque(v) ? v : known<std::shared_ptr<const std::pair<Val, Val>>>(v)->second; }

void trap(const Env& env, std::string_view primitive, std::string message, const Region& at) {
  if (env.origin) throw TrapSignal{{env.origin->name, std::move(message), env.origin->at}};
  throw TrapSignal{{std::string(primitive), std::move(message), at}};
}

namespace {

Val generated(std::int64_t n, const Val& f, const Env& env, const Region& at) {
  if (n < 0) trap(env, "generate", "the length is negative: " + std::to_string(n), at);
  return pull_val(n, [f](std::int64_t i) { return apply(f, val(i)); });
}

Val mapped(const Val& f, const Val& array) {
  if (const auto* pull = std::get_if<std::shared_ptr<const PullArray>>(&array.node))
    return pull_val((*pull)->length, [f, a = *pull](std::int64_t i) { return apply(f, a->at(i)); });
  const auto push = std::get<std::shared_ptr<const PushArray>>(array.node);
  return push_val(push->length,
                  [f, push](const Each& each) { return push->mapped([&](Val v) { return each(apply(f, v)); }); });
}

std::vector<Val> elements_of(const PullArray& a, const Each& each) {
  std::vector<Val> all;
  all.reserve(static_cast<std::size_t>(a.length));
  for (std::int64_t i = 0; i < a.length; ++i) all.push_back(each(a.at(i)));
  return all;
}

// Each place once, or a trap.
std::vector<Val> interleaved(std::int64_t n, const Val& f, const PullArray& chunks, const Each& each, const Env& env,
                             const Region& at) {
  const std::int64_t total = n * chunks.length;
  std::vector<Val> out;
  std::vector<std::pair<std::int64_t, std::int64_t>> from;
  for (std::int64_t i = 0; i < chunks.length; ++i) {
    const Val chunk = chunks.at(i);
    const PushArray& c = push_of(chunk);
    if (c.length != n)
      trap(env, "interleave",
           "chunk " + std::to_string(i) + " has " + std::to_string(c.length) + " elements, not " + std::to_string(n),
           at);
    std::vector<Val> all = c.mapped(each);
    if (i == 0) {  // a length that no chunk has takes no memory
      out.resize(static_cast<std::size_t>(total));
      from.resize(out.size(), {-1, -1});
    }
    for (std::int64_t j = 0; j < n; ++j) {
      const std::int64_t to = int_of(apply(f, pair_val(val(i), val(j))));
      const auto place = [](std::int64_t p, std::int64_t q) {
        return "(" + std::to_string(p) + ", " + std::to_string(q) + ")";
      };
      if (to < 0 || to >= total)
        trap(env, "interleave",
             "element " + place(i, j) + " goes to " + std::to_string(to) + ", outside [0, " + std::to_string(total) +
                 ")",
             at);
      auto& before = from[static_cast<std::size_t>(to)];
      if (before.first >= 0)
        trap(env, "interleave",
             "elements " + place(before.first, before.second) + " and " + place(i, j) + " both go to " +
                 std::to_string(to),
             at);
      before = {i, j};
      out[static_cast<std::size_t>(to)] = std::move(all[static_cast<std::size_t>(j)]);
    }
  }
  return out;
}

// Whether condition and the length of a step are the same for all elements: then a round that leaves the length is the
// first of endless ones.
bool looks_at_lengths_only(const Val& condition, const Val& step, std::int64_t n) {
  const Val x = pull_val(n, [](std::int64_t) { return Val{Opaque{}}; });
  try {
    truth_of(apply(condition, x));
    push_of(apply(step, x));
    return true;
  } catch (const OpaqueSignal&) {
  } catch (const TrapSignal&) {
  }
  return false;
}

Val looped(Context& context, std::span<const Val> f, const Env& env, const Region& at) {
  Val x = stored_val(push_of(f[2]).elements());
  const std::int64_t capacity = pull_of(x).length;
  while (truth_of(apply(f[0], x))) {
    if (context.how.rounds > 0 && ++context.rounds > context.how.rounds)
      trap(env, "while", std::string(round_limit_message), at);
    const std::int64_t n = pull_of(x).length;
    const Val next = apply(f[1], x);
    const PushArray& made = push_of(next);
    if (made.length > capacity)
      trap(env, "while",
           "a round makes " + std::to_string(made.length) + " elements, and there is room for the first " +
               std::to_string(capacity),
           at);
    Val y = stored_val(made.elements());
    if (made.length == n && looks_at_lengths_only(f[0], f[1], n))
      trap(env, "while",
           "endless: the condition holds for " + std::to_string(n) + " elements, and a round leaves as many", at);
    x = std::move(y);
  }
  return x;
}

}  // namespace

Val operate(Context& context, BuiltIn op, std::span<const Val> x, const Env& env, const Region& at) {
  switch (op) {
    case BuiltIn::Generate:
      return generated(int_of(x[0]), x[1], env, at);
    case BuiltIn::Index: {
      const PullArray& a = pull_of(x[0]);
      if (is_opaque(x[1])) return {Opaque{}};
      const std::int64_t i = int_of(x[1]);
      if (i < 0 || i >= a.length)
        trap(env, "index", "index " + std::to_string(i) + " is outside [0, " + std::to_string(a.length) + ")", at);
      return a.at(i);
    }
    case BuiltIn::LengthPull:
      return val(pull_of(x[0]).length);
    case BuiltIn::LengthPush:
      return val(push_of(x[0]).length);
    case BuiltIn::Length:
      if (const auto* p = std::get_if<std::shared_ptr<const PushArray>>(&x[0].node)) return val((*p)->length);
      return val(pull_of(x[0]).length);
    case BuiltIn::MapPull:
    case BuiltIn::MapPush:
    case BuiltIn::Map:
      return mapped(x[0], x[1]);
    case BuiltIn::Push: {
      const auto a = std::get<std::shared_ptr<const PullArray>>(x[0].node);
      return push_val(a->length, [a](const Each& each) { return elements_of(*a, each); });
    }
    case BuiltIn::Force:
      return stored_val(push_of(x[0]).elements());
    case BuiltIn::Interleave: {
      const std::int64_t n = int_of(x[0]);
      const auto chunks = std::get<std::shared_ptr<const PullArray>>(x[2].node);
      return push_val(n * chunks->length, [n, f = x[1], chunks, env, at](const Each& each) {
        return interleaved(n, f, *chunks, each, env, at);
      });
    }
    case BuiltIn::While:
      return looped(context, x, env, at);
    case BuiltIn::Fst:
      return first_of(x[0]);
    case BuiltIn::Snd:
      return second_of(x[0]);
    case BuiltIn::Assert:
      return x[1];  // evaluate.cpp looks at the condition
  }
  throw Bug("a built-in of FCL that is none");
}

}  // namespace lockstep::fcl::evaluation
