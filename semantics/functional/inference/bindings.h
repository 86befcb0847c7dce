// The names in scope, and what they stand for.
#pragma once
#include "semantics/core/phrase.h"

namespace lockstep::inference {

struct Typed {
  PhraseRef phrase;
  Type type;
};
struct Binding {
  std::string name;
  std::variant<Typed, Size> meaning;  // a phrase, or a size
  Region local_function{};            // where it is written, if it is one
  int uses = 0;
};

class Bindings {
 public:
  void declare(const std::string& name, std::variant<Typed, Size> meaning, Region local_function = {});
  const Binding* find(const std::string& name) const;  // the innermost; null where there is none
  const Binding* use(const std::string& name);         // the same, and counted
  std::size_t depth() const { return all_.size(); }
  void leave(std::size_t to);                                     // what was declared since the depth was this
  const std::vector<Binding>& unused() const { return unused_; }  // local functions that were left so
  std::vector<std::string> names() const;

 private:
  std::vector<Binding> all_, unused_;
};

}  // namespace lockstep::inference
