// The stages of one program in order. The source's meaning is asked before any stage has run.
#include "props/snesl/check.h"

#include <numeric>
#include <utility>

#include "props/snesl/distribution.h"
#include "props/snesl/inputs.h"
#include "props/snesl/reals.h"
#include "props/snesl/subjects.h"

#include "semantics/snesl/elaborate.h"
#include "semantics/snesl/parse.h"
#include "semantics/svcode/text.h"
#include "translate/snesl/pipeline.h"
#include "translate/streamability/streamable.h"

namespace lockstep::props::stream {

Toolchain Toolchain::standard() {
  return {[](const auto& p, const auto& types) { return snesl::elaborate(p, "", types); },
          *svcode::languages().core,
          *svcode::languages().svcode,
          lockstep::streaming::snesl_stages,
          [](const svcode::Program& p) { return lockstep::streaming::analyse(p); },
          transducer::transducer_stages,
          {}};
}

void Toolchain::alter(const std::string& stage, const std::function<svcode::Program(const svcode::Program&)>& change) {
  stages = [right = stages, stage, change](const lockstep::streaming::Streamable& streamable) {
    std::vector<Stage> all = right(streamable);
    for (Stage& s : all)
      if (s.name == stage) s = altered<svcode::Program>(s, change);
    return all;
  };
}

void Toolchain::alter_network(
    const std::string& stage,
    const std::function<transducer::Program(const transducer::Program&, const transducer::Program&)>& change) {
  networks = [right = networks, stage, change](std::int64_t slack) {
    std::vector<Stage> all = right(slack);
    for (Stage& s : all)
      if (s.name == stage && &s == &all.front())  // it takes SVCODE
        s = altered<transducer::Program>(s, [change](const transducer::Program& p) { return change(p, p); });
      else if (s.name == stage)
        s = altered<transducer::Program, transducer::Program>(s, change);
    return all;
  };
}

namespace {

class Check {
 public:
  Check(const GeneratedProgram& program, std::uint64_t seed, const Toolchain& tools, const CheckOptions& options,
        CheckCounts& counts)
      : source_(program), seed_(seed), tools_(tools), options_(options), counts_(counts) {}

  std::optional<Finding> run() {
    return first_finding([&] { all(); }, stage_, input_);
  }

 private:
  [[noreturn]] void fail(const std::string& property, std::string detail) {
    Finding f{property, stage_, input_, std::move(detail)};
    // What the source is refused for is no place: any wrong program is refused.
    if (stage_ == "elaborate" && property == "types")
      f.rule = f.detail.substr(std::min(f.detail.find("error:"), f.detail.size()), 36);
    throw FindingSignal{std::move(f)};
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
    auto core = tools_.elaborate(again, source_.types);
    if (source_.altered) {
      counts_.statistics.count("altered program", "refused", !core);
      if (!core) return;
    }
    core_ = accepted(std::move(core), "types");
    if (const std::string wrong = snesl::core::check(core_); !wrong.empty()) fail("types", wrong);
    count_program(core_, counts_.statistics);
    draw_inputs();
    Trace trace{{lockstep::streaming::core_step(core_)}};
    StreamTests tests{tools_, trace, tools_.analyse, inputs_};
    tests.read_back = false, tests.contained = is_contained(core_);
    tests.held = options_.assert_bounds, tests.in_order_only = true;
    tests.counted = [&](const StreamInput& in, const std::vector<Measured>& all) { largest(in, all); };
    tests.trapped = [&](const StreamInput& in, const Trap& trap) {
      counts_.statistics.count("trap of a run", "taken by its place alone", !is_expected(trap, in.expected));
    };
    tests.streams = false;  // a program may be refused
    for (const Stage& s : tools_.stages([&](const svcode::Program& q) { return tools_.analyse(q).has_value(); })) {
      stage_ = s.name;
      trace.steps.push_back(run_stage(s, trace.last()));
      const bool first = trace.steps.size() == 2;
      const auto& p = trace.last().as<svcode::Program>();
      const bool streams = first ? svcode::check(p).empty() && tools_.analyse(p).has_value() : tests.streams;
      test(tests, trace.steps.size() - 1, first && streams ? "chunked" : "");
      if (first) streams ? ++counts_.accepted : ++counts_.refused;
      if (first) counts_.statistics.count("program", "streams", streams);
      tests.streams = streams;
    }
    if (!tests.streams) return;
    chunked(tests, trace.steps.size() - 1, "chunked simplified");
    networks(tests, trace.last());
  }

