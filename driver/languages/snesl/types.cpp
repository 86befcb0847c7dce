// Type texts: {([Char], a)}.
#include "driver/languages/snesl/types.h"

#include "semantics/core/diagnostic.h"

namespace lockstep::driver {
namespace {

using snesl::Prim;
using snesl::Type;

struct TypeText {
  char bracket = 0;  // '(' '[' '{', or 0: a word
  std::string word;
  std::vector<TypeText> parts;
};

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  TypeText whole() {
    TypeText t = type();
    if (at_ != text_.size()) wrong();
    return t;
  }

 private:
  [[noreturn]] void wrong() const { throw Bug("a type is shown as " + text_); }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  TypeText type() {
    skip();
    if (at_ == text_.size()) wrong();
    TypeText out;
    const char c = text_[at_];
    if (c == '(' || c == '[' || c == '{') {
      out.bracket = c;
      ++at_;
      const char close = c == '(' ? ')' : c == '[' ? ']' : '}';
      for (skip(); at_ < text_.size() && text_[at_] != close; skip()) {
        out.parts.push_back(type());
        skip();
        if (at_ < text_.size() && text_[at_] == ',') ++at_;
      }
      if (at_ == text_.size() || (c != '(' && out.parts.size() != 1)) wrong();
      ++at_;
    } else {
      while (at_ < text_.size() &&
             (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_' || text_[at_] == '\''))
        out.word += text_[at_++];
      if (out.word.empty()) wrong();
    }
    skip();
    return out;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

std::optional<Prim> prim_named(const std::string& word) {
  for (const Prim p : {Prim::Bool, Prim::Int, Prim::Real, Prim::Char})
    if (word == snesl::show(p)) return p;
  return {};
}

Type type_of(const TypeText& t, const OpenTypes& open) {
  if (t.bracket == '[') return snesl::vector_of(type_of(t.parts[0], open));
  if (t.bracket == '{') return snesl::sequence_of(type_of(t.parts[0], open));
  if (t.bracket == '(') {
    std::vector<Type> items;
    for (const TypeText& part : t.parts) items.push_back(type_of(part, open));
    return snesl::tuple(std::move(items));
  }
  if (const auto p = prim_named(t.word)) return snesl::prim(*p);
  const auto it = open.find(t.word);
  return it == open.end() ? snesl::prim(Prim::Int) : it->second;
}

bool fits(const TypeText& t, const Type& given, OpenTypes& open);

bool fits_word(const std::string& word, const Type& given, OpenTypes& open) {
  const Prim* g = snesl::as<Prim>(given);
  if (const auto p = prim_named(word)) return g && (*g == *p || (*g == Prim::Int && *p == Prim::Real));
  const auto [it, fresh] = open.try_emplace(word, given);
  if (fresh || it->second == given) return true;
  const Prim* known = snesl::as<Prim>(it->second);
  if (!known || !g) return false;
  if (*known == Prim::Int && *g == Prim::Real) it->second = given;
  return (*known == Prim::Int || *known == Prim::Real) && (*g == Prim::Int || *g == Prim::Real);
}

bool fits(const TypeText& t, const Type& given, OpenTypes& open) {
  if (t.bracket == 0) return fits_word(t.word, given, open);
  if (t.bracket == '(') {
    const auto* tuple = snesl::as<snesl::TupleType>(given);
    if (!tuple || tuple->items.size() != t.parts.size()) return false;
    for (std::size_t k = 0; k < t.parts.size(); ++k)
      if (!fits(t.parts[k], tuple->items[k], open)) return false;
    return true;
  }
  const auto* vector = snesl::as<snesl::VectorType>(given);
  const auto* sequence = snesl::as<snesl::SequenceType>(given);
  if (t.bracket == '[') return vector && fits(t.parts[0], *vector->element, open);
  return sequence && fits(t.parts[0], *sequence->element, open);
}

void letters(const TypeText& t, std::vector<std::string>& into) {
  if (t.bracket == 0 && !prim_named(t.word)) into.push_back(t.word);
  for (const TypeText& part : t.parts) letters(part, into);
}

}  // namespace

std::vector<std::string> letters_of(const std::string& text) {
  std::vector<std::string> out;
  letters(Reader(text).whole(), out);
  return out;
}

Type closed_type(const std::string& text, const OpenTypes& open) { return type_of(Reader(text).whole(), open); }

bool bind_open(const std::string& text, const Type& given, OpenTypes& open) {
  OpenTypes bound = open;
  if (!fits(Reader(text).whole(), given, bound)) return false;
  open = std::move(bound);
  return true;
}

}  // namespace lockstep::driver
