// SVCODE's text to a program, a line at a time: every wrong line is reported. Streams must be defined before they are
// used; types are left to check.
#include <charconv>
#include <set>

#include "semantics/svcode/instruction.h"
#include "semantics/svcode/text.h"

namespace lockstep::svcode {
namespace {

using snesl::Type;

constexpr int nesting_limit = 1000;

// Thrown inside this file only.
struct SyntaxError {
  Diagnostic diagnostic;
};

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool digit(char c) { return c >= '0' && c <= '9'; }
bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::optional<Prim> prim_named(std::string_view name) {
  for (const Prim p : {Prim::Unit, Prim::Bool, Prim::Int, Prim::Real, Prim::Char})
    if (snesl::show(p) == name) return p;
  return std::nullopt;
}

class Line {
 public:
  Line(SourceRef source, std::size_t begin, std::size_t end) : source_(std::move(source)), at_(begin), end_(end) {
    skip();
  }

  bool done() const { return at_ >= end_; }
  bool is(char c) const { return !done() && here() == c; }
  bool accept(char c) { return is(c) && (advance(1), true); }
  void expect(std::string_view symbol) {
    if (rest().substr(0, symbol.size()) != symbol) fail("'" + std::string(symbol) + "'");
    advance(symbol.size());
  }
  bool is_word() const { return !done() && letter(here()); }
  std::string word(std::string_view what) {
    if (!is_word()) fail(what);
    std::size_t n = 0;
    while (n < rest().size() && (letter(rest()[n]) || digit(rest()[n]) || rest()[n] == '\'' || rest()[n] == '-')) ++n;
    return take(n);
  }
  bool is_stream() const { return rest().size() > 1 && here() == 's' && digit(rest()[1]); }
  StreamId stream() {
    if (!is_stream()) fail("a stream, such as s3");
    advance_raw(1);
    return number<StreamId>("a stream's number");
  }
  template <class N>
  N number(std::string_view what) {
    N n{};
    const auto [end, error] = std::from_chars(rest().data(), rest().data() + rest().size(), n);
    if (error != std::errc()) fail(what);
    advance(static_cast<std::size_t>(end - rest().data()));
    return n;
  }
  Prim prim() {
    const std::size_t begin = at_;
    const std::string name = word("a type of elements: Unit, Bool, Int, Real or Char");
    const std::optional<Prim> p = prim_named(name);
    if (!p) fail_at(begin, "'" + name + "' is no type of elements", "Unit, Bool, Int, Real or Char");
    return *p;
  }
  Type type() {
    const Nesting deeper(*this);
    if (accept('[')) return snesl::vector_of(closed(']'));
    if (accept('{')) return snesl::sequence_of(closed('}'));
    if (!accept('(')) return snesl::prim(prim());
    std::vector<Type> items;
    while (!accept(')')) {
      items.push_back(type());
      if (!is(')')) expect(",");
    }
    return snesl::tuple(std::move(items));
  }
  Tree tree() {
    const Nesting deeper(*this);
    if (!accept('(')) return {stream(), {}};
    Tree r;
    while (!accept(')')) {
      r.children.push_back(tree());
      if (!is(')')) expect(",");
    }
    r.unit = r.children.empty();
    return r;
  }
  Atom atom(Prim type) {
    switch (type) {
      case Prim::Unit:
        return expect("("), expect(")"), snesl::unit_atom();
      case Prim::Bool:
        return boolean();
      case Prim::Int:
        return snesl::int_atom(number<std::int64_t>("an Int"));
      case Prim::Real:
        return snesl::real_atom(number<double>("a Real"));
      case Prim::Char: {
        const std::size_t begin = at_;
        const std::string c = quoted('\'');
        if (c.size() != 1) fail_at(begin, "a Char is one byte", "a Char, such as 'c'");
        return snesl::char_atom(static_cast<unsigned char>(c[0]));
      }
    }
    throw Bug("an element type that SVCODE lacks");
  }
  std::string quoted(char quote) {
    const std::size_t begin = at_;
    if (!is(quote)) fail(std::string("a text in ") + quote);
    std::string r;
    for (advance_raw(1); at_ < end_ && here() != quote;) r += character();
    if (at_ >= end_) fail_at(begin, "a text does not end", std::string(1, quote));
    advance(1);
    return r;
  }

