// Turns of a warp's lanes (warp_turns.h).
#include "translate/dpia/warp_turns.h"

#include <algorithm>

#include "semantics/kernel/walk.h"

namespace lockstep {
namespace {

using namespace kernel;

// index = factor * name + offset
std::optional<std::pair<std::int64_t, std::int64_t>> linear(const Expr& index, const std::string& name) {
  const auto s = as_size(index);
  if (!s) return {};
  std::pair<std::int64_t, std::int64_t> out{0, 0};
  for (const SizeTerm& t : s->terms()) {
    const bool of_name = t.powers.size() == 1 && !t.powers[0].first.division && t.powers[0].second == 1 &&
                         t.powers[0].first.name == name && !name.empty();
    if (!t.powers.empty() && !of_name) return {};
    (of_name ? out.first : out.second) += t.coefficient;
  }
  return out;
}

bool only(const Stmt& s, const std::function<bool(const Stmt&)>& f) {
  bool all = true;
  each_statement(s, [&](const Stmt& x) { all = all && f(x); });
  return all;
}

// What the translation itself made, of no level that was written.
bool only_copies(const Stmt& s) {
  return only(s, [](const Stmt& x) {
    const auto* t = std::get_if<Store>(&x.node);
    return std::holds_alternative<Block>(x.node) || (t && std::holds_alternative<Load>(t->value.node));
  });
}

class Accessing {
 public:
  Accessing(Turn& turn, const WarpArrays& arrays) : turn_(turn), arrays_(arrays) {
    each_statement(*turn.body, [&](const Stmt& s) {
      if (const auto* a = std::get_if<Allocate>(&s.node)) own_.insert(a->name);
      if (const auto* t = std::get_if<Store>(&s.node)) store(*t, is_outermost(s));
      if (const auto* t = std::get_if<Atomic>(&s.node)) update(t->buffer);
      own_expressions(s, [&](const Expr& e) {
        each_expression(e, [&](const Expr& x) {
          if (const auto* l = std::get_if<Load>(&x.node)) read(l->buffer, &*l->index);
          if (const auto* l = std::get_if<VectorLoad>(&x.node)) read(l->buffer, nullptr);
        });
      });
    });
  }

 private:
  bool is_outermost(const Stmt& s) const {
    if (&s == turn_.body) return true;
    const auto* b = std::get_if<Block>(&turn_.body->node);
    return b && &s >= b->statements.data() && &s < b->statements.data() + b->statements.size();
  }
  void store(const Store& t, bool outermost) {
    if (own_.contains(t.buffer)) return;
    turn_.written_memory.insert(t.buffer);
    if (!arrays_.contains(t.buffer)) return;
    const auto at = linear(t.index, turn_.name);
    const bool of_iteration = at && at->first == 1 && outermost && t.value.type.width == 1;
    if (!of_iteration || !turn_.stores.emplace(t.buffer, at->second).second) turn_.otherwise.insert(t.buffer);
  }
  void update(const std::string& buffer) {  // of an element that data may choose
    if (own_.contains(buffer)) return;
    turn_.written_memory.insert(buffer);
    turn_.read_memory.insert(buffer);
    if (arrays_.contains(buffer)) turn_.otherwise.insert(buffer);
  }
  void read(const std::string& buffer, const Expr* index) {
    if (own_.contains(buffer)) return;
    turn_.read_memory.insert(buffer);
    if (!arrays_.contains(buffer)) return;
    const auto at = index ? linear(*index, turn_.name) : std::nullopt;
    if (at)
      turn_.reads.push_back({buffer, at->first, at->second});
    else
      turn_.otherwise.insert(buffer);
  }

  Turn& turn_;
  const WarpArrays& arrays_;
  std::set<std::string> own_;
};

}  // namespace

std::size_t accesses(const Stmt& s, const std::string& array) {
  std::size_t n = 0;
  each_node(
      s, [&](const Stmt& x) { n += is_write_of(x, array); }, [&](const Expr& e) { n += is_read_of(e, array); });
  return n;
}

std::optional<Turn> turn_of(const Stmt& s, const WarpArrays& arrays, std::int64_t lanes, bool dealt) {
  const auto make = [&](const Stmt& body, const std::string& name, std::int64_t extent) {
    Turn t{&s, &body, name, extent, {}, {}, {}, {}, {}};
    Accessing(t, arrays);
    return t;
  };
  const auto few = [&](const Expr& extent) {
    const auto n = constant_of(extent);
    return n && *n >= 1 && *n <= lanes;
  };
  if (const auto* p = std::get_if<ParallelFor>(&s.node)) {
    if (p->level != Level::Local || p->units || !p->scratch.empty() || !few(p->extent)) return {};
    // A lane that traps would leave the others at a shuffle.
    const bool goes_on = only(*p->body, [](const Stmt& x) {
      return !std::holds_alternative<Check>(x.node) && !std::holds_alternative<Shuffle>(x.node);
    });
    if (!goes_on) return {};
    return make(*p->body, p->name, *constant_of(p->extent));
  }
  const bool stores = only(s, [](const Stmt& x) {
    return std::holds_alternative<Store>(x.node) || std::holds_alternative<For>(x.node) ||
           std::holds_alternative<Block>(x.node);
  });
  if (!stores || std::holds_alternative<Block>(s.node)) return {};
  if (const auto* f = std::get_if<For>(&s.node); f && dealt && few(f->extent)) {
    Turn t = make(*f->body, f->name, *constant_of(f->extent));
    // Its rounds are apart: each stores elements of its own and reads none of them.
    const bool apart = only_copies(*f->body) && t.otherwise.empty() && !t.stores.empty() &&
                       std::all_of(t.written_memory.begin(), t.written_memory.end(), [&](const std::string& a) {
                         return t.stores.contains(a) && !t.read_memory.contains(a);
                       });
    if (apart) return t;
  }
  return make(s, "", 1);
}

// ------------------------------------------------------------------------------------------------- registers
namespace {

class Choosing {
 public:
  Choosing(const std::vector<const Stmt*>& statements, const WarpArrays& arrays,
           const std::map<std::string, std::size_t>& touched, std::int64_t lanes)
      : statements_(statements), arrays_(arrays), lanes_(lanes) {
    for (const auto& [name, a] : arrays) {
      std::size_t here = 0;
      for (const Stmt* s : statements) here += accesses(*s, name);
      if (here > 0 && here == touched.at(name)) chosen_.insert(name);
    }
  }

