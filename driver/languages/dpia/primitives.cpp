// What is known of each primitive of the calculus, for people.
#include "driver/languages/dpia/dpia.h"
#include "proofs/calculus/list.h"
#include "semantics/primitives/calculus.h"
#include "semantics/primitives/loop_costs.h"
#include "semantics/primitives/operators.h"

namespace lockstep::driver {
namespace {

// ------------------------------------------------------------------------------------------- scalar operators
// "integers", "floats", "i32, i64": the types for which it holds.
std::string types_where(const std::function<bool(ScalarType)>& holds) {
  const auto exactly = [&](bool (*known)(ScalarType)) {
    return std::all_of(scalar_types.begin(), scalar_types.end(), [&](ScalarType t) { return holds(t) == known(t); });
  };
  if (exactly(is_float)) return "floats";
  if (exactly(is_integer)) return "integers";
  if (exactly([](ScalarType t) { return !is_float(t); })) return "integers and bool";
  if (exactly([](ScalarType t) { return t != ScalarType::Bool; })) return "numbers";
  if (exactly([](ScalarType) { return true; })) return "scalars";
  std::string out;
  for (const ScalarType t : scalar_types)
    if (holds(t)) out += (out.empty() ? "" : ", ") + std::string(lockstep::show(t));
  return out;
}

std::string type_of(const ScalarOp& op) {
  if (op.gives_bits) {
    std::string out;
    for (const ScalarType t : op.types())
      out += (out.empty() ? "" : ", ") + std::string(lockstep::show(t)) + " -> " +
             std::string(lockstep::show(op.result(t)));
    return out;
  }
  const bool bools = op.operands == Operands::Bool;
  const std::string operand = bools ? "bool" : "'t";
  std::string out;
  for (int k = 0; k < op.arity; ++k) out += operand + " -> ";
  out += op.gives ? std::string(lockstep::show(*op.gives)) : op.gives_bool ? "bool" : operand;
  return bools ? out : out + " for " + types_where([&](ScalarType t) { return op.takes(t); });
}

std::string with_names(std::string message) {
  for (const auto& [place, name] : {std::pair{"{0}", "x"}, std::pair{"{1}", "y"}, std::pair{"{2}", "z"}})
    if (const std::size_t at = message.find(place); at != std::string::npos) message.replace(at, 3, name);
  return message;
}

std::string traps_of(const ScalarOp& op) {
  if (!op.guard) return "never";
  std::string message;
  const auto guarded = [&](ScalarType t) {
    const auto guard = op.takes(t) ? op.guard(t) : std::nullopt;
    if (guard) message = with_names(guard->message);
    return guard.has_value();
  };
  const std::string on = types_where(guarded);
  return on.empty() ? "never" : "on " + on + ": " + message;
}

std::string laws_of(const ScalarOp& op) {
  std::string out;
  const auto add = [&](bool has, const std::string& what) { out += !has ? "" : (out.empty() ? "" : ", ") + what; };
  add(op.laws.associative, "associative");
  add(op.laws.commutative, "commutative");
  if (op.laws.identity) add(true, "neutral element " + std::to_string(*op.laws.identity));
  const bool rounds = op.laws.associative && op.takes(ScalarType::F32);
  return out.empty() ? "none claimed" : out + (rounds ? "; of floats up to rounding" : "");
}

// ------------------------------------------------------------------------------------------- views and loops
// "(k : nat) -> ... where k" with what it asks for written out.
std::string readable(const std::string& type) {
  const std::size_t where = type.find(" where ");
  if (where == std::string::npos) return type;
  std::string out = type.substr(0, where + 7);
  for (const char c : type.substr(where + 7) + ",") out += c == ',' ? " >= 1," : std::string(1, c);
  out.pop_back();
  return out;
}

// Arguments that are names: arrays, and functions f, g and h.
class OfNames final : public SourceCosts {
 public:
  Cost before(const PhraseRef&) override { return {0, 0, 0}; }
  Cost named(const PhraseRef&) override { return {0, 0, 0}; }
  Cost into(const PhraseRef& e) override { return assigned(e); }
  Cost read(const PhraseRef&) override { return {1, 1, 0}; }
  Cost assigned(const PhraseRef& e) override {
    const Type& d = data_of(*e);
    return {scalars_in(d) * Size(2), as<ArrayType>(d) ? 3 : 2, 0};
  }
  Cost moved(const Type& d, const PhraseRef&) override { return {scalars_in(d) * Size(2), 2, 0}; }
  // Of a function that is made of others, those that it calls.
  Cost call(const PhraseRef& f, const std::vector<PhraseRef>&) override {
    if (const auto* named = as<Ident>(*f))
      return {Size::name(named->name + ".work"), Size::name(named->name + ".depth"),
              Size::name(named->name + ".space")};
    Cost all{0, 0, 0};
    const auto* x = as<ApplyPhrase>(*f);
    if (x && as<Ident>(*x->function)) all = call(x->function, {});
    for_each_child(*f, [&](const PhraseRef& c) {
      if (!as<Ident>(*c)) all = all + call(c, {});
    });
    return all;
  }
  void bind(const PhraseRef&, const PhraseRef&) override {}
  Size iterations() override { return Size::name("#iterations"); }
};

PhraseType type_of_phrase(const Type& t) {
  const auto* f = as<FunctionType>(t);
  return f ? phrase_function(type_of_phrase(*f->from), type_of_phrase(*f->to)) : exp_type(t);
}

// With f and g for the function arguments, and one scalar for each element. What a block or a warp does together is of
// a number of elements: as many as it may well have threads.
std::string cost_of(const Calculus::Entry& e, const Loop& loop) {
  const Type element = scalar(ScalarType::F32);
  const bool together = loop.together != Level::Auto;
  const std::int64_t threads = loop.together == Level::Warp ? 32 : 256;
  TypeSubstitution types;
  for (const std::string& t : e.types) types.insert_or_assign(t, element);
  SizeSubstitution sizes;
  if (together) sizes.insert_or_assign(e.sizes.at(0), threads);
  PrimPhrase phrase{e.primitive, -1, {}, std::vector<Type>(e.types.size(), element), {}};
  for (const std::string& n : e.sizes) phrase.sizes.push_back(substitute(Size::name(n), sizes));
  std::vector<std::string> names{"h", "g", "f"};
  for (Type t = substitute(e.scheme.type, sizes, types); as<FunctionType>(t);) {
    const FunctionType arrow = *as<FunctionType>(t);
    const auto* xs = as<ArrayType>(*arrow.from);
    const bool function = as<FunctionType>(*arrow.from) != nullptr;
    const PhraseType type =
        function ? type_of_phrase(*arrow.from) : exp_type(xs ? array(xs->length, element) : element);
    phrase.arguments.push_back(ident(function ? names.back() : "", type));
    if (function) names.pop_back();
    t = *arrow.to;
  }
  OfNames costs;
  const Cost cost = loop.cost(costs, phrase, false);
  return "work " + lockstep::show(cost.work) + ", depth " + lockstep::show(cost.depth) + ", space " +
         lockstep::show(cost.space) + (together ? ", of " + std::to_string(threads) + " elements" : "") +
         (e.types.empty() ? "" : ", an element being a scalar");
}

BuiltIn entry_of(const Primitive& p) {
  const auto entry = [&](std::string type, std::string kind) {
    return BuiltIn{p.name, std::move(type), std::move(kind), p.summary};
  };
  return match(
      p.kind, [&](const ScalarOp& op) { return entry(type_of(op), "operator"); },
      [&](const View& v) { return entry(readable(v.type), "view"); },
      [&](const Loop& l) { return entry(readable(l.type), "loop"); });
}

BuiltInDetails details_of(const Calculus::Entry& e) {
  return match(
      e.primitive->kind,
      [](const ScalarOp& op) {
        const bool lifts =
            !op.gives_bool && !op.gives_bits && op.operands != Operands::Bool && op.operands != Operands::Any;
        return BuiltInDetails{{"short vectors", lifts ? "lane by lane" : "no"},
                              {"cost", "work 1, depth 1"},
                              {"laws", laws_of(op)},
                              {"traps", traps_of(op)}};
      },
      [](const View& v) {
        const bool traps = v.check || v.check_meaning;
        std::string acceptors;
        for (const AcceptorFacet& a : v.acceptors) acceptors += (acceptors.empty() ? "" : ", ") + a.name;
        return BuiltInDetails{
            {"lowering", "stores nothing: what reads it reads its arguments, at other places"},
            {"written by", acceptors.empty() ? "a loop over its elements" : acceptors + " (DPIA Fig. 6b)"},
            {"cost", "work " + lockstep::show(v.read_cost) + " for each element that is read through it" +
                         (v.check ? ", 3 and two reads for each index that is checked" : "")},
            {"traps", traps ? "where its check fails, before any element is read" : "never"}};
      },
      [&](const Loop& l) {
        return BuiltInDetails{{"lowering", "commands that run once, and store an array that it gives"},
                              {"cost", cost_of(e, l)}};
      });
}

// A phrase of the language and no primitive, listed with those that have a form of their own.
BuiltIn if_entry() {
  return {"if", "bool -> 'a -> 'a -> 'a", "phrase",
          "if c then x else y, one of two branches; the other is not evaluated"};
}
BuiltInDetails if_details() {
  return {
      {"lowering", "commands of the branch that is taken; a choice between scalars that need none is an expression"},
      {"cost", "work 1, depth 1, beside those of the condition and the greater of its branches"}};
}

// What is proved of a primitive: the claims about it, about its loop ("reduceI") and laws named after it
// ("split-join").
std::vector<std::string> claims_about(const CalculusRef& calculus, const std::string& name) {
  std::vector<std::string> out;
  for (const proofs::Obligation& o : proofs::calculus_obligations(calculus)) {
    const std::string rest = o.subject.starts_with(name) ? o.subject.substr(name.size()) : "no";
    const bool loop_of_it = rest == "I" || rest.starts_with(" ") || rest.starts_with("-");
    if (rest.empty() || (loop_of_it && std::isalpha(static_cast<unsigned char>(name[0])))) out.push_back(o.claim);
  }
  return out;
}

}  // namespace

std::vector<BuiltIn> primitives_of(const Calculus& calculus) {
  std::vector<BuiltIn> out;
  std::size_t forms = 0;
  for (const std::string& name : calculus.names()) {
    const Primitive& p = *calculus.primitive(name);
    out.push_back(entry_of(p));
    if (p.notation == Notation::Form) forms = out.size();
  }
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(forms), if_entry());
  return out;
}

BuiltInDetails details_of_primitive(const CalculusRef& calculus, const std::string& name) {
  const Calculus::Entry* entry = calculus->find(name);
  BuiltInDetails out = entry ? details_of(*entry) : if_details();
  for (const std::string& claim : claims_about(calculus, name)) out.emplace_back("to be proved", claim);
  return out;
}

}  // namespace lockstep::driver
