// Kernels made wrong at random, against the prover: what the interpreters fault at is not proved, and where it has a
// counterexample they fault. Handwritten ones, with nested quotients, extents that may be negative and names of any
// characters, and translated ones; one prover is kept for all, so that an answer to one kernel's question cannot stand
// for another's. The interpreters (semantics/kernel/run.h, interleave.h) share nothing with the proofs but the trees.
#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include "proofs/kernel/obligations.h"
#include "proofs/kernel/prover.h"
#include "proofs/kernel/small.h"
#include "props/dpia/generate.h"
#include "semantics/functional/inference/infer.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/interleave.h"
#include "semantics/kernel/parse.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/run.h"
#include "semantics/primitives/operators.h"
#include "tests/unit/long_run.h"
#include "translate/dpia/stage.h"

namespace broken_kernels_test {
using namespace lockstep;
using namespace lockstep::proofs::kernels;
using kernel::Store;

namespace {

const Calculus& calculus() {
  static const Calculus c = standard_calculus();
  return c;
}

std::optional<kernel::Program> parsed(const std::string& text) {
  const auto lookup = [](std::string_view name) -> const PrimitiveRef* {
    static const std::vector<PrimitiveRef> all = scalar_operators();
    for (const PrimitiveRef& p : all)
      if (p->name == name) return &p;
    return nullptr;
  };
  auto program = kernel::parse(std::make_shared<const Source>(Source{"broken.kernel", text}), lookup);
  return program ? std::optional(std::move(*program)) : std::nullopt;
}

// ------------------------------------------------------------------------------------------------- handwritten
// handwritten_kernels.txt says how it is written.
struct Handwritten {
  std::map<std::string, std::string> parts;
  std::vector<std::string> kernels;
};

const Handwritten& handwritten() {
  static const Handwritten all = [] {
    Handwritten out;
    std::ifstream file(std::string(LOCKSTEP_SOURCE_DIR) + "/tests/unit/handwritten_kernels.txt");
    std::string line, kernel;
    const auto finish = [&] {
      if (!kernel.empty()) out.kernels.push_back(std::exchange(kernel, ""));
    };
    while (std::getline(file, line)) {
      const auto equals = line.find(" = ");
      if (line.empty())
        finish();
      else if (kernel.empty() && equals != std::string::npos && line.find(' ') == equals)
        out.parts[line.substr(0, equals)] = line.substr(equals + 3);
      else if (!line.starts_with("--"))
        kernel += line + "\n";
    }
    finish();
    return out;
  }();
  return all;
}

class Drawing {
 public:
  explicit Drawing(props::Random& random)
      : random_(random), odd_(random.among(std::vector<int>{0, 30, 80})), short_(random.percent(50)) {}

  std::string operator()(const std::string& text) {
    const std::string whole = parts(text);
    names(whole);
    redraw();
    return names(whole);
  }

 private:
  std::string parts(const std::string& text) {
    std::string out;
    for (std::size_t k = 0; k < text.size(); ++k) {
      if (text[k] != '<' || k + 1 >= text.size() || text[k + 1] != '<') {
        out += text[k];
        continue;
      }
      std::vector<std::string> ways(1);
      int depth = 1;
      for (k += 2;; ++k) {
        if (text.compare(k, 2, "<<") == 0) ++depth;
        if (text.compare(k, 2, ">>") == 0 && --depth == 0) break;
        if (text[k] == '|' && depth == 1 && text[k + 1] != '|' && text[k - 1] != '|') {
          ways.emplace_back();
          continue;
        }
        ways.back() += text[k];
        if (text.compare(k, 2, "<<") == 0 || text.compare(k, 2, ">>") == 0) ways.back() += text[++k];
      }
      ++k;
      const std::string& way = random_.among(ways);
      const auto defined = handwritten().parts.find(way);
      out += parts(defined == handwritten().parts.end() ? way : defined->second);
    }
    return out;
  }

