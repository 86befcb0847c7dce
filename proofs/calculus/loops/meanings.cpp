// What a loop's translation facets make, held against its meaning at every small size: the calls of it that its type
// allows, of a function that tells its arguments apart, are denoted, translated, and run in two orders; so is the
// kernel that comes of them, into which a constant of the loop's own is expanded. In: a loop of a calculus; out: an
// obligation, tested.
#include "proofs/calculus/list.h"
#include "semantics/functional/infer.h"

namespace lockstep::proofs {
namespace {

constexpr std::int64_t largest = 3;  // size
constexpr int seeds = 3;             // contents

// ------------------------------------------------------------------------------------------------- programs
// Text of expressions: a number of all of x, and a value of type t made of a number.
class Texts {
 public:
  std::string number_of(const Type& t, const std::string& x) {
    if (const auto* s = as<ScalarType>(t))
      return *s == ScalarType::I64 ? x : *s == ScalarType::Bool ? "(if " + x + " then 1 else 0)" : "i64 (" + x + ")";
    if (as<IndexType>(t)) return "i64 " + x;
    if (const auto* p = as<PairType>(t))
      return "(" + number_of(*p->first, "(fst " + x + ")") + " + 4 * " + number_of(*p->second, "(snd " + x + ")") + ")";
    if (const auto* a = as<ArrayType>(t)) {
      const std::string y = fresh("y"), sum = fresh("s");
      return "(reduceSeq (\\" + y + " " + sum + " -> " + number_of(*a->element, y) + " + 3 * " + sum + ") 0 " + x + ")";
    }
    throw NotUnderstood{"a function of " + show(t)};
  }
  std::string made(const Type& t, const std::string& n) {
    if (const auto* s = as<ScalarType>(t))
      return *s == ScalarType::I64    ? n
             : *s == ScalarType::Bool ? "((" + n + ") & 3 != 3)"
                                      : std::string(show(*s)) + " (" + n + ")";
    if (const auto* p = as<PairType>(t))
      return "(" + made(*p->first, n) + ", " + made(*p->second, "(" + n + ") * 2 + 1") + ")";
    if (const auto* a = as<ArrayType>(t)) {
      const std::string j = fresh("j");
      return "(generate (" + show(a->length) + ") (\\" + j + " -> " + made(*a->element, "(" + n + ") + i64 " + j) +
             "))";
    }
    throw NotUnderstood{"a function to " + show(t)};
  }
  // Associative and commutative, as some loops ask of a function of two values to a third of their kind.
  std::string sum(const Type& t, const std::string& x, const std::string& y) {
    if (const auto* p = as<PairType>(t))
      return "(" + sum(*p->first, "(fst " + x + ")", "(fst " + y + ")") + ", " +
             sum(*p->second, "(snd " + x + ")", "(snd " + y + ")") + ")";
    return x + " + " + y;
  }
  std::string function(const Type& pattern, const Type& t) {
    std::vector<Type> from;
    std::vector<std::string> names;
    Type to = t;
    std::string lambda = "(\\", total = "1";
    while (const auto* f = as<FunctionType>(to)) {
      from.push_back(*f->from);
      names.push_back(fresh("p"));
      lambda += names.back() + " ";
      total += " + " + std::to_string(3 + 2 * from.size()) + " * " + number_of(from.back(), names.back());
      Type rest = *f->to;
      to = std::move(rest);
    }
    const auto* first = as<FunctionType>(pattern);
    const auto* second = as<FunctionType>(*first->to);
    const bool combines =
        second && *first->from == *second->from && *second->from == *second->to && as<TypeVariable>(*second->to);
    return lambda + "-> " + (combines ? sum(to, names[0], names[1]) : made(to, total)) + ")";
  }

