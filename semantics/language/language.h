// What every language gives, and a program of any of them: stages, traces, reports and commands are written over these
// (design.md, "Six interfaces").
#pragma once
#include <functional>
#include <memory>
#include <typeinfo>

#include "semantics/core/cost.h"
#include "semantics/core/diagnostic.h"

namespace lockstep {

// A value whose type is known to who made it and to who asks for it by that type. It never changes.
class Erased {
 public:
  template <class T>
  explicit Erased(T value) : type_(&typeid(T)), value_(std::make_shared<const T>(std::move(value))) {}
  template <class T>
  const T* as_if() const {
    return *type_ == typeid(T) ? static_cast<const T*>(value_.get()) : nullptr;
  }
  template <class T>
  const T& as() const {
    if (const T* value = as_if<T>()) return *value;
    throw Bug("a value of another type is asked for");
  }

 private:
  const std::type_info* type_;
  std::shared_ptr<const void> value_;
};

class AnyProgram;

// Work, depth and space as polynomials in the sizes: upper bounds where a branch or a loop depends on data.
struct Cost {
  Size work, depth, space;
};
// One after the other, what the first allocates being held; either, whichever data chooses.
inline Cost operator+(const Cost& a, const Cost& b) { return {a.work + b.work, a.depth + b.depth, a.space + b.space}; }
inline Cost either(const SizeContext& known, const Cost& a, const Cost& b) {
  return {upper_maximum(known, a.work, b.work), upper_maximum(known, a.depth, b.depth),
          upper_maximum(known, a.space, b.space)};
}

// The meaning of a language's programs is in the family that it belongs to, whose programs run on the same inputs
// (arrays.h); a language that has none is not run.
struct Language {
  virtual ~Language() = default;
  std::string name{};                                     // "kernel"
  std::function<std::string(const AnyProgram&)> print{};  // for people
  // All of it, and read back to an equal program.
  std::function<std::string(const AnyProgram&)> write{};
  std::function<Checked<AnyProgram>(SourceRef)> parse{};
  std::function<bool(const AnyProgram&, const AnyProgram&)> equal{};
  // What is wrong with the program; empty: nothing. `implied` decides sizes that normal forms leave open.
  std::function<std::vector<std::string>(const AnyProgram&, const SizeImplication& implied)> check{};
  std::function<std::size_t(const AnyProgram&)> nodes{};
  std::function<Cost(const AnyProgram&)> cost{};  // nothing: it is counted by a run
};
using LanguageRef = std::shared_ptr<const Language>;

class AnyProgram {
 public:
  template <class P>
  AnyProgram(LanguageRef language, P program) : language_(std::move(language)), program_(std::move(program)) {}
  const Language& language() const { return *language_; }
  const LanguageRef& language_ref() const { return language_; }
  template <class P>
  const P* as_if() const {
    return program_.as_if<P>();
  }
  template <class P>
  const P& as() const {
    return program_.as<P>();
  }

 private:
  LanguageRef language_;
  Erased program_;
};

// The text that its language writes of the program, read back: what is wrong, or "".
std::string wrong_read_back(const AnyProgram& program);

// What a reader gave, as a program of its language.
template <class P>
Checked<AnyProgram> as_program(const std::weak_ptr<const Language>& language, Checked<P> read) {
  if (!read) return tl::unexpected(read.error());
  return AnyProgram(language.lock(), std::move(*read));
}

}  // namespace lockstep