  void draw_inputs() {
    stage_ = "evaluate";
    for (RandomInput& drawn : random_inputs(core_, seed_, options_.inputs, tools_, source_.seldom.has_value())) {
      StreamInput in{std::move(drawn.values), files_of(drawn), {tl::unexpected(Trap{})}, {}, "", seed_, drawn.large};
      std::size_t leaves = 0;
      for (std::size_t k = 0; k < in.values.size(); ++k) {
        const snesl::core::Parameter& p = core_.parameters[k];
        in.text += (in.text.empty() ? "" : " ") + p.name + "=" + snesl::show(in.values[k]);
        leaves += svcode::represent({in.values[k]}, p.type).size();
      }
      input_ = in.text;
      const KeptFiles files = in.files;
      in.expected = evaluated(tools_, core_, in.values, in.files, &in.cost);
      for (const auto& [name, content] : in.files.all_read())
        in.text += (in.text.empty() ? "" : " ") + ("file " + name + "=" + snesl::show(snesl::text_value(content)));
      input_ = in.text;
      ++counts_.inputs;
      if (in.cost.work <= options_.largest_work) on_reals(in, files);
      if (in.expected.value)
        in.cost = cost_with_arguments(in.cost, in.values, leaves);
      else
        ++counts_.traps;
      inputs_.push_back(std::move(in));
    }
    input_.clear();
    count_inputs(core_, inputs_, counts_.statistics);
    count_right_sides(source_, inputs_, tools_, counts_.statistics);
    count_seldom(source_, inputs_, tools_, counts_.statistics);
  }

  // Whether the source computes what it says of the reals.
  void on_reals(const StreamInput& in, const KeptFiles& files) {
    const OnReals r = stream::on_reals(tools_, core_, in.values, files, in.expected);
    const Comparison& c = r.comparison;
    if (!c.agrees) fail("error bound", "expected " + c.expected + ", found " + c.found);
    counts_.undecided += r.undecided.has_value();
    counts_.reals += c.floats, counts_.wide += c.wide + c.unbounded;
    counts_.rounding.add(c.rounding);
  }

  // A program whole, and in chunks where a name is given.
  void test(StreamTests& tests, std::size_t k, const std::string& in_chunks) {
    Case c;
    c.stages.push_back(svcode_subject(tests, k));
    first(std::move(c));
    if (!in_chunks.empty()) chunked(tests, k, in_chunks);
  }
  // Every chunk size and order gives the one result; of the translation in order only, but at 1.
  void chunked(StreamTests& tests, std::size_t k, const std::string& name) {
    using Order = svcode::ChunkOptions::Order;
    stage_ = name;
    Case c;
    c.targets.push_back(chunked_subject(tests, k, name, [&, raw = k == 1](const StreamInput& in) {
      if (in.large) return Chunks{{1, Order::Loop}, {64, Order::Loop}, {64, raw ? Order::Loop : Order::Random}};
      std::vector<std::int64_t> sizes = options_.chunks;
      if (in.cost.work > options_.largest_work) {
        ++counts_.large;
        sizes = {1};
      } else {
        sizes.push_back(std::max<std::int64_t>(in.cost.parallel, 16));
      }
      Chunks out;
      for (const std::int64_t chunk : sizes)
        for (const Order order : {Order::Loop, Order::Reverse, Order::Random})
          if (!raw || order == Order::Loop || chunk == 1) out.emplace_back(chunk, order);
      return out;
    }));
    first(std::move(c));
  }
  // What the engine runs, stage by stage, where a stage has changed anything.
  void networks(StreamTests& tests, const AnyProgram& last) {
    const auto slack = tools_.analyse(last.as<svcode::Program>());
    Trace networks{{Step{"SVCODE", "", last}}};
    std::string before;
    for (const Stage& s : tools_.networks(std::accumulate(slack->begin(), slack->end(), std::int64_t{0}))) {
      stage_ = s.name;
      networks.steps.push_back(run_stage(s, networks.last()));
      const std::string now = networks.last().language().print(networks.last());
      if (std::exchange(before, now) == now) continue;
      Case c;
      c.stages.push_back(network_subject(tests, networks, networks.steps.size() - 1));
      first(std::move(c));
    }
  }
  void first(Case c) {
    c.first_only = true;
    c.inputs = inputs_.size();
    c.gives_values.assign(inputs_.size(), true);
    const Report r = verify(c, {});
    for (const auto* rows : {&r.stages, &r.targets})
      for (const Row& row : *rows) {
        counts_.runs += row.runs;
        if (!row.wrong()) continue;
        const bool deadlock = row.disagreement && row.disagreement->found.starts_with("a deadlock");
        throw FindingSignal{finding_of(row, stage_, deadlock ? "deadlock" : "result")};
      }
  }
  void largest(const StreamInput& in, const std::vector<Measured>& all) {
    for (const Measured& m : all) {
      Ratio& known = counts_.ratios[static_cast<std::size_t>(m.bound)];
      if (m.ratio() > known.largest) known = {m.ratio(), snesl::print(source_.program), in.text, m.measured, m.cost};
    }
  }

  const GeneratedProgram& source_;
  std::uint64_t seed_;
  const Toolchain& tools_;
  const CheckOptions& options_;
  CheckCounts& counts_;
  snesl::core::Program core_{"", {}, snesl::core::Expr{snesl::core::Tuple{}, snesl::tuple({}), {}}};
  std::vector<StreamInput> inputs_;
  std::string stage_, input_;
};

}  // namespace

std::optional<Finding> check_program(const GeneratedProgram& program, std::uint64_t seed, const Toolchain& tools,
                                     const CheckOptions& options, CheckCounts& counts) {
  return Check(program, seed, tools, options, counts).run();
}

}  // namespace lockstep::props::stream
