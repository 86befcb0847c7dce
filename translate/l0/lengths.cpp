// Which arrays are equally long, from the front to the back: what a map makes and what it goes over, what has passed an
// assertZip.
#include <algorithm>
#include <map>

#include "semantics/l0/uniqueness.h"
#include "semantics/l0/walk.h"
#include "semantics/text/patterns.h"
#include "translate/l0/dependencies.h"
#include "translate/l0/fresh.h"
#include "translate/l0/hindrances.h"

namespace lockstep::l0 {
namespace {

// Lengths by where they come from: a constant, a name of a number, a name of an array. What is found out in a block is
// forgotten behind it.
class Lengths {
 public:
  struct Length {
    Expr from;  // a constant, a number, or an array whose length it is
    bool of_array;
  };
  using Id = std::size_t;
  Id of(const Expr& number) {  // of a name or a constant
    if (const auto* v = as<Variable>(number))
      if (const auto at = numbers_.find(v->name); at != numbers_.end()) return at->second;
    const auto* l = as<Literal>(number);
    const auto [at, is_new] =
        ids_.emplace(l ? "=" + std::to_string(l->value.bits) : std::get<Variable>(number.node).name, all_.size());
    if (is_new) add({number, false});
    return at->second;
  }
  Id of_array(const Expr& array) {
    const std::string& name = std::get<Variable>(array.node).name;
    const auto [at, is_new] = arrays_.emplace(name, all_.size());
    if (is_new) add({array, true});
    return at->second;
  }
  void set_array(const std::string& name, Id length) { arrays_.insert_or_assign(name, length); }
  void set_number(const std::string& name, Id length) { numbers_.insert_or_assign(name, length); }
  const Length& operator[](Id id) const { return all_[id]; }

  Id root(Id id) const {
    while (parents_[id] != id) id = parents_[id];
    return id;
  }
  void unite(Id a, Id b) {
    a = root(a), b = root(b);
    if (a == b) return;
    if (sizes_[a] < sizes_[b]) std::swap(a, b);
    parents_[b] = a;
    sizes_[a] += sizes_[b];
    united_.emplace_back(b, a);
  }
  std::size_t mark() const { return united_.size(); }
  void forget(std::size_t mark) {
    for (; united_.size() > mark; united_.pop_back()) {
      const auto [child, parent] = united_.back();
      sizes_[parent] -= sizes_[child];
      parents_[child] = child;
    }
  }

 private:
  void add(Length l) {
    parents_.push_back(all_.size());
    sizes_.push_back(1);
    all_.push_back(std::move(l));
  }
  std::vector<Length> all_;
  std::vector<Id> parents_;
  std::vector<std::size_t> sizes_;
  std::vector<std::pair<Id, Id>> united_;
  std::map<std::string, Id> ids_, arrays_, numbers_;
};

class Asking {
 public:
  explicit Asking(const Program& p) : consumed_(consumed_by(p)) {}

  Expr inside(const Expr& e) {  // a body, or a branch
    const std::size_t before = lengths_.mark();
    Expr out = e;
    if (auto* b = std::get_if<BlockExpr>(&out.node))
      for (std::size_t k = 0; k < b->bindings.size(); ++k) {
        const auto at = consumed_.find(&as<BlockExpr>(e)->bindings[k]);
        const auto consume = [&] {
          if (at != consumed_.end()) gone_.insert(at->second.begin(), at->second.end());
        };
        if (repeats(b->bindings[k])) consume();  // inside, too
        binding(b->bindings[k]);
        consume();
      }
    lengths_.forget(before);
    return out;
  }

 private:
  // What stands in it is run any number of times.
  static bool repeats(const Binding& x) {
    const auto* l = std::get_if<LetBinding>(&x.node);
    return std::holds_alternative<LoopBinding>(x.node) || (l && as<SoacExpr>(*l->value));
  }
  void binding(Binding& x) {
    match(
        x.node,
        [&](LetBinding& l) {
          Expr value = *l.value;
          match(
              value.node,
              [&](IfExpr& i) {
                i.yes = inside(*i.yes);
                i.no = inside(*i.no);
              },
              [&](SoacExpr& s) { operation(s, l.pattern); }, [&](BuiltInExpr&) { built_in(value, l.pattern); },
              [&](ShiftExpr& s) {
                if (s.dimension > 1 && s.dimension + s.places > 1) as_long_as(l.pattern, *s.array);
              },
              [](OneOf<Literal, TextLiteral, Variable, TupleExpr, ArrayExpr, PrefixExpr, InfixExpr, BlockExpr,
                       IndexExpr, CallExpr, FlattenExpr> auto&) {});
          l.value = std::move(value);
        },
        [&](UpdateBinding& u) { lengths_.set_array(u.name, lengths_.of_array(variable(u.source))); },
        [&](LoopBinding& l) { l.step = inside(*l.step); });
  }
  // Over nothing no function runs, and yet what it would give has a shape (README, "Empty arrays"): of arrays that one
  // operation goes over there the least length is known, and that is then known of these names. So in
  // a function a length is another's only where as much is known of both: of names that no operation went over with
  // others, or that the last one went over together.
  bool stands_for(const std::string& kept, const std::string& other) const {
    const auto a = gone_over_.find(kept), b = gone_over_.find(other);
    if (kept == other || in_function_ == 0) return true;
    return a == gone_over_.end() ? b == gone_over_.end() : b != gone_over_.end() && a->second == b->second;
  }
  bool equally_long(const Expr& kept, const Expr& other) {
    const Lengths::Id a = lengths_.of_array(kept), b = lengths_.of_array(other);
    const std::string &x = std::get<Variable>(kept.node).name, &y = std::get<Variable>(other.node).name;
    const bool together = gone_over_.contains(x) && stands_for(x, y);
    return lengths_.root(a) == lengths_.root(b) && stands_for(x, y) && (in_function_ == 0 || a == b || together);
  }
  void go_over(const std::vector<ExprRef>& arrays, std::size_t from) {
    std::set<std::string> names;
    for (std::size_t k = from; k < arrays.size(); ++k) names.insert(std::get<Variable>(arrays[k]->node).name);
    if (in_function_ == 0 || names.size() < 2) return;
    ++operations_;
    for (const std::string& n : names) gone_over_.insert_or_assign(n, operations_);
  }
  void as_long_as(const Pattern& p, const Expr& array) {
    reading::each_name(p,
                       [&](const std::string& n, const Pattern&) { lengths_.set_array(n, lengths_.of_array(array)); });
  }

