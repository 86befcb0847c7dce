// T2 reduction of dependency graphs that are drawn: what is fused is what the conditions say, written down apart from
// the pass that decides (l0.md §3, exactness); in every order of the statements (confluence); and no order of
// reductions leaves fewer kernels (maximality).
#include <catch2/catch.hpp>

#include "props/engine/random.h"
#include "translate/fusion/reduction.h"

namespace fusion_test {
using namespace lockstep;
using namespace lockstep::fusion;

namespace {

// All operations are maps, and all of them fuse.
class Maps : public Algebra {
 public:
  Rule rule(StatementId, StatementId) override { return {"map∘map"}; }
  std::optional<Obstacle> obstacle(StatementId, StatementId) override { return {}; }
  bool keeps_length(StatementId) override { return true; }
  std::size_t inputs_from(StatementId, StatementId) override { return 1; }
  void begin(StatementId) override {}
  void merge(StatementId producer, const std::vector<StatementId>&, Name) override { gone.insert(producer); }
  void merge_copies(StatementId, StatementId) override {}
  void remove_copies(StatementId) override {}
  std::set<StatementId> gone;
};
std::set<Name> fused_in(const Graph& g, Paths paths = Paths::Alternatives) {  // by what they make first
  Maps maps;
  reduce(g, maps, {0}, paths);
  std::set<Name> out;
  for (const StatementId s : maps.gone) out.insert(g.statement(s).outputs.front());
  return out;
}

// A program as it is drawn: statements in blocks, each with what it makes and goes over.
struct Drawn {
  struct Item {
    std::vector<Name> makes{}, over{}, uses{}, consumes{};
    std::vector<std::vector<Item>> branches{}, bodies{};
  };
  std::vector<Item> items;
  std::vector<Name> results;
  Name names = 0;
};

std::vector<Drawn::Item> draw_block(props::Random& random, Drawn& d, std::vector<Name> scope, int n, int depth) {
  std::vector<Drawn::Item> out;
  const auto any = [&] {
    return scope[scope.size() - 1 -
                 static_cast<std::size_t>(random.below(std::min(6, static_cast<int>(scope.size()))))];
  };
  for (int k = 0; k < n; ++k) {
    Drawn::Item item;
    if (depth > 0 && random.percent(20)) {
      const bool branches = random.percent(60);
      for (int b = branches ? 2 : 1; b > 0; --b)
        (branches ? item.branches : item.bodies)
            .push_back(draw_block(random, d, scope, 1 + random.below(3), depth - 1));
    } else {
      for (int m = random.percent(25) ? 2 : 1; m > 0; --m) item.makes.push_back(d.names++);
      for (int m = 1 + random.below(2); m > 0; --m) item.over.push_back(any());
    }
    if (random.percent(6)) item.uses.push_back(any());
    scope.insert(scope.end(), item.makes.begin(), item.makes.end());
    out.push_back(std::move(item));
  }
  return out;
}
Drawn drawn(std::uint64_t seed, int n, int depth) {
  props::Random random(seed);
  Drawn d;
  d.names = 2;  // parameters
  d.items = draw_block(random, d, {0, 1}, n, depth);
  for (const Drawn::Item& i : d.items)
    if (!i.makes.empty() && random.percent(10)) d.results.push_back(i.makes.back());
  return d;
}

void write(Graph& g, BlockId b, const std::vector<Drawn::Item>& items) {
  for (const Drawn::Item& i : items) {
    Statement s;
    s.kind = i.makes.empty() ? Kind::Other : Kind::Combinator;
    s.outputs = i.makes;
    for (const Name n : i.over) s.inputs.push_back({n});
    for (const Name n : i.uses) s.uses.push_back({n});
    const StatementId id = g.add(b, std::move(s));
    for (const auto& part : i.branches) write(g, g.block(id, false), part);
    for (const auto& part : i.bodies) write(g, g.block(id, true), part);
  }
}
Graph graph_of(const Drawn& d) {
  Graph g;
  const BlockId b = g.block(none, false);
  write(g, b, d.items);
  std::vector<Use> results;
  for (const Name n : d.results) results.push_back({n});
  g.give(b, results);
  return g;
}

std::string text_of(const std::vector<Drawn::Item>& items, const std::string& margin = "") {
  std::string out;
  const auto names = [](const std::vector<Name>& all) {
    std::string list;
    for (const Name n : all) list += " " + std::to_string(n);
    return list;
  };
  for (const Drawn::Item& i : items) {
    out += margin + "makes" + names(i.makes) + " over" + names(i.over) + " uses" + names(i.uses) + "\n";
    for (const auto& b : i.branches) out += margin + " branch\n" + text_of(b, margin + "  ");
    for (const auto& b : i.bodies) out += margin + " body\n" + text_of(b, margin + "  ");
  }
  return out;
}

// ------------------------------------------------------------------------------------------------ the conditions

// Of each operation the way to it from outside: the statement, and which branch or body of it.
struct Operation {
  const Drawn::Item* item;
  std::vector<std::pair<const Drawn::Item*, int>> way;  // branches by number, bodies as -1
};
void list(const std::vector<Drawn::Item>& items, std::vector<std::pair<const Drawn::Item*, int>> way,
          std::vector<Operation>& out, std::multiset<Name>& used) {
  for (const Drawn::Item& i : items) {
    used.insert(i.uses.begin(), i.uses.end());
    if (!i.makes.empty()) out.push_back({&i, way});
    for (std::size_t k = 0; k < i.branches.size() + i.bodies.size(); ++k) {
      const bool branch = k < i.branches.size();
      auto inner = way;
      inner.emplace_back(&i, branch ? static_cast<int>(k) : -1);
      list(branch ? i.branches[k] : i.bodies[k - i.branches.size()], inner, out, used);
    }
  }
}
// Never both of them in one run.
bool are_alternatives(const Operation& a, const Operation& b) {
  for (std::size_t k = 0; k < std::min(a.way.size(), b.way.size()); ++k) {
    if (a.way[k].first != b.way[k].first) return false;
    if (a.way[k].second != b.way[k].second) return true;
  }
  return false;
}
// Those are fused of which nothing is used otherwise, that are gone over somewhere, and whose consumers, each as the
// kernels that it has become part of, are alternatives, none in a body in which the producer is not.
std::set<Name> fused_by_conditions(const Drawn& d) {
  std::vector<Operation> all;
  std::multiset<Name> used(d.results.begin(), d.results.end());
  list(d.items, {}, all, used);
  std::vector<std::set<std::size_t>> kernels(all.size());  // that an operation is part of
  std::set<Name> out;
  for (std::size_t p = all.size(); p-- > 0;) {
    std::set<std::size_t> mine;
    bool may = true;
    for (const Name n : all[p].item->makes) may = may && !used.contains(n);
    for (std::size_t u = p + 1; u < all.size(); ++u)
      for (const Name n : all[p].item->makes)
        if (std::count(all[u].item->over.begin(), all[u].item->over.end(), n) > 0)
          mine.insert(kernels[u].begin(), kernels[u].end());
    may = may && !mine.empty();
    for (const std::size_t k : mine) {
      for (std::size_t at = all[p].way.size(); at < all[k].way.size(); ++at) may = may && all[k].way[at].second >= 0;
      for (const std::size_t other : mine) may = may && (k == other || are_alternatives(all[k], all[other]));
    }
    kernels[p] = may ? mine : std::set<std::size_t>{p};
    if (may) out.insert(all[p].item->makes.front());
  }
  return out;
}

}  // namespace

TEST_CASE("what is fused is what the conditions say") {
  std::size_t fused = 0, stayed = 0, less = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const Drawn d = drawn(seed, 2 + static_cast<int>(seed % 14), static_cast<int>(seed % 3));
    const std::set<Name> found = fused_in(graph_of(d));
    INFO("seed " << seed << "\n" << text_of(d.items));
    REQUIRE(found == fused_by_conditions(d));
    // as printed it is less where there are branches, and never more
    const std::set<Name> printed = fused_in(graph_of(d), Paths::Printed);
    REQUIRE(std::includes(found.begin(), found.end(), printed.begin(), printed.end()));
    if (seed % 3 == 0) REQUIRE(printed == found);
    less += printed.size() < found.size();
    fused += found.size();
    stayed += d.names - 2 - found.size();
  }
  CHECK(fused > 4000);
  CHECK(stayed > 4000);
  CHECK(less > 0);
}

