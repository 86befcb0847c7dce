// The read facet run on symbolic indices: a PathReader that records what is read where, under which condition, and
// tries each answer that it may give to what the facet asks about sizes. In: a path; out: elements as terms.
#include "proofs/calculus/terms.h"
#include "proofs/calculus/views/symbolic_view.h"

namespace lockstep::proofs {
namespace {

struct WrongPath {
  std::string what;
};

// One run of the facet. What it is given are variables #k, which stand for the events recorded.
class Recorder final : public PathReader {
 public:
  struct Read {
    std::size_t argument;
    Path path;
  };
  using Event = std::variant<Read, Size, SizeFact>;
  enum class Reply { Unsaid, Yes, No };

  Recorder(const SymbolicView& v, std::vector<Reply> replies) : view_(v), replies_(std::move(replies)) {}

  kernel::Expr read(std::size_t argument, Path path) override {
    if (argument >= view_.arguments.size()) throw WrongPath{"a read of an argument that there is not"};
    return recorded(Read{argument, std::move(path)}, {});
  }
  kernel::Expr number(const Size& s) override { return recorded(s, {}); }
  Size opaque(kernel::Expr i) override {
    const std::string token = "@" + std::to_string(opaque_.size());
    opaque_.emplace(token, std::move(i));
    return Size::name(token);
  }
  std::optional<bool> decide(const SizeFact& f) override {
    if (asked_.size() == replies_.size()) replies_.push_back(Reply::Unsaid);
    const Reply reply = replies_[asked_.size()];
    asked_.push_back(f);
    if (reply == Reply::Unsaid) return {};
    return reply == Reply::Yes;
  }
  kernel::Expr test(const SizeFact& f) override { return recorded(f, {ScalarType::Bool, 1}); }
  kernel::Expr choose(kernel::Expr condition, const std::function<kernel::Expr()>& then,
                      const std::function<kernel::Expr()>& otherwise) override {
    kernel::Expr t = then(), e = otherwise();
    const kernel::KType type = t.type;
    return {type, kernel::Choose{std::move(condition), std::move(t), std::move(e)}};
  }
  kernel::Expr lanes(int width, const std::function<kernel::Expr(Size)>& at) override {
    std::vector<kernel::ExprRef> each;
    for (int l = 0; l < width; ++l) each.push_back(at(l));
    return {{ScalarType::F32, width}, kernel::Build{std::move(each)}};
  }

  const Event* event(const std::string& variable) const {
    const auto it = events_.find(variable);
    return it == events_.end() ? nullptr : &it->second;
  }
  const std::map<std::string, kernel::Expr>& opaque() const { return opaque_; }
  const std::vector<SizeFact>& asked() const { return asked_; }
  const std::vector<Reply>& replies() const { return replies_; }

 private:
  kernel::Expr recorded(Event e, kernel::KType type) {
    std::string token = "#" + std::to_string(events_.size());
    events_.emplace(token, std::move(e));
    return kernel::variable(std::move(token), type);
  }

  const SymbolicView& view_;
  std::vector<Reply> replies_;
  std::vector<SizeFact> asked_;
  std::map<std::string, Event> events_;
  std::map<std::string, kernel::Expr> opaque_;
};

// What the facet returned, as elements; every read met on the way is listed with the condition of its branch.
class Interpretation {
 public:
  Interpretation(const SymbolicView& v, const Recorder& r, Reading& out) : view_(v), recorder_(r), out_(out) {}

  std::vector<Term> elements(const kernel::Expr& e, const Term& condition) {
    using namespace kernel;
    const auto refuse = [](const char* what) -> std::vector<Term> { throw NotUnderstood{what}; };
    return match(
        e.node,
        [&](const Const& x) -> std::vector<Term> {
          if (e.type.scalar == ScalarType::Bool) return {truth(x.value.bits != 0)};
          if (is_float(e.type.scalar)) throw NotUnderstood{"a float constant"};
          return {number(x.value.integer())};
        },
        [&](const Var& x) { return variable(x.name, condition); },
        [&](const Arith& x) {
          const Term left = elements(*x.left, condition).at(0);
          return std::vector{arithmetic(x.op, left, elements(*x.right, condition).at(0))};
        },
        [&](const Load&) { return refuse("a load that is no read of an argument"); },
        [&](const VectorLoad&) { return refuse("a load that is no read of an argument"); },
        [&](const Apply& x) {
          std::vector<Term> arguments;
          for (const ExprRef& a : x.arguments) arguments.push_back(elements(*a, condition).at(0));
          return std::vector{call(x.primitive->name, arguments.front().sort, arguments)};
        },
        [&](const Choose& x) {
          const Term c = elements(*x.condition, condition).at(0);
          const auto a = elements(*x.then, all_of({condition, c}));
          const auto b = elements(*x.otherwise, all_of({condition, negation(c)}));
          std::vector<Term> both;
          for (std::size_t k = 0; k < a.size(); ++k) both.push_back(proofs::choose(c, a[k], b.at(k)));
          return both;
        },
        [&](const Lane&) { return refuse("a lane of a vector"); },
        [&](const Build& x) {
          std::vector<Term> all;
          for (const ExprRef& l : x.lanes) all.push_back(elements(*l, condition).at(0));
          return all;
        },
        [&](const Splat& x) {
          return std::vector<Term>(static_cast<std::size_t>(x.width), elements(*x.scalar, condition).at(0));
        });
  }

