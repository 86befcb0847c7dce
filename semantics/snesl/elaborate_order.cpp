// The call graph: functions in the order of inference, callees first; recursion is refused by name.
#include <set>

#include "semantics/snesl/elaborate_tree.h"
#include "semantics/snesl/walk.h"

namespace lockstep::snesl::elaboration {

namespace {

using namespace surface;

struct Call {
  int function;
  Region region;
};

std::vector<Call> calls_in(const Function& f, const std::map<std::string, int>& index) {
  std::vector<Call> out;
  std::vector<const Expr*> todo{&*f.body}, below;
  while (!todo.empty()) {
    const Expr* e = todo.back();
    todo.pop_back();
    if (const auto* c = std::get_if<CallExpr>(&e->node))
      if (const auto it = index.find(c->function); it != index.end()) out.push_back({it->second, e->region});
    below.clear();
    each_child(*e, [&](const ExprRef& r) { below.push_back(&*r); });
    todo.insert(todo.end(), below.rbegin(), below.rend());
  }
  return out;
}

std::string named(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t k = 0; k < names.size(); ++k)
    out += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
  return out;
}

}  // namespace

Order order_of(const Program& p, Diagnostics& diagnostics) {
  Order order;
  const int count = static_cast<int>(p.functions.size());
  for (int k = 0; k < count; ++k) {
    const Function& f = p.functions[static_cast<std::size_t>(k)];
    const auto [it, first] = order.index.emplace(f.name, k);
    if (!first)
      diagnostics.push_back(
          {f.region, "the name " + f.name + " is given to two functions",
           "another name: the first is at " + show_position(p.functions[static_cast<std::size_t>(it->second)].region),
           ""});
    std::set<std::string> parameters;
    for (const Parameter& q : f.parameters)
      if (q.name != "_" && !parameters.insert(q.name).second)
        diagnostics.push_back({q.region, f.name + " has two parameters " + q.name, "names that differ", ""});
  }
  std::vector<std::vector<Call>> calls;
  for (const Function& f : p.functions) calls.push_back(calls_in(f, order.index));

  // Depth first with a stack of our own: chains of calls may be long.
  enum class State : unsigned char { New, Open, Done };
  std::vector<State> state(p.functions.size(), State::New);
  std::vector<bool> recursive(p.functions.size(), false);
  struct Visit {
    int function;
    std::size_t next = 0;
  };
  std::vector<Visit> stack;
  const auto at = [](int k) { return static_cast<std::size_t>(k); };
  for (int root = 0; root < count; ++root) {
    if (state[at(root)] != State::New) continue;
    stack.push_back({root});
    state[at(root)] = State::Open;
    while (!stack.empty()) {
      const int f = stack.back().function;
      if (stack.back().next == calls[at(f)].size()) {
        state[at(f)] = State::Done;
        order.functions.push_back(f);
        stack.pop_back();
        continue;
      }
      const Call& c = calls[at(f)][stack.back().next++];
      if (state[at(c.function)] == State::New) {
        state[at(c.function)] = State::Open;
        stack.push_back({c.function});
      } else if (state[at(c.function)] == State::Open) {
        std::vector<std::string> by;
        bool known = true;
        std::size_t k = stack.size();
        while (stack[--k].function != c.function) by.insert(by.begin(), p.functions[at(stack[k].function)].name);
        for (; k < stack.size(); ++k) {
          known = known && recursive[at(stack[k].function)];
          recursive[at(stack[k].function)] = true;
        }
        if (known) continue;  // the same functions by another call
        const std::string& name = p.functions[at(c.function)].name;
        diagnostics.push_back({c.region, name + " calls itself" + (by.empty() ? "" : " by way of " + named(by)),
                               "no recursion: functions are expanded where they are called",
                               "unfold it to a fixed depth, each level a function of its own"});
      }
    }
  }
  std::erase_if(order.functions, [&](int f) { return recursive[at(f)]; });
  return order;
}

}  // namespace lockstep::snesl::elaboration
