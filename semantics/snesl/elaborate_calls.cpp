// Inference of calls: functions of the program at types of their own for each call, and the built-ins (languages.md
// §2).
#include "semantics/snesl/elaborate_infer.h"

namespace lockstep::snesl::elaboration {

using namespace surface;

namespace {

// Types as the table of built-ins writes them.
class SignatureReader {
 public:
  SignatureReader(TypeGraph& types, std::string_view text, const Region& region, int why)
      : types_(types), rest_(text), region_(region), why_(why) {}
  TypeId type() {
    const char c = rest_[0];
    if (c == '{') return bracketed('}', [&](TypeId t) { return types_.sequence_of(t); });
    if (c == '[') return bracketed(']', [&](TypeId t) { return types_.vector_of(t); });
    if (c == '(') return types_.tuple(list());
    for (const Prim p : {Prim::Bool, Prim::Int, Prim::Real, Prim::Char})
      if (rest_.starts_with(show(p))) {
        rest_.remove_prefix(show(p).size());
        return types_.prim(p);
      }
    rest_.remove_prefix(1);
    const auto [it, first] = letters_.emplace(c, -1);
    if (first) {
      it->second = types_.unknown(region_, c == 'n' ? any_number : c == 'p' ? any_prim : 0);
      if (c == 't') types_.make_concrete(it->second, why_);
    }
    return it->second;
  }
  std::vector<TypeId> list() {
    std::vector<TypeId> out;
    rest_.remove_prefix(1);
    while (rest_[0] != ')') {
      out.push_back(type());
      skip(", ");
    }
    rest_.remove_prefix(1);
    return out;
  }
  std::vector<TypeId> parameters() {
    std::vector<TypeId> out = rest_[0] == '(' ? list() : std::vector{type()};
    skip(" -> ");
    return out;
  }