  std::string names(const std::string& text) {
    static const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::string out;
    for (std::size_t k = 0; k < text.size();) {
      if (!is_word(text[k])) {
        out += text[k++];
        continue;
      }
      std::size_t end = k;
      while (end < text.size() && is_word(text[end])) ++end;
      const std::string word = text.substr(k, end - k);
      out += word[0] == '_' ? "`" + name(word.substr(1)) + "`" : word;
      k = end;
    }
    return out;
  }
  const std::string& name(const std::string& plain) {
    const auto [it, is_new] = drawn_.emplace(plain, plain);
    if (!is_new) return it->second;
    for (int tries = 0; tries < 5 && random_.percent(odd_); ++tries)
      if (const std::string n = odd_name(); taken_.insert(n).second) return it->second = n;
    taken_.insert(plain);
    return it->second;
  }
  // Short names, as the prover once gave itself, to any of the kernel's: drawn in turn, the first ones would have them
  // all.
  void redraw() {
    if (!short_) return;
    std::vector<std::string> plain;
    for (const auto& [name, drawn] : drawn_) plain.push_back(name);
    for (const char* n : {"d4", "d3", "d2", "d1", "q"}) {
      if (plain.empty()) return;
      const auto k = static_cast<std::size_t>(random_.below(static_cast<int>(plain.size())));
      if (random_.percent(70) && taken_.insert(n).second) {
        drawn_[plain[k]] = n;
        plain.erase(plain.begin() + static_cast<std::ptrdiff_t>(k));
      }
    }
  }
  // Like what the prover makes of another name of the kernel, or has for itself.
  std::string odd_name() {
    static const std::vector<std::string> like{"^", "~", "~0", "~1", "~2", "'1", "^^"};
    static const std::vector<std::string> own{
        "#d4",        "d4^",     "lane^", "place^",  "#lane",     "#place", "value1", "#value1~2", "while",
        "q",          "\\1",     "\\1~",  "q:n / m", "n / m / k", "v:t~1",  "name 0", "$lane",     "#~0",
        "quotient 0", "f:+.i64", "~",     "^",       "#",         "a b",    "i ^",    "n~1^"};
    if (taken_.empty() || random_.percent(50)) return random_.among(own);
    return random_.among(std::vector<std::string>(taken_.begin(), taken_.end())) + random_.among(like);
  }

  props::Random& random_;
  const int odd_;  // of a hundred names
  const bool short_;
  std::map<std::string, std::string> drawn_;
  std::set<std::string> taken_;
};

// ------------------------------------------------------------------------------------------------- breaking
// The k-th place where something can be made wrong, made wrong.
class Breaker {
 public:
  Breaker(std::size_t at, std::uint64_t how) : at_(at), how_(how) {}

  kernel::Program operator()(const kernel::Program& p) {
    kernel::Program out = p;
    for (kernel::Buffer& b : out.inputs)
      if (b.below && here()) b.below = other_bound(*b.below);
    out.body = statement(p.body);
    return out;
  }
  std::size_t places() const { return seen_; }

 private:
  bool here() { return seen_++ == at_; }
  static kernel::Expr with(kernel::ArithOp op, const kernel::Expr& a, const kernel::Expr& b) {
    return kernel::arith(op, a, b);
  }
  static kernel::Expr plus(const kernel::Expr& e, std::int64_t n) {
    return with(kernel::ArithOp::Add, e, kernel::constant(n));
  }
  kernel::Expr off(const kernel::Expr& e) const {
    if (how_ % 3 == 0) return plus(e, 1);
    if (how_ % 3 == 1) return plus(e, -1);
    return with(kernel::ArithOp::Multiply, e, kernel::constant(2));
  }
  kernel::Expr other_extent(const kernel::Expr& e) const {
    if (how_ % 4 == 0) return plus(e, 1);
    if (how_ % 4 == 1) return plus(e, -1);
    if (how_ % 4 == 2) return with(kernel::ArithOp::Subtract, e, kernel::constant(3));
    return with(kernel::ArithOp::Divide, e, kernel::constant(2));
  }
  // Of the indices that an input holds.
  std::optional<Size> other_bound(const Size& below) const {
    if (how_ % 3 == 0) return {};
    return how_ % 3 == 1 ? below + Size(1) : below * Size(2);
  }
  // Operands the other way round, in other brackets, or one left out.
  kernel::Expr other_arithmetic(const kernel::Expr& e, const kernel::Arith& x) const {
    const auto* left = std::get_if<kernel::Arith>(&x.left->node);
    if (x.op == kernel::ArithOp::Divide && left && left->op == kernel::ArithOp::Divide)
      return with(x.op, *left->left, with(x.op, *left->right, *x.right));
    switch (how_ % 3) {
      case 0:
        return with(x.op, *x.right, *x.left);
      case 1:
        return x.op < kernel::ArithOp::Less ? *x.left : with(x.op, plus(*x.left, -1), *x.right);
      default:
        return x.op == kernel::ArithOp::And ? e : with(x.op, *x.left, plus(*x.right, 1));
    }
  }

