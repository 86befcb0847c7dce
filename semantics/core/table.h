// Of each value of an enum one thing, in rows: {E::A, "a"}, {E::B, "b"}. Rows that are not all values, each once and in
// the enum's order, do not compile.
#pragma once
#include <cstddef>
#include <string_view>
#include <utility>

namespace lockstep {

// Whether a value of an enum has a name: the compiler writes another as "(E)5".
template <auto value>
consteval bool has_name() {
  const std::string_view function = __PRETTY_FUNCTION__;
  return function[function.find("value = ") + 8] != '(';
}

template <class E, class T, std::size_t n>
class Table {
  static_assert(!has_name<static_cast<E>(n)>(), "a value of the enum has no row");

 public:
  consteval Table(const std::pair<E, T> (&rows)[n]) {
    for (std::size_t i = 0; i < n; ++i) {
      if (static_cast<std::size_t>(rows[i].first) != i) throw "rows are in the order of the enum";
      values_[i] = rows[i].second;
    }
  }
  constexpr const T& operator[](E e) const { return values_[static_cast<std::size_t>(e)]; }
  // The same with another row.
  constexpr Table with(E e, T value) const {
    Table out = *this;
    out.values_[static_cast<std::size_t>(e)] = std::move(value);
    return out;
  }

 private:
  T values_[n]{};
};

template <class E, class T = std::string_view, std::size_t n>
consteval Table<E, T, n> table(const std::pair<E, T> (&rows)[n]) {
  return rows;
}

}  // namespace lockstep
