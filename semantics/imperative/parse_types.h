// Words, sizes and types of the annotated form, which parse.cpp makes phrases of.
#pragma once
#include "semantics/core/phrase.h"
#include "semantics/text/reader.h"

namespace lockstep::imperative {

class TypeParser : public reading::Reader {
 protected:
  explicit TypeParser(SourceRef source);

  std::string word();
  std::uint64_t integer(std::string_view digits);
  Size size();
  SizeFact fact();
  Type type();
  Type type_atom();
  PhraseType phrase_type();

 private:
  Size size_atom();
  Type plain_type();
  PhraseType phrase_product_type();
  PhraseType phrase_type_atom();
  Space space();
};

}  // namespace lockstep::imperative
