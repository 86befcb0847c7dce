// The text of a call, read back. In: an entry of a calculus; out: programs.
#include "proofs/calculus/loops/calls.h"
#include "proofs/calculus/obligation.h"

#include "semantics/functional/inference/infer.h"

namespace lockstep::proofs {
namespace {

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

// What needs a block is called in blocks, for which there are as many of its last argument.
bool stands_in_blocks(const Primitive& p) {
  const auto* loop = std::get_if<Loop>(&p.kind);
  return loop && (loop->level == Level::Warp || loop->space == Space::Local || loop->together != Level::Auto);
}
bool stands_in_warps(const Primitive& p) {
  const auto* loop = std::get_if<Loop>(&p.kind);
  return loop && loop->together == Level::Warp;
}

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
  const bool in_blocks = stands_in_blocks(*e.primitive);
  const bool in_warps = stands_in_warps(*e.primitive);
  if (in_blocks) head += " (blocks : nat)";
  const std::string each = in_warps ? "[blocks][2]" : in_blocks ? "[blocks]" : "";
  Texts texts;
  Type t = substitute(e.scheme.type, sizes);
  for (int k = 0; const auto* f = as<FunctionType>(t); ++k) {
    const Type argument = substitute(*f->from, {}, types);
    const std::string x = "arg" + std::to_string(k);
    if (as<FunctionType>(argument)) {
      call += " " + texts.function(*f->from, argument);
    } else {
      const bool last = in_blocks && !as<FunctionType>(*f->to);
      head += " (" + x + " : " + (last ? each : "") + show(argument) + ")";
      call += last ? " block" : " " + x;
      if (last && in_warps) call = "mapWorkgroup (mapWarp (\\block -> " + call + ")) " + x;
      if (last && !in_warps) call = "mapWorkgroup (\\block -> " + call + ") " + x;
    }
    Type rest = *f->to;
    t = std::move(rest);
  }
  const std::string result = each + show(substitute(t, {}, types));
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

}  // namespace

std::vector<SizeValues> small_sizes(const std::vector<std::string>& names, const std::vector<SizeFact>& facts) {
  std::vector<SizeValues> all = every_size(names, largest_of_calls);
  std::erase_if(all, [&](const SizeValues& values) {
    return std::any_of(facts.begin(), facts.end(), [&](const SizeFact& f) { return evaluate(f, values) != true; });
  });
  return all;
}

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

}  // namespace lockstep::proofs