 private:
  void skip(std::string_view s) {
    if (rest_.starts_with(s)) rest_.remove_prefix(s.size());
  }
  template <class Make>
  TypeId bracketed(char close, Make make) {
    rest_.remove_prefix(1);
    const TypeId t = type();
    if (rest_[0] != close) throw Bug("the type of a built-in");
    rest_.remove_prefix(1);
    return make(t);
  }
  TypeGraph& types_;
  std::string_view rest_;
  Region region_;
  int why_;
  std::map<char, TypeId> letters_;
};

std::string plural(std::size_t n, const std::string& one) {
  return std::to_string(n) + " " + one + (n == 1 ? "" : "s");
}

}  // namespace

std::vector<NodeId> Inference::arguments_of(const CallExpr& c) {
  std::vector<NodeId> out;
  for (const ExprRef& a : c.arguments) out.push_back(expression(*a));
  return out;
}

bool Inference::takes(const std::string& name, std::size_t wanted, std::size_t given, const Region& region,
                      const std::string& type) {
  if (wanted == given) return true;
  report(region,
         name + " takes " + plural(wanted, "argument") + ", " + std::to_string(given) +
             (given == 1 ? " is given" : " are given"),
         plural(wanted, "argument"), type.empty() ? "" : "its type is " + type);
  return false;
}

NodeId Inference::call(const CallExpr& c, const Region& region) {
  const std::string& f = c.function;
  if (scope_.find(f)) {
    report(region, f + " is a variable here, and is called", "a function",
           "rename the variable, which hides the function " + f);
    arguments_of(c);
    return wrong(region);
  }
  if (const auto it = index_.find(f); it != index_.end()) return call_function(it->second, c, region);
  const std::vector<NodeId> arguments = arguments_of(c);
  if (const Signature* s = signature_named(f)) return call_signature(*s, arguments, region);
  if (f == "zip") {
    if (!arguments.empty()) return zip(arguments, region);
    report(region, "zip takes at least one argument", "({a}, {b}, ...)", "");
    return wrong(region);
  }
  if (f == "unzip")
    return takes(f, 1, arguments.size(), region, "{(a, b, ...)} -> ({a}, {b}, ...)") ? unzip(arguments[0], region)
                                                                                     : wrong(region);
  if (f == "min" || f == "max") {
    if (!takes(f, 2, arguments.size(), region, "(n, n) -> n for n Int or Real")) return wrong(region);
    return binary(Constraint::Kind::Arithmetic, f == "min" ? scalars::row<"minimum">() : scalars::row<"maximum">(), f,
                  arguments[0], arguments[1], region);
  }
  std::vector<std::string> own;
  for (const auto& [name, k] : index_) own.push_back(name);
  report(region, "there is no function " + f, "a function of the program or a built-in",
         mend_of_name(f, own, builtin_names(), function_habits(), "'lockstep primitives' lists the built-ins"));
  return wrong(region);
}

NodeId Inference::call_function(int function, const CallExpr& c, const Region& region) {
  const std::vector<NodeId> arguments = arguments_of(c);
  const Function& source = program_.functions[static_cast<std::size_t>(function)];
  if (!takes(c.function, source.parameters.size(), arguments.size(), region, "")) return wrong(region);
  const Inferred& callee = functions_[static_cast<std::size_t>(function)];
  if (callee.broken) {  // what is wrong with it has been said
    failed_ = true;
    return wrong(region);
  }
  std::unordered_map<TypeId, TypeId> made;
  const auto copy = [&](TypeId t) { return types().copy(callee.types, t, made, region, callee.name); };
  bool fits = true;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const SlotInfo& p = callee.slots[static_cast<std::size_t>(callee.parameters[k])];
    fits =
        expect(arguments[k], copy(p.type), "the argument " + source.parameters[k].name + " of " + callee.name) && fits;
  }
  if (!fits) return wrong(region);
  const TypeId result = copy(callee.result);
  const std::size_t before = diagnostics_.size();
  for (const Constraint& open : callee.open) {
    Constraint o = open;
    for (TypeId& t : o.types)
      if (t >= 0) t = copy(t);
    o.region = region;
    if (o.within.empty()) o.within = callee.name + " (" + show_position(open.region) + ")";
    constrain(std::move(o));
  }
  if (diagnostics_.size() > before) return wrong(region);
  CallNode out{function, arguments, {}};
  for (const TypeId u : callee.unknowns) out.unknowns.emplace_back(u, copy(u));
  if (out_.open.size() > 20'000) settle();
  return add(std::move(out), result, region);
}

NodeId Inference::call_signature(const Signature& s, const std::vector<NodeId>& arguments, const Region& region) {
  const std::string name(s.name);
  const int why =
      types().because({region, "an element of what " + name + (s.builtin == Builtin::Tab ? " is given" : " gives"),
                       "elements without sequences: a vector holds none", "", true});
  SignatureReader reader(types(), s.type, region, why);
  const std::vector<TypeId> parameters = reader.parameters();
  if (!takes(name, parameters.size(), arguments.size(), region, std::string(s.type))) return wrong(region);
  const TypeId result = reader.type();
  bool fits = true;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const std::string what = "the argument of " + name;
    const TypeGraph::Form form = types().form(parameters[k]);
    if (s.builtin == Builtin::Length && types().form(type(arguments[k])) == TypeGraph::Form::Sequence) {
      report(out_[arguments[k]].region, what + " has the type " + shown(type(arguments[k])), shown(parameters[k]),
             "#s counts the elements of a sequence, in a traversal");
      return wrong(region);
    }
    if (form == TypeGraph::Form::Unknown)
      fits = expect_prim(arguments[k], types().mask(parameters[k]), what,
                         name == "int" || name == "real" ? sum_up_digits : go_over_vector) &&
             fits;
    fits = fits && expect(arguments[k], parameters[k], what);
  }
  if (!fits) return wrong(region);
  if (s.builtin == Builtin::Scalar) return add(OperatorNode{s.op, arguments}, result, region);
  return add(BuiltinNode{s.builtin, s.monoid, arguments}, result, region);
}

// (σ) is σ, so that the zip of one sequence is the sequence.
NodeId Inference::zip(std::vector<NodeId> sequences, const Region& region) {
  std::vector<TypeId> elements;
  bool fits = true;
  for (const NodeId s : sequences) {
    elements.push_back(types().unknown(out_[s].region));
    fits = expect(s, types().sequence_of(elements.back()), "this argument of zip") && fits;
  }
  if (!fits) return wrong(region);
  if (sequences.size() == 1) return sequences[0];
  return add(BuiltinNode{Builtin::Zip, {}, std::move(sequences)},
             types().sequence_of(types().tuple(std::move(elements))), region);
}

NodeId Inference::unzip(NodeId sequence, const Region& region) {
  const TypeId element = types().unknown(region), result = types().unknown(region);
  if (!expect(sequence, types().sequence_of(element), "the argument of unzip")) return wrong(region);
  constrain({Constraint::Kind::Unzipped, {element, result, -1}, 0, region, "unzip", ""});
  return add(BuiltinNode{Builtin::Unzip, {}, {sequence}}, result, region);
}

}  // namespace lockstep::snesl::elaboration