  kernel::Expr expression(const kernel::Expr& e) {
    using namespace kernel;
    const auto go = [&](const ExprRef& r) { return ExprRef(expression(*r)); };
    const auto each = [&](const std::vector<ExprRef>& rs) {
      std::vector<ExprRef> out;
      for (const ExprRef& r : rs) out.push_back(go(r));
      return out;
    };
    return std::visit(
        Cases{[&](const Const&) { return e; }, [&](const Var&) { return e; },
              [&](const Arith& x) {
                if (here()) return other_arithmetic(e, x);
                return Expr{e.type, Arith{x.op, go(x.left), go(x.right)}};
              },
              [&](const Load& x) {
                return Expr{e.type, Load{x.buffer, here() ? ExprRef(off(*x.index)) : go(x.index)}};
              },
              [&](const VectorLoad& x) {
                return Expr{e.type, VectorLoad{x.buffer, x.width, here() ? ExprRef(off(*x.index)) : go(x.index)}};
              },
              [&](const Apply& x) {
                return Expr{e.type, Apply{x.primitive, x.operand, each(x.arguments)}};
              },
              [&](const Choose& x) {
                if (here()) return expression(how_ % 2 ? *x.then : *x.otherwise);
                return Expr{e.type, Choose{go(x.condition), go(x.then), go(x.otherwise)}};
              },
              [&](const Lane& x) {
                return Expr{e.type, Lane{go(x.vector), here() ? ExprRef(plus(*x.lane, 1)) : go(x.lane)}};
              },
              [&](const Build& x) {
                return Expr{e.type, Build{each(x.lanes)}};
              },
              [&](const Splat& x) {
                return Expr{e.type, Splat{x.width, go(x.scalar)}};
              }},
        e.node);
  }

  // Without a statement, or with it before the one in front of it.
  kernel::Stmt block(const kernel::Block& x) {
    using namespace kernel;
    Block out;
    for (const Stmt& c : x.statements) {
      const bool leaf = std::holds_alternative<Store>(c.node) || std::holds_alternative<Atomic>(c.node) ||
                        std::holds_alternative<kernel::Assign>(c.node) || std::holds_alternative<Barrier>(c.node) ||
                        std::holds_alternative<For>(c.node) || std::holds_alternative<ParallelFor>(c.node) ||
                        std::holds_alternative<Check>(c.node);
      if (!leaf || !here()) {
        out.statements.push_back(statement(c));
        continue;
      }
      const bool declares = !out.statements.empty() && (std::holds_alternative<Declare>(out.statements.back().node) ||
                                                        std::holds_alternative<Allocate>(out.statements.back().node));
      if (how_ % 2 == 0 && !out.statements.empty() && !declares) out.statements.insert(out.statements.end() - 1, c);
    }
    return Stmt{std::move(out)};
  }

  std::optional<kernel::Expr> other_units() const {
    return how_ % 3 == 0 ? std::nullopt : std::optional(kernel::constant(static_cast<std::int64_t>(how_ % 3)));
  }