 private:
  std::vector<Term> variable(const std::string& v, const Term& condition) {
    const Recorder::Event* event = recorder_.event(v);
    if (!event) throw NotUnderstood{"the variable " + v};
    return match(
        *event, [&](const Recorder::Read& r) { return read(r, condition); },
        [&](const Size& n) {
          const auto known = numbers({n}, condition);
          return std::vector{term_of(n, known)};
        },
        [&](const SizeFact& f) {
          const auto known = numbers({f.left, f.right}, condition);
          return std::vector{term_of(f, known)};
        });
  }
  // The numbers of the program that these sizes use, their own reads first; and that the quotients in them are of
  // naturals.
  std::map<std::string, Term> numbers(const std::vector<Size>& sizes, const Term& condition) {
    std::set<std::string> names;
    for (const Size& n : sizes) collect_names(n, names);
    std::map<std::string, Term> out;
    for (const std::string& token : names)
      if (const auto it = recorder_.opaque().find(token); it != recorder_.opaque().end())
        out.insert_or_assign(token, elements(it->second, condition).at(0));
    for (const Size& n : sizes) out_.natural.push_back(implies(condition, divides_naturals(n, out)));
    return out;
  }
  std::vector<Term> read(const Recorder::Read& r, const Term& condition) {
    std::vector<Size> sizes;
    for (const PathStep& s : r.path)
      match(
          s, [&](const PathIndex& x) { sizes.push_back(x.index); }, [](const PathProjection&) {},
          [&](const PathLane& x) { sizes.push_back(x.lane); });
    const auto known = numbers(sizes, condition);
    auto place = locate(view_, view_.arguments[r.argument], r.path, known);
    if (!place) throw WrongPath{place.error()};
    out_.reads.push_back({condition, r.argument, *place});
    std::vector<Term> lanes;
    for (int l = 0; l < std::max(1, place->lanes); ++l) lanes.push_back(element(view_, r.argument, *place, l));
    return lanes;
  }

  const SymbolicView& view_;
  const Recorder& recorder_;
  Reading& out_;
};

Reading run(const SymbolicView& v, const Path& p, Recorder& recorder) {
  Reading out;
  try {
    const kernel::Expr e = v.view->read(recorder, Instance{v.instance}, p);
    for (std::size_t k = 0; k < recorder.asked().size(); ++k) {
      const Term f = term_of(recorder.asked()[k]);
      if (recorder.replies()[k] == Recorder::Reply::Yes) out.known.push_back(f);
      if (recorder.replies()[k] == Recorder::Reply::No) out.known.push_back(negation(f));
    }
    out.elements = Interpretation(v, recorder, out).elements(e, truth(true));
  } catch (const WrongPath& w) {
    out.error = w.what;
  } catch (const NotUnderstood& u) {
    out.error = "the read path uses " + u.what;
    out.understood = false;
  } catch (const Bug& b) {
    out.error = b.what();
  }
  return out;
}

}  // namespace

std::vector<Reading> readings(const SymbolicView& v, const Path& p) {
  using Reply = Recorder::Reply;
  std::vector<Reading> out;
  std::vector<Reply> replies;
  for (;;) {
    Recorder recorder(v, replies);
    out.push_back(run(v, p, recorder));
    replies = recorder.replies();
    while (!replies.empty() && replies.back() == Reply::No) replies.pop_back();
    if (replies.empty()) return out;
    replies.back() = replies.back() == Reply::Unsaid ? Reply::Yes : Reply::No;
  }
}

}  // namespace lockstep::proofs
