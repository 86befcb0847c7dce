// Issues of warps, gathered from what the crowd does and counted at the end (warp_count.h).
#include "semantics/kernel/warp_count.h"

#include <algorithm>
#include <set>

#include "semantics/kernel/crowd.h"

namespace lockstep::kernel {
namespace {

using namespace flat;

// Who issues together: an instruction, the warp, and the rounds of the loops around, of outer tasks too.
struct IssueKey {
  std::size_t instruction = 0;
  std::vector<std::int64_t> together;
  friend auto operator<=>(const IssueKey&, const IssueKey&) = default;
};
struct Asked {  // by a lane: elements, one after the other
  std::vector<std::int64_t> indices;
  std::size_t memory = 0;
};
struct GatheredIssue {
  std::map<std::int64_t, Asked> lanes;
  bool atomic = false;
  Place place = Place::Global;
};
struct GatheredBranch {
  bool held = false, failed = false;
};

class Gathering {
 public:
  Gathering(const Code& code, const Launch& launch) : code_(code), launch_(launch) {}

  void take(const Crowd& crowd, const Event& e) {
    const Instruction& i = code_.instructions[e.at];
    if (const auto* read = std::get_if<Read>(&i.node)) return access(crowd, e, read->lane);
    if (const auto* write = std::get_if<Write>(&i.node)) return access(crowd, e, write->lane);
    if (std::holds_alternative<Update>(i.node)) return access(crowd, e, 0);
    if (const auto* wait = std::get_if<Wait>(&i.node)) return barrier(crowd.task(e.task), wait->of_warp);
    if (std::holds_alternative<Exchange>(i.node)) {
      shuffles.insert(team_of(crowd, e.task, e.at).first);
      return;
    }
    GatheredBranch& b = branches[team_of(crowd, e.task, e.at).first];
    (e.value != 0 ? b.held : b.failed) = true;
  }

  std::map<IssueKey, GatheredIssue> issues;
  std::map<IssueKey, GatheredBranch> branches;
  std::set<IssueKey> shuffles;
  std::int64_t barriers = 0, warp_barriers = 0;

 private:
  // The lanes of a vector are neighbouring instructions, and one access.
  void access(const Crowd& crowd, const Event& e, std::size_t element) {
    auto [key, lane] = team_of(crowd, e.task, e.at);
    key.instruction -= element;
    GatheredIssue& issue = issues[std::move(key)];
    issue.place = e.place;
    issue.atomic = std::holds_alternative<Update>(code_.instructions[e.at].node);
    Asked& asked = issue.lanes[lane];
    asked.memory = e.memory;
    asked.indices.push_back(e.value);
  }
  void barrier(const Task& thread, bool of_warp) {
    if (of_warp)
      warp_barriers += thread.index % launch_.warp == 0;
    else
      barriers += thread.index == 0;
  }

  // The warp that the task is in, and its lane; the host is a warp of one.
  std::pair<IssueKey, std::int64_t> team_of(const Crowd& crowd, TaskId t, std::size_t at) const {
    IssueKey key{at, {}};
    std::size_t pc = at;
    for (;;) {
      const Task& task = crowd.task(t);
      add_rounds(task, pc, key.together);
      if (t == 0) return {key, 0};
      const bool is_thread = task.kind == Task::Kind::Thread;
      if (is_thread || task.parent == 0) {
        const std::int64_t in_block = is_thread ? task.index : task.index % launch_.block;
        const std::int64_t block = is_thread ? 0 : task.index / launch_.block;
        const std::size_t of = is_thread ? task.parent : task.group;
        for (const std::int64_t x : {static_cast<std::int64_t>(of), block, in_block / launch_.warp})
          key.together.push_back(x);
        return {key, in_block % launch_.warp};
      }
      key.together.push_back(task.index);  // an iteration that a thread runs
      t = task.parent;
      pc = crowd.task(t).pc;
    }
  }
  static void add_rounds(const Task& task, std::size_t pc, std::vector<std::int64_t>& out) {
    for (const Task::Loop& l : task.loops)
      if (l.first <= pc && pc <= l.last) {
        out.push_back(static_cast<std::int64_t>(l.first));
        out.push_back(l.rounds);
      }
  }