  kernel::Stmt statement(const kernel::Stmt& s) {
    using namespace kernel;
    const auto go = [&](const StmtRef& r) { return StmtRef(statement(*r)); };
    return std::visit(
        Cases{[&](const Block& x) { return block(x); },
              [&](const Declare& x) {
                std::optional<Expr> init;
                if (x.init && !here()) init = expression(*x.init);
                return Stmt{Declare{x.name, x.type, std::move(init)}};
              },
              [&](const kernel::Assign& x) {
                return Stmt{kernel::Assign{x.name, expression(x.value)}};
              },
              [&](const Store& x) {
                return Stmt{
                    Store{x.buffer, here() ? off(x.index) : expression(x.index), expression(x.value), x.nontemporal}};
              },
              [&](const Atomic& x) {  // not at once, or elsewhere
                if (here()) return Stmt{Store{x.buffer, x.index, x.value}};
                return Stmt{
                    Atomic{x.buffer, here() ? off(x.index) : expression(x.index), x.primitive, expression(x.value)}};
              },
              [&](const For& x) {
                if (here()) return Stmt{For{x.name, other_extent(x.extent), x.body, x.unroll}};
                if (here()) return Stmt{ParallelFor{Level::Par, x.name, x.extent, {}, x.body}};
                return Stmt{For{x.name, expression(x.extent), go(x.body), x.unroll}};
              },
              [&](const Allocate& x) {
                return Stmt{Allocate{x.name, x.type, here() ? plus(x.count, -1) : x.count, x.space}};
              },
              [&](const ParallelFor& x) {
                if (here())
                  return Stmt{ParallelFor{x.level, x.name, other_extent(x.extent), x.scratch, x.body, x.units}};
                if (x.units && here())
                  return Stmt{ParallelFor{x.level, x.name, x.extent, x.scratch, x.body, other_units()}};
                return Stmt{ParallelFor{x.level, x.name, expression(x.extent), x.scratch, go(x.body), x.units}};
              },
              [&](const If& x) {
                if (here()) return how_ % 2 ? *x.then : *x.otherwise;
                return Stmt{If{expression(x.condition), go(x.then), go(x.otherwise)}};
              },
              [&](const While& x) {
                return Stmt{While{expression(x.condition), go(x.body)}};
              },
              [&](const Check& x) {
                return Stmt{Check{expression(x.ok), x.primitive, x.message, x.values, x.region}};
              },
              [&](const Barrier&) { return s; }, [&](const Comment&) { return s; },
              [&](const Shuffle& x) {
                const int width = here() && x.width > 1 ? x.width / 2 : x.width;
                return Stmt{Shuffle{x.name, x.type, expression(x.value), expression(x.lane), width}};
              }},
        s.node);
  }