 private:
  std::string fresh(const std::string& base) { return base + std::to_string(count_++); }
  int count_ = 0;
};

// The loop called with everything that its type asks for: at once, or bound to a name that is used twice, so that both
// translations are tried.
// Sizes that have a value are numbers in it.
std::string program_of(const Calculus::Entry& e, const Type& element, const SizeValues& values, bool bound) {
  TypeSubstitution types;
  for (const std::string& t : e.types) types.insert_or_assign(t, element);
  SizeSubstitution sizes;
  for (const auto& [name, n] : values) sizes.insert_or_assign(name, Size(n));
  std::string head = "fun main", facts, call = e.primitive->name;
  for (const std::string& s : e.sizes)
    if (!sizes.contains(s)) head += " (" + s + " : nat)";
  for (const std::string& s : e.scheme.nats) call += " " + show(substitute(Size::name(s), sizes));
  for (const SizeFact& f : e.needs)
    if (values.empty()) facts += (facts.empty() ? " where " : ", ") + show(f);
  Texts texts;
  Type t = substitute(e.scheme.type, sizes);
  for (int k = 0; const auto* f = as<FunctionType>(t); ++k) {
    const Type argument = substitute(*f->from, {}, types);
    const std::string x = "arg" + std::to_string(k);
    if (as<FunctionType>(argument)) {
      call += " " + texts.function(*f->from, argument);
    } else {
      head += " (" + x + " : " + show(argument) + ")";
      call += " " + x;
    }
    Type rest = *f->to;
    t = std::move(rest);
  }
  const std::string result = show(substitute(t, {}, types));
  return head + " : " + (bound ? "(" + result + ", " + result + ")" : result) + facts + " =\n  " +
         (bound ? "let r = " + call + " in (r, r)" : call) + "\n";
}

SolverAnswer by_normal_forms(const std::vector<SizeFact>&, const SizeFact&) { return {lockstep::Verdict::Unknown}; }

Checked<PhraseProgram> read(const std::string& text, const Calculus& calculus) {
  const auto parsed = parse_program(std::make_shared<const Source>(Source{"call.dpia", text}));
  auto found = parsed ? infer(*parsed, calculus, by_normal_forms) : tl::unexpected(parsed.error());
  if (!found) return tl::unexpected(found.error());
  return found->entries.back();
}

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

std::vector<SizeValues> small_sizes(const std::vector<std::string>& names, const std::vector<SizeFact>& facts) {
  std::vector<SizeValues> all = {{}};
  for (const std::string& s : names) {
    std::vector<SizeValues> more;
    for (const SizeValues& values : all)
      for (std::int64_t n = 0; n <= largest; ++n) {
        more.push_back(values);
        more.back()[s] = n;
      }
    all = std::move(more);
  }
  std::erase_if(all, [&](const SizeValues& values) {
    return std::any_of(facts.begin(), facts.end(), [&](const SizeFact& f) { return evaluate(f, values) != true; });
  });
  return all;
}

// One for all sizes; where a call is accepted at numbers only, as of mapUnroll, one for each.
std::vector<PhraseProgram> calls_of(const std::string& loop, const Calculus& calculus, const Type& element,
                                    bool bound) {
  const Calculus::Entry& e = *calculus.find(loop);
  if (auto p = read(program_of(e, element, {}, bound), calculus)) return {std::move(*p)};
  std::vector<PhraseProgram> out;
  std::string why = "no sizes";
  for (const SizeValues& values : small_sizes(e.sizes, e.needs)) {
    auto p = read(program_of(e, element, values, bound), calculus);
    if (p)
      out.push_back(std::move(*p));
    else
      why = p.error().front().message;
  }
  if (out.empty()) throw NotUnderstood{"no call that is accepted: " + why};
  return out;
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

struct Tally {
  std::size_t runs = 0, values = 0;
};

// What differs, or "".
std::string difference(const PhraseProgram& source, const Calculus& calculus, Tally& tally) {
  const DpiaTrace trace = dpia_trace(source, calculus, Machine::Cpu);
  const AnyProgram &translated = *trace.after("translate"), &kernel = *trace.after("paths");
  for (const SizeValues& sizes : small_sizes(source.sizes, source.facts))
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      std::uint64_t state = seed + tally.runs;  // other numbers at each size
      std::vector<Value> arguments;
      Scalars leaves;
      for (const auto& [name, type] : source.parameters) {
        arguments.push_back(drawn(type, sizes, state));
        for (auto& leaf : flatten(arguments.back(), type, sizes)) leaves.push_back(std::move(leaf));
      }
      const ArrayInput in{sizes, [&] { return arguments; }, [&] { return leaves; }};
      const std::string expected = given(trace.steps[0].program, in, 0);
      tally.values += expected != "a trap";
      for (const std::string& found :
           {given(translated, in, 0), given(translated, in, 1), given(kernel, in, 0), given(kernel, in, 1)}) {
        ++tally.runs;
        if (found == expected) continue;
        std::string at;
        for (const auto& [name, n] : sizes) at += (at.empty() ? "" : ", ") + name + " = " + std::to_string(n);
        for (std::size_t k = 0; k < arguments.size(); ++k)
          at += ", " + source.parameters[k].first + " = " + lockstep::show(arguments[k], ieee_domain());
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
  return {Standing::Tested, std::to_string(tally.runs) + " runs, sizes up to " + std::to_string(largest), ""};
}

}  // namespace

std::vector<Obligation> loop_obligations(const CalculusRef& calculus, const std::string& loop) {
  if (!calculus->callable(loop)) return {};  // its form is not a call
  return {{"translation", loop, "its translation gives its meaning",
           [=](const Solver&) { return tested(*calculus, loop); }}};
}

}  // namespace lockstep::proofs
