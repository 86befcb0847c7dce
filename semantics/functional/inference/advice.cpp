// The texts of advice (advice.h).
#include "semantics/functional/inference/advice.h"

#include <algorithm>
#include <functional>

namespace lockstep::inference {

using namespace surface;

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '\''; }

// From the first character to the last one pair of brackets.
bool is_enclosed(const std::string& text) {
  if (text.empty() || (text[0] != '(' && text[0] != '[')) return false;
  int depth = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    depth += (text[k] == '(' || text[k] == '[') ? 1 : (text[k] == ')' || text[k] == ']') ? -1 : 0;
    if (depth == 0) return k + 1 == text.size();
  }
  return false;
}

bool holds_word(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

std::string text_of(const Region& region) {
  constexpr std::size_t limit = 60;
  if (!region.source || region.end <= region.begin || region.end - region.begin > limit) return "";
  const std::string text = region.source->text.substr(region.begin, region.end - region.begin);
  return text.find_first_of("\r\n\t") == std::string::npos ? text : "";
}

// The first of x, y, z, ... that no operand holds.
std::string fresh_word(const std::vector<std::string>& texts, std::vector<std::string>& taken) {
  for (const char* word : {"x", "y", "z", "u", "v", "w", "p", "q"}) {
    const auto holds = [&](const std::string& text) { return holds_word(text, word); };
    if (std::any_of(texts.begin(), texts.end(), holds)) continue;
    if (std::find(taken.begin(), taken.end(), word) != taken.end()) continue;
    taken.emplace_back(word);
    return word;
  }
  return "";
}

}  // namespace

std::string plural(std::size_t n, const std::string& word) {
  return std::to_string(n) + " " + word + (n == 1 ? "" : "s");
}

std::string written(const Expr& e) { return text_of(e.region); }

std::string as_argument(const Expr& e) {
  const std::string text = written(e);
  const bool one_word = std::all_of(text.begin(), text.end(), [](char c) { return is_word(c) || c == '.'; });
  return text.empty() || one_word || is_enclosed(text) ? text : "(" + text + ")";
}

std::string call_text(const std::string& function, const std::vector<const Expr*>& arguments) {
  std::string out = function;
  for (const Expr* a : arguments) {
    const std::string text = as_argument(*a);
    if (text.empty()) return "";
    out += " " + text;
  }
  return out;
}

// As an argument of !, or before it; what is indexed in it by brackets, as in other languages, by !.
static std::string indexed(const Expr& e, bool before) {
  const auto* a = std::get_if<surface::Apply>(&e.node);
  const bool brackets = a && std::holds_alternative<ArrayLiteral>(a->argument->node) &&
                        a->function->region.end == a->argument->region.begin;
  const std::string text = brackets ? index_text(*a->function, {&*a->argument}, 8) : "";
  return text.empty() ? as_argument(e) : before ? text : "(" + text + ")";
}

std::string index_text(const Expr& array, const std::vector<const Expr*>& arguments, std::size_t dimensions) {
  std::string out = indexed(array, true);
  std::vector<const Expr*> indices;
  for (const Expr* a : arguments) {
    const auto* brackets = std::get_if<ArrayLiteral>(&a->node);
    const auto* tuple = std::get_if<Tuple>(&a->node);
    if (!brackets && !tuple) indices.push_back(a);
    if (brackets || tuple)
      for (const Expr& part : brackets ? brackets->parts : tuple->parts) indices.push_back(&part);
  }
  if (out.empty() || indices.size() > dimensions) return "";
  for (const Expr* i : indices) {
    const std::string text = indexed(*i, false);
    if (text.empty()) return "";
    out += " ! " + text;
  }
  return out;
}

std::string over_elements(const std::string& op, const std::vector<const Expr*>& operands,
                          const std::vector<std::size_t>& dimensions) {
  std::vector<std::string> texts, elements, arrays, taken;
  for (const Expr* e : operands) texts.push_back(e ? written(*e) : "");
  if (std::any_of(texts.begin(), texts.end(), [](const std::string& t) { return t.empty(); })) return "";
  const bool infix = !is_word(op[0]);
  std::size_t depth = 0;
  for (std::size_t k = 0; k < texts.size(); ++k) {
    const bool array = dimensions[k] > 0;
    elements.push_back(array                       ? fresh_word(texts, taken)
                       : infix && texts.size() > 1 ? texts[k]
                                                   : as_argument(*operands[k]));
    if (array) arrays.push_back(as_argument(*operands[k]));
    depth = std::max(depth, dimensions[k]);
  }
  const bool two = arrays.size() == 2;
  if (arrays.empty() || arrays.size() > 2 || taken.size() != arrays.size()) return "";
  if (two && dimensions[0] != dimensions[1]) return "";
  std::string body = op;
  if (infix && texts.size() == 2)
    body = elements[0] + " " + op + " " + elements[1];
  else
    for (const std::string& e : elements) body += (infix ? "" : " ") + e;
  const auto pattern = [](const std::string& a, const std::string& b) { return "(\\(" + a + ", " + b + ") -> "; };
  std::string f = texts.size() == 1 && !infix ? op
                  : two                       ? pattern(taken[0], taken[1]) + body + ")"
                                              : "(\\" + taken[0] + " -> " + body + ")";
  for (std::size_t k = 1; k < depth; ++k) {
    const std::string p = two ? fresh_word(texts, taken) : "", q = two ? fresh_word(texts, taken) : "";
    if (two && q.empty()) return "";
    f = two ? pattern(p, q) + "map " + f + " (zip " + p + " " + q + "))" : "(map " + f + ")";
  }
  return "map " + f + " " + (two ? "(zip " + arrays[0] + " " + arrays[1] + ")" : arrays[0]);
}

