// Random programs of SVCODE (generate_svcode.h): parameters first, then instructions whose operands are streams that
// are there, by type and role.
#include "props/snesl/generate_svcode.h"

#include <algorithm>

#include "props/snesl/generate.h"
#include "semantics/core/table.h"

namespace lockstep::props::stream {

using namespace svcode;

std::string FilesByName::read(const std::string& name, const Region& region) {
  if (name.size() > 3) throw TrapSignal{{"read_file", "there is no " + name, region}};
  return name + name;
}

namespace {

// Elements and numbers that are counted to stay small.
constexpr std::size_t most_elements = 60;
constexpr std::int64_t most_counted = 30;

const std::vector<snesl::Type>& parameter_types() {
  using snesl::prim, snesl::sequence_of, snesl::vector_of;
  static const std::vector<snesl::Type> all{
      prim(Prim::Int),
      sequence_of(prim(Prim::Int)),
      sequence_of(prim(Prim::Bool)),
      sequence_of(prim(Prim::Char)),
      sequence_of(snesl::tuple({prim(Prim::Int), prim(Prim::Real), prim(Prim::Bool)})),
      sequence_of(sequence_of(prim(Prim::Int))),
      sequence_of(sequence_of(sequence_of(prim(Prim::Char)))),
      vector_of(prim(Prim::Int)),
      vector_of(prim(Prim::Char)),
      sequence_of(snesl::tuple({sequence_of(prim(Prim::Int)), sequence_of(prim(Prim::Int))})),
      sequence_of(snesl::tuple({vector_of(prim(Prim::Char)), sequence_of(prim(Prim::Char))})),
  };
  return all;
}

// Where the group of place p ends, in a base whose groups are these segments.
std::int64_t end_of_group(const Stream& descriptor, std::int64_t p) {
  std::int64_t end = 0;
  for (const std::int64_t n : segment_lengths(descriptor))
    if ((end += n) > p) break;
  return end;
}

class Drawing {
 public:
  Drawing(std::uint64_t seed, const SvcodeOptions& options) : random_(seed), options_(options) {}

  GeneratedSvcode program() {
    out_.program.name = "drawn";
    often_ = options_.often ? options_.often : random_row().opcode;
    out_.runs.resize(static_cast<std::size_t>(options_.runs));
    parameters();
    const std::size_t wanted = instructions().size() + static_cast<std::size_t>(options_.instructions);
    for (int k = 0; k < 3 * options_.instructions && instructions().size() < wanted && !ended_; ++k) {
      const OpcodeRow& row = random_row();
      const std::size_t before = instructions().size();
      for (int tries = 0; tries < 20 && instructions().size() == before; ++tries) instruction(row);
    }
    results();
    return std::move(out_);
  }

 private:
  using Run = GeneratedSvcode::Run;
  std::vector<Instr>& instructions() { return out_.program.instructions; }
  const OpcodeRow& random_row() {
    if (often_ && random_.percent(30)) return row_of(*often_);
    return options_.rows[static_cast<std::size_t>(random_.below(static_cast<int>(options_.rows.size())))];
  }
  StreamId random_stream() { return static_cast<StreamId>(random_.below(static_cast<int>(instructions().size()))); }
  template <class F>
  bool in_all_runs(F holds) const {
    return std::all_of(out_.runs.begin(), out_.runs.end(), holds);
  }

  // The control stream, and every leaf of the parameters.
  void parameters() {
    for (int k = 1 + random_.below(3); k > 0; --k) {
      const snesl::Type& t = random_.among(parameter_types());
      for (Run& run : out_.runs)
        for (Stream& s : represent({random_value(t, random_)}, t)) run.inputs.push_back(std::move(s));
      out_.program.parameters.push_back(t);
      note_descriptors(t);
      out_.program.parameter_names.push_back("x" + std::to_string(k));
    }
    leaves_ = input_leaves(out_.program);
    add(begun(Opcode::Ctrl, Prim::Unit));
    for (std::size_t k = 0; k < leaves_.size(); ++k) {
      Instr i = begun(Opcode::Input, leaves_[k].type);
      i.payload = svcode::Number{static_cast<std::int64_t>(k)};
      add(std::move(i));
    }
  }
  void note_descriptors(const snesl::Type& t) {
    match(
        t.node, [&](Prim) { descriptors_.push_back(false); },
        [&](const snesl::TupleType& x) {
          for (const snesl::Type& item : x.items) note_descriptors(item);
        },
        [&](const snesl::VectorType& x) {
          note_descriptors(*x.element);
          descriptors_.insert(descriptors_.end(), 2, false);
        },
        [&](const snesl::SequenceType& x) {
          note_descriptors(*x.element);
          descriptors_.push_back(true);
        });
  }
  Instr begun(Opcode o, Prim type) {
    Instr i;
    i.id = static_cast<StreamId>(instructions().size());
    i.opcode = o, i.type = type;
    return i;
  }

