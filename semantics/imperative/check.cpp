// Fig. 3 as a use analysis: uses(P) maps each free identifier of P to passive or active. The zones Π and Γ of the
// figure are the smallest that type P: an identifier is in Γ where it is used actively. Spaces (spaces.h): a phrase of
// a known space fits where any is wanted, but a parameter names the space that it takes.
#include "semantics/imperative/check.h"

#include <algorithm>

#include "semantics/imperative/compare_types.h"
#include "semantics/imperative/instance.h"
#include "semantics/imperative/spaces.h"
#include "semantics/primitives/build.h"

namespace lockstep {
namespace {

struct Use {
  bool active = false;
  bool pinned = false;                // active by the rule for own elements: no Passify
  std::vector<std::string> elements;  // the indices through which every use goes, outermost first; "" unknown
};
using Uses = std::map<std::string, Use>;

void merge(Uses& into, const Uses& from) {
  for (const auto& [name, use] : from) {
    const auto [it, first] = into.try_emplace(name, use);
    if (first) continue;
    Use& have = it->second;
    have.active |= use.active;
    have.pinned |= use.pinned;
    have.elements.resize(std::min(have.elements.size(), use.elements.size()));
    for (std::size_t k = 0; k < have.elements.size(); ++k)
      if (have.elements[k] != use.elements[k]) have.elements[k].clear();
  }
}

// Passify: what a phrase of passive type uses, it only reads.
Uses passified(Uses uses) {
  for (auto& [name, use] : uses) use.active = use.pinned;
  return uses;
}

struct Typed {
  PhraseType type;
  Uses uses;
};

// A chain of projections and indices from an identifier: only there an index selects an element of the identifier.
bool is_chain(const Phrase& p) {
  if (as<Ident>(p)) return true;
  if (const auto* x = as<ProjPhrase>(p)) return is_chain(*x->phrase);
  if (const auto* x = as<ImpPhrase>(p)) return as<imp::IdxAcc>(*x) && is_chain(*x->arguments[0]);
  const auto* x = as<PrimPhrase>(p);
  return x && is_unchecked_element(*x) && is_chain(*x->arguments[0]);
}

void through_element(Uses& uses, const Phrase& index) {
  const auto* i = as<Ident>(index);
  for (auto& [name, use] : uses) use.elements.push_back(i ? i->name : "");
}

struct BoundName {
  PhraseType type;
  std::size_t depth;  // parallel loops around its binder
};

class Checker {
 public:
  Checker(const PhraseProgram& program, const CheckOptions& options)
      : options_(options), types_(context_of(program), options.implied) {}

  void bind(const std::string& name, PhraseType type) {
    environment_.insert_or_assign(name, BoundName{std::move(type), loops_.size()});
  }

  Typed check(const Phrase& p) {
    Typed t = match(
        p.node, [&](const Ident& x) { return identifier(x, p); },
        [&](const LiteralPhrase& x) {
          return Typed{exp_type(scalar(x.value.type)), {}};
        },
        [&](const NatPhrase&) { return number(p); }, [&](const LambdaPhrase& x) { return abstraction(x, p); },
        [&](const ApplyPhrase& x) { return application(x, p); }, [&](const LetPhrase& x) { return binding(x); },
        [&](const IfPhrase& x) { return branching(x, p); }, [&](const PairPhrase& x) { return pairing(x); },
        [&](const ProjPhrase& x) { return projection(x, p); }, [&](const PrimPhrase& x) { return primitive(x, p); },
        [&](const ImpPhrase& x) { return constant(x, p); });
    if (!equal(t.type, p.type)) {
      report(p, "the phrase carries the type " + show(p.type) + " but has the type " + show(t.type), show(t.type));
    }
    if (is_passive(t.type)) t.uses = passified(std::move(t.uses));
    return t;
  }

  void expect(const Phrase& p, const PhraseType& type, const std::string& what) {
    const Typed t = check(p);
    if (!fits(t.type, type)) report(p, what + " has the type " + show(t.type), show(type));
  }

  Diagnostics errors;

 private:
  // ------------------------------------------------------------------------------------------ the rules of Fig. 3
  Typed identifier(const Ident& x, const Phrase& p) {  // Var
    const auto it = environment_.find(x.name);
    if (it == environment_.end()) {
      report(p, "Var: the identifier `" + x.name + "` is not bound", "");
      return {p.type, {}};
    }
    const PhraseType& type = it->second.type;
    if (!component_) reach(p, x.name, it->second, !is_passive(type));
    return {type, {{x.name, {.active = true, .pinned = false, .elements = {}}}}};
  }