// zip a (zip b c)
static std::string zipped(const std::vector<std::string>& arrays) {
  std::string out = arrays.back();
  for (std::size_t k = arrays.size() - 1; k-- > 0;)
    out = "zip " + arrays[k] + " " + (k + 2 == arrays.size() ? out : "(" + out + ")");
  return arrays.size() == 1 ? out : "(" + out + ")";
}
static std::string tuple_of(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& n : names) out += (out.empty() ? "" : ", ") + n;
  return names.size() == 1 ? out : "(" + out + ")";
}

std::string zipped_map(const std::vector<const Expr*>& arguments) {
  if (arguments.size() < 3 || std::find(arguments.begin(), arguments.end(), nullptr) != arguments.end()) return "";
  const Expr& f = *arguments[0];
  std::vector<std::string> arrays, names, texts, taken;
  for (const Expr* a : arguments) texts.push_back(written(*a));
  for (std::size_t k = 1; k < arguments.size(); ++k) arrays.push_back(as_argument(*arguments[k]));
  std::string body;
  if (const auto* lambda = std::get_if<Lambda>(&f.node)) {
    if (lambda->patterns.size() != arrays.size()) return "";
    for (const Pattern& p : lambda->patterns) names.push_back(text_of(p.region));
    body = written(*lambda->body);
  } else {
    for (std::size_t k = 0; k < arrays.size(); ++k) names.push_back(fresh_word(texts, taken));
    const auto* op = std::get_if<Operator>(&f.node);
    if (op && names.size() != 2) return "";
    body = op ? names[0] + " " + op->symbol + " " + names[1] : as_argument(f);
    for (const std::string& n : names)
      if (!op) body += " " + n;
  }
  const auto empty = [](const std::string& t) { return t.empty(); };
  if (std::any_of(texts.begin(), texts.end(), empty) || std::any_of(names.begin(), names.end(), empty) || body.empty())
    return "";
  return "map (\\" + tuple_of(names) + " -> " + body + ") " + zipped(arrays);
}

std::string choice_over_elements(const std::string& form, const std::vector<const Expr*>& parts,
                                 std::optional<bool> yes_is_array, std::optional<bool> no_is_array) {
  if (!yes_is_array || !no_is_array) return "";
  std::vector<std::string> texts, arrays, names, said, taken;
  for (const Expr* e : parts) texts.push_back(written(*e));
  for (std::size_t k = 0; k < 3; ++k) {
    const bool is_array = k == 0 || *(k == 1 ? yes_is_array : no_is_array);
    said.push_back(is_array ? fresh_word(texts, taken) : form == "if" ? texts[k] : as_argument(*parts[k]));
    if (texts[k].empty() || said.back().empty()) return "";
    if (is_array) arrays.push_back(as_argument(*parts[k])), names.push_back(said.back());
  }
  return "map (\\" + tuple_of(names) + " -> " +
         (form == "if" ? "if " + said[0] + " then " + said[1] + " else " + said[2]
                       : form + " " + said[0] + " " + said[1] + " " + said[2]) +
         ") " + zipped(arrays);
}

std::optional<Exchanged> exchanged(const Expr& e) {
  if (const auto* f = std::get_if<Lambda>(&e.node)) {
    Lambda out = *f;
    if (out.patterns.size() == 1) {  // \x -> \y -> ...
      const auto* inner = std::get_if<Lambda>(&f->body->node);
      if (!inner) return {};
      out.patterns.insert(out.patterns.end(), inner->patterns.begin(), inner->patterns.end());
      out.body = inner->body;
    }
    std::swap(out.patterns[0], out.patterns[1]);
    const std::string first = text_of(out.patterns[0].region), second = text_of(out.patterns[1].region);
    return Exchanged{std::move(out), first.empty() || second.empty() ? "" : "\\" + first + " " + second + " -> ..."};
  }
  if (std::holds_alternative<Operator>(e.node)) return {};  // its operands have one type
  const std::string element = mentions(e, "x") ? "x1" : "x", accumulator = mentions(e, "acc") ? "acc1" : "acc";
  const auto name = [&](const std::string& n) { return Expr{Name{n}, e.region}; };
  const auto pattern = [&](const std::string& n) { return Pattern{NamePattern{n}, e.region}; };
  const Expr body{Apply{Expr{Apply{e, name(accumulator)}, e.region}, name(element)}, e.region};
  const std::string function = written(e);
  return Exchanged{{{pattern(element), pattern(accumulator)}, body},
                   function.empty()
                       ? ""
                       : "\\" + element + " " + accumulator + " -> " + function + " " + accumulator + " " + element};
}