TEST_CASE("branches of two statements are no alternatives: what goes into both would be made twice") {
  Drawn d;
  d.names = 7;
  const auto over = [](Name made, Name of) { return Drawn::Item{{made}, {of}}; };
  Drawn::Item first, second;
  first.branches = {{over(4, 3)}, {over(5, 0)}};
  second.branches = {{over(6, 2)}, {}};
  d.items = {over(2, 0), over(3, 2), first, second};
  d.results = {4, 5, 6};
  CHECK(fused_in(graph_of(d)) == std::set<Name>{3});
  d.items[3].branches.clear();
  d.items[2].branches[1] = {over(6, 2)};
  CHECK(fused_in(graph_of(d)) == std::set<Name>{2, 3});
}

TEST_CASE("all orders of the statements fuse the same") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Drawn d = drawn(seed, 10, static_cast<int>(seed % 2));
    const std::set<Name> expected = fused_in(graph_of(d));
    props::Random random(seed);
    for (int order = 0; order < 4; ++order) {
      // each statement behind what makes what it wants; in blocks within it that is the whole statement
      Drawn other = d;
      other.items.clear();
      std::vector<bool> done(d.items.size());
      std::set<Name> made{0, 1}, all_made;
      const std::function<bool(const Drawn::Item&, std::set<Name>)> ready = [&](const Drawn::Item& i,
                                                                                std::set<Name> scope) {
        for (const Name n : i.over)
          if (!scope.contains(n)) return false;
        for (const Name n : i.uses)
          if (!scope.contains(n)) return false;
        for (const auto* parts : {&i.branches, &i.bodies})
          for (const auto& part : *parts) {
            std::set<Name> inner = scope;
            for (const Drawn::Item& x : part) {
              if (!ready(x, inner)) return false;
              inner.insert(x.makes.begin(), x.makes.end());
            }
          }
        return true;
      };
      while (other.items.size() < d.items.size()) {
        const auto k = static_cast<std::size_t>(random.below(static_cast<int>(d.items.size())));
        if (done[k] || !ready(d.items[k], made)) continue;
        done[k] = true;
        made.insert(d.items[k].makes.begin(), d.items[k].makes.end());
        other.items.push_back(d.items[k]);
      }
      INFO("seed " << seed << ", order " << order);
      CHECK(fused_in(graph_of(other)) == expected);
    }
  }
}

