// The streamability analysis, the interpreters and the cost rules made wrong.
#include "props/snesl/mutant_parts.h"
#include "semantics/svcode/instruction.h"

namespace lockstep::props::stream {
namespace {

using lockstep::streaming::Rewritten;
using svcode::Slack;
using Order = svcode::ChunkOptions::Order;

// Another slack where a program is accepted.
Mutant slack(const std::string& name, const std::string& description, const std::function<void(Slack&)>& wrong) {
  return mutant(
      "analysis", name, description,
      [&](Toolchain& t) {
        t.analyse = [right = t.analyse, wrong](const svcode::Program& p) {
          auto a = right(p);
          if (a) wrong(*a);
          return a;
        };
      },
      {"fun main() = {(x, e) : x in &9; e in tail_flags(&9)}", "fun main() = let s = &9 in zip(s, tail_flags(s))",
       "fun main() = let s = {&x : x in &5} in {(x, empty(x)) : x in s}"});
}
// Accepts what is refused for one reason.
Mutant accepting(const std::string& name, const std::string& reason, const std::string& directed) {
  return mutant("analysis", name, "accepts where two traversals " + reason,
                [&](Toolchain& t) {
                  t.analyse = [right = t.analyse, reason](const svcode::Program& p) -> Checked<Slack> {
                    auto a = right(p);
                    if (a) return a;
                    for (const Diagnostic& d : a.error())
                      if (d.message.find(reason) == std::string::npos) return a;
                    return Slack(p.instructions.size(), 0);
                  };
                },
                {directed});
}

// Scans and reductions of several segments.
std::vector<std::string> segments() {
  return {"fun main() = {scan-plus(&x) : x in &5}", "fun main() = {(product({y + 1 : y in &x}), sum(&x)) : x in &5}",
          "fun main() = {reduce-and({y < 2 : y in &x}) : x in &5}"};
}
Mutant eager(const std::string& name, const std::string& description, Change change) {
  return mutant(
      "interpreter", "eager: " + name, description,
      [&](Toolchain& t) {
        t.svcode.eager = [right = t.svcode.eager, change](const svcode::Program& p, const auto& inputs,
                                                          snesl::Files& files) {
          return right(changed(p, change), inputs, files);
        };
      },
      segments());
}
// Instructions keep their places, so that their slack fits.
Mutant chunked(const std::string& name, const std::string& description, Change change,
               const std::function<bool(const svcode::ChunkOptions&)>& when) {
  return mutant(
      "interpreter", "chunked: " + name, description,
      [&](Toolchain& t) {
        t.svcode.chunked = [right = t.svcode.chunked, change, when](const svcode::Program& p, const auto& inputs,
                                                                    snesl::Files& files,
                                                                    const svcode::ChunkOptions& o) {
          return right(when(o) ? changed(p, change) : p, inputs, files, o);
        };
      },
      segments());
}
bool always(const svcode::ChunkOptions&) { return true; }

class ChangedFiles final : public snesl::Files {
 public:
  ChangedFiles(snesl::Files& right, std::function<std::string(std::string)> reads, bool twice)
      : right_(right), reads_(std::move(reads)), twice_(twice) {}
  std::string read(const std::string& name, const Region& region) override { return reads_(right_.read(name, region)); }
  void write(const std::string& name, std::string content, const Region& region) override {
    if (twice_) right_.write(name, content, region);
    right_.write(name, std::move(content), region);
  }

