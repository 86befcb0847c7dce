// Fig. 2.1 and 2.2 read as they stand, with the contract's built-ins: whether a core program is well typed. It infers
// nothing and shares nothing with elaboration.
#include <unordered_map>
#include <unordered_set>

#include "semantics/snesl/core.h"

namespace lockstep::snesl::core {

namespace {

struct IllTyped {
  std::string message;
};

class Checker {
 public:
  void program(const Program& p) {
    for (const Parameter& q : p.parameters) bind(q.name, q.type);
    expression(*p.body);
  }

 private:
  // Γ, and for each of its variables whether it has occurred.
  struct Entry {
    const Type* type;
    bool occurs = false;
  };
  using Environment = std::unordered_map<std::string, Entry>;

  static void require(bool holds, const Expr& e, const std::string& message) {
    if (!holds) throw IllTyped{(e.region.source ? show_position(e.region) + ": " : "") + message};
  }
  void bind(const std::string& name, const Type& type) {
    if (!bound_.insert(name).second) throw IllTyped{name + " is bound twice"};
    environment_[name] = {&type};
  }
  const Type& of(const std::string& name, const Expr& e) {
    const auto it = environment_.find(name);
    if (it == environment_.end()) require(false, e, name + " is not in scope");
    it->second.occurs = true;
    return *it->second.type;
  }
  // Nearly always they are: the words are made where they are not.
  static void same(const Type& found, const Type& wanted, const Expr& e, std::string_view what) {
    if (!(found == wanted))
      require(false, e, std::string(what) + " has the type " + show(found) + " where " + show(wanted) + " is wanted");
  }

  void expression(const Expr& e) {
    std::vector<std::string> lets;
    const Expr* at = &e;
    while (const auto* l = std::get_if<Let>(&at->node)) {
      expression(*l->value);
      bind(l->name, l->value->type);
      lets.push_back(l->name);
      same(l->body->type, at->type, *at, "the body of a let");
      at = &*l->body;
    }
    simple(*at);
    for (const std::string& n : lets) environment_.erase(n);
  }

  void simple(const Expr& e) {
    match(
        e.node, [&](const Var& x) { same(of(x.name, e), e.type, e, x.name); },
        [&](const Literal& x) {
          require(x.atom.type != Prim::Unit, e, "a literal of no type");
          same(prim(x.atom.type), e.type, e, "a literal");
        },
        [&](const Text&) { same(vector_of(prim(Prim::Char)), e.type, e, "a text"); },
        [&](const Tuple& x) {
          std::vector<Type> items;
          for (const std::string& n : x.items) items.push_back(of(n, e));
          same(tuple(std::move(items)), e.type, e, "a tuple");
        },
        [&](const Project& x) {
          const auto* t = as<TupleType>(of(x.tuple, e));
          require(t && x.index >= 0 && x.index < static_cast<int>(t->items.size()), e,
                  x.tuple + " has no such component");
          same(t->items[static_cast<std::size_t>(x.index)], e.type, e, "a component");
        },
        [&](const Let&) { expression(e); }, [&](const Apply& x) { apply(x, e); },
        [&](const Comprehension& x) {
          const auto* s = as<SequenceType>(of(x.sequence, e));
          require(s, e, x.sequence + " is no sequence");
          for (const Using& u : x.variables)
            require(is_concrete(u.type), e,
                    u.name + ", which a comprehension uses, has a sequence in it: " + show(u.type));
          using_body(x.variables, &x.element, &*s->element, *x.body, e);
        },
        [&](const Guarded& x) {
          same(of(x.condition, e), prim(Prim::Bool), e, "a condition");
          using_body(x.variables, nullptr, nullptr, *x.body, e);
        });
  }

  // The body sees what is listed and the element, and nothing else; what is listed occurs in it.
  void using_body(const std::vector<Using>& variables, const std::string* element, const Type* element_type,
                  const Expr& body, const Expr& e) {
    Environment inner;
    for (const Using& u : variables) {
      same(of(u.name, e), u.type, e, "the listed " + u.name);
      require(inner.emplace(u.name, Entry{&u.type}).second, e, u.name + " is listed twice");
    }
    std::swap(environment_, inner);
    if (element) bind(*element, *element_type);
    expression(body);
    for (const Using& u : variables) require(environment_.at(u.name).occurs, e, u.name + " is listed and not used");
    environment_ = std::move(inner);
    same(sequence_of(body.type), e.type, e, "a comprehension");
  }

  // Fig. 2.2. σ of {σ}.
  const Type& element(const Type& t, const Expr& e) {
    const auto* s = as<SequenceType>(t);
    require(s, e, "a sequence is wanted where " + show(t) + " is");
    return *s->element;
  }
  const Type& vector_element(const Type& t, const Expr& e) {
    const auto* v = as<VectorType>(t);
    require(v, e, "a vector is wanted where " + show(t) + " is");
    require(is_concrete(*v->element), e, "a vector of sequences");
    return *v->element;
  }
  void monoid_on(const Apply& x, const Type& t, const Expr& e) {
    const auto* p = as<Prim>(t);
    const bool logical = x.monoid == Monoid::Or || x.monoid == Monoid::And;
    require(p && (logical ? *p == Prim::Bool : *p == Prim::Int || *p == Prim::Real), e,
            std::string(name_of(x.monoid)) + " on " + show(t));
  }

