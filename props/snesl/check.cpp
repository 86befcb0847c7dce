// The stages of one program in order. The source's meaning is asked before any stage has run.
#include "props/snesl/check.h"

#include "semantics/snesl/elaborate.h"
#include "semantics/snesl/parse.h"
#include "semantics/svcode/text.h"
#include "translate/flatten/flatten.h"
#include "translate/streamability/streamable.h"

namespace lockstep::props::stream {

using lockstep::streaming::Stage;
using snesl::Values;
using svcode::Slack;
using svcode::Stream;

Toolchain Toolchain::standard() {
  return {[](const auto& p, const auto& types) { return snesl::elaborate(p, "", types); },
          snesl::evaluate,
          lockstep::streaming::flatten,
          lockstep::streaming::simplifications,
          lockstep::streaming::analyse,
          svcode::run_eager,
          svcode::run_chunked};
}

// What the source is refused for is no place: any wrong program is refused.
bool same_place(const Finding& a, const Finding& b) {
  if (a.stage != b.stage || a.property != b.property) return false;
  if (a.stage != "elaborate" || a.property != "types") return true;
  const auto said = [](const Finding& f) {
    return f.detail.substr(std::min(f.detail.find("error:"), f.detail.size()), 36);
  };
  return said(a) == said(b);
}

namespace {

class MemoryFiles final : public snesl::Files {
 public:
  std::string read(const std::string& name, const Region& region) override {
    const auto found = campaign_files().find(name);
    if (found == campaign_files().end()) throw TrapSignal{{"read_file", "there is no " + name, region}};
    return found->second;
  }
  void write(const std::string& name, std::string content, const Region&) override {
    written[name] += content + '\x1f';
  }
  std::map<std::string, std::string> written;
};

// What can be seen of a run: its value and files, or that it traps.
struct Outcome {
  std::optional<snesl::Value> value;
  std::map<std::string, std::string> written;
  std::string trap;
  std::string show() const {
    if (!value) return "trap: " + trap;
    std::string out = snesl::show(*value);
    for (const auto& [name, content] : written) out += "\n" + name + ": " + content;
    return out;
  }
};
bool agree(const Outcome& a, const Outcome& b) {
  if (a.value.has_value() != b.value.has_value()) return false;
  return !a.value || (*a.value == *b.value && a.written == b.written);
}

struct Input {
  Values arguments;
  std::vector<Stream> streams;
  std::string shown;
  Outcome expected;
  snesl::Cost cost;
};

// The first finding ends the check.
struct Found {
  Finding finding;
};

class Check {
 public:
  Check(const GeneratedProgram& program, std::uint64_t seed, const Toolchain& tools, const CheckOptions& options,
        CheckCounts& counts)
      : source_(program), random_(seed_of(seed, 77)), seed_(seed), tools_(tools), options_(options), counts_(counts) {}

  std::optional<Finding> run() {
    try {
      all();
    } catch (const Found& f) {
      return f.finding;
    } catch (const std::exception& e) {
      return Finding{stage_, "no bug", input_, e.what()};
    }
    return std::nullopt;
  }

 private:
  [[noreturn]] void fail(const std::string& property, std::string detail) {
    throw Found{{stage_, property, input_, std::move(detail)}};
  }
  template <class T>
  T accepted(Checked<T> x, const std::string& property) {
    if (x) return std::move(*x);
    std::string all;
    for (const Diagnostic& d : x.error()) all += render(d) + "\n";
    fail(property, all);
  }

  void all() {
    stage_ = "print";
    const std::string text = snesl::print(source_.program);
    const auto again =
        accepted(snesl::parse_program(std::make_shared<const Source>(Source{"program.snesl", text})), "parses");
    if (!(again == source_.program)) fail("round trip", "read back it prints as\n" + snesl::print(again));
    stage_ = "elaborate";
    core_ = accepted(tools_.elaborate(again, source_.types), "types");
    if (const std::string wrong = snesl::core::check(core_); !wrong.empty()) fail("types", wrong);
    contained_ = is_contained(core_);
    draw_inputs();
    stage_ = "flatten";
    const svcode::Program flat = tools_.flatten(core_);
    const auto slack = checked(flat);
    at_stage(flat, std::nullopt);
    slack ? ++counts_.accepted : ++counts_.refused;
    if (slack) chunked(flat, *slack, true);
    simplified(flat, slack.has_value());
  }

  void draw_inputs() {
    stage_ = "evaluate";
    for (std::size_t k = 0; k < (core_.parameters.empty() ? 1 : options_.inputs); ++k) {
      Input in;
      for (const snesl::core::Parameter& p : core_.parameters) {
        in.arguments.push_back(random_value(p.type, random_));
        in.shown += (in.shown.empty() ? "" : " ") + p.name + "=" + snesl::show(in.arguments.back());
        for (Stream& s : svcode::represent({in.arguments.back()}, p.type)) in.streams.push_back(std::move(s));
      }
      input_ = in.shown;
      MemoryFiles files;
      const auto e = tools_.evaluate(core_, in.arguments, files);
      ++counts_.inputs;
      if (e) {
        in.expected = {e->value, files.written, ""};
        in.cost = e->cost;
        in.cost = cost_with_arguments(in.cost, in.arguments, in.streams.size());
      } else {
        ++counts_.traps;
        in.expected.trap = e.error().primitive + " " + e.error().message;
      }
      inputs_.push_back(std::move(in));
    }
    input_.clear();
  }