  std::size_t at_, seen_ = 0;
  std::uint64_t how_;
};

std::optional<kernel::Program> broken(const kernel::Program& right, props::Random& random) {
  Breaker count(static_cast<std::size_t>(-1), 0);
  count(right);
  if (count.places() == 0) return {};
  const auto at = static_cast<std::size_t>(random.below(static_cast<int>(count.places())));
  // Read back from its text: then each statement and load has a place of its own.
  auto out = parsed(kernel::print(Breaker(at, random.next() >> 8)(right)));
  if (!out || !kernel::check(*out).empty()) return {};
  return out;
}

// ------------------------------------------------------------------------------------------------- running
std::vector<Scalar> random_scalars(kernel::KType t, std::int64_t n, props::Random& random) {
  std::vector<Scalar> out;
  for (std::int64_t k = 0; k < n; ++k) {
    const std::int64_t v = random.below(7) - 2;
    out.push_back(is_float(t.scalar) ? make_ieee(t.scalar, static_cast<double>(v))
                  : t.scalar == ScalarType::Bool
                      ? make_bool(v > 1)
                      : make_integer(t.scalar, static_cast<std::uint64_t>(
                                                   std::max<std::int64_t>(v, random.percent(85) ? 0 : v))));
  }
  return out;
}

// What the caller keeps of an input of indices: those from 0 to one below this. Nothing of another input.
std::optional<std::int64_t> indices_below(const kernel::Buffer& b, const SizeValues& sizes) {
  return b.below ? std::optional(evaluate(*b.below, sizes).value_or(0)) : std::nullopt;
}
std::vector<Scalar> random_indices(std::int64_t below, std::int64_t n, props::Random& random) {
  std::vector<Scalar> out;
  for (std::int64_t k = 0; k < n; ++k) {
    const std::int64_t v = random.percent(40) ? below - 1 : random.below(static_cast<int>(below));
    out.push_back(make_integer(ScalarType::I64, static_cast<std::uint64_t>(v)));
  }
  return out;
}

bool has_inputs(const kernel::Program& p, const SizeValues& sizes) {
  return std::all_of(p.inputs.begin(), p.inputs.end(), [&](const kernel::Buffer& b) {
    return evaluate(b.count, sizes) == 0 || indices_below(b, sizes).value_or(1) > 0;
  });
}

// Of numbers from `draw`; nothing at sizes that are too large to run, or at which there are none.
std::optional<kernel::Buffers> inputs_of(
    const kernel::Program& p, const SizeValues& sizes,
    const std::function<std::vector<Scalar>(const kernel::Buffer&, std::int64_t count)>& draw) {
  kernel::Buffers inputs;
  if (!has_inputs(p, sizes)) return {};
  for (const auto* buffers : {&p.inputs, &p.outputs})
    for (const kernel::Buffer& b : *buffers) {
      const auto n = evaluate(b.count, sizes);
      if (!n || *n < 0 || *n > 10000) return {};
      if (buffers == &p.inputs) inputs[b.name] = draw(b, *n);
    }
  return inputs;
}

std::optional<kernel::Buffers> random_inputs(const kernel::Program& p, const SizeValues& sizes, props::Random& random) {
  return inputs_of(p, sizes, [&](const kernel::Buffer& b, std::int64_t n) {
    const auto below = indices_below(b, sizes);
    return below ? random_indices(*below, n, random) : random_scalars(b.type, n, random);
  });
}
// Nothing where an input of indices cannot hold it.
std::optional<kernel::Buffers> inputs_holding(const kernel::Program& p, const SizeValues& sizes, std::int64_t number) {
  const bool too_large = std::any_of(p.inputs.begin(), p.inputs.end(), [&](const kernel::Buffer& b) {
    return evaluate(b.count, sizes) != 0 && indices_below(b, sizes).value_or(number + 1) <= number;
  });
  if (too_large) return {};
  return inputs_of(p, sizes, [&](const kernel::Buffer& b, std::int64_t n) {
    const Scalar x = is_float(b.type.scalar) ? make_ieee(b.type.scalar, static_cast<double>(number))
                     : b.type.scalar == ScalarType::Bool
                         ? make_bool(number != 0)
                         : make_integer(b.type.scalar, static_cast<std::uint64_t>(number));
    return std::vector<Scalar>(static_cast<std::size_t>(n), x);
  });
}

// The obligations of this kind are what a fault says does not hold; none where it is assumed away.
std::optional<ObligationKind> kind_of(const kernel::Fault& f) {
  if (f.kind == kernel::FaultKind::OutOfBounds) return ObligationKind::Bounds;
  if (f.kind == kernel::FaultKind::Uninitialised) return ObligationKind::Initialisation;
  if (f.kind == kernel::FaultKind::Race) return ObligationKind::Races;
  if (f.kind == kernel::FaultKind::BarrierDivergence) return ObligationKind::Barriers;
  if (f.kind == kernel::FaultKind::BadDivision) return ObligationKind::Divisions;
  return {};
}

struct Found {
  kernel::Fault fault;
  bool interleaved = false;
  std::string at;  // the sizes
};

bool same_place(const Region& a, const Region& b) { return a.begin == b.begin && a.end == b.end; }
bool same_loop(const kernel::Fault& x, const kernel::Fault& y) {
  return x.of_threads == y.of_threads && same_place(x.loop, y.loop);
}

// What a run at each of some sizes faults at, in both interpreters: each place once.
std::vector<Found> faults_of(const kernel::Program& p, const std::vector<SizeValues>& sizes, props::Random& random) {
  std::vector<Found> out;
  const auto note = [&](const tl::expected<kernel::Buffers, kernel::Stop>& r, bool interleaved, const SizeValues& at) {
    const auto* f = r ? nullptr : std::get_if<kernel::Fault>(&r.error());
    if (!f || !kind_of(*f)) return;
    const auto same = [&](const Found& x) {
      return x.fault.kind == f->kind && x.interleaved == interleaved && same_loop(x.fault, *f) &&
             std::equal(x.fault.at.begin(), x.fault.at.end(), f->at.begin(), f->at.end(), same_place);
    };
    if (std::any_of(out.begin(), out.end(), same)) return;
    std::string shown;
    for (const auto& [name, n] : at) shown += name + " = " + std::to_string(n) + " ";
    out.push_back({*f, interleaved, shown});
  };
  for (const SizeValues& at : sizes) {
    const auto inputs = random_inputs(p, at, random);
    if (!inputs) continue;
    kernel::RunOptions options;
    options.detect_races = true;
    options.while_limit = 1000;
    options.schedule = random.percent(50) ? kernel::Schedule::Forward : kernel::Schedule::Reverse;
    note(kernel::run(p, at, *inputs, ieee_domain(), options), false, at);
    kernel::InterleaveOptions order;
    order.order = kernel::all_interleavings[static_cast<std::size_t>(random.below(7))];
    order.seed = random.next();
    order.while_limit = 1000;
    note(kernel::run_interleaved(p, at, *inputs, ieee_domain(), order), true, at);
  }
  return out;
}

std::vector<SizeValues> small_sizes(const kernel::Program& p, std::size_t count, props::Random& random) {
  std::vector<SizeValues> out;
  for (std::size_t tries = 0; tries < 12 * count && out.size() < count; ++tries) {
    SizeValues v;
    for (const std::string& s : p.sizes) v[s] = random.below(tries % 3 == 0 ? 10 : 5);
    if (std::all_of(p.facts.begin(), p.facts.end(), [&](const SizeFact& f) { return evaluate(f, v) == true; }))
      out.push_back(std::move(v));
  }
  return out;
}

// ------------------------------------------------------------------------------------------------- the claim
// Of a race: whether it is the loop's iterations that meet, or the block's threads, of which two may run iterations of
// one local loop or be lanes of one warp.
bool about_loop(const ProgramObligation& o, const kernel::Fault& f) {
  if (o.of_threads == f.of_threads && same_place(o.loop, f.loop)) return true;
  return f.of_threads && f.loop.begin < o.loop.begin && o.loop.end <= f.loop.end;
}

bool about(const ProgramObligation& o, const kernel::Fault& f) {
  if (o.kind != kind_of(f)) return false;
  if (o.kind == ObligationKind::Races && !about_loop(o, f)) return false;
  if (f.at.empty()) {  // an output at the end
    const auto name = [](const std::string& text, const std::string& before, const std::string& after) {
      const auto end = text.find(after, before.size());
      return text.starts_with(before) ? text.substr(before.size(), end - before.size()) : "";
    };
    return o.at.empty() && name(f.message, "output ", "[") == name(o.name, "every scalar of ", " is written");
  }
  return std::all_of(f.at.begin(), f.at.end(), [&](const Region& r) {
    return std::any_of(o.at.begin(), o.at.end(), [&](const Region& x) { return same_place(x, r); });
  });
}

struct Count {
  std::size_t broken = 0, faulty = 0, faults = 0, refuted = 0, obligations = 0, proved = 0, behind_a_race = 0;
  // Of the counterexamples: those that fault where they say; those that fault elsewhere before; those that cannot be
  // run.
  std::size_t violated = 0, confirmed = 0, elsewhere = 0, not_run = 0;
};

class Judge {
 public:
  explicit Judge(unsigned timeout_ms) : prover_(timeout_ms) {}