namespace {

// The fewest kernels that any order of reductions leaves: an operation goes into the only kernel that goes over what it
// makes.
std::size_t fewest(const Drawn& d, std::vector<int> kernel) {
  std::size_t best = std::set<int>(kernel.begin(), kernel.end()).size();
  for (std::size_t p = 0; p < d.items.size(); ++p) {
    if (std::count(kernel.begin(), kernel.end(), kernel[p]) > 1 && kernel[p] != static_cast<int>(p))
      continue;  // it is gone
    std::set<int> consumers;
    bool may = true;
    const auto& makes = d.items[p].makes;
    for (std::size_t u = 0; u < d.items.size(); ++u) {
      for (const Name n : makes) may = may && std::count(d.items[u].uses.begin(), d.items[u].uses.end(), n) == 0;
      for (const Name n : d.items[u].over)
        if (std::count(makes.begin(), makes.end(), n) > 0 && kernel[u] != kernel[p]) consumers.insert(kernel[u]);
    }
    for (const Name n : makes) may = may && std::count(d.results.begin(), d.results.end(), n) == 0;
    if (!may || consumers.size() != 1) continue;
    std::vector<int> next = kernel;
    for (int& k : next)
      if (k == kernel[p]) k = *consumers.begin();
    best = std::min(best, fewest(d, next));
  }
  return best;
}

}  // namespace

TEST_CASE("no order of reductions leaves fewer kernels, of blocks of up to six") {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const Drawn d = drawn(seed, 2 + static_cast<int>(seed % 5), 0);
    std::vector<int> each(d.items.size());
    for (std::size_t k = 0; k < each.size(); ++k) each[k] = static_cast<int>(k);
    INFO("seed " << seed);
    CHECK(d.items.size() - fused_in(graph_of(d)).size() == fewest(d, each));
  }
}

// ------------------------------------------------------------------------------------------------ mends