  void instruction(const OpcodeRow& row) {
    Instr i = begun(row.opcode, prim_of(row.gives).value_or(instructions()[random_stream()].type));
    const svcode::Operands& o = row.operands;
    const int groups = o.repeating == 0 ? 0 : o.least + random_.below(3);
    for (int k = 0; k < o.count - o.repeating + groups * o.repeating; ++k) {
      const auto s = operand(i, o[static_cast<std::size_t>(k)]);
      if (!s) return;
      i.arguments.push_back(*s);
    }
    if (with_extras(i, row)) add(std::move(i));
  }

  // A stream of the type and role, mostly one as long as the operand before it.
  std::optional<StreamId> operand(const Instr& i, const OperandRow& row) {
    const std::optional<Prim> type = row.type == ElementType::Own ? i.type : prim_of(row.type);
    const bool alike = !i.arguments.empty() && random_.percent(60);
    for (int tries = 0; tries < 12; ++tries) {
      const StreamId s = random_stream();
      if (type && instructions()[s].type != *type) continue;
      if (row.role == Role::Base && !in_memory(s)) continue;
      if (row.role == Role::Descriptor && !in_all_runs([&](const Run& run) {
            const Stream& f = run.streams[s];
            return f.empty() || f.back().integer != 0;
          }))
        continue;
      if (row.role != Role::Base && options_.keep && is_descriptor(s) != (row.role == Role::Descriptor)) continue;
      if (alike &&
          !in_all_runs([&](const Run& run) { return run.streams[s].size() == run.streams[i.arguments.back()].size(); }))
        continue;
      return s;
    }
    return std::nullopt;
  }
  bool in_memory(StreamId s) const {
    const Instr& i = out_.program.instructions[s];
    return row_of(i.opcode).in_memory ||
           (i.opcode == Opcode::Input && leaves_[static_cast<std::size_t>(i.number())].base);
  }

  bool is_descriptor(StreamId s) const {
    const Instr& i = out_.program.instructions[s];
    return row_of(i.opcode).trues.known() ||
           (i.opcode == Opcode::Input && descriptors_[static_cast<std::size_t>(i.number())]);
  }

  bool with_extras(Instr& i, const OpcodeRow& row) {
    static constexpr auto ways = table<Extra, bool (Drawing::*)(Instr&)>({{Extra::None, &Drawing::nothing},
                                                                          {Extra::Number, &Drawing::leaf},
                                                                          {Extra::Atom, &Drawing::atom},
                                                                          {Extra::Repeated, &Drawing::atom_number},
                                                                          {Extra::Operator, &Drawing::computed},
                                                                          {Extra::Comparison, &Drawing::compared},
                                                                          {Extra::Monoid, &Drawing::monoid},
                                                                          {Extra::Failure, &Drawing::trap}});
    return (this->*ways[row.extra])(i);
  }
  bool nothing(Instr&) { return true; }
  bool leaf(Instr& i) {
    const int k = random_.below(static_cast<int>(leaves_.size()));
    i.payload = svcode::Number{k}, i.type = leaves_[static_cast<std::size_t>(k)].type;
    return true;
  }
  Atom random_atom(Prim p) {
    if (p == Prim::Unit) return snesl::unit_atom();
    return represent({random_value(snesl::prim(p), random_)}, snesl::prim(p)).front().front();
  }
  bool atom(Instr& i) {
    i.payload = random_atom(i.type);
    return true;
  }
  bool atom_number(Instr& i) {
    const std::int64_t n = random_.below(4);
    i.payload = Repeated{random_atom(i.type), n};
    return true;
  }
  bool monoid(Instr& i) {
    static const std::vector<Monoid> of_bools{Monoid::Or, Monoid::And},
        of_numbers{Monoid::Plus, Monoid::Times, Monoid::Max, Monoid::Min};
    i.payload = random_.among(i.type == Prim::Bool ? of_bools : of_numbers);
    return i.type == Prim::Bool || i.type == Prim::Int || i.type == Prim::Real;
  }
  bool computed(Instr& i) {
    std::vector<Prim> types;
    for (const StreamId s : i.arguments) types.push_back(instructions()[s].type);
    for (int tries = 0; tries < 20; ++tries) {
      const OperatorRef op = random_.among(snesl::scalar_operators());
      i.payload = op;
      if (const auto type = snesl::result_type(op, types)) return i.type = *type, true;
    }
    return false;
  }
  bool compared(Instr& i) {
    svcode::Comparison c{nullptr, random_.below(2)};
    do c.op = random_.among(snesl::scalar_operators());
    while (!snesl::is_comparison(c.op));
    i.payload = c;
    return true;
  }
  bool trap(Instr& i) {
    i.payload = Failure{"checked", "{0} is wrong"};
    return true;
  }

