// Names and strings of C text.
#include "codegen/c/names.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "semantics/core/diagnostic.h"

namespace lockstep {
namespace {

// Without the underscore at the end. No two underscores meet, and a letter comes first: the others are the compiler's.
std::string identifier_stem(const std::string& name) {
  std::string r;
  for (char c : name) {
    if (c == '\'')
      r += r.ends_with('_') ? "p" : "_p";
    else if (std::isalnum(static_cast<unsigned char>(c)))
      r += c;
    else if (r.empty() || r.back() != '_')
      r += '_';
  }
  while (!r.empty() && r.back() == '_') r.pop_back();
  if (r.empty() || !std::isalpha(static_cast<unsigned char>(r[0]))) r = "v" + r;
  return r;
}

}  // namespace

std::string c_identifier(const std::string& name) { return identifier_stem(name) + "_"; }

std::string c_string(const std::string& text) {
  std::string r = "\"";
  for (char c : text) {
    auto u = static_cast<unsigned char>(c);
    char octal[8];
    std::snprintf(octal, sizeof octal, "\\%03o", u);
    if (c == '"' || c == '\\')
      (r += '\\') += c;
    else if (c == '?' || u < 32 || u == 127)
      r += octal;  // ? so that no trigraph comes of it
    else
      r += c;
  }
  return r + "\"";
}

void CNames::release(std::size_t mark) { scope_.resize(mark); }

std::string CNames::declare(Kind kind, const std::string& name, const std::string& wish) {
  auto live = [&](const std::string& s) {
    return std::any_of(scope_.begin(), scope_.end(), [&](const Name& n) { return n.text == s; });
  };
  const std::string stem = identifier_stem(wish);
  std::string text = stem + "_";
  for (int k = 1; live(text); ++k) text = stem + "_" + std::to_string(k) + "_";
  scope_.push_back({kind, name, text});
  return text;
}

std::string CNames::declare_variable(const std::string& name) { return declare(Kind::Variable, name, name); }
std::string CNames::declare_buffer(const std::string& name) { return declare(Kind::Buffer, name, name); }
std::string CNames::declare_value(const std::string& name) { return declare(Kind::Value, name, name); }
std::string CNames::fresh(const std::string& base) { return declare(Kind::Own, "", base); }
void CNames::bind_variable(const std::string& name, const std::string& text) {
  scope_.push_back({Kind::Variable, name, text});
}
void CNames::bind_buffer(const std::string& name, const std::string& text) {
  scope_.push_back({Kind::Buffer, name, text});
}

const CNames::Name& CNames::look_up(bool buffer, const std::string& name) const {
  for (auto n = scope_.rbegin(); n != scope_.rend(); ++n)
    if (n->kind != Kind::Own && (n->kind != Kind::Variable) == buffer && n->name == name) {
      n->mentioned = true;
      return *n;
    }
  throw Bug("C++ text is made of the undeclared name '" + name + "'");
}
bool CNames::is_mentioned(const std::string& text) const {
  return std::any_of(scope_.begin(), scope_.end(), [&](const Name& n) { return n.text == text && n.mentioned; });
}
std::string CNames::variable(const std::string& name) const { return look_up(false, name).text; }
std::string CNames::buffer(const std::string& name) const { return look_up(true, name).text; }

}  // namespace lockstep