  void reach(const Phrase& p, const std::string& name, const BoundName& b, bool written) {
    const auto s = space_of(b.type);
    if (!s) return;
    if (const auto why = spaces::out_of_reach({name, *s, b.depth, written}, loops_, options_.chosen_spaces))
      report(p, *why, "");
  }
  // Of a variable, an acceptor or an expression.
  static std::optional<Space> space_of(const PhraseType& t) {
    if (const auto* e = as<ExpType>(t)) return e->space;
    if (const auto* a = as<AccType>(t)) return a->space;
    const auto* both = as<PhraseProduct>(t);
    return both ? space_of(*both->first) : std::nullopt;
  }

  Typed number(const Phrase& p) {
    const auto* e = as<ExpType>(p.type);
    const bool fine = e && (as<IndexType>(e->data) || e->data == scalar(ScalarType::I64));
    if (!fine) report(p, "a size as a number has the type " + show(p.type), "exp[i64] or exp[idx(n)]");
    return {p.type, {}};
  }

  Typed abstraction(const LambdaPhrase& x, const Phrase& p) {  // Lambda, and Promote where the arrow is ->p
    const auto* arrow = as<PhraseFunction>(p.type);
    const bool passive = arrow && arrow->passive;
    const bool free_body = std::exchange(sequential_body_, false);
    const std::string owner = own_loop_body_ ? x.name : owner_;
    own_loop_body_ = false;
    const auto saved = std::exchange(owner_, passive ? std::string() : owner);
    sequential_body_ = free_body && as<LambdaPhrase>(*x.body);
    Typed body = under(x.name, x.parameter, *x.body);
    owner_ = saved;
    body.uses.erase(x.name);
    if (passive && !free_body) promote(body.uses, owner, p);
    if (passive && free_body) pin(body.uses);
    return {phrase_function(x.parameter, body.type, passive), std::move(body.uses)};
  }

  static void pin(Uses& uses) {
    for (auto& [name, use] : uses) use.pinned |= use.active;
  }

  void promote(Uses& uses, const std::string& owner, const Phrase& p) {
    for (auto& [name, use] : uses) {
      if (!use.active) continue;
      const bool own = options_.own_elements && !owner.empty() &&
                       std::find(use.elements.begin(), use.elements.end(), owner) != use.elements.end();
      use.pinned = true;
      if (own) continue;
      report(p, "Promote: `" + name + "` is used actively by a function that must be passive (->p)",
             "a body that writes only what it is given", "write through the acceptor that the loop hands out");
    }
  }

  Typed application(const ApplyPhrase& x, const Phrase& p) {  // App
    Typed f = check(*x.function), a = check(*x.argument);
    const auto* arrow = as<PhraseFunction>(f.type);
    if (!arrow) {
      report(p, "App: a phrase of type " + show(f.type) + " is applied", "a function");
      return {p.type, {}};
    }
    if (!fits(a.type, *arrow->from))
      report(*x.argument, "App: the argument has the type " + show(a.type), show(*arrow->from));
    else if (!names_space(*arrow->from, a.type))
      report(*x.argument,
             "App: the argument has the type " + show(a.type) + ", the parameter " + show(*arrow->from) +
                 ", which says no space",
             show(a.type));
    apart(f.uses, a.uses, "App", "the function", "its argument", p);
    const PhraseType result = *arrow->to;
    merge(f.uses, a.uses);
    return {result, std::move(f.uses)};
  }

  Typed binding(const LetPhrase& x) {
    Typed value = check(*x.value);
    Typed body = under(x.name, value.type, *x.body);
    body.uses.erase(x.name);
    apart(body.uses, value.uses, "App", "the body of let", "its value", *x.body);
    merge(body.uses, value.uses);
    return body;
  }

  Typed branching(const IfPhrase& x, const Phrase& p) {  // as cond, of expressions
    Uses uses;
    const auto part = [&](const Phrase& q, const PhraseType& wanted, const std::string& what) {
      Typed t = check(q);
      if (!fits(t.type, wanted)) report(q, "If: " + what + " has the type " + show(t.type), show(wanted));
      merge(uses, t.uses);
    };
    part(*x.condition, exp_type(scalar(ScalarType::Bool)), "the condition");
    if (!as<ExpType>(p.type)) report(p, "If: a phrase of type " + show(p.type) + " is chosen", "an expression");
    part(*x.then, p.type, "the branch after then");
    part(*x.otherwise, p.type, "the branch after else");
    return {p.type, std::move(uses)};
  }

