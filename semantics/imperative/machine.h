// The parts of an imperative run: what identifiers may stand for, and the compiler from phrases to closures over a
// frame with a slot for each binder. Closures that are forced later hold the contents of slots, never the frame.
#pragma once
#include <random>

#include "semantics/core/closure.h"
#include "semantics/imperative/fibres.h"
#include "semantics/imperative/instance.h"
#include "semantics/imperative/location.h"
#include "semantics/imperative/run.h"

namespace lockstep::imperative {

struct Meaning;
struct BothMeanings;
struct Variable {  // var[d]
  const Layout* layout;
  std::int64_t cell;
};
using Command = std::function<void()>;
using Function = std::function<Meaning(const Meaning&)>;
struct Meaning {
  std::variant<Value, Acceptor, Variable, std::shared_ptr<const Command>, std::shared_ptr<const Function>,
               std::shared_ptr<const BothMeanings>>
      node;
};
struct BothMeanings {
  Meaning first;
  Meaning second;
};
using Frame = std::vector<Meaning>;
template <class T>
using Code = Closure<T(Frame&)>;
using Procedure = Closure<void(Frame&, std::span<Meaning>)>;  // a function into commands, with all its arguments

class Compiler {
 public:
  Compiler(const SizeValues& sizes, const Domain& domain, const RunOptions& options)
      : sizes_(sizes),
        domain_(domain),
        options_(options),
        store_(domain, options.poison, &fibres_),
        random_(options.seed) {}

  std::size_t slot(const std::string& name);  // a new one, for a binder
  void leave(const std::string& name);        // its scope
  std::size_t slots() const { return count_; }
  std::vector<std::size_t> slots_read_by(const Phrase& p) const;  // of the binders around it
  Code<void> command(const Phrase& p);
  Store& store() { return store_; }
  const Layout& layout(const Type& d) { return layouts_.of(d, sizes_); }

 private:
  Code<Meaning> meaning(const Phrase& p);
  Code<Value> value(const Phrase& p);
  Code<Scalar> scalar(const Phrase& p);  // of a scalar or index type, forced
  Code<Acceptor> acceptor(const Phrase& p);
  Procedure procedure(const Phrase& p, std::size_t parameters);

  Code<Meaning> function_meaning(const Phrase& p);
  Code<Value> function(const Phrase& p);
  Code<Value> application(const Phrase& p);
  Code<Value> primitive(const PrimPhrase& x, const Phrase& p);
  Code<Value> operator_value(const ScalarOp& op, const PrimPhrase& x, const Phrase& p);
  Code<Value> view_value(const View& v, const PrimPhrase& x, const Phrase& p);
  Code<Scalar> operator_scalar(const ScalarOp& op, const PrimPhrase& x, const Phrase& p);
  Code<Scalar> connective(const ScalarOp& op, const PrimPhrase& x);
  Code<Value> connective_value(const ScalarOp& op, const PrimPhrase& x);
  AcceptorFunction view_acceptor(const PrimPhrase& x);

  Code<void> constant(const ImpPhrase& x, const Phrase& p);
  Code<void> for_loop(const ImpPhrase& x);
  Code<void> conditional(const ImpPhrase& x);
  Code<void> while_loop(const ImpPhrase& x);
  Code<void> allocation(const ImpPhrase& x);
  Code<void> assignment(const ImpPhrase& x);
  Code<void> check(const imp::Check& told, const ImpPhrase& x, const Phrase& p);
  Code<void> par_for(Level level, const ImpPhrase& x);
  Code<void> map_i(Level level, const ImpPhrase& x);
  Code<void> reduce_i(const ImpPhrase& x);
  Code<void> scan_i(bool exclusive, const ImpPhrase& x);
  Code<void> iterate_i(const ImpPhrase& x);
  Code<void> while_i(const ImpPhrase& x);
  struct OwnArguments;
  class OwnRun;
  Code<void> own(const ConstantRef& constant, const ImpPhrase& x, const Phrase& p);

  std::size_t slot_of(const std::string& name) const;
  std::int64_t size_of(const Size& s) const;
  std::vector<std::int64_t> sizes_of(const std::vector<Size>& s) const;
  Value literal_value(const LiteralPhrase& x) const;
  // The body's frame is `f`, or one with a copy of the slots that it reads of it where iterations take turns.
  using Iteration = std::function<void(std::int64_t, Frame&)>;
  void iterate_parallel(std::int64_t n, Level level, Frame& f, const std::vector<std::size_t>& read,
                        const Iteration& body);
  void take_turns(std::int64_t n, const Frame& f, const std::vector<std::size_t>& read, const Iteration& body);
  std::vector<std::int64_t> in_order(std::int64_t n);
  void spend_iteration();
  // v := step(v), through a fresh variable that is copied back (design.md, the amendment of §4.2).
  void step(const Variable& v, const std::string& name, const std::function<void(Meaning next)>& write_next);
  Variable fresh(const Layout& layout, const std::string& name) { return {&layout, store_.allocate(layout, name)}; }
  Meaning acceptor_of(const Variable& v) const { return {Acceptor{Cells{v.layout, v.cell, {}}}}; }
  Meaning value_of(const Variable& v) { return {value_at(store_, *v.layout, v.cell)}; }

  const SizeValues& sizes_;
  const Domain& domain_;
  const RunOptions& options_;
  Layouts layouts_;
  Fibres fibres_;
  Store store_;
  Instances instances_;
  std::vector<Frame> spare_;  // frames of iterations that have ended
  std::mt19937_64 random_;
  std::map<std::string, std::vector<std::size_t>> slots_;  // innermost binder last
  std::size_t count_ = 0;
  std::int64_t iterations_ = 0;
  const Region* at_ = &nowhere_;  // the innermost command around that stands in the source, while compiling
  static inline const Region nowhere_{};
};

}  // namespace lockstep::imperative