  // A kernel without faults is asked about too: its answers are there when a broken one is, and none is a violation.
  void judge(const kernel::Program& wrong, const std::vector<SizeValues>& sizes, props::Random& random) {
    ++count.broken;
    const std::vector<Found> faults = faults_of(wrong, sizes, random);
    const auto all = obligations(wrong);
    for (const ProgramObligation& o : all)
      if (o.standing == Standing::Refuted) judge_violated(wrong, o);
    if (faults.empty()) return;
    ++count.faulty;
    count.refuted +=
        std::any_of(all.begin(), all.end(), [](const ProgramObligation& o) { return o.standing == Standing::Refuted; });
    const bool race_free = std::all_of(all.begin(), all.end(), [](const ProgramObligation& o) {
      return o.kind != ObligationKind::Races || o.standing == Standing::Proved;
    });
    for (const Found& f : faults) {
      ++count.faults;
      // What is claimed of a thread that another one races with is claimed as if it did not.
      if (f.interleaved && f.fault.kind != kernel::FaultKind::Race && !race_free) {
        ++count.behind_a_race;
        continue;
      }
      std::size_t asked = 0, proved = 0;
      std::string names;
      for (const ProgramObligation& o : all) {
        if (!about(o, f.fault)) continue;
        ++asked, proved += o.standing == Standing::Proved;
        names += "\n  " + o.name + " | " + o.where + " | " + std::string(name_of(o.standing)) + " " + o.method.text();
      }
      INFO(f.at << show(f.fault.kind) << (f.interleaved ? " (interleaved)" : "") << ": " << f.fault.message << names
                << "\n"
                << kernel::print(wrong));
      CHECK(asked > 0);
      CHECK((asked == 0 || proved < asked));
    }
  }