  std::optional<Registers> run() {
    for (;;) {
      if (chosen_.empty()) return {};
      Registers out;
      if (const auto gone = attempt(out); !gone.empty()) {
        for (const std::string& a : gone) chosen_.erase(a);
        continue;
      }
      return out;
    }
  }

 private:
  using Names = std::set<std::string>;

  // Empty, or arrays that stay in memory.
  Names attempt(Registers& out) {
    for (const Stmt* s : statements_) {
      Turn t = *turn_of(*s, arrays_, lanes_, true);
      const bool shared = std::holds_alternative<For>(s->node) && !t.name.empty();
      if (shared &&
          std::any_of(t.stores.begin(), t.stores.end(), [&](const auto& x) { return !chosen_.contains(x.first); })) {
        if (const Names some = stored(t); !some.empty()) return some;
        t = *turn_of(*s, arrays_, lanes_, false);
      }
      out.turns.push_back(std::move(t));
    }
    std::map<std::string, std::set<std::int64_t>> known;
    for (const Turn& t : out.turns) {
      Names gone;
      for (const std::string& a : t.otherwise)
        if (chosen_.contains(a)) gone.insert(a);
      for (const ElementRead& r : t.reads) {
        if (!chosen_.contains(r.array)) continue;
        const bool whole = static_cast<std::int64_t>(known[r.array].size()) == arrays_.at(r.array).count;
        if (t.stores.contains(r.array) || !whole) gone.insert(r.array);
      }
      for (const std::string& a : stored(t))
        for (std::int64_t i = 0; i < t.extent; ++i) {
          const std::int64_t element = i + t.stores.at(a);
          if (t.name.empty() || element < 0 || element >= arrays_.at(a).count) gone.insert(a);
          known[a].insert(element);
        }
      if (!gone.empty()) return gone;
      if (Names apart = place(t, out); !apart.empty()) return apart;
    }
    return {};
  }
  Names stored(const Turn& t) const {
    Names out;
    for (const auto& [a, offset] : t.stores)
      if (chosen_.contains(a)) out.insert(a);
    return out;
  }

  // On the lanes that own what is stored; that are other arrays' lanes where that saves shuffles.
  Names place(const Turn& t, Registers& out) const {
    const Names all = stored(t);
    if (all.empty()) {
      out.places.push_back({});
      return {};
    }
    const std::int64_t offset = t.stores.at(*all.begin());
    std::optional<std::int64_t> stride;
    for (const std::string& a : all) {
      if (t.stores.at(a) != offset) return {a};
      const auto known = out.strides.find(a);
      if (known == out.strides.end()) continue;
      if (stride && *stride != known->second) return {a};
      stride = known->second;
    }
    if (!stride) stride = best_stride(t, all, offset, out);
    for (const std::string& a : all) {
      const auto known = out.strides.emplace(a, *stride).first;
      if (known->second != *stride) return {a};
    }
    out.places.push_back({*stride, offset});
    return {};
  }
  std::int64_t best_stride(const Turn& t, const Names& all, std::int64_t offset, const Registers& r) const {
    std::int64_t best = 1, most = -1;
    const auto own_with = [&](std::int64_t stride) {
      return std::count_if(t.reads.begin(), t.reads.end(), [&](const ElementRead& x) {
        const auto of = r.strides.find(x.array);
        return of != r.strides.end() && of->second * x.factor == stride && of->second * x.offset == stride * offset;
      });
    };
    std::set<std::int64_t> strides{1};
    for (const ElementRead& x : t.reads)
      if (const auto of = r.strides.find(x.array); of != r.strides.end() && x.factor > 0)
        strides.insert(of->second * x.factor);
    for (const std::int64_t s : strides) {
      const bool fits = std::all_of(all.begin(), all.end(),
                                    [&](const std::string& a) { return s * (arrays_.at(a).count - 1) < lanes_; });
      if (fits && own_with(s) > most) best = s, most = own_with(s);
    }
    return best;
  }

  const std::vector<const Stmt*>& statements_;
  const WarpArrays& arrays_;
  const std::int64_t lanes_;
  Names chosen_;
};

}  // namespace

std::optional<Registers> registers_of(const std::vector<const Stmt*>& statements, const WarpArrays& arrays,
                                      const std::map<std::string, std::size_t>& touched, std::int64_t lanes) {
  return Choosing(statements, arrays, touched, lanes).run();
}

std::optional<std::size_t> first_conflict(const Registers& r) {
  const auto meet = [&](const std::set<std::string>& a, const std::set<std::string>& b) {
    return std::any_of(a.begin(), a.end(),
                       [&](const std::string& x) { return !r.strides.contains(x) && b.contains(x); });
  };
  for (std::size_t k = 1; k < r.turns.size(); ++k)
    for (std::size_t j = 0; j < k; ++j) {
      const Turn &x = r.turns[j], &y = r.turns[k];
      if (meet(x.written_memory, y.read_memory) || meet(x.written_memory, y.written_memory) ||
          meet(x.read_memory, y.written_memory))
        return k;
    }
  return {};
}

}  // namespace lockstep
