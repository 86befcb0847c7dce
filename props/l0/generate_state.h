// The generator behind generate.h: it writes text, with what is in scope. Private to generate*.cpp.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "props/engine/random.h"

namespace lockstep::props::l0 {

enum class Kind : unsigned char { Int, Real, Bool };
inline constexpr int gone = 9;  // the rank of what was consumed
struct Shaped {                 // a scalar, an array, an array of rows
  Kind kind;
  int rank;
  friend bool operator==(const Shaped&, const Shaped&) = default;
};
std::string text_of(const Shaped& t, bool unique = false);

struct Named {
  std::string name;
  Shaped type;
  int length = 0, row = 0;  // of equal numbers lengths are equal, most likely
  bool owned = false;       // nobody else has it: it may be consumed
  int used = 0;
};

class Generator {
 public:
  Generator(std::uint64_t seed, int statements) : random_(seed), statements_(statements) {}
  std::string program();

 private:
  using Scope = std::vector<Named>;

  // generate.cpp: functions, blocks
  std::string fresh(const std::string& stem) { return stem + std::to_string(next_++); }
  int new_length() { return ++lengths_; }
  std::string function();
  std::string block(int statements, int depth, const Shaped* wanted);

  // generate_statements.cpp: each binds something, "let x = … in\n"
  std::string statement(int depth);
  std::string map(int depth);
  std::string map_of_tuples(int depth);
  std::string filter(int depth);
  std::string fold(int depth);
  std::string scan(int depth);
  std::string copies(int depth);
  std::string length();
  std::string branch(int depth);
  std::string loop(int depth);
  std::string update(int depth);
  std::string rearranged();
  std::string consuming_map(int depth);
  std::string called();
  std::string bind(const std::string& stem, const Named& what, const std::string& value);

  // generate_expressions.cpp: scalars, functions in their places
  std::string scalar(Kind kind, int depth);
  std::string literal(Kind kind);
  std::string operation(Kind kind, int depth);
  std::string index(Kind kind);
  std::string lambda(const std::vector<Named>& elements, const Shaped& result, int depth);
  std::string operator_of(Kind kind);
  Kind kind() { return random_.percent(50) ? Kind::Int : random_.percent(70) ? Kind::Real : Kind::Bool; }

  // What is in scope: null where nothing fits. Those that were not used before come first, mostly.
  Named* array_where(int unused_percent, const std::function<bool(const Named&)>& fits);
  Named* array(int rank);
  Named* array_as_long(const Named& as, int rank);
  std::vector<Named*> arrays_together(int most);
  Named element(const Named& array);

  Random random_;
  const int statements_;
  Scope scope_;
  std::size_t border_ = 0;  // of what stands before it nothing is consumed
  int next_ = 0, lengths_ = 0;
  bool sets_ = false, doubles_ = false;  // helpers that there are
};

}  // namespace lockstep::props::l0
