// The work of F_φ (§2.2.3, Fig. 1.3), grown by the contract's built-ins.
//
// The thesis: the parallel size of the result, but nothing for `the` and `zip`, one for `!`, and for `concat` and
// `reduce` something proportional to the length of the input sequence. That length is read as the stream has it, which
// is of elements and of terminators (§2.2.2): l + 1 for reduce, and for concat the elements of the inner sequences,
// their terminators, and the outer one, since these are the flags that it traverses. Otherwise reductions of many empty
// sequences would be free. With `the` and `zip` the thesis's W >= D does not hold.
//
// The others: `unzip` as `zip`, nothing; `reduce1` and `#` of a sequence as reduce, which they are; `flagpart`, `sep`,
// `tail_flags` and `read_file` the size of the result; `write_file` the length of what is written, with its terminator.
//
// μNESL: `tab` and `seq` are nothing but their variable; `++` is concat of mkseq (§1.3); `empty` is `#`, `the` is `!
// 0`; `flagpart`, `sep` and `unzip` are as partition, |v| of what they cut; `tail_flags` is as scan.
#include "semantics/snesl/evaluate_plan.h"

namespace lockstep::snesl::plan {

namespace {

std::int64_t length(const Value& v) { return static_cast<std::int64_t>(v.size()); }

// The elements of the stream of a sequence of sequences that concat traverses.
std::int64_t flags(const Value& nested) {
  std::int64_t n = 1 + length(nested);
  for (std::size_t i = 0; i < nested.size(); ++i) n += length(nested[i]);
  return n;
}

std::int64_t nesl_work(core::Builtin b, Arguments x, const Value& result) {
  switch (b) {
    case core::Builtin::Scalar:
    case core::Builtin::Empty:
    case core::Builtin::Length:
    case core::Builtin::SeqLength:
      return 1;
    case core::Builtin::Iota:
      return length(result);
    case core::Builtin::Reduce:
    case core::Builtin::Reduce1:
    case core::Builtin::Scan:
    case core::Builtin::TailFlags:
      return length(*x[0]);
    case core::Builtin::Flagpart:
      return atom_count(*x[0]) + length(*x[1]);
    case core::Builtin::Sep:
      return atom_count(*x[0]);
    case core::Builtin::Append:
      return 2 * atom_count(result);
    case core::Builtin::Mkseq:
    case core::Builtin::The:
    case core::Builtin::Zip:
    case core::Builtin::Unzip:
    case core::Builtin::Concat:
    case core::Builtin::Index:
      return atom_count(result);
    case core::Builtin::Tab:
    case core::Builtin::Seq:
    case core::Builtin::ReadFile:
    case core::Builtin::WriteFile:
      return 0;
  }
  throw Bug("evaluate: no such built-in");
}

}  // namespace

std::int64_t work_of(core::Builtin b, Arguments x, const Value& result) {
  switch (b) {
    case core::Builtin::The:
    case core::Builtin::Zip:
    case core::Builtin::Unzip:
      return 0;
    case core::Builtin::Index:
      return 1;
    case core::Builtin::Concat:
      return flags(*x[0]);
    case core::Builtin::Reduce:
    case core::Builtin::Reduce1:
    case core::Builtin::SeqLength:
      return 1 + length(*x[0]);
    case core::Builtin::WriteFile:
      return 1 + length(*x[1]);
    case core::Builtin::Scalar:
    case core::Builtin::Mkseq:
    case core::Builtin::Empty:
    case core::Builtin::Append:
    case core::Builtin::Flagpart:
    case core::Builtin::Sep:
    case core::Builtin::TailFlags:
    case core::Builtin::Iota:
    case core::Builtin::Tab:
    case core::Builtin::Seq:
    case core::Builtin::Length:
    case core::Builtin::Scan:
    case core::Builtin::ReadFile:
      return parallel_size(result);
  }
  throw Bug("evaluate: no such built-in");
}

NeslCost nesl_of(core::Builtin b, Arguments x, const Value& result) {
  const auto k = static_cast<std::int64_t>(x.size());  // the variables, one after another
  if (b == core::Builtin::Tab || b == core::Builtin::Seq) return {k, k};
  const std::int64_t literals = b == core::Builtin::The ? 1 : 0;       // the 0 of s ! 0
  const std::int64_t operations = b == core::Builtin::Append ? 2 : 1;  // mkseq, concat
  return {k + literals + nesl_work(b, x, result), k + literals + operations};
}

}  // namespace lockstep::snesl::plan
