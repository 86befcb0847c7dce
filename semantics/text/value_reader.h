// What all readers of values stand on: text as the command line gives it and as results print it, such as 12, -1.5,
// 1e-3f64, true, nan, 'c', "text", (1,2.5), [1,2], {1,2}, <1,2>.
#pragma once
#include "semantics/text/reader.h"

namespace lockstep::reading {

enum class WordKind : unsigned char { Integer, Fraction, Special, Truth, Other };  // 12, 1.5, inf, true, all else

class ValueReader : public Reader {
 protected:
  explicit ValueReader(SourceRef source);

  // Before anything is read: places have 32 bits.
  void refuse_too_long();
  bool at_word() { return at_kind(TokenKind::Name) || at_kind(TokenKind::Number); }
  WordKind word_kind();  // of the next word; Other for what is none
  void expect_end() {
    if (!at_end()) unexpected("the end of the value");
  }
  Found found(const Token& token) override;
};

// inf, -inf, nan, -nan
double special_value(std::string_view word);

}  // namespace lockstep::reading
