// lockstep primitives: every primitive of the calculus and every built-in of .snesl, or all that is known of one.
#include <nlohmann/json.hpp>

#include "driver/commands.h"
#include "proofs/calculus_proofs.h"
#include "semantics/primitives/calculus.h"
#include "semantics/primitives/operators.h"
#include "semantics/snesl/builtins.h"

namespace lockstep::driver {
namespace {

using Details = std::vector<std::pair<std::string, std::string>>;  // what, and the text

struct Entry {
  std::string language, name, type, kind, summary;
};

// ------------------------------------------------------------------------------------------- scalar operators
constexpr ScalarType scalars[] = {ScalarType::Bool, ScalarType::U8,  ScalarType::I32, ScalarType::I64,
                                  ScalarType::U32,  ScalarType::U64, ScalarType::F32, ScalarType::F64};

bool takes(Operands o, ScalarType t) {
  switch (o) {
    case Operands::Numeric:
      return t != ScalarType::Bool;
    case Operands::Float:
      return is_float(t);
    case Operands::Integer:
      return is_integer(t);
    case Operands::Bool:
      return t == ScalarType::Bool;
    case Operands::Any:
      return true;
  }
  throw Bug("operands of no kind");
}

// "integers", "floats", "i32, i64": the types for which it holds.
std::string types_where(const std::function<bool(ScalarType)>& holds) {
  const auto exactly = [&](bool (*known)(ScalarType)) {
    return std::all_of(std::begin(scalars), std::end(scalars), [&](ScalarType t) { return holds(t) == known(t); });
  };
  if (exactly(is_float)) return "floats";
  if (exactly(is_integer)) return "integers";
  if (exactly([](ScalarType t) { return t != ScalarType::Bool; })) return "numbers";
  if (exactly([](ScalarType) { return true; })) return "scalars";
  std::string out;
  for (const ScalarType t : scalars)
    if (holds(t)) out += (out.empty() ? "" : ", ") + std::string(lockstep::show(t));
  return out;
}

std::string type_of(const ScalarOp& op) {
  const bool bools = op.operands == Operands::Bool;
  const std::string operand = bools ? "bool" : "'t";
  std::string out;
  for (int k = 0; k < op.arity; ++k) out += operand + " -> ";
  out += op.gives ? std::string(lockstep::show(*op.gives)) : op.gives_bool ? "bool" : operand;
  return bools ? out : out + " for " + types_where([&](ScalarType t) { return takes(op.operands, t); });
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
    std::vector<PhraseRef> arguments;
    for (int k = 0; k < op.arity; ++k) arguments.push_back(ident(std::string(1, "xyz"[k]), exp_type(scalar(t))));
    const auto guard = takes(op.operands, t) ? op.guard(t, arguments) : std::nullopt;
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
  const bool rounds = op.laws.associative && takes(op.operands, ScalarType::F32);
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

// With f and g for the function arguments, and one scalar for each element.
std::string cost_of(const Calculus::Entry& e, const Loop& loop) {
  std::vector<Cost> functions;
  std::vector<std::string> names{"f", "g", "h"};
  for (Type t = e.scheme.type; as<FunctionType>(t);) {
    const FunctionType arrow = *as<FunctionType>(t);
    if (as<FunctionType>(*arrow.from)) {
      const std::string& f = names.at(functions.size());
      functions.push_back({Size::name(f + ".work"), Size::name(f + ".depth"), Size::name(f + ".space")});
    }
    t = *arrow.to;
  }
  PrimPhrase phrase{e.primitive, -1, {}, std::vector<Type>(e.types.size(), scalar(ScalarType::F32)), {}};
  for (const std::string& n : e.sizes) phrase.sizes.push_back(Size::name(n));
  const Cost cost = loop.cost(Instance{phrase}, functions);
  return "work " + lockstep::show(cost.work) + ", depth " + lockstep::show(cost.depth) + ", space " +
         lockstep::show(cost.space) + (e.types.empty() ? "" : ", an element being a scalar");
}

Entry entry_of(const Primitive& p) {
  const auto entry = [&](std::string type, std::string kind) {
    return Entry{".dpia", p.name, std::move(type), std::move(kind), p.summary};
  };
  return std::visit(Cases{[&](const ScalarOp& op) { return entry(type_of(op), "operator"); },
                          [&](const View& v) { return entry(readable(v.type), "view"); },
                          [&](const Loop& l) { return entry(readable(l.type), "loop"); }},
                    p.kind);
}

Details details_of(const Calculus::Entry& e) {
  return std::visit(
      Cases{[](const ScalarOp& op) {
              const bool lifts = !op.gives_bool && op.operands != Operands::Bool && op.operands != Operands::Any;
              return Details{{"short vectors", lifts ? "lane by lane" : "no"},
                             {"cost", "work 1, depth 1"},
                             {"laws", laws_of(op)},
                             {"traps", traps_of(op)}};
            },
            [](const View& v) {
              const bool traps = v.check || v.check_meaning;
              std::string acceptors;
              for (const AcceptorFacet& a : v.acceptors) acceptors += (acceptors.empty() ? "" : ", ") + a.name;
              return Details{
                  {"lowering", "stores nothing: what reads it reads its arguments, at other places"},
                  {"written by", acceptors.empty() ? "a loop over its elements" : acceptors + " (DPIA Fig. 6b)"},
                  {"cost", "work " + lockstep::show(v.read_cost) + " for each element that is read through it"},
                  {"traps", traps ? "where its check fails, before any element is read" : "never"}};
            },
            [&](const Loop& l) {
              return Details{{"lowering", "commands that run once, and store an array that it gives"},
                             {"cost", cost_of(e, l)}};
            }},
      e.primitive->kind);
}

std::vector<Entry> entries_of(const Calculus& calculus) {
  std::vector<Entry> out;
  for (const std::string& name : calculus.names()) out.push_back(entry_of(*calculus.primitive(name)));
  for (const snesl::elaboration::BuiltinNote& b : snesl::elaboration::builtin_notes())
    out.push_back({".snesl", std::string(b.name), std::string(b.type), "built-in", std::string(b.summary)});
  return out;
}

// ------------------------------------------------------------------------------------------- reports
// What is proved of a primitive: the claims about it, about its loop ("reduceI") and laws named after it
// ("split-join").
std::vector<std::string> claims_about(const Calculus& calculus, const std::string& name) {
  std::vector<std::string> out;
  for (const proofs::Obligation& o : proofs::calculus_obligations(std::make_shared<const Calculus>(calculus))) {
    const std::string rest = o.subject.starts_with(name) ? o.subject.substr(name.size()) : "no";
    const bool loop_of_it = rest == "I" || rest.starts_with(" ") || rest.starts_with("-");
    if (rest.empty() || (loop_of_it && std::isalpha(static_cast<unsigned char>(name[0])))) out.push_back(o.claim);
  }
  return out;
}

Json json_of(const Entry& e, const Details& details = {}) {
  Json j{{"language", e.language}, {"name", e.name}, {"kind", e.kind}, {"type", e.type}, {"summary", e.summary}};
  for (const auto& [what, text] : details) j[what] = text;
  return j;
}

int list(const std::vector<Entry>& entries, bool json) {
  if (json) {
    Json all = Json::array();
    for (const Entry& e : entries) all.push_back(json_of(e));
    print(Json{{"primitives", std::move(all)}});
    return done;
  }
  std::string text;
  for (const auto& [language, title] :
       {std::pair{".dpia", "the calculus, .dpia: 'a and 'b are any data, 's and 't a scalar type"},
        std::pair{".snesl",
                  "Streaming NESL, .snesl: a and b are any type, t one without sequences, n Int or Real, i Int "
                  "or Bool, p any scalar"}}) {
    Table table({"name", "type", "kind", "meaning"});
    for (const Entry& e : entries)
      if (e.language == language) table.row({e.name, e.type, e.kind, e.summary});
    text += tone(title, Tone::Head, on_terminal(1)) + "\n" + table.text(on_terminal(1)) + "\n";
  }
  print(text +
        "'lockstep primitives NAME' says all of one; the references: semantics/functional/README.md (.dpia),\n"
        "semantics/snesl/README.md (.snesl)\n");
  return done;
}

Json explained_as_json(const Entry& e, const Calculus& calculus) {
  if (e.language != ".dpia") return json_of(e);
  Json j = json_of(e, details_of(*calculus.find(e.name)));
  j["obligations"] = claims_about(calculus, e.name);
  return j;
}

std::string explained(const Entry& e, const Calculus& calculus) {
  Table table({"", ""});
  table.row({"meaning", e.summary});
  table.row({"what", (e.language == ".dpia" ? e.kind + " of the calculus, " : e.kind + " of ") + e.language});
  std::string proofs;
  if (e.language == ".dpia") {
    for (const auto& [what, text] : details_of(*calculus.find(e.name))) table.row({what, text});
    const std::vector<std::string> claims = claims_about(calculus, e.name);
    for (std::size_t k = 0; k < claims.size(); ++k) table.row({k == 0 ? "to be proved" : "", claims[k]});
    if (!claims.empty()) proofs = "\n'lockstep prove --only " + e.name + "' proves this, and what else names it\n";
  }
  const std::string rows = table.text(on_terminal(1));
  return tone(e.name + " : " + e.type, Tone::Head, on_terminal(1)) + rows.substr(rows.find('\n')) + proofs;
}

}  // namespace

int primitives_command(const Options& options) {
  const Calculus calculus = standard_calculus();
  const std::vector<Entry> entries = entries_of(calculus);
  if (options.name.empty()) return list(entries, options.json);
  std::vector<Entry> found;
  std::vector<std::string> names;
  for (const Entry& e : entries) {
    names.push_back(e.name);
    if (e.name == options.name) found.push_back(e);
  }
  if (!found.empty()) {
    Json json = Json::array();
    std::string text;
    for (const Entry& e : found) {
      json.push_back(explained_as_json(e, calculus));
      text += (text.empty() ? "" : "\n") + explained(e, calculus);
    }
    if (options.json)
      print(Json{{"primitives", std::move(json)}});
    else
      print(text);
    return done;
  }
  const std::string near = nearest_name(options.name, names);
  fail(invalid, "there is no primitive or built-in " + options.name,
       near.empty() ? "'lockstep primitives' lists them" : "did you mean " + near + "?");
}

}  // namespace lockstep::driver