  const Code& code_;
  const Launch launch_;
};

// ---- counting
std::int64_t sectors_of(const GatheredIssue& issue, std::int64_t bytes, const GpuModel& m) {
  std::set<std::pair<std::size_t, std::int64_t>> sectors;
  for (const auto& [lane, asked] : issue.lanes)
    for (const std::int64_t i : asked.indices)
      for (std::int64_t b = i * bytes; b < (i + 1) * bytes; ++b) sectors.emplace(asked.memory, b / m.sector_bytes);
  return static_cast<std::int64_t>(sectors.size());
}

// Group by group of lanes, the words that each bank is asked for; of atomic updates by each lane for itself.
std::int64_t turns_of(const GatheredIssue& issue, std::int64_t bytes, const GpuModel& m) {
  const std::int64_t moved = bytes * static_cast<std::int64_t>(issue.lanes.begin()->second.indices.size());
  const std::int64_t group = std::max<std::int64_t>(1, m.banks * m.bank_bytes / moved);
  std::map<std::pair<std::int64_t, std::int64_t>, std::set<std::pair<std::int64_t, std::int64_t>>>
      words;  // by group, bank
  for (const auto& [lane, asked] : issue.lanes)
    for (const std::int64_t i : asked.indices)
      for (std::int64_t b = i * bytes; b < (i + 1) * bytes; ++b) {
        const std::int64_t word = b / m.bank_bytes;
        words[{lane / group, word % m.banks}].emplace(word, issue.atomic ? lane : 0);
      }
  std::map<std::int64_t, std::int64_t> of_group;
  for (const auto& [key, asked] : words)
    of_group[key.first] = std::max(of_group[key.first], static_cast<std::int64_t>(asked.size()));
  std::int64_t sum = 0;
  for (const auto& [g, n] : of_group) sum += n;
  return sum;
}

void add(AccessCount& count, const GatheredIssue& issue, std::int64_t bytes, const GpuModel& m) {
  const std::int64_t n = issue.place == Place::Thread   ? 0
                         : issue.place == Place::Global ? sectors_of(issue, bytes, m)
                                                        : turns_of(issue, bytes, m);
  IssueCount& c = count.by_lanes[static_cast<std::int64_t>(issue.lanes.size())];
  c.least = c.issues == 0 ? n : std::min(c.least, n);
  c.most = std::max(c.most, n);
  c.total += n;
  ++c.issues;
  count.place = issue.place;
}

// Bytes of an element by buffer slot: parameters first, as Crowd has them.
std::vector<std::int64_t> bytes_by_slot(const Code& code, const Program& p) {
  std::vector<std::int64_t> out(code.buffers, 0);
  std::size_t k = 0;
  for (const auto* buffers : {&p.inputs, &p.outputs})
    for (const Buffer& b : *buffers) out[k++] = bytes_of(b.type.scalar);
  for (const Instruction& i : code.instructions)
    if (const auto* n = std::get_if<New>(&i.node)) out[n->buffer] = bytes_of(n->allocation->type.scalar);
  return out;
}

WarpCounts counted(const Gathering& found, const Code& code, const Program& p, const GpuModel& m) {
  WarpCounts out;
  std::map<std::size_t, std::pair<std::size_t, std::int64_t>> row;  // by instruction: its number, and bytes
  const std::vector<std::int64_t> bytes = bytes_by_slot(code, p);
  std::size_t accesses = 0, branches = 0;
  for (std::size_t at = 0; at < code.instructions.size(); ++at) {
    const auto& node = code.instructions[at].node;
    const auto* read = std::get_if<Read>(&node);
    const auto* write = std::get_if<Write>(&node);
    if (read && read->lane == 0) row[at] = {accesses++, bytes[read->buffer]};
    if (write && write->lane == 0) row[at] = {accesses++, bytes[write->buffer]};
    if (const auto* u = std::get_if<Update>(&node)) row[at] = {accesses++, bytes[u->buffer]};
    if (std::holds_alternative<JumpUnless>(node)) row[at] = {branches++, 0};
  }
  out.accesses.resize(accesses);
  out.branches.resize(branches);
  for (const auto& [key, issue] : found.issues) {
    const auto& [k, size] = row.at(key.instruction);
    add(out.accesses[k], issue, size, m);
  }
  for (const auto& [key, branch] : found.branches) {
    BranchCount& b = out.branches[row.at(key.instruction).first];
    ++b.issues;
    b.parted += branch.held && branch.failed;
  }
  out.barriers = found.barriers;
  out.warp_barriers = found.warp_barriers;
  out.shuffles = static_cast<std::int64_t>(found.shuffles.size());
  return out;
}

}  // namespace

std::int64_t AccessCount::issues() const {
  std::int64_t n = 0;
  for (const auto& [lanes, count] : by_lanes) n += count.issues;
  return n;
}

tl::expected<WarpCounts, Stop> count_warps(const Program& program, const SizeValues& sizes, const Buffers& inputs,
                                           const Domain& domain, const GpuModel& model, std::uint64_t while_limit) {
  const Code code = flatten(program, sizes, domain, program.launch.block);
  Gathering found(code, program.launch);
  CrowdOptions how;
  how.races = Races::Ignore;
  how.threads_per_block = program.launch.block;
  how.while_limit = while_limit;
  how.observe = [&](const Crowd& crowd, const Event& e) { found.take(crowd, e); };
  Crowd crowd(code, program, sizes, inputs, domain, how);
  while (!crowd.ready().empty()) crowd.step(crowd.ready().front());
  if (auto outputs = crowd.result(); !outputs) return tl::unexpected(outputs.error());
  return counted(found, code, program, model);
}

}  // namespace lockstep::kernel