  std::size_t position() const { return at_; }
  [[noreturn]] void fail(std::string_view expected) const {
    const std::string found(rest().substr(0, word_length()));
    fail_at(at_, done() ? "the line ends here" : "found '" + found + "'", expected);
  }
  [[noreturn]] void fail_at(std::size_t begin, std::string message, std::string_view expected) const {
    const auto from = static_cast<std::uint32_t>(begin);
    const auto to = static_cast<std::uint32_t>(std::max(begin, std::min(end_, std::max(at_, begin + 1))));
    throw SyntaxError{{{source_, from, to}, std::move(message), std::string(expected), {}}};
  }

 private:
  struct Nesting {
    explicit Nesting(Line& line) : line(line) {
      if (++line.depth_ > nesting_limit) line.fail_at(line.at_, "this is nested too deeply", "at most 1,000 levels");
    }
    ~Nesting() { --line.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    Line& line;
  };

  char here() const { return source_->text[at_]; }
  std::string_view rest() const { return std::string_view(source_->text).substr(at_, end_ - at_); }
  void advance_raw(std::size_t n) { at_ += n; }
  void advance(std::size_t n) {
    at_ += n;
    skip();
  }
  void skip() {
    while (at_ < end_ && blank(here())) ++at_;
    if (rest().substr(0, 2) == "--") at_ = end_;  // a comment; no number begins so
  }
  std::string take(std::size_t n) {
    std::string r(rest().substr(0, n));
    advance(n);
    return r;
  }
  std::size_t word_length() const {
    std::size_t n = 0;
    while (n < rest().size() && !blank(rest()[n])) ++n;
    return n;
  }
  Type closed(char bracket) {
    Type t = type();
    expect(std::string_view(&bracket, 1));
    return t;
  }
  Atom boolean() {
    const std::size_t begin = at_;
    const std::string w = word("true or false");
    if (w != "true" && w != "false") fail_at(begin, "found '" + w + "'", "true or false");
    return snesl::bool_atom(w == "true");
  }
  char character() {
    const char c = here();
    advance_raw(1);
    if (c != '\\' || at_ >= end_) return c;
    const char e = here();
    advance_raw(1);
    switch (e) {
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case 'r':
        return '\r';
      case '0':
        return '\0';
      case 'x': {
        unsigned value = 0;
        const char* begin = source_->text.data() + at_;
        const auto [end, error] = std::from_chars(begin, begin + std::min<std::size_t>(2, end_ - at_), value, 16);
        if (error != std::errc() || end != begin + 2) fail("two hexadecimal digits");
        advance_raw(2);
        return static_cast<char>(value);
      }
      default:
        return e;
    }
  }

  SourceRef source_;
  std::size_t at_;
  std::size_t end_;
  int depth_ = 0;
};

class Parser {
 public:
  explicit Parser(SourceRef source) : source_(std::move(source)) {}

  Checked<Program> program() {
    const std::string& text = source_->text;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      try {
        line(Line(source_, begin, end));
      } catch (const SyntaxError& e) {
        errors_.push_back(e.diagnostic);
      }
      begin = end + 1;
    }
    const auto end = static_cast<std::uint32_t>(text.size());
    if (part_ != Part::Over && errors_.empty())
      errors_.push_back({{source_, end, end},
                         "the program ends too early",
                         part_ == Part::Header ? "svcode NAME (PARAMETERS) : TYPE" : "result TREE",
                         {}});
    if (!errors_.empty()) return tl::unexpected(std::move(errors_));
    return std::move(program_);
  }

 private:
  enum class Part : unsigned char { Header, Instructions, Over };