  // Types after a stage, and its slack where it is accepted.
  std::optional<Slack> checked(const svcode::Program& p) {
    if (const std::string wrong = svcode::check(p); !wrong.empty()) fail("types", wrong + "\n" + svcode::print(p));
    auto slack = tools_.analyse(p);
    if (!slack) return std::nullopt;
    if (slack->size() != p.instructions.size()) fail("slack", "not one for each instruction");
    return std::move(*slack);
  }

  // Whole streams; `before` is the work before the stage, for each input.
  std::vector<std::int64_t> at_stage(const svcode::Program& p, const std::optional<std::vector<std::int64_t>>& before) {
    std::vector<std::int64_t> work;
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
      const Input& in = inputs_[k];
      input_ = in.shown;
      MemoryFiles files;
      const auto run = tools_.eager(p, in.streams, files);
      ++counts_.runs;
      work.push_back(run ? run->counts.work : 0);
      Outcome found;
      if (run) found = {svcode::value_of(run->result, p.result_type), files.written, ""};
      if (!run) found.trap = run.error().primitive + " " + run.error().message;
      if (!agree(in.expected, found))
        fail("result", "expected " + in.expected.show() + "\nfound    " + found.show() + "\n" + svcode::print(p));
      if (before && work.back() > (*before)[k] && run)
        fail("work", "work grew from " + std::to_string((*before)[k]) + " to " + std::to_string(work.back()) + "\n" +
                         svcode::print(p));
      if (run) relate(measured_eagerly(in.cost, run->counts, p.instructions.size(), contained_ && !before), in);
    }
    input_.clear();
    return work;
  }

  void simplified(const svcode::Program& flat, bool streamable) {
    svcode::Program p = flat;
    std::vector<std::int64_t> work = at_stage(p, std::nullopt);
    std::optional<Slack> slack;
    const auto keeps = [&](const svcode::Program& q) { return tools_.analyse(q).has_value(); };
    for (const Stage& s : tools_.simplifications(keeps)) {
      stage_ = s.name;
      p = s.run(p);
      slack = checked(p);
      if (streamable && !slack) fail("streamability", refusal(p) + svcode::print(p));
      work = at_stage(p, work);
    }
    if (slack) chunked(p, *slack, false);
  }
  std::string refusal(const svcode::Program& p) {
    std::string all;
    if (const auto a = tools_.analyse(p); !a)
      for (const Diagnostic& d : a.error()) all += render(d) + "\n";
    return all;
  }

  // Every chunk size and order gives the one result.
  void chunked(const svcode::Program& p, const Slack& slack, bool raw) {
    stage_ = raw ? "chunked" : "chunked simplified";
    using Order = svcode::ChunkOptions::Order;
    for (const Input& in : inputs_) {
      input_ = in.shown;
      std::vector<std::int64_t> chunks = options_.chunks;
      if (in.cost.work > options_.largest_work) {
        ++counts_.large;
        chunks = {1};
      } else {
        chunks.push_back(std::max<std::int64_t>(in.cost.parallel, 16));
      }
      for (const std::int64_t chunk : chunks) {
        for (const Order order : {Order::Loop, Order::Reverse, Order::Random}) {
          if (raw && order != Order::Loop && chunk != 1) continue;
          MemoryFiles files;
          const auto run = tools_.chunked(p, in.streams, files, {chunk, slack, order, seed_});
          ++counts_.runs;
          const std::string how = "chunk " + std::to_string(chunk) + ", order " +
                                  (order == Order::Loop      ? "loop"
                                   : order == Order::Reverse ? "reverse"
                                                             : "random") +
                                  "\n";
          Outcome found;
          if (!run) {
            found.trap = run.error().primitive + " " + run.error().message;
          } else if (run->deadlock) {
            fail("deadlock", how + run->deadlock->report + "\n" + svcode::print(p));
          } else {
            found = {svcode::value_of(run->run.result, p.result_type), files.written, ""};
          }
          if (!agree(in.expected, found))
            fail("result",
                 how + "expected " + in.expected.show() + "\nfound    " + found.show() + "\n" + svcode::print(p));
          if (run && order == Order::Loop) relate(measured_in_chunks(in.cost, run->run.counts, chunk), in);
        }
      }
    }
    input_.clear();
  }

  // c(...) of chapter 5 for what was measured.
  void relate(const std::vector<Measured>& all, const Input& in) {
    for (const Measured& m : all) {
      Ratio& largest = counts_.ratios[static_cast<std::size_t>(m.bound)];
      if (m.ratio() > largest.largest)
        largest = {m.ratio(), snesl::print(source_.program), in.shown, m.measured, m.cost};
      if (options_.assert_bounds && !m.holds())
        fail(std::string(name_of(m.bound)), std::to_string(m.measured) + " against " + std::to_string(m.cost) +
                                                ", c is " + std::to_string(fixed_constant(m.bound)));
    }
  }

  const GeneratedProgram& source_;
  Random random_;
  std::uint64_t seed_;
  const Toolchain& tools_;
  const CheckOptions& options_;
  CheckCounts& counts_;
  snesl::core::Program core_{"", {}, snesl::core::Expr{snesl::core::Tuple{}, snesl::tuple({}), {}}};
  bool contained_ = false;
  std::vector<Input> inputs_;
  std::string stage_, input_;
};

}  // namespace

std::optional<Finding> check_program(const GeneratedProgram& program, std::uint64_t seed, const Toolchain& tools,
                                     const CheckOptions& options, CheckCounts& counts) {
  return Check(program, seed, tools, options, counts).run();
}

}  // namespace lockstep::props::stream
