// What a loop's translation facets make, held against its meaning at every small size: the calls of it that its type
// allows, of a function that tells its arguments apart, are denoted, translated, and run in two orders; so is the
// kernel that comes of them, into which a constant of the loop's own is expanded. Both are made with names for sizes
// and with numbers, where a facet may go another way. In: a loop of a calculus; out: an obligation, tested.
#include "proofs/calculus/list.h"
#include "proofs/calculus/loops/calls.h"

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
std::string show(const Scalars& leaves) {
  std::string out;
  for (const auto& leaf : leaves) {
    out += out.empty() ? "[" : "; ";
    for (const Scalar& s : leaf) out += " " + lockstep::show(s, ieee_domain());
  }
  return out + " ]";
}
std::string given(const AnyProgram& p, const ArrayInput& in, std::size_t order) {
  const Attempt got = array_language(p).meaning(p, in, ieee_domain(), {.order = order, .rounds = 10000});
  if (!got) return got.error();
  return *got ? show(**got) : "a trap";
}

PhraseProgram at_numbers(const PhraseProgram& p, const SizeValues& sizes) {
  SizeSubstitution by;
  for (const auto& [name, n] : sizes) by.emplace(name, n);
  PhraseProgram out = p;
  out.sizes.clear(), out.facts.clear();
  for (auto& [name, type] : out.parameters) type = substitute(type, by);
  out.result = substitute(p.result, by);
  out.body = substitute_sizes(p.body, by);
  return out;
}

struct Tally {
  std::size_t runs = 0, values = 0;
  std::set<std::string> loops;  // that the strategies stage puts for the one that is called
};

void collect_loops(const Phrase& p, std::set<std::string>& into) {
  const auto* x = as<PrimPhrase>(p);
  if (x && std::holds_alternative<Loop>(x->primitive->kind)) into.insert(x->primitive->name);
  for_each_child(p, [&](const PhraseRef& c) { collect_loops(*c, into); });
}

// What differs, or "".
std::string difference(const PhraseProgram& source, const Calculus& calculus, Machine machine, Tally& tally) {
  const DpiaTrace trace = dpia_trace(source, calculus, machine);
  std::set<std::string> called, translated;
  collect_loops(*source.body, called);
  collect_loops(*trace.after("strategies")->as_if<PhraseProgram>()->body, translated);
  for (const std::string& name : translated)
    if (!called.contains(name)) tally.loops.insert(name);
  for (const SizeValues& sizes : small_sizes(source.sizes, source.facts)) {
    std::vector<std::pair<const DpiaTrace*, SizeValues>> made{{&trace, sizes}};
    std::optional<DpiaTrace> numbers;
    if (!source.sizes.empty()) {
      numbers = dpia_trace(at_numbers(source, sizes), calculus, machine);
      made.push_back({&*numbers, {}});
    }
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      std::uint64_t state = seed + tally.runs;  // other numbers at each size
      std::vector<Value> arguments;
      Scalars leaves;
      for (const auto& [name, type] : source.parameters) {
        arguments.push_back(drawn(type, sizes, state));
        for (auto& leaf : flatten(arguments.back(), type, sizes)) leaves.push_back(std::move(leaf));
      }
      const auto at_sizes = [&](const SizeValues& named) {
        return ArrayInput{named, [&] { return arguments; }, [&] { return leaves; }};
      };
      const std::string expected = given(trace.steps[0].program, at_sizes(sizes), 0);
      tally.values += expected != "a trap";
      std::vector<std::string> results;
      for (const auto& [t, named] : made)
        for (const char* stage : {"translate", "paths"})
          for (const std::size_t order : {0, 1}) results.push_back(given(*t->after(stage), at_sizes(named), order));
      for (const std::string& found : results) {
        ++tally.runs;
        if (found == expected) continue;
        std::string at;
        for (const auto& [name, n] : sizes) at += (at.empty() ? "" : ", ") + name + " = " + std::to_string(n);
        for (std::size_t k = 0; k < arguments.size(); ++k)
          at += ", " + source.parameters[k].first + " = " + lockstep::show(arguments[k], ieee_domain());
        return at + ": the meaning is " + expected + ", its translation gives " + found;
      }
    }
  }
  return "";
}

Outcome tested(const Calculus& calculus, const std::string& loop) {
  const Type i64 = scalar(ScalarType::I64);
  Tally tally;
  // On a CPU what is updated atomically is another loop; of pairs it is none.
  const bool atomic = std::get<Loop>(calculus.primitive(loop)->kind).atomic;
  const std::vector<Type> elements = atomic ? std::vector<Type>{i64} : std::vector<Type>{i64, pair(i64, i64)};
  try {
    for (const Type& element : elements)
      for (const bool bound : {false, true})
        for (const PhraseProgram& p : calls_of(loop, calculus, element, bound))
          if (std::string what = difference(p, calculus, atomic ? Machine::Gpu : Machine::Cpu, tally); !what.empty())
            return {Standing::Refuted, "tested", what};
  } catch (const NotUnderstood& n) {
    return {Standing::Unknown, "", n.what};
  } catch (const Bug& b) {
    return {Standing::Refuted, "tested", b.what()};
  }
  if (tally.values == 0) return {Standing::Unknown, "", "no call of it has a value"};
  std::string loops;
  for (const std::string& name : tally.loops) loops += (loops.empty() ? " as " : " and ") + name;
  return {Standing::Tested,
          std::to_string(tally.runs) + " runs" + loops + ", sizes up to " + std::to_string(largest_of_calls), ""};
}

}  // namespace

std::vector<Obligation> loop_obligations(const CalculusRef& calculus, const std::string& loop) {
  if (!calculus->callable(loop)) return {};  // its form is not a call
  return {{"translation", loop, "its translation gives its meaning",
           [=](const Solver&) { return tested(*calculus, loop); }, false, largest_of_calls}};
}

}  // namespace lockstep::proofs