  Typed pairing(const PairPhrase& x) {  // Pair: both share the resources
    Typed a = check(*x.first), b = check(*x.second);
    merge(a.uses, b.uses);
    return {phrase_product(a.type, b.type), std::move(a.uses)};
  }

  Typed projection(const ProjPhrase& x, const Phrase& p) {  // Proj
    const auto* variable = as<Ident>(*x.phrase);
    component_ = variable != nullptr;
    Typed t = check(*x.phrase);
    component_ = false;
    if (const auto it = variable ? environment_.find(variable->name) : environment_.end(); it != environment_.end())
      reach(p, variable->name, it->second, x.index == 1);
    const auto* product = as<PhraseProduct>(t.type);
    if (!product) {
      report(p, "Proj: a component of a phrase of type " + show(t.type), "a product");
      return {p.type, std::move(t.uses)};
    }
    return {x.index == 1 ? *product->first : *product->second, std::move(t.uses)};
  }

  // Prim. A functional primitive reads its arguments; an acceptor passes its own on.
  Typed primitive(const PrimPhrase& x, const Phrase& p) {
    std::vector<Typed> arguments;
    for (const PhraseRef& a : x.arguments) arguments.push_back(check(*a));
    Uses uses;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      if (k == 0 && is_unchecked_element(x) && is_chain(*x.arguments[0]))
        through_element(arguments[0].uses, *x.arguments[1]);
      merge(uses, arguments[k].uses);
    }
    const auto type = instances_.type_of(x);
    if (!type) {
      report(p, "Prim: " + type.error(), "");
      return {p.type, std::move(uses)};
    }
    const auto name = [&] {
      return x.acceptor < 0 ? x.primitive->name
                            : std::get<View>(x.primitive->kind).acceptors[static_cast<std::size_t>(x.acceptor)].name;
    };
    arguments_fit(x.arguments, arguments, type->arguments, name(), p);
    return {type->result, std::move(uses)};
  }

  // Prim, then App for each group: within one group arguments are a product and share, between two they must not.
  Typed constant(const ImpPhrase& x, const Phrase& p) {
    const ImpSignature s = signature(x);
    const std::string name(name_of(x.constant));
    const bool over = as<imp::ParFor>(x), mapped = as<imp::MapI>(x);
    const Level* level = level_of(x.constant);
    std::vector<Typed> arguments;
    const bool around = enter(x, p);
    for (std::size_t k = 0; k < x.arguments.size(); ++k) {
      const bool body = as<LambdaPhrase>(*x.arguments[k]) && ((over && k == 1) || (mapped && k == 0));
      sequential_body_ = body && options_.sequential.contains(*level);
      own_loop_body_ = body && over;
      arguments.push_back(check(*x.arguments[k]));
      sequential_body_ = own_loop_body_ = false;
    }
    if (around) loops_.pop_back();
    arguments_fit(x.arguments, arguments, s.arguments, name, p);
    if (const auto* c = as<imp::New>(x)) allocation(*c, arguments, s, p);
    const auto label = [](std::size_t k) { return "argument " + std::to_string(k + 1); };
    for (std::size_t j = 0; j < arguments.size() && j < s.group.size(); ++j)
      for (std::size_t k = 0; k < j; ++k)
        if (s.group[j] != s.group[k]) apart(arguments[k].uses, arguments[j].uses, name, label(k), label(j), p);
    if (as<imp::Assign>(x) && !is_scalar_data(x.types.at(0)))
      report(p, ":= at the type " + show(x.types[0]), "a scalar, an index or a short vector");
    if (as<imp::IdxAcc>(x) && is_chain(*x.arguments[0])) through_element(arguments[0].uses, *x.arguments[1]);
    Uses uses;
    for (const Typed& a : arguments) merge(uses, a.uses);
    return {s.result, std::move(uses)};
  }

