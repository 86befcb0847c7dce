// SVCODE's text to a program, a line at a time: every wrong line is reported. Streams must be defined before they are
// used; types are left to check.
#include <set>

#include "semantics/svcode/instruction.h"
#include "semantics/svcode/text.h"
#include "semantics/text/reader.h"

namespace lockstep::svcode {
namespace {

using snesl::Type;

using reading::Token, reading::TokenKind;

constexpr std::string_view symbols = "( ) [ ] { } , : :=";
constexpr reading::Manner manner{
    .words = {.symbols = symbols, .comment = "--", .later_signs = "'-", .quotes = true, .values = true},
    .whole = "line"};

std::optional<Prim> prim_named(std::string_view name) {
  for (const Prim p : {Prim::Unit, Prim::Bool, Prim::Int, Prim::Real, Prim::Char})
    if (snesl::show(p) == name) return p;
  return std::nullopt;
}

class Line : public reading::Reader {
 public:
  Line(SourceRef source, std::size_t begin, std::size_t end) : Reader(std::move(source), manner, begin, end) {}

  using Reader::accept, Reader::at, Reader::at_end, Reader::expect, Reader::fail, Reader::peek, Reader::region,
      Reader::unexpected;

  bool at_stream() {
    return at_kind(TokenKind::Name) && peek().text.size() > 1 && peek().text[0] == 's' &&
           reading::is_digit(peek().text[1]);
  }
  StreamId stream() {
    if (!at_stream()) unexpected("a stream, such as s3");
    const Token t = take();
    const auto n = reading::number_value<StreamId>(t.text.substr(1));
    if (!n) fail(region(t.begin + 1, t.end), "found '" + std::string(t.text.substr(1)) + "'", "a stream's number");
    return *n;
  }
  std::string word(const std::string& what) {
    if (!at_kind(TokenKind::Name)) unexpected(what);
    return std::string(take().text);
  }
  template <class N>
  N number(const std::string& what) {
    const auto n = reading::number_value<N>(peek().text);
    if (!n) unexpected(what);
    take();
    return *n;
  }
  Prim prim() {
    const Token t = peek();
    const std::string name = word("a type of elements: Unit, Bool, Int, Real or Char");
    const std::optional<Prim> p = prim_named(name);
    if (!p) fail(region(t), "'" + name + "' is no type of elements", "Unit, Bool, Int, Real or Char");
    return *p;
  }
  Type type() {
    const Deeper deeper(*this);
    if (accept("[")) return snesl::vector_of(closed("]"));
    if (accept("{")) return snesl::sequence_of(closed("}"));
    if (!accept("(")) return snesl::prim(prim());
    std::vector<Type> items;
    list([&] { items.push_back(type()); });
    return snesl::tuple(std::move(items));
  }
  Tree tree() {
    const Deeper deeper(*this);
    if (!accept("(")) return {stream(), {}};
    Tree r;
    list([&] { r.children.push_back(tree()); });
    r.unit = r.children.empty();
    return r;
  }
  // After `(`: items and `)`; the tuple of one keeps its comma out.
  template <class Item>
  void list(Item item) {
    while (!accept(")")) {
      item();
      if (!at(")")) expect(",");
    }
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
        const Token t = peek();
        const std::string c = quoted(TokenKind::Char, '\'');
        if (c.size() != 1) fail(region(t), "a Char is one byte", "a Char, such as 'c'");
        return snesl::char_atom(static_cast<unsigned char>(c[0]));
      }
    }
    throw Bug("an element type that SVCODE lacks");
  }
  std::string quoted(TokenKind kind, char quote) {
    const Token t = peek();
    if (t.kind == TokenKind::Bad && t.text[0] == quote) fail(region(t), "a text does not end", std::string(1, quote));
    if (t.kind != kind) unexpected(std::string("a text in ") + quote);
    reading::Unquoted q = reading::unquote(t.text.substr(1, t.text.size() - 2));
    if (!q.bad.empty()) {  // behind the \x that no digits follow, at any other
      const reading::BadEscape& bad = q.bad.front();
      const std::size_t at = 1 + (t.text[2 + bad.begin] == 'x' ? bad.end : bad.begin);
      fail(region(t.begin + static_cast<std::uint32_t>(at), t.end), "found '" + to_blank(rest().substr(at)) + "'",
           std::string(reading::known_escapes), bad.mend);
    }
    take();
    return std::move(q.bytes);
  }