  void built_in(Expr& value, const Pattern& p) {
    auto& b = std::get<BuiltInExpr>(value.node);
    const auto* name = std::get_if<NamePattern>(&p.node);
    switch (b.op) {
      case BuiltIn::AssertZip:
        return assert_zip(value, b);
      case BuiltIn::Size:
        if (as<Variable>(*b.arguments[0])) size(value, *b.arguments[0], name ? name->name : "_");
        return;
      case BuiltIn::Iota:
      case BuiltIn::Replicate:
        if (name) lengths_.set_array(name->name, lengths_.of(*b.arguments[0]));
        return;
      case BuiltIn::Copy:
        if (name && as<Variable>(*b.arguments[0])) as_long_as(p, *b.arguments[0]);
        return;
      case BuiltIn::Split:
        if (const auto* t = std::get_if<TuplePattern>(&p.node))
          if (const auto& first = std::get<NamePattern>(t->items[0].node); first.name != "_")
            lengths_.set_array(first.name, lengths_.of(*b.arguments[0]));
        return;
      case BuiltIn::Zip:
      case BuiltIn::Unzip:
      case BuiltIn::Transpose:
      case BuiltIn::Concat:
        return;
    }
  }
  void size(Expr& value, const Expr& array, const std::string& number) {
    const Lengths::Id id = lengths_.of_array(array);
    lengths_.set_number(number, id);
    const Lengths::Length& from = lengths_[id];
    const std::string& name = std::get<Variable>(array.node).name;
    if (!from.of_array) {
      if (!gone_over_.contains(name)) value = Expr{from.from.node, value.region};
    } else if (const std::string& other = std::get<Variable>(from.from.node).name;
               !gone_.contains(other) && stands_for(other, name)) {
      value.node = BuiltInExpr{BuiltIn::Size, {from.from}};
    }
  }
  // One of each length.
  void assert_zip(Expr& value, BuiltInExpr& b) {
    std::vector<ExprRef> left;
    for (const ExprRef& a : b.arguments)
      if (std::none_of(left.begin(), left.end(), [&](const ExprRef& l) { return equally_long(*l, *a); }))
        left.push_back(a);
    go_over(left, 0);
    for (const ExprRef& a : left) lengths_.unite(lengths_.of_array(*left[0]), lengths_.of_array(*a));
    if (left.size() == 1)
      value.node = Literal{make_bool(true)};
    else
      b.arguments = std::move(left);
  }

  void operation(SoacExpr& s, const Pattern& p) {
    drop_unread(s);
    const std::size_t starts = s.starts.value;
    const Expr first = *s.arguments[starts];
    go_over(s.arguments, starts);
    for (std::size_t k = starts; k < s.arguments.size(); ++k)
      lengths_.unite(lengths_.of_array(first), lengths_.of_array(*s.arguments[k]));
    ++in_function_;
    for (Fn& f : s.functions)
      if (auto* l = std::get_if<Lambda>(&f.node)) l->body = inside(*l->body);
    --in_function_;
    if (s.op != Soac::Map2 && s.op != Soac::Scan2) return;
    if (!gone_over_.contains(std::get<Variable>(first.node).name)) return as_long_as(p, first);
    reading::each_name(p, [&](const std::string& n, const Pattern&) {
      lengths_.unite(lengths_.of_array(first), lengths_.of_array(variable(n)));
    });
  }
  // What is not looked at, where another that stays is as long.
  void drop_unread(SoacExpr& s) {
    auto* f = std::get_if<Lambda>(&s.functions.back().node);
    const std::vector<bool> read = are_read(s);
    for (std::size_t k = s.arguments.size(); k-- > s.starts.value;) {
      if (read[k]) continue;
      for (std::size_t other = s.starts.value; other < s.arguments.size(); ++other) {
        if (other == k || !equally_long(*s.arguments[other], *s.arguments[k])) continue;
        s.arguments.erase(s.arguments.begin() + static_cast<std::ptrdiff_t>(k));
        f->parameters.erase(f->parameters.begin() + static_cast<std::ptrdiff_t>(k));
        break;
      }
    }
  }

  const Consumed consumed_;
  std::set<std::string> gone_;
  int in_function_ = 0;  // of array operations, so many deep
  // There, by an operation or assertZip with others: the last, by number.
  std::map<std::string, std::size_t> gone_over_;
  std::size_t operations_ = 0;
  Lengths lengths_;
};

}  // namespace

Program with_known_lengths(const Program& p) {
  Program out = p;
  Asking asking(p);
  for (std::size_t k = 0; k < p.functions.size(); ++k) out.functions[k].body = asking.inside(*p.functions[k].body);
  return retyped(std::move(out), "hindrances");
}

}  // namespace lockstep::l0