namespace {

// Every use, statement and result has a place of its own; some statements consume, ask for lengths, read parameters.
Graph with_places(const Graph& g, std::uint64_t seed) {
  props::Random random(seed);
  std::uint32_t place = 1;
  const auto put = [&](std::vector<Use>& all) {
    for (Use& u : all) u.at.begin = place++;
  };
  return g.changed(
      [&](Statement& s) {
        const Name before = s.outputs.empty() ? 2 : s.outputs.front();
        const auto earlier = [&] { return static_cast<Name>(random.below(static_cast<int>(before))); };
        s.at.begin = place++;
        if (random.percent(15)) s.consumed.push_back(random.percent(60) ? earlier() % 2 : earlier());
        if (random.percent(15)) s.lengths.push_back({earlier()});
        if (random.percent(20)) s.reads.push_back(earlier() % 2);
        put(s.inputs), put(s.uses), put(s.lengths);
      },
      [&](Block& b) { put(b.results); });
}

// Maps, and filters, of which the length is not that of what they go over.
class MapsAndFilters : public Maps {
 public:
  bool keeps_length(StatementId s) override { return s % 4 != 0; }
};

bool drop(std::vector<Use>& all, std::uint32_t place) {
  return std::erase_if(all, [&](const Use& u) { return u.at.begin == place; }) > 0;
}
// The blocks from the statement out to that of the producer, whose bodies are run once instead.
std::set<BlockId> bodies_between(const Graph& g, StatementId producer, StatementId consumer) {
  std::set<BlockId> out;
  for (BlockId b = g.statement(consumer).block; b != g.statement(producer).block; b = g.statement(g[b].owner).block)
    if (g[b].is_body) out.insert(b);
  return out;
}

// Without what is in the way; the same where nothing stands in that place.
Graph mended(const Graph& g, StatementId producer, const Obstacle& o) {
  std::set<BlockId> once;
  if (o.why == Case::Repeated)
    for (StatementId s = 0; s < g.size(); ++s)
      for (const Use& u : g.statement(s).inputs)
        if (u.at.begin == o.at.begin) once = bodies_between(g, producer, s);
  BlockId number = 0;
  return g.changed(
      [&](Statement& s) {
        switch (o.why) {
          case Case::Consumed:
            if (s.at.begin == o.at.begin) s.consumed.clear();
            drop(s.lengths, o.at.begin);
            break;
          case Case::Repeated:
            for (const BlockId b : once)
              if (std::erase(s.bodies, b) > 0) s.branches.push_back(b);
            break;
          case Case::SamePath:
          case Case::Siblings:
            drop(s.inputs, o.at.begin);
            break;
          case Case::OtherUse:
            drop(s.uses, o.at.begin);
            break;
          case Case::LengthAsked:
            drop(s.lengths, o.at.begin);
            break;
          case Case::Combination:
          case Case::RowConsumed:
          case Case::LostCheck:
          case Case::Viewed:
          case Case::NoRule:
            break;  // an algebra says so, and this one never does
        }
      },
      [&](Block& b) {
        if (once.contains(number++)) b.is_body = false;
        if (o.why == Case::OtherUse) drop(b.results, o.at.begin);
      });
}

// How many mends of what is named make the operation fuse; nothing where they do not.
std::optional<int> mends_until_fused(Graph g, StatementId producer, std::map<Case, int>& cases,
                                     const std::function<void(Obstacle&, const Verdict&)>& spoil = {}) {
  for (int mends = 0; mends < 60; ++mends) {
    MapsAndFilters algebra;
    const std::vector<Verdict> verdicts = reduce(g, algebra, {0}, Paths::Alternatives);
    if (algebra.gone.contains(producer)) return mends;
    const auto v =
        std::find_if(verdicts.begin(), verdicts.end(), [&](const Verdict& x) { return x.producer == producer; });
    if (v == verdicts.end() || !v->obstacle) return {};
    Obstacle named = *v->obstacle;
    if (spoil) spoil(named, *v);
    ++cases[named.why];
    g = mended(g, producer, named);
  }
  return {};
}

// Of every operation that stays though another goes over what it makes; how many were never fused.
int never_fused(std::map<Case, int>& cases, const std::function<void(Obstacle&, const Verdict&)>& spoil = {}) {
  int out = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const Graph g =
        with_places(graph_of(drawn(seed, 2 + static_cast<int>(seed % 10), static_cast<int>(seed % 3))), seed);
    MapsAndFilters algebra;
    std::set<StatementId> stay;
    for (const Verdict& v : reduce(g, algebra, {0}, Paths::Alternatives))
      if (v.obstacle) stay.insert(v.producer);
    for (const StatementId p : stay) {
      INFO("seed " << seed << ", statement " << p);
      const auto mends = mends_until_fused(g, p, cases, spoil);
      if (!spoil) CHECK(mends);
      out += !mends;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("without what is named to be in the way an operation fuses") {
  std::map<Case, int> cases;
  CHECK(never_fused(cases) == 0);
  for (const Case c :
       {Case::Consumed, Case::Repeated, Case::SamePath, Case::OtherUse, Case::Siblings, Case::LengthAsked})
    CHECK(cases[c] > 50);
}

TEST_CASE("what is wrongly named to be in the way is noticed") {
  std::map<Case, int> cases;
  // the use in the place of the consumption
  CHECK(never_fused(cases, [](Obstacle& o, const Verdict& v) {
          if (o.why == Case::Consumed) o.at.begin = v.consumer + 100000;
        }) > 0);
  CHECK(never_fused(cases, [](Obstacle& o, const Verdict&) {
          if (o.why == Case::Siblings) o.why = Case::OtherUse;
        }) > 0);
}
}  // namespace fusion_test