  Count count;

 private:
  // At the sizes of the counterexample, with inputs that hold one number, in one order after another until it faults
  // where the obligation says.
  void judge_violated(const kernel::Program& p, const ProgramObligation& o) {
    ++count.violated;
    INFO(show(o.kind) << ": " << o.name << " | " << o.where << "\nviolated, " << o.detail << "\n" << kernel::print(p));
    const bool can_be_called = !o.sizes || has_inputs(p, *o.sizes);
    CHECK(can_be_called);
    if (!can_be_called) return;
    std::string ends;
    bool elsewhere = false, not_run = true;
    for (const std::int64_t n : numbers_of_inputs) {
      const auto inputs = o.sizes ? inputs_holding(p, *o.sizes, n) : std::nullopt;
      if (!inputs) continue;
      for (std::size_t order = 0; order < orders; ++order) {
        const auto r = run_in(order, p, *o.sizes, *inputs);
        const auto* f = r ? nullptr : std::get_if<kernel::Fault>(&r.error());
        if (f && about(o, *f)) return void(++count.confirmed);
        ends += "\n  inputs hold " + std::to_string(n) + ", order " + std::to_string(order) + ": " +
                (f   ? std::string(show(f->kind)) + " " + f->message
                 : r ? "a value"
                     : "a trap");
        elsewhere = elsewhere || (f && kind_of(*f));
        not_run = not_run && f && !kind_of(*f);
      }
    }
    if (elsewhere || not_run) return void(++(elsewhere ? count.elsewhere : count.not_run));
    INFO(ends);
    CHECK(elsewhere);
  }

  static constexpr std::size_t orders = 2 + std::size(kernel::all_interleavings);
  static tl::expected<kernel::Buffers, kernel::Stop> run_in(std::size_t order, const kernel::Program& p,
                                                            const SizeValues& sizes, const kernel::Buffers& inputs) {
    kernel::RunOptions options;
    options.detect_races = true;
    options.while_limit = 1000;
    options.schedule = order == 0 ? kernel::Schedule::Forward : kernel::Schedule::Reverse;
    if (order < 2) return kernel::run(p, sizes, inputs, ieee_domain(), options);
    kernel::InterleaveOptions interleaved;
    interleaved.order = kernel::all_interleavings[order - 2];
    interleaved.while_limit = 1000;
    return kernel::run_interleaved(p, sizes, inputs, ieee_domain(), interleaved);
  }