  Type scalar_result(const Apply& x, const std::vector<Type>& t, const Expr& e) {
    std::vector<Prim> operands;
    for (const Type& o : t) {
      const auto* p = as<Prim>(o);
      if (!p) require(false, e, snesl::name_of(x.op) + " of " + show(o));
      operands.push_back(*p);
    }
    const std::optional<Prim> r = result_type(x.op, operands);
    if (!r) require(false, e, snesl::name_of(x.op) + " of operands that do not fit");
    return prim(*r);
  }
  Type zipped(const std::vector<Type>& t, const Expr& e) {
    require(!t.empty(), e, "zip of nothing");
    std::vector<Type> items;
    for (const Type& s : t) items.push_back(element(s, e));
    return sequence_of(tuple(std::move(items)));
  }
  Type unzipped(const Type& t, const Expr& e) {
    const auto* items = as<TupleType>(element(t, e));
    require(items && !items->items.empty(), e, "unzip of " + show(t));
    std::vector<Type> sequences;
    for (const Type& i : items->items) sequences.push_back(sequence_of(i));
    return tuple(std::move(sequences));
  }

  void apply(const Apply& x, const Expr& e) {
    std::vector<Type> t;
    for (const std::string& n : x.arguments) t.push_back(of(n, e));
    const std::string name(name_of(x.builtin));
    const auto takes = [&](std::size_t n) {
      if (t.size() != n) require(false, e, name + " with " + std::to_string(t.size()) + " arguments");
    };
    const auto gives = [&](const Type& r) {
      if (!(r == e.type)) same(r, e.type, e, "the result of " + name);
    };
    const auto text = [] { return vector_of(prim(Prim::Char)); };
    const Type boolean = prim(Prim::Bool), integer = prim(Prim::Int);
    switch (x.builtin) {
      case Builtin::Scalar:
        return gives(scalar_result(x, t, e));
      case Builtin::Mkseq:
        element(e.type, e);
        for (const Type& i : t) same(sequence_of(i), e.type, e, "mkseq");
        return;
      case Builtin::Empty:
        return takes(1), (void)element(t[0], e), gives(boolean);
      case Builtin::The:
        return takes(1), gives(element(t[0], e));
      case Builtin::Append:
        return takes(2), (void)element(t[0], e), same(t[1], t[0], e, "the right side of ++"), gives(t[0]);
      case Builtin::Zip:
        return gives(zipped(t, e));
      case Builtin::Unzip:
        return takes(1), gives(unzipped(t[0], e));
      case Builtin::Flagpart:
        return takes(2), (void)element(t[0], e), same(t[1], sequence_of(boolean), e, "the flags"),
               gives(sequence_of(t[0]));
      case Builtin::Sep: {
        takes(1);
        const auto* pair = as<TupleType>(element(t[0], e));
        require(pair && pair->items.size() == 2 && pair->items[1] == boolean, e, "sep of " + show(t[0]));
        return gives(sequence_of(sequence_of(pair->items[0])));
      }
      case Builtin::Concat:
        return takes(1), (void)element(element(t[0], e), e), gives(element(t[0], e));
      case Builtin::TailFlags:
        return takes(1), (void)element(t[0], e), gives(sequence_of(boolean));
      case Builtin::Iota:
        return takes(1), same(t[0], integer, e, "the operand of &"), gives(sequence_of(integer));
      case Builtin::Tab:
        takes(1);
        require(is_concrete(element(t[0], e)), e, "tab of " + show(t[0]));
        return gives(vector_of(element(t[0], e)));
      case Builtin::Seq:
        return takes(1), gives(sequence_of(vector_element(t[0], e)));
      case Builtin::Length:
        return takes(1), (void)vector_element(t[0], e), gives(integer);
      case Builtin::SeqLength:
        return takes(1), (void)element(t[0], e), gives(integer);
      case Builtin::Index:
        return takes(2), same(t[1], integer, e, "the index"), gives(vector_element(t[0], e));
      case Builtin::Reduce:
      case Builtin::Reduce1:
        return takes(1), monoid_on(x, element(t[0], e), e), gives(element(t[0], e));
      case Builtin::Scan:
        return takes(1), monoid_on(x, element(t[0], e), e), gives(t[0]);
      case Builtin::ReadFile:
        return takes(1), same(t[0], text(), e, "a file name"), gives(sequence_of(prim(Prim::Char)));
      case Builtin::WriteFile:
        return takes(2), same(t[0], text(), e, "a file name"),
               same(t[1], sequence_of(prim(Prim::Char)), e, "what is written"), gives(tuple({}));
    }
    throw Bug("built-in");
  }

  Environment environment_;
  std::unordered_set<std::string> bound_;
};

}  // namespace

std::string check(const Program& p) {
  try {
    Checker().program(p);
    return "";
  } catch (const IllTyped& wrong) {
    return wrong.message;
  }
}

}  // namespace lockstep::snesl::core
