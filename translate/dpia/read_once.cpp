// Reads once (ours): a word of an input that a block reads whenever it comes to a statement, and that it reads again
// there or behind it, is read into a variable before the statement. Nobody writes inputs, so that it is the same word.
// A word that is read on some ways alone stays as it is: where it is not wanted there may be none. In: a kernel; out:
// the same with such variables.
#include <set>

#include "semantics/kernel/walk.h"
#include "translate/dpia/bound_names.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

class ReadOnce {
 public:
  explicit ReadOnce(const Program& p) : program_(p), names_(names_of(p)) {
    for (const Buffer& b : p.inputs) inputs_.insert(b.name);
  }

  Program run() {
    Program out = program_;
    out.body = statement(program_.body);
    return out;
  }

 private:
  bool is_word(const Expr& e) const {
    const auto* l = std::get_if<Load>(&e.node);
    const auto* v = std::get_if<VectorLoad>(&e.node);
    return (l && inputs_.contains(l->buffer)) || (v && inputs_.contains(v->buffer));
  }

  // Words that are read whenever e is evaluated, those that an index needs before it.
  void always(const Expr& e, std::vector<Expr>& out) const {
    if (const auto* c = std::get_if<Choose>(&e.node)) return always(*c->condition, out);
    const auto* a = std::get_if<kernel::Apply>(&e.node);
    const auto* op = a && a->primitive ? std::get_if<ScalarOp>(&a->primitive->kind) : nullptr;
    if (op && op->decided_by) return always(*a->arguments[0], out);
    map_children(e, [&](const Expr& part) {
      always(part, out);
      return part;
    });
    if (is_word(e)) out.push_back(e);
  }

  static std::size_t count(const Stmt& s, const Expr& word) {
    std::size_t n = 0;
    each_expression(s, [&](const Expr& e) { n += e == word; });
    return n;
  }
  // Whether the index may be another in s or behind it.
  static bool changes(const Stmt& s, const Expr& word) {
    bool out = false;
    each_expression(word, [&](const Expr& e) {
      if (const auto* v = std::get_if<Var>(&e.node)) out = out || writes(s, v->name) || binds(s, v->name);
    });
    return out;
  }
  static bool binds(const Stmt& s, const std::string& name) {
    bool out = false;
    each_statement(s, [&](const Stmt& x) {
      for (const std::string& n : bound_by(x)) out = out || n == name;
    });
    return out;
  }

  std::vector<Stmt> block(std::vector<Stmt> all) {
    for (std::size_t k = 0; k < all.size(); ++k)
      while (read_before(all, k)) ++k;
    for (Stmt& s : all) s = statement(s);
    return all;
  }
  // One word that the k-th statement always reads, before it, where it is read again.
  bool read_before(std::vector<Stmt>& all, std::size_t k) {
    std::vector<Expr> words;
    if (const auto* c = std::get_if<Check>(&all[k].node))
      always(c->ok, words);  // what it would say is read where it fails
    else
      own_expressions(all[k], [&](const Expr& e) { always(e, words); });
    for (const Expr& word : words) {
      std::size_t end = k, n = 0;
      while (end < all.size() && !changes(all[end], word)) n += count(all[end++], word);
      if (n < 2) continue;
      const std::string name = names_.fresh("word");
      const Expr variable{word.type, Var{name}};
      for (std::size_t j = k; j < end; ++j)
        all[j] = rewritten(all[j], ExprChange([&](const Expr& e) { return e == word ? variable : e; }));
      all.insert(all.begin() + static_cast<std::ptrdiff_t>(k), Stmt{Declare{name, word.type, word}, all[k].region});
      return true;
    }
    return false;
  }

  StmtRef inside(const StmtRef& s) {
    if (std::holds_alternative<Block>(s->node)) return statement(*s);
    std::vector<Stmt> all = block({*s});
    return all.size() == 1 ? all[0] : Stmt{Block{std::move(all)}};
  }
  Stmt statement(const Stmt& s) {
    Stmt out = s;
    if (auto* b = std::get_if<Block>(&out.node)) b->statements = block(std::move(b->statements));
    if (auto* f = std::get_if<For>(&out.node)) f->body = inside(f->body);
    if (auto* p = std::get_if<ParallelFor>(&out.node)) p->body = inside(p->body);
    if (auto* w = std::get_if<While>(&out.node)) w->body = inside(w->body);
    if (auto* i = std::get_if<If>(&out.node)) i->then = inside(i->then), i->otherwise = inside(i->otherwise);
    return out;
  }

  const Program& program_;
  std::set<std::string> inputs_;
  Names names_;
};

}  // namespace

kernel::Program with_words_read_once(const kernel::Program& p) { return ReadOnce(p).run(); }

Stage read_once(const LanguageRef& kernel) {
  using Change = CostRelation::Change;
  return stage_of<kernel::Program, kernel::Program>(
      "read-once", "ours", kernel, kernel, [](const kernel::Program& p, Owed*) { return with_words_read_once(p); },
      {Change::NotMore, Change::NotMore, CostRelation::Space::NotMore});
}

}  // namespace lockstep
