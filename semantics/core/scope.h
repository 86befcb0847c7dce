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

}  // namespace lockstep