  // Where it fits. One that traps is seldom taken, and is the last.
  void add(Instr i) {
    std::vector<std::optional<Stream>> made;
    bool traps = false;
    for (Run& run : out_.runs) {
      FilesByName files;
      Environment around{run.inputs, files, {}, {}};
      Arguments in;
      for (const StreamId s : i.arguments) in.push_back(&run.streams[s]);
      if (!is_small(i, in) || !reads_in_order(i, in, run)) return;
      try {
        made.push_back(options_.step({i, in, around}));
      } catch (const TrapSignal&) {
        made.push_back(std::nullopt);
        traps = true;
      } catch (const Bug&) {
        return;
      }
      if (!around.fault.empty() || (made.back() && made.back()->size() > most_elements)) return;
    }
    if (traps && !random_.percent(20)) return;
    instructions().push_back(std::move(i));
    if (options_.keep && !options_.keep(out_.program)) return instructions().pop_back();
    ended_ = traps;
    for (std::size_t k = 0; k < made.size(); ++k) {
      if (made[k]) out_.runs[k].streams.push_back(std::move(*made[k]));
      out_.runs[k].traps = !made[k].has_value();
    }
  }
  // What counts to its operands' numbers.
  static bool is_small(const Instr& i, const Arguments& in) {
    if (row_of(i.opcode).pace != Pace::Own) return true;
    return std::all_of(in.begin(), in.end(), [](const Stream* s) {
      return std::all_of(s->begin(), s->end(),
                         [](const Atom& a) { return a.type != Prim::Int || a.integer <= most_counted; });
    });
  }
  // A base is read at places: the first operand says where, the second how far from there, or how much. One that is
  // made a group at a time is read a group after the other.
  bool reads_in_order(const Instr& i, const Arguments& in, const Run& run) const {
    for (std::size_t k = 0; k < i.arguments.size(); ++k) {
      const Instr& base = out_.program.instructions[i.arguments[k]];
      if (!is_base(i.opcode, k)) continue;
      const Stream &starts = *in[0], &beyond = *in[1];
      if (starts.size() != beyond.size()) return false;
      const bool one_element = row_of(i.opcode).from_base.terms[0].count == Count::Length;
      for (std::size_t j = 0; j < starts.size(); ++j) {
        const std::int64_t start = starts[j].integer;
        if (start < 0 || beyond[j].integer < 0 || start > most_counted) return false;
        if (base.opcode == Opcode::Input) continue;
        if (j > 0 && start < starts[j - 1].integer) return false;
        const std::int64_t end = end_of_group(descriptor_of(base, run), start);
        if (beyond[j].integer > end - start - one_element) return false;
      }
    }
    return true;
  }
  static const Stream& descriptor_of(const Instr& base, const Run& run) {
    std::size_t k = 0;
    while (!reads_segments(base.opcode, k)) ++k;
    return run.streams[base.arguments[k]];
  }

  // Some streams, the last among them.
  void results() {
    std::vector<snesl::Type> types;
    for (StreamId s = 0; s < instructions().size(); ++s) {
      if (s + 1 < instructions().size() && !random_.percent(25)) continue;
      out_.program.result.children.push_back({s, {}, false});
      types.push_back(snesl::prim(instructions()[s].type));
    }
    out_.program.result_type = snesl::tuple(std::move(types));
  }

  Random random_;
  const SvcodeOptions& options_;
  GeneratedSvcode out_;
  std::optional<Opcode> often_;
  bool ended_ = false;
  std::vector<InputLeaf> leaves_;
  std::vector<bool> descriptors_;  // of the leaves
};

}  // namespace

GeneratedSvcode generate_svcode(std::uint64_t seed, const SvcodeOptions& options) {
  return Drawing(seed, options).program();
}

}  // namespace lockstep::props::stream
