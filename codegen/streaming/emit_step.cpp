// One step as a call of its kernel, with the state that it keeps.
#include "codegen/streaming/emit_step.h"

#include "codegen/streaming/emit_maps.h"

namespace lockstep::streaming {
namespace {

std::string class_of(svcode::Monoid m) {
  switch (m) {
    case svcode::Monoid::Plus:
      return "Plus";
    case svcode::Monoid::Times:
      return "Times";
    case svcode::Monoid::Max:
      return "Max";
    case svcode::Monoid::Min:
      return "Min";
    case svcode::Monoid::Or:
      return "Or";
    case svcode::Monoid::And:
      return "And";
  }
  throw Bug("a monoid that the engine lacks");
}

// How a count that is an operand of i must stand to the number.
std::string relation(const Plan& plan, const Instr& i) {
  const bool first = plan.instructions.at(plan.stored(i.arguments[0]))->opcode == Opcode::Segscan;
  switch (i.op) {
    case svcode::ScalarOp::Eq:
      return "Equal";
    case svcode::ScalarOp::Ne:
      return "NotEqual";
    case svcode::ScalarOp::Lt:
      return first ? "Less" : "Greater";
    case svcode::ScalarOp::Le:
      return first ? "NotGreater" : "NotLess";
    case svcode::ScalarOp::Gt:
      return first ? "Greater" : "Less";
    case svcode::ScalarOp::Ge:
      return first ? "NotLess" : "NotGreater";
    default:
      throw Bug("not a comparison");
  }
}

}  // namespace

std::string reader(const Step& step, std::size_t k) { return "r" + str(step.id()) + "_" + std::to_string(k); }

std::string state_type(const Step& step) {
  const Instr& i = *step.instructions[0];
  switch (step.kernel) {
    case Kernel::Cluster:
      return "";
    case Kernel::UsegsumB2u:
    case Kernel::LastFlag:
    case Kernel::TerminatedCount:
    case Kernel::Pass:
    case Kernel::Distribute:
    case Kernel::EndsAmong:
    case Kernel::AllOf:
    case Kernel::Ended:
      return "";
    case Kernel::Segcount:
    case Kernel::CountTrue:
    case Kernel::CountCompare:
    case Kernel::Slices:
      return "i64";
    case Kernel::Plain:
      break;
  }
  switch (i.opcode) {
    case Opcode::Lens:
    case Opcode::Iotas:
    case Opcode::Segtab:
      return "i64";
    case Opcode::Usegsum:
    case Opcode::Uempty:
    case Opcode::Umerge:
    case Opcode::Uappend:
    case Opcode::Usegmerge:
    case Opcode::Segmerge:
    case Opcode::ToFlags:
      return "Copying";
    case Opcode::Pmerge:
      return "int";
    case Opcode::Cons:
      return "bool";
    case Opcode::Segreduce:
    case Opcode::Reduce:
      return i.type == Prim::Bool ? "bool" : "Lanes<" + class_of(i.monoid) + ", " + cell_type(i.type) + ">";
    case Opcode::Segscan:
    case Opcode::Scan:
      return i.type == Prim::Bool ? "bool" : "Prefix<" + class_of(i.monoid) + ", " + cell_type(i.type) + ">";
    default:
      return "";
  }
}

// "kernel<Short...>(" + out + readers ... + ")"
std::string call(const Plan& plan, const Step& step, const Place& place) {
  const Instr& i = *step.instructions[0];
  const std::string id = str(i.id), out = "s" + id, a = "a" + id;
  const auto r = [&](std::size_t k) { return reader(step, k); };
  const auto is_short = [&](std::size_t k) { return std::string(step.operands[k].is_short ? "true" : "false"); };
  const auto all = [&](std::size_t from, std::size_t by = 1) {
    std::string s;
    for (std::size_t k = from; k < step.operands.size(); k += by) s += ", " + r(k);
    return s;
  };
  const auto descriptors = [&](std::size_t by) {
    std::string s = "const AnyDescriptor f[] = {";
    for (std::size_t k = 0; k < step.operands.size(); k += by) s += "{&" + r(k) + ", " + is_short(k) + "}, ";
    return s + "};\n    ";
  };
  const auto count = [&](std::size_t by) { return std::to_string(step.operands.size() / by); };
  const std::string groups = plan.groups.count(i.id) ? "&g" + id : "(Groups*)0";
  switch (step.kernel) {
    case Kernel::UsegsumB2u:
      return "usegsum_b2u<" + is_short(0) + ">(" + out + ", " + r(0) + ", " + r(1) + ")";
    case Kernel::LastFlag:
      return "last_flag(" + out + ", " + r(0) + ")";
    case Kernel::TerminatedCount:
      return "terminated_count(" + out + ", " + r(0) + ")";
    case Kernel::Pass:
      return "copy_flags(" + out + ", " + r(0) + ")";
    case Kernel::Distribute: {
      std::string parts;
      std::size_t k = 1;
      for (const Instr* p : step.instructions) {
        const std::string own = "s" + str(p->id);
        parts += p->opcode == Opcode::Iotas ? ", Counted{" + own + ", a" + str(p->id) + ", 0, 0}"
                                            : ", distributed(" + own + ", " + r(k++) + ")";
      }
      return "distribute<" + is_short(0) + ">(" + r(0) + parts + ")";
    }
    case Kernel::EndsAmong:
      return "ends_among(" + out + ", " + r(0) + ", " + r(1) + ")";
    case Kernel::Segcount:
      return "segcount<" + is_short(1) + ">(" + out + ", " + r(0) + ", " + r(1) + ", " + a + ")";
    case Kernel::CountCompare:
      return "count_compare<" + relation(plan, i) + ">(" + out + ", " + r(0) + ", " + r(1) + ", " + r(2) + ", " + a +
             ")";
    case Kernel::AllOf:
      return "all_of<" + is_short(0) + ">(" + out + ", " + r(0) + ")";
    case Kernel::Ended:
      return "ended(" + out + ", " + r(0) + ", " + r(1) + ", " +
             literal(plan.instructions.at(plan.stored(i.arguments[3]))->atom) + ")";
    case Kernel::CountTrue:
      return "count_true(" + out + ", " + r(0) + ", " + a + ")";
    default:
      break;
  }
  switch (i.opcode) {
    case Opcode::Ctrl:
      return out + ".end = 1, " + out + ".done = true";
    case Opcode::Input:
      if (place.is_given) return "feed(" + out + ", k" + id + ", finished)";
      if (place.is_root)
        return place.is_file ? out + ".borrow(piece->data, piece->length)" : "count_up(" + out + ", *piece)";
      return "take_input(" + out + ", inputs[" + std::to_string(i.number) + "])";
    case Opcode::Rep:
      return "rep(" + out + ", " + r(0) + ", " + literal(i.atom) + ")";
    case Opcode::Constant:
      return "constant(" + out + ", " + literal(i.atom) + ", " + std::to_string(i.number) + ")";
    case Opcode::Usum:
      return "usum<" + is_short(0) + ">(" + out + ", " + r(0) + ")";
    case Opcode::Pdist:
      return "pdist<" + is_short(1) + ">(" + out + ", " + r(0) + ", " + r(1) + ")";
    case Opcode::Pack:
      return "pack(" + out + ", " + r(0) + ", " + r(1) + ")";
    case Opcode::Upack:
      return "upack<" + is_short(0) + ">(" + out + ", " + r(0) + ", " + r(1) + ")";
    case Opcode::B2u:
      return "b2u(" + out + ", " + r(0) + ")";
    case Opcode::Unpack:
      return "unpack(" + out + ", " + r(0) + ", " + r(1) + ", " + r(2) + ")";
    case Opcode::ToFlags:
      return "to_flags(" + out + ", " + r(0) + ", " + a + ")";
    case Opcode::Lens:
      return "lens<" + is_short(0) + ">(" + out + ", " + r(0) + ", " + a + ")";
    case Opcode::Short:
      return "short_form(" + out + ", " + r(0) + ")";
    case Opcode::Ends:
      return "ends(" + out + ", " + r(0) + ")";
    case Opcode::Cons:
      return "cons(" + out + ", " + r(0) + ", " + literal(i.atom) + ", " + a + ")";
    case Opcode::Segscan:
      if (i.type == Prim::Bool)
        return "segscan<" + class_of(i.monoid) + ">(" + out + ", " + r(0) + ", &" + r(1) + ", " + a + ")";
      return "segscan(" + out + ", " + r(0) + ", " + r(1) + ", " + a + ")";
    case Opcode::Segreduce:
      return "segreduce<" + class_of(i.monoid) + ", " + is_short(1) + ">(" + out + ", " + r(0) + ", " + r(1) + ", " +
             a + ")";
    case Opcode::Iotas:
      return "iotas<" + is_short(0) + ">(" + out + ", " + r(0) + ", " + a + ")";
    case Opcode::Usegsum:
      return "usegsum<" + is_short(0) + ", " + is_short(1) + ">(" + out + ", " + r(0) + ", " + r(1) + ", " + a + ")";
    case Opcode::Uempty:
      return "uempty<" + is_short(0) + ">(" + out + ", " + r(0) + ", " + a + ")";
    case Opcode::Pmerge:
      return "pmerge(" + out + ", " + a + all(0) + ")";
    case Opcode::Umerge:
      return descriptors(1) + "umerge(" + out + ", f, " + count(1) + ", " + a + ")";
    case Opcode::Uappend:
      return descriptors(1) + "uappend(" + out + ", f, " + count(1) + ", " + a + ")";
    case Opcode::Segmerge:
      return descriptors(2) + "segmerge(" + out + ", f, " + a + all(1, 2) + ")";
    case Opcode::Usegmerge:
      return descriptors(1) + "usegmerge(" + out + ", f, " + count(2) + ", " + a + ")";
    case Opcode::Segtab: {
      std::string readers;
      int n = 0;
      for (const auto& [user, segtab] : plan.groups)
        if (segtab == i.id) readers += (n++ ? ", &g" : "&g") + str(user);
      if (n == 0) return "segtab<" + is_short(0) + ">(" + a + ", " + r(0) + ", done" + id + ", (Groups* const*)0, 0)";
      return "Groups* const g[] = {" + readers + "};\n    segtab<" + is_short(0) + ">(" + a + ", " + r(0) + ", done" +
             id + ", g, " + std::to_string(n) + ")";
    }
    case Opcode::Gather:
      return "gather(" + out + ", " + r(0) + ", " + r(1) + ", " + r(2) + ", " + groups + ")";
    case Opcode::Check:
      return "check(" + out + ", " + id + all(0) + ")";
    case Opcode::ReadFile:
      return "read_file(" + out + ", " + id + all(0) + ", file" + id + ", " + groups + ")";
    case Opcode::WriteFile:
      return "write_file<" + is_short(4) + ">(" + out + all(0) + ", file" + id + ", outputs, " + groups + ")";
    case Opcode::Range:
      return "range(" + out + ", " + r(0) + ")";
    case Opcode::Terminated:
      return "terminated(" + out + ", " + r(0) + ")";
    case Opcode::Reduce:
      if (i.type == Prim::Bool) return "reduce<" + class_of(i.monoid) + ">(" + out + ", " + r(0) + ", " + a + ")";
      return "reduce(" + out + ", " + r(0) + ", " + a + ")";
    case Opcode::Scan:
      if (i.type == Prim::Bool)
        return "segscan<" + class_of(i.monoid) + ">(" + out + ", " + r(0) + ", (BitReader*)0, " + a + ")";
      return "scan(" + out + ", " + r(0) + ", " + a + ")";
    case Opcode::ReadWhole:
      return "read_whole(" + out + ", " + id + all(0) + ", file" + id + ")";
    case Opcode::Map:
      break;
  }
  throw Bug("an instruction that the engine lacks: " + std::string(name_of(i.opcode)));
}

}  // namespace lockstep::streaming