  std::vector<ProgramObligation> obligations(const kernel::Program& p) {
    auto all = kernel_obligations(p, prover_);
    for (const ProgramObligation& o : all) ++count.obligations, count.proved += o.standing == Standing::Proved;
    return all;
  }

  Prover prover_;
};

// LOCKSTEP_BROKEN_KERNELS of each kind; 6,000 with ./dev test --long, which takes two minutes.
std::size_t kernels_wanted(std::size_t usual) {
  if (const char* n = std::getenv("LOCKSTEP_BROKEN_KERNELS")) return std::strtoull(n, nullptr, 10);
  return test::long_run() ? 6000 : usual;
}

void report(const std::string& what, const Count& c, std::chrono::steady_clock::time_point start) {
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  WARN(c.broken << " broken kernels from " << what << ", " << c.faulty << " fault, at " << c.faults << " places ("
                << c.behind_a_race << " behind a race); " << c.refuted << " are refuted with a counterexample; "
                << c.obligations << " obligations, " << c.proved << " proved; " << c.violated
                << " violated: " << c.confirmed << " fault as they say, " << c.elsewhere << " elsewhere before, "
                << c.not_run << " not judged; " << took.count() << " s");
}

}  // namespace

TEST_CASE("soundness A1: of handwritten kernels broken at random nothing that faults is proved", "[proofs]") {
  const auto start = std::chrono::steady_clock::now();
  const std::size_t wanted = kernels_wanted(500);
  Judge judge(wanted > 5000 ? 60 : 15);
  for (std::uint64_t k = 0; judge.count.broken < wanted; ++k) {
    props::Random random(props::seed_of(31, k));
    const std::string text = Drawing(random)(handwritten().kernels.at(k % handwritten().kernels.size()));
    const auto right = parsed(text);
    INFO(text);
    REQUIRE(right);
    REQUIRE(kernel::check(*right).empty());
    const std::vector<SizeValues> sizes = small_sizes(*right, 8, random);
    judge.judge(*right, sizes, random);  // what was drawn may not fit together
    for (int m = 0; m < 2 && judge.count.broken < wanted; ++m)
      if (const auto wrong = broken(*right, random)) judge.judge(*wrong, sizes, random);
  }
  report("handwritten ones", judge.count, start);
  CHECK(judge.count.faulty * 3 > judge.count.broken);
  CHECK(judge.count.proved * 2 > judge.count.obligations);
  CHECK(judge.count.behind_a_race * 4 < judge.count.faults);
  CHECK(judge.count.confirmed * 3 > judge.count.violated * 2);
}

TEST_CASE("soundness A1: of translated kernels broken at random nothing that faults is proved", "[proofs]") {
  const auto start = std::chrono::steady_clock::now();
  const auto no_solver = [](const std::vector<SizeFact>&, const SizeFact&) -> SolverAnswer {
    return {Verdict::Unknown};
  };
  const std::size_t wanted = kernels_wanted(500);
  Judge judge(wanted > 5000 ? 60 : 15);
  for (std::uint64_t k = 0; judge.count.broken < wanted; ++k) {
    props::Random random(props::seed_of(22, k));
    const auto source = infer(props::generate_program(props::seed_of(23, k)), calculus(), no_solver)->entries.back();
    const auto machine = random.percent(50) ? Machine::Cpu : Machine::Gpu;
    const kernel::Program right = dpia_trace(source, calculus(), machine).kernel();
    if (!kernel::check(right).empty()) continue;
    const std::vector<SizeValues> sizes = props::small_sizes(source, 8, random);
    for (int m = 0; m < 6 && judge.count.broken < wanted; ++m)
      if (const auto wrong = broken(right, random)) judge.judge(*wrong, sizes, random);
  }
  report("translated ones", judge.count, start);
  CHECK(judge.count.faulty * 5 > judge.count.broken);
  CHECK(judge.count.refuted * 2 > judge.count.faulty);
  CHECK(judge.count.confirmed * 3 > judge.count.violated * 2);
}

}  // namespace broken_kernels_test
