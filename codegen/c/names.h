// Names of C text: made legal, and unique where they stand.
#pragma once
#include <string>
#include <vector>

namespace lockstep {

// What a program's own name becomes: its letters and digits, words of them joined by one underscore, and an underscore
// at the end: class -> class_, x' -> x_p_, _A -> v_A_. No keyword, macro, builtin or function of a library starts with
// a letter and ends so, nor does anything that the generated text names itself; so no list says which names are taken.
std::string c_identifier(const std::string& name);
// Text in quotes, escaped.
std::string c_string(const std::string& text);

class CNames {
 public:
  // A name is unique among those in scope; variables and buffers are two kinds of names.
  std::size_t mark() const { return scope_.size(); }
  void release(std::size_t mark);
  std::string declare_variable(const std::string& name);
  std::string declare_buffer(const std::string& name);
  std::string declare_value(const std::string& name);  // of a buffer of one scalar, that is held in a variable
  std::string fresh(const std::string& base);          // a name that no phrase has, until released
  void bind_variable(const std::string& name, const std::string& text);  // printed as `text`, an atom
  void bind_buffer(const std::string& name, const std::string& text);
  std::string variable(const std::string& name) const;
  std::string buffer(const std::string& name) const;
  // Whether what is printed so, of those in scope, was looked up.
  bool is_mentioned(const std::string& text) const;

 protected:
  enum class Kind { Variable, Buffer, Value, Own };  // Own: of the text, which no phrase looks up
  struct Name {
    Kind kind;
    std::string name, text;
    mutable bool mentioned = false;
  };
  const Name& look_up(bool buffer, const std::string& name) const;

 private:
  std::string declare(Kind kind, const std::string& name, const std::string& wish);

  std::vector<Name> scope_;
};

}  // namespace lockstep
