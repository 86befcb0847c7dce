// What names mean where binders hide one another: the innermost last.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "semantics/core/diagnostic.h"

namespace lockstep {

template <class T>
class Scope {
 public:
  void bind(const std::string& name, T meaning) { bound_[name].push_back(std::move(meaning)); }
  void unbind(const std::string& name) { bound_[name].pop_back(); }
  const T* find(const std::string& name) const {
    const auto it = bound_.find(name);
    return it == bound_.end() || it->second.empty() ? nullptr : &it->second.back();
  }
  const T& at(const std::string& name) const {
    if (const T* meaning = find(name)) return *meaning;
    throw Bug("the identifier " + name + " is not bound");
  }

 private:
  std::unordered_map<std::string, std::vector<T>> bound_;
};

// The same, where what is bound inside something is unbound at its end.
template <class T>
class NestedScope {
 public:
  void bind(const std::string& name, T meaning) {
    scope_.bind(name, std::move(meaning));
    bound_.push_back(name);
  }
  const T* find(const std::string& name) const { return scope_.find(name); }
  const T& at(const std::string& name) const { return scope_.at(name); }
  const std::vector<std::string>& names() const { return bound_; }  // the innermost last

  class Inside {
   public:
    explicit Inside(NestedScope& scope) : scope_(scope), before_(scope.bound_.size()) {}
    ~Inside() {
      for (; scope_.bound_.size() > before_; scope_.bound_.pop_back()) scope_.scope_.unbind(scope_.bound_.back());
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    NestedScope& scope_;
    const std::size_t before_;
  };

 private:
  Scope<T> scope_;
  std::vector<std::string> bound_;
};

}  // namespace lockstep