 private:
  static std::string to_blank(std::string_view text) {
    return std::string(text.substr(0, std::min(text.find_first_of(" \t\r"), text.size())));
  }
  Found found(const Token& token) override {
    if (token.kind == TokenKind::End) return Reader::found(token);
    return {"found '" + to_blank(rest()) + "'", token.end};
  }
  Type closed(std::string_view bracket) {
    Type t = type();
    expect(bracket);
    return t;
  }
  Atom boolean() {
    if (!at("true") && !at("false")) unexpected("true or false");
    return snesl::bool_atom(take().text == "true");
  }
};

class Parser {
 public:
  explicit Parser(SourceRef source) : source_(std::move(source)) {}

  Checked<Program> program() {
    const std::string& text = source_->text;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      Line l(source_, begin, end);
      try {
        line(l);
      } catch (const reading::Abandoned&) {
        errors_.insert(errors_.end(), l.diagnostics().begin(), l.diagnostics().end());
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

  void line(Line& l) {
    if (l.at_end()) return;
    if (part_ == Part::Header) {
      part_ = Part::Instructions;  // whatever comes of it, the next line is no header
      header(l);
    } else if (part_ == Part::Over) {
      l.unexpected("nothing after the result");
    } else if (l.at_stream()) {
      instruction(l);
    } else {
      const Token first = l.peek();
      if (l.word("an instruction or the result") != "result")
        l.fail(l.region(first), "no instruction begins so", "sN : TYPE := ... or result");
      part_ = Part::Over;
      result(l);
    }
    if (!l.at_end()) l.unexpected("the end of the line");
  }

  void header(Line& l) {
    const Token first = l.peek();
    if (l.word("svcode") != "svcode") l.fail(l.region(first), "an SVCODE program does not begin so", "svcode");
    program_.name = l.word("the program's name");
    l.expect("(");
    l.list([&] {
      program_.parameter_names.push_back(l.word("a parameter's name"));
      l.expect(":");
      program_.parameters.push_back(l.type());
    });
    l.expect(":");
    program_.result_type = l.type();
  }

  void instruction(Line& l) {
    Instr i;
    const Token first = l.peek();
    i.id = l.stream();
    if (!defined_.empty() && i.id <= *defined_.rbegin())
      l.fail(l.region(first), "streams are numbered upwards", "more than s" + std::to_string(*defined_.rbegin()));
    defining_ = i.id;
    defined_.insert(i.id);  // even where the rest is wrong, so that its uses are no errors
    l.expect(":");
    i.type = l.prim();
    l.expect(":=");
    mnemonic(l, i);
    const Extra extra = row_of(i.opcode).extra;
    if (extra == Extra::Atom) i.payload = l.atom(i.type);
    if (extra == Extra::Number) i.payload = Number{l.number<std::int64_t>("a number")};
    if (extra == Extra::Repeated) {
      const Atom atom = l.atom(i.type);
      i.payload = Repeated{atom, l.number<std::int64_t>("a number")};
    }
    while (l.at_stream()) i.arguments.push_back(use(l));
    if (extra == Extra::Failure) {
      Failure f{l.quoted(TokenKind::Text, '"'), {}};
      f.text = l.quoted(TokenKind::Text, '"');
      i.payload = std::move(f);
    }
    program_.instructions.push_back(std::move(i));
  }

  StreamId use(Line& l) {
    const Token first = l.peek();
    const StreamId s = l.stream();
    if (!defined_.contains(s) || s == defining_)
      l.fail(l.region(first), "s" + std::to_string(s) + " is not defined before", "a stream of a line above");
    return s;
  }

  void mnemonic(Line& l, Instr& i) const {
    const Token first = l.peek();
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
        if (const auto op = snesl::operator_named(suffix)) return void(i.payload = op);
      } else if (const auto monoid = snesl::monoid_named(suffix)) {
        return void(i.payload = *monoid);
      }
    }
    const std::string near = nearest_name(word, names);
    l.fail(l.region(first), "'" + word + "' is no instruction", near.empty() ? "an instruction's name" : near);
  }

  void result(Line& l) {
    const Token first = l.peek();
    program_.result = l.tree();
    check_defined(l, first, program_.result);
  }
  void check_defined(Line& l, const Token& first, const Tree& t) const {
    if (t.unit) return;
    if (t.children.empty() && !defined_.contains(t.leaf))
      l.fail(l.region(first), "s" + std::to_string(t.leaf) + " is not defined", "streams of the lines above");
    for (const Tree& child : t.children) check_defined(l, first, child);
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