 private:
  snesl::Files& right_;
  std::function<std::string(std::string)> reads_;
  bool twice_;
};
Mutant with_files(const std::string& name, const std::string& description,
                  std::function<std::string(std::string)> reads, bool twice) {
  return mutant("interpreter", "chunked: " + name, description, [&](Toolchain& t) {
    t.svcode.chunked = [right = t.svcode.chunked, reads, twice](const svcode::Program& p, const auto& inputs,
                                                                snesl::Files& files, const svcode::ChunkOptions& o) {
      ChangedFiles wrong(files, reads, twice);
      return right(p, inputs, wrong, o);
    };
  });
}

// What begins slices is merged with nothing, and so says what there is only.
svcode::Program with_hidden_starts(const svcode::Program& p, Slack& slack) {
  svcode::Program r = p;
  r.instructions.clear();
  Slack lags;
  std::map<StreamId, StreamId> renamed;
  const auto add = [&](Instr i, std::int64_t lag) {
    i.id = static_cast<StreamId>(r.instructions.size());
    r.instructions.push_back(std::move(i));
    lags.push_back(lag);
    return r.instructions.back().id;
  };
  for (std::size_t k = 0; k < p.instructions.size(); ++k) {
    Instr i = p.instructions[k];
    const StreamId was = i.id;
    for (StreamId& a : i.arguments) a = renamed.at(a);
    if (svcode::is_base(i.opcode, 2)) {
      Instr merge = instead(i, Opcode::Pmerge, {i.arguments[0]});
      merge.type = svcode::Prim::Int;
      i.arguments[0] = add(merge, 0);
    }
    renamed[was] = add(i, k < slack.size() ? slack[k] : 0);
  }
  const std::function<void(svcode::Tree&)> rename = [&](svcode::Tree& t) {
    if (t.children.empty() && !t.unit) t.leaf = renamed.at(t.leaf);
    svcode::Trees children;
    for (svcode::Tree c : t.children) rename(c), children.push_back(std::move(c));
    t.children = children;
  };
  rename(r.result);
  slack = lags;
  return r;
}

Mutant cost(const std::string& name, const std::string& description, const std::function<void(snesl::Cost&)>& wrong,
            const std::string& directed) {
  return mutant("cost", name, description,
                [&](Toolchain& t) {
                  t.core.evaluate = [right = t.core.evaluate, wrong](const snesl::core::Program& p,
                                                                     const snesl::Values& a, snesl::Files& f,
                                                                     const Domain& d) {
                    auto e = right(p, a, f, d);
                    if (e) wrong(e->cost);
                    return e;
                  };
                },
                {directed});
}

Rewritten as_scan(const Instr& i, const Code&) { return instead(i, Opcode::Scan, {i.arguments[0]}); }
Rewritten as_reduce(const Instr& i, const Code&) { return instead(i, Opcode::Reduce, {i.arguments[0]}); }

}  // namespace

std::vector<Mutant> analysis_mutants() {
  return {
      mutant("analysis", "everything is streamable", "what is refused is accepted without slack",
             [](Toolchain& t) {
               t.analyse = [right = t.analyse](const svcode::Program& p) -> Checked<Slack> {
                 auto a = right(p);
                 return a ? a : Slack(p.instructions.size(), 0);
               };
             }),
      accepting("other paces meet", "meet element by element, but go through what they share",
                "fun main() = let s = &9 in zip({x : x in s | x > 4}, {x : x in s | x < 4} ++ {1})"),
      accepting("one after the other at the same time", "lie one after the other",
                "fun main() = let s = &9 in s ++ scan-plus(s)"),
      accepting("a traversal's end is known at once", "the second needs what the first has only at its end",
                "fun main() = let s = &9; m = sum(s) in {x - m : x in s}"),
      slack("no slack", "the slack is nought", [](Slack& s) { std::fill(s.begin(), s.end(), 0); }),
      slack("slack one smaller", "each slack is one less",
            [](Slack& s) {
              for (auto& n : s) n = std::max<std::int64_t>(n - 1, 0);
            }),
      slack("slack of the neighbour", "the slack is that of the instruction before",
            [](Slack& s) {
              if (!s.empty()) std::rotate(s.begin(), s.begin() + 1, s.end());
            }),
      slack("slack of the first half", "instructions in the second half have none",
            [](Slack& s) { std::fill(s.begin() + static_cast<std::ptrdiff_t>(s.size() / 2), s.end(), 0); }),
  };
}

std::vector<Mutant> interpreter_mutants() {
  return {
      eager("a scan goes on", "segmented scans are scans of the whole", where(Opcode::Segscan, as_scan)),
      eager("no check", "checks are passed over",
            where(Opcode::Check,
                  [](const Instr& i, const Code&) -> Rewritten {
                    return repeated(i, snesl::unit_atom(), i.arguments[0]);
                  })),
      eager("inclusive segments", "empty segments are not known as such",
            where(Opcode::Uempty,
                  [](const Instr& i, const Code&) -> Rewritten {
                    return repeated(i, snesl::bool_atom(false), i.arguments[0]);
                  })),
      eager("merge backwards", "round robin begins with the last", exchanged(Opcode::Pmerge, 0, 1)),
      chunked("a carry is not reset", "segmented scans are scans of the whole", where(Opcode::Segscan, as_scan),
              always),
      chunked("a carry is not reset at chunk 7", "only one chunk size is wrong", where(Opcode::Segscan, as_scan),
              [](const svcode::ChunkOptions& o) { return o.chunk == 7; }),
      chunked("sums run together in reverse order", "only one schedule is wrong", where(Opcode::Segreduce, as_reduce),
              [](const svcode::ChunkOptions& o) { return o.order == Order::Reverse; }),
      chunked("no check in random order", "checks are passed over in one schedule",
              where(Opcode::Check,
                    [](const Instr& i, const Code&) -> Rewritten {
                      return repeated(i, snesl::unit_atom(), i.arguments[0]);
                    }),
              [](const svcode::ChunkOptions& o) { return o.order == Order::Random; }),
      chunked(
          "product is sum", "a monoid's carry is another's",
          [](const Instr& i, const Code&) -> Rewritten {
            Instr r = i;
            if (i.payload == svcode::Payload(snesl::Monoid::Times)) r.payload = snesl::Monoid::Plus;
            return r;
          },
          always),
      chunked(
          "conjunction is disjunction", "a Boolean carry begins wrongly",
          [](const Instr& i, const Code&) -> Rewritten {
            Instr r = i;
            if (i.payload == svcode::Payload(snesl::Monoid::And)) r.payload = snesl::Monoid::Or;
            return r;
          },
          always),
      with_files(
          "a file loses its last character", "what is read ends too early",
          [](std::string s) { return s.substr(0, s.empty() ? 0 : s.size() - 1); }, false),
      with_files(
          "a file is written twice", "a write is repeated", [](std::string s) { return s; }, true),
      mutant("interpreter", "chunked: buffers without bound", "the chunk is not kept to",
             [](Toolchain& t) {
               t.svcode.chunked = [right = t.svcode.chunked](const svcode::Program& p, const auto& inputs,
                                                             snesl::Files& files, svcode::ChunkOptions o) {
                 o.chunk = 1'000'000;
                 return right(p, inputs, files, o);
               };
             },
             {"fun main() = sum({x * x : x in &2000})"}),
      mutant("interpreter", "chunked: groups wait for the next request", "what passes unasked lets no group go",
             [](Toolchain& t) {
               t.svcode.chunked = [right = t.svcode.chunked](const svcode::Program& p, const auto& inputs,
                                                             snesl::Files& files, svcode::ChunkOptions o) {
                 const svcode::Program hidden = with_hidden_starts(p, o.slack);
                 return right(hidden, inputs, files, o);
               };
             }),
      mutant("interpreter", "eager: streams never freed", "each reader keeps all that it has read",
             [](Toolchain& t) {
               t.svcode.eager = [right = t.svcode.eager](const svcode::Program& p, const auto& inputs,
                                                         snesl::Files& files) {
                 auto r = right(p, inputs, files);
                 if (r) r->counts.space = r->counts.work;  // for each of its readers
                 return r;
               };
             },
             {"fun main() = let a = {x * 2 + 1 - x * x + x / 7 % 3 : x in &2000} in sum(a)"}),
  };
}

std::vector<Mutant> cost_mutants() {
  return {
      cost(
          "work is depth", "W counts what comes after one another only", [](snesl::Cost& c) { c.work = c.depth; },
          "fun main() = sum({x * x : x in &2000})"),
      cost(
          "work of one", "W does not add up", [](snesl::Cost& c) { c.work = 1; },
          "fun main() = sum({x * x : x in &2000})"),
      cost(
          "depth of one", "D does not add up", [](snesl::Cost& c) { c.depth = 1; },
          "fun main() = let a = sum(&3); b = a + a; c = b - a; d = c + b in "
          "((a, b), {c, d, a * b, c * d, a - b}, [a, d], {[a], [b]}, {{c}, {d}}, {[a], [b]} ++ {[a, b]}, {(a, [b, "
          "c])})"),
      cost(
          "vectors are free", "N is nought", [](snesl::Cost& c) { c.vectorial = 0; },
          "fun main() = let v = tab(&500) in v ! 7"),
      cost(
          "streams are free", "M is nought", [](snesl::Cost& c) { c.scalable = 0; },
          "fun main() = sum({x * x + 2 : x in &9 | x % 2 == 1})"),
      cost(
          "parallel space is sequential", "L is M + N", [](snesl::Cost& c) { c.parallel = c.scalable + c.vectorial; },
          "fun main() = sum({x * x : x in &2000})"),
      cost(
          "parallel space of one", "L is nought", [](snesl::Cost& c) { c.parallel = 0; },
          "fun main() = sum({x * x : x in &2000})"),
  };
}

}  // namespace lockstep::props::stream
