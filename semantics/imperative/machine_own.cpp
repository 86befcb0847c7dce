// A constant of a loop's own as a command: its arguments to closures, and what its meaning asks for
// (primitives/constant.h).
#include "semantics/imperative/machine.h"
#include "semantics/primitives/constant.h"

namespace lockstep::imperative {

struct Compiler::OwnArguments {
  struct Argument {
    Code<Value> value{};  // of an expression
    Code<Acceptor> acceptor{};
    Code<Meaning> variable{};
    Procedure function{};
    const Layout* result = nullptr;  // of the function's
    std::size_t parameters = 0;
  };
  std::vector<Argument> all;
  std::vector<std::int64_t> sizes;
};

class Compiler::OwnRun final : public ConstantRun {
 public:
  OwnRun(Compiler& compiler, const OwnArguments& arguments, Frame& f, const Region& at, const Region& where)
      : compiler_(compiler), arguments_(arguments), frame_(f), at_(at), where_(where) {
    for (const auto& a : arguments.all) {
      Now now;
      if (a.value) now.value = a.value(f);
      if (a.acceptor) now.acceptor = a.acceptor(f);
      if (a.variable) variable(a.variable(f), now);
      now_.push_back(std::move(now));
    }
  }
  std::int64_t size(std::size_t k) override { return arguments_.sizes.at(k); }
  Value value(std::size_t k) override { return now_.at(k).value; }
  Value call(std::size_t k, const std::vector<Value>& with) override {
    const auto& a = arguments_.all.at(k);
    Store& store = compiler_.store_;
    const std::int64_t mark = store.mark();
    const Variable next = compiler_.fresh(*a.result, "next");
    std::vector<Meaning> given;
    for (const Value& v : with) given.push_back({v});
    given.push_back(compiler_.acceptor_of(next));
    a.function(frame_, given);
    store.at(at_);
    Value out = stored(value_at(store, *a.result, next.cell));
    store.release(mark);
    return out;
  }
  void write(std::size_t k, std::int64_t i, const Value& v) override {
    const Acceptor place = element_of(now_.at(k).acceptor, i);
    lockstep::write(compiler_.store_, place, *arguments_.all.at(k).result, stored(v));
  }
  void call_on(std::size_t k, std::size_t acceptor, std::int64_t i) override {
    std::vector<Meaning> given;
    given.push_back({element_of(now_.at(acceptor).acceptor, i)});
    arguments_.all.at(k).function(frame_, given);
    compiler_.store_.at(at_);
  }
  std::vector<std::int64_t> in_order(std::int64_t n) override { return compiler_.in_order(n); }
  Region where() const override { return where_; }

 private:
  struct Now {
    Value value;
    Acceptor acceptor{};
  };
  void variable(const Meaning& v, Now& now) {
    if (const auto* whole = std::get_if<Variable>(&v.node)) {
      now.acceptor = {Cells{whole->layout, whole->cell, {}}};
      now.value = value_at(compiler_.store_, *whole->layout, whole->cell);
      return;
    }
    const auto& both = *std::get<std::shared_ptr<const BothMeanings>>(v.node);
    now.acceptor = std::get<Acceptor>(both.first.node);
    now.value = std::get<Value>(both.second.node);
  }

  Compiler& compiler_;
  const OwnArguments& arguments_;
  Frame& frame_;
  const Region &at_, where_;
  std::vector<Now> now_;
};

Code<void> Compiler::own(const ConstantRef& constant, const ImpPhrase& x, const Phrase& p) {
  OwnArguments out{{}, sizes_of(x.sizes)};
  const std::vector<PhraseType> types = signature(x).arguments;
  const auto element = [&](const Type& d) -> const Layout* {
    const auto* a = as<ArrayType>(d);
    return &layout(a ? Type(*a->element) : d);
  };
  for (std::size_t k = 0; k < types.size(); ++k) {
    OwnArguments::Argument a;
    if (as<ExpType>(types[k])) {
      a.value = value(*x.arguments[k]);
    } else if (const auto* acc = as<AccType>(types[k])) {
      a.acceptor = acceptor(*x.arguments[k]);
      a.result = element(acc->data);
    } else if (const auto* var = as<PhraseProduct>(types[k])) {
      a.variable = meaning(*x.arguments[k]);
      a.result = element(data_of(*var->first));
    } else {
      PhraseType last = types[k];
      for (const auto* f = as<PhraseFunction>(last); as<PhraseFunction>(*f->to); f = as<PhraseFunction>(last)) {
        ++a.parameters;
        PhraseType rest = *f->to;
        last = std::move(rest);
      }
      a.result = &layout(data_of(*as<PhraseFunction>(last)->from));
      a.function = procedure(*x.arguments[k], a.parameters + 1);
    }
    out.all.push_back(std::move(a));
  }
  return [this, arguments = std::make_shared<const OwnArguments>(std::move(out)), facets = constant->facets, at = at_,
          &region = p.region](Frame& f) {
    store_.at(*at);
    OwnRun run(*this, *arguments, f, *at, region);
    facets->meaning(run);
  };
}

}  // namespace lockstep::imperative