  // ------------------------------------------------------------------------------------------ levels and spaces
  // A parallel loop is around its acceptor and what it reads, too: its threads use them.
  bool enter(const ImpPhrase& x, const Phrase& p) {
    const Level* level = level_of(x.constant);
    if (!level || !is_parallel(*level) || as<imp::For>(x)) return false;
    const auto* body = as<LambdaPhrase>(*x.arguments.at(as<imp::ParFor>(x) ? 1 : 0));
    const spaces::Around loop{*level, std::string(name_of(x.constant)) + std::string(show(*level)) +
                                          (body ? " over `" + body->name + "`" : "")};
    if (const auto why = spaces::wrong_nesting(loop, loops_)) report(p, *why, "");
    loops_.push_back(loop);
    return true;
  }
  void allocation(const imp::New& c, const std::vector<Typed>& arguments, const ImpSignature& s, const Phrase& p) {
    if (const auto why = spaces::misplaced(c.space, loops_)) report(p, *why, "");
    const auto* given = arguments.empty() ? nullptr : as<PhraseFunction>(arguments[0].type);
    const PhraseType& wanted = *as<PhraseFunction>(s.arguments[0])->from;
    if (given && fits(wanted, *given->from) && !names_space(*given->from, wanted))
      report(p,
             "Space: the variable of new" + std::string(show(c.space)) + " is " + show(wanted) +
                 ", and its binder says no space: " + show(*given->from),
             show(wanted));
  }
  // Whether a parameter says the space of what it is given, where that is known.
  static bool names_space(const PhraseType& parameter, const PhraseType& given) {
    const auto s = space_of(given);
    return !s || *s == Space::Auto || space_of(parameter) == s;
  }

  // ------------------------------------------------------------------------------------------ parts of the rules
  static bool is_scalar_data(const Type& d) { return as<ScalarType>(d) || as<IndexType>(d) || as<VectorType>(d); }

  Typed under(const std::string& name, const PhraseType& type, const Phrase& body) {
    const auto it = environment_.find(name);
    const std::optional<BoundName> outer = it == environment_.end() ? std::nullopt : std::optional(it->second);
    bind(name, type);
    Typed t = check(body);
    if (outer)
      environment_.insert_or_assign(name, *outer);
    else
      environment_.erase(name);
    return t;
  }

  void arguments_fit(const std::vector<PhraseRef>& phrases, const std::vector<Typed>& have,
                     const std::vector<PhraseType>& wanted, const std::string& name, const Phrase& p) {
    if (have.size() != wanted.size()) {
      report(p, "Prim: `" + name + "` with " + std::to_string(have.size()) + " arguments",
             std::to_string(wanted.size()));
      return;
    }
    for (std::size_t k = 0; k < have.size(); ++k)
      if (!fits(have[k].type, wanted[k]))
        report(*phrases[k],
               "Prim: argument " + std::to_string(k + 1) + " of `" + name + "` has the type " + show(have[k].type),
               show(wanted[k]));
  }

  // No identifier may be active on one side and used at all on the other.
  void apart(const Uses& a, const Uses& b, const std::string& rule, const std::string& left, const std::string& right,
             const Phrase& p) {
    for (const auto& [name, use] : a) {
      const auto other = b.find(name);
      if (other == b.end() || (!use.active && !other->second.active)) continue;
      const bool first = use.active;
      report(p,
             rule + ": `" + name + "` is used actively by " + (first ? left : right) + " and also by " +
                 (first ? right : left),
             "parts that do not interfere");
    }
  }

  bool equal(const PhraseType& a, const PhraseType& b) const { return types_.equal(a, b); }
  bool fits(const PhraseType& have, const PhraseType& wanted) const { return types_.fits(have, wanted); }

  void report(const Phrase& p, std::string message, std::string expected, std::string mend = {}) {
    errors.push_back({p.region, std::move(message), std::move(expected), std::move(mend)});
  }

  const CheckOptions& options_;
  const PhraseTypes types_;
  Instances instances_;
  std::map<std::string, BoundName> environment_;
  spaces::Loops loops_;           // parallel, around
  bool component_ = false;        // the identifier that comes next stands under a projection
  std::string owner_;             // the index of the parallel loop whose body comes next
  bool own_loop_body_ = false;    // the lambda that comes next binds that index
  bool sequential_body_ = false;  // the lambda that comes next is the body of a loop that is not parallel
};

}  // namespace

Checked<void> check_program(const PhraseProgram& program, const CheckOptions& options) {
  Checker checker(program, options);
  for (const auto& [name, type] : program.parameters) checker.bind(name, PhraseType{ExpType{type}});
  const bool functional = program.output.empty();
  if (!functional) checker.bind(program.output, acc_type(program.result));
  const std::string body = "the body of `" + program.name + "`";
  if (functional)
    checker.expect(*program.body, exp_type(program.result), body);
  else
    checker.expect(*program.body, comm_type(), body);
  if (checker.errors.empty()) return {};
  return tl::unexpected(std::move(checker.errors));
}

}  // namespace lockstep
