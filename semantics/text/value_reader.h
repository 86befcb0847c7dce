// What all readers of values stand on: text as the command line gives it and as results print it, such as 12, -1.5,
// 1e-3f64, true, nan, 'c', "text", (1,2.5), [1,2], {1,2}, <1,2>.
#pragma once
#include "semantics/text/reader.h"

namespace lockstep::reading {

enum class WordKind : unsigned char { Integer, Fraction, Special, Truth, Other };  // 12, 1.5, inf, true, all else

// What a language calls its scalars, for errors: "Bool", "Int", "Real", "Char".
struct ScalarWords {
  std::string_view truth, integer, real, character;
};

class ValueReader : public Reader {
 protected:
  explicit ValueReader(SourceRef source, const ScalarWords& words = {});

  // Before anything is read: places have 32 bits.
  void refuse_too_long();
  bool at_word() { return at_kind(TokenKind::Name) || at_kind(TokenKind::Number); }
  WordKind word_kind();  // of the next word; Other for what is none
  void expect_end() {
    if (!at_end()) unexpected("the end of the value");
  }
  Found found(const Token& token) override;

  // A scalar that is wanted, or an error.
  bool truth();
  std::int64_t integer();
  double real();  // an integer literal is one, too
  unsigned char single_character();
  // (v1, ..., vn) of a tuple's type, of which `type` is the text; `component` reads the k-th.
  template <class Component>
  auto components(const std::string& type, std::size_t n, Component component) {
    const std::string wanted = "a value of type " + type, has = ", which has " + std::to_string(n);
    if (!at("(")) unexpected(wanted);
    const Token opener = take();
    std::vector<decltype(component(std::size_t{}))> found;
    items_or_none(opener, ")", [&] {
      if (found.size() == n) unexpected(wanted + has + " components");
      found.push_back(component(found.size()));
    });
    if (found.size() != n)
      fail(region(opener.begin, previous_.end), "this tuple has " + std::to_string(found.size()) + " components",
           wanted + has);
    return found;
  }

 private:
  const ScalarWords words_;
};

// inf, -inf, nan, -nan
double special_value(std::string_view word);

}  // namespace lockstep::reading
