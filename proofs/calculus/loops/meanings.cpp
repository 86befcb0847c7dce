// What a loop's translation facets make, held against its meaning at every small size: the calls of it that its type
// allows, of a function that tells its arguments apart, are denoted, translated, and run in two orders; so is the
// kernel that comes of them, into which a constant of the loop's own is expanded. In: a loop of a calculus; out: an
// obligation, tested.
#include "proofs/calculus/list.h"
#include "proofs/calculus/loops/calls.h"
#include "semantics/functional/denote.h"
#include "semantics/imperative/run.h"
#include "semantics/kernel/run.h"

namespace lockstep::proofs {
namespace {

constexpr int seeds = 3;  // contents

// ------------------------------------------------------------------------------------------------- inputs
Value drawn(const Type& t, const SizeValues& sizes, std::uint64_t& state) {
  if (const auto* a = as<ArrayType>(t)) {
    std::vector<Value> items;
    for (std::int64_t i = evaluate(a->length, sizes).value(); i > 0; --i)
      items.push_back(drawn(*a->element, sizes, state));
    return array_value(std::move(items));
  }
  if (const auto* p = as<PairType>(t)) {
    Value first = drawn(*p->first, sizes, state);
    return pair_value(std::move(first), drawn(*p->second, sizes, state));
  }
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  const std::uint64_t n = state >> 40;
  const auto* s = as<ScalarType>(t);
  if (!s) throw NotUnderstood{"an argument of type " + show(t)};
  if (*s == ScalarType::Bool) return scalar_value(make_bool(n % 2 == 0));
  if (is_float(*s)) return scalar_value(make_ieee(*s, static_cast<double>(n % 8)));
  return scalar_value(make_integer(*s, n % 5 == 0 ? ~std::uint64_t{0} : n % 4));
}

// ------------------------------------------------------------------------------------------------- the test
using Leaves = std::vector<std::vector<Scalar>>;  // row-major, in the order of leaves_of

void leaves_into(const Value& v, const Type& t, const SizeValues& sizes, std::size_t first, Leaves& out) {
  if (const auto* p = as<PairType>(t)) {
    leaves_into(first_of(v), *p->first, sizes, first, out);
    return leaves_into(second_of(v), *p->second, sizes, first + leaves_of(*p->first).size(), out);
  }
  if (const auto* a = as<ArrayType>(t)) {
    for (std::int64_t i = 0; i < evaluate(a->length, sizes).value(); ++i)
      leaves_into(element_of(v, i), *a->element, sizes, first, out);
    return;
  }
  out[first].push_back(as_scalar(force(v)));
}
Leaves leaves_of_value(const Value& v, const Type& t, const SizeValues& sizes) {
  Leaves out(leaves_of(t).size());
  leaves_into(v, t, sizes, 0, out);
  return out;
}
std::string show(const Leaves& leaves) {
  std::string out;
  for (const auto& leaf : leaves) {
    out += out.empty() ? "[" : "; ";
    for (const Scalar& s : leaf) out += " " + lockstep::show(s, ieee_domain());
  }
  return out + " ]";
}

struct Input {
  SizeValues sizes;
  std::vector<Value> arguments;
};

std::string denoted(const PhraseProgram& source, const Input& in) {
  const auto v = denote(source, in.sizes, in.arguments, ieee_domain());
  return v ? show(leaves_of_value(*v, source.result, in.sizes)) : "a trap";
}
std::string ran(const PhraseProgram& p, const Input& in, Order order) {
  const auto v = run(p, in.sizes, in.arguments, ieee_domain(), {.order = order, .iteration_limit = 10000});
  return v                                         ? show(leaves_of_value(*v, p.result, in.sizes))
         : std::holds_alternative<Trap>(v.error()) ? "a trap"
                                                   : render(v.error());
}
std::string ran(const kernel::Program& p, const PhraseProgram& source, const Input& in, kernel::Schedule order) {
  kernel::Buffers buffers;
  std::size_t next = 0;
  for (std::size_t k = 0; k < in.arguments.size(); ++k)
    for (auto& leaf : leaves_of_value(in.arguments[k], source.parameters[k].second, in.sizes))
      buffers.insert_or_assign(p.inputs.at(next++).name, std::move(leaf));
  const auto found =
      kernel::run(p, in.sizes, buffers, ieee_domain(), {.schedule = order, .detect_races = true, .while_limit = 10000});
  if (!found) {
    const auto* fault = std::get_if<kernel::Fault>(&found.error());
    return fault ? fault->message : "a trap";
  }
  Leaves out;
  for (const kernel::Buffer& b : p.outputs) out.push_back(found->at(b.name));
  return show(out);
}

struct Tally {
  std::size_t runs = 0, values = 0;
};

// What differs, or "".
std::string difference(const PhraseProgram& source, const Calculus& calculus, Tally& tally) {
  const Pipeline pipeline = run_pipeline(source, calculus, Machine::Cpu);
  const PhraseProgram translated = functional_to_imperative().run(source, calculus, Machine::Cpu);
  const kernel::Program& kernel = pipeline.kernels.front().program;
  for (const SizeValues& sizes : small_sizes(source.sizes, source.facts))
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      std::uint64_t state = seed + tally.runs;  // other numbers at each size
      Input in{sizes, {}};
      for (const auto& p : source.parameters) in.arguments.push_back(drawn(p.second, sizes, state));
      const std::string expected = denoted(source, in);
      tally.values += expected != "a trap";
      for (const std::string& found :
           {ran(translated, in, Order::Forward), ran(translated, in, Order::Reverse),
            ran(kernel, source, in, kernel::Schedule::Forward), ran(kernel, source, in, kernel::Schedule::Reverse)}) {
        ++tally.runs;
        if (found == expected) continue;
        std::string at;
        for (const auto& [name, n] : sizes) at += (at.empty() ? "" : ", ") + name + " = " + std::to_string(n);
        for (std::size_t k = 0; k < in.arguments.size(); ++k)
          at += ", " + source.parameters[k].first + " = " + show(in.arguments[k], ieee_domain());
        return at + ": the meaning is " + expected + ", its translation gives " + found;
      }
    }
  return "";
}

Outcome tested(const Calculus& calculus, const std::string& loop) {
  const Type i64 = scalar(ScalarType::I64);
  Tally tally;
  try {
    for (const Type& element : {i64, pair(i64, i64)})
      for (const bool bound : {false, true})
        for (const PhraseProgram& p : calls_of(loop, calculus, element, bound))
          if (std::string what = difference(p, calculus, tally); !what.empty())
            return {Standing::Refuted, "tested", what};
  } catch (const NotUnderstood& n) {
    return {Standing::Unknown, "", n.what};
  } catch (const Bug& b) {
    return {Standing::Refuted, "tested", b.what()};
  }
  if (tally.values == 0) return {Standing::Unknown, "", "no call of it has a value"};
  return {Standing::Tested, std::to_string(tally.runs) + " runs, sizes up to 3", ""};
}

}  // namespace

std::vector<Obligation> loop_obligations(const CalculusRef& calculus, const std::string& loop) {
  if (!calculus->callable(loop)) return {};  // its form is not a call
  return {{"translation", loop, "its translation gives its meaning",
           [=](const Solver&) { return tested(*calculus, loop); }}};
}

}  // namespace lockstep::proofs