  void line(Line l) {
    if (l.done()) return;
    if (part_ == Part::Header) {
      part_ = Part::Instructions;  // whatever comes of it, the next line is no header
      header(l);
    } else if (part_ == Part::Over) {
      l.fail("nothing after the result");
    } else if (l.is_stream()) {
      instruction(l);
    } else {
      const std::size_t begin = l.position();
      if (l.word("an instruction or the result") != "result")
        l.fail_at(begin, "no instruction begins so", "sN : TYPE := ... or result");
      part_ = Part::Over;
      result(l);
    }
    if (!l.done()) l.fail("the end of the line");
  }

  void header(Line& l) {
    const std::size_t begin = l.position();
    if (l.word("svcode") != "svcode") l.fail_at(begin, "an SVCODE program does not begin so", "svcode");
    program_.name = l.word("the program's name");
    l.expect("(");
    while (!l.accept(')')) {
      program_.parameter_names.push_back(l.word("a parameter's name"));
      l.expect(":");
      program_.parameters.push_back(l.type());
      if (!l.is(')')) l.expect(",");
    }
    l.expect(":");
    program_.result_type = l.type();
  }

  void instruction(Line& l) {
    Instr i;
    const std::size_t begin = l.position();
    i.id = l.stream();
    if (!defined_.empty() && i.id <= *defined_.rbegin())
      l.fail_at(begin, "streams are numbered upwards", "more than s" + std::to_string(*defined_.rbegin()));
    defining_ = i.id;
    defined_.insert(i.id);  // even where the rest is wrong, so that its uses are no errors
    l.expect(":");
    i.type = l.prim();
    l.expect(":=");
    mnemonic(l, i);
    const Extra extra = row_of(i.opcode).extra;
    if (extra == Extra::Atom || extra == Extra::AtomNumber) i.atom = l.atom(i.type);
    if (extra == Extra::Number || extra == Extra::AtomNumber) i.number = l.number<std::int64_t>("a number");
    while (l.is_stream()) i.arguments.push_back(use(l));
    if (extra == Extra::Text) i.text = l.quoted('"');
    program_.instructions.push_back(std::move(i));
  }

  StreamId use(Line& l) {
    const std::size_t begin = l.position();
    const StreamId s = l.stream();
    if (!defined_.contains(s) || s == defining_)
      l.fail_at(begin, "s" + std::to_string(s) + " is not defined before", "a stream of a line above");
    return s;
  }

  void mnemonic(Line& l, Instr& i) const {
    const std::size_t begin = l.position();
    const std::string word = l.word("an instruction's name");
    std::vector<std::string> names;
    for (const OpcodeRow& row : opcode_rows()) {
      i.opcode = row.opcode;
      names.emplace_back(row.name);
      const bool suffixed = row.extra == Extra::Operator || row.extra == Extra::Monoid;
      if (!suffixed && word == row.name) return;
      if (!suffixed || !word.starts_with(std::string(row.name) + "_")) continue;
      const std::string suffix = word.substr(row.name.size() + 1);
      if (row.extra == Extra::Operator) {
        if (const auto op = snesl::scalar_op_named(suffix)) return void(i.op = *op);
      } else if (const auto monoid = snesl::monoid_named(suffix)) {
        return void(i.monoid = *monoid);
      }
    }
    const std::string near = nearest_name(word, names);
    l.fail_at(begin, "'" + word + "' is no instruction", near.empty() ? "an instruction's name" : near);
  }

  void result(Line& l) {
    const std::size_t begin = l.position();
    program_.result = l.tree();
    check_defined(l, begin, program_.result);
  }
  void check_defined(Line& l, std::size_t begin, const Tree& t) const {
    if (t.unit) return;
    if (t.children.empty() && !defined_.contains(t.leaf))
      l.fail_at(begin, "s" + std::to_string(t.leaf) + " is not defined", "streams of the lines above");
    for (const Tree& child : t.children) check_defined(l, begin, child);
  }

  SourceRef source_;
  Program program_;
  Diagnostics errors_;
  std::set<StreamId> defined_;
  StreamId defining_{};
  Part part_ = Part::Header;
};

}  // namespace

Checked<Program> parse(SourceRef source) { return Parser(std::move(source)).program(); }

}  // namespace lockstep::svcode