std::span<const Habit> habits() {
  static constexpr Habit rows[] = {
      {" fold foldl foldr foldl' fold1 foldl1 foldr1 aggregate accumulate ",
       "reduce f start xs, where f takes the element first, then the accumulator"},
      {" sum ", "a sum is reduce (+) 0 xs"},
      {" product prod ", "a product is reduce (*) 1 xs"},
      {" maximum ", "the greatest is reduce max start xs, with a start that is below all of them"},
      {" minimum ", "the least is reduce min start xs, with a start that is above all of them"},
      {" any ", "reduce (||) false (map f xs)"},
      {" all ", "reduce (&&) true (map f xs)"},
      {" length len size count ", "a length is part of the type: of xs : [n]f32 it is n"},
      {" map2 zipWith zipwith zip_with imap2 ", "map takes one array: map (\\(x, y) -> x + y) (zip xs ys)"},
      {" map3 zipWith3 ", "map takes one array: map (\\(x, y, z) -> x + y + z) (zip xs (zip ys zs))"},
      {" imap mapi mapWithIndex enumerate ", "indices come beside elements by map (\\(i, x) -> ...) (zip (iota n) xs)"},
      {" filter partition compact ",
       "a length cannot depend on values: find each element's place by scan, and scatter there those that are kept"},
      {" range arange upto linspace ", "iota n is the numbers from 0 to n - 1; generate n (\\i -> ...) is any others"},
      {" tabulate build make ", "generate n (\\i -> ...)"},
      {" flatten concatMap ", "join makes one array of the rows of a matrix"},
      {" unflatten reshape chunks chunksOf chunk ", "split k xs cuts an array into rows of k elements; join undoes it"},
      {" append cat concatenate ", "concat xs ys"},
      {" head first ", "xs ! 0"},
      {" last ", "xs ! (n - 1), where n is the length"},
      {" tail ", "drop 1 xs"},
      {" init ", "take (n - 1) xs, where n is the length"},
      {" windows window sliding stencil ", "slide w s xs: windows of w elements, s apart"},
      {" scanl scanl1 scanr cumsum prefix_sum scan_inc ", "scan f start xs: each prefix, the start not included"},
      {" scan_exc exscan prescan ", "scanExclusive f start xs"},
      {" loop for repeat ", "iterate k f x repeats f k times; while condition step x goes on as long as it holds"},
      {" zeros ", "replicate n 0"},
      {" ones ", "replicate n 1"},
      {" fill full ", "replicate n x"},
      {" mod rem fmod ", "a remainder is x % y"},
      {" div quot ", "a quotient of integers is x / y"},
      {" not ", "!x"},
      {" and ", "x && y"},
      {" or ", "x || y"},
      {" xor ", "x ^ y"},
      {" neg negate ", "-x"},
      {" fabs absolute ", "abs x"},
      {" int toInt to_int fromIntegral ", "a conversion is named after its type: i32 x, i64 x"},
      {" float toFloat to_float ", "a conversion is named after its type: f32 x"},
      {" double toDouble to_double ", "a conversion is named after its type: f64 x"},
      {" case match ", "if ... then ... else ..."},
  };
  return rows;
}

bool mentions(const Expr& e, const std::string& name) {
  const auto in = [&](const Expr& part) { return mentions(part, name); };
  const auto in_all = [&](const std::vector<Expr>& parts) { return std::any_of(parts.begin(), parts.end(), in); };
  return match(
      e.node, [&](const Name& n) { return n.name == name; }, [](const Literal&) { return false; },
      [](const Operator&) { return false; }, [&](const Lambda& f) { return in(*f.body); },
      [&](const Let& l) { return in(*l.value) || in(*l.body); },
      [&](const If& i) { return in(*i.condition) || in(*i.then) || in(*i.otherwise); },
      [&](const surface::Apply& a) { return in(*a.function) || in(*a.argument); },
      [&](const Index& i) { return in(*i.array) || in(*i.index); }, [&](const Tuple& t) { return in_all(t.parts); },
      [&](const ArrayLiteral& a) { return in_all(a.parts); });
}

}  // namespace lockstep::inference
