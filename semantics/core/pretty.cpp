// Layout by two widths that every document knows of itself: on one line (flat), and up to its first line (lead).
#include "semantics/core/pretty.h"

#include <algorithm>
#include <variant>

#include "semantics/core/ref.h"

namespace lockstep::pretty {

struct TextNode {
  std::string text;
};
struct LineNode {
  bool space;  // when flat
};
struct NestNode {
  int columns;
  Doc inside;
};
struct GroupNode {
  Doc inside;
};
struct ConcatNode {
  std::vector<Doc> parts;
};
struct Node {
  std::variant<TextNode, LineNode, NestNode, GroupNode, ConcatNode> node;
  int flat;  // too_wide where a hard line is inside
  int lead;  // up to the first line, or all of it
  bool has_line;
};

namespace {

// More than any page, and small enough to be added up.
constexpr int too_wide = 1 << 20;
// Indentation stops here: nesting that is deeper would leave the page, and text would grow with its square.
constexpr int deepest = 64;

int add(int a, int b) { return std::min(a + b, too_wide); }

int characters(const std::string& s) {
  auto starts =
      std::count_if(s.begin(), s.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
  return static_cast<int>(std::min<std::ptrdiff_t>(starts, too_wide));
}

template <class N>
Doc make(N node, int flat, int lead, bool has_line) {
  return std::make_shared<const Node>(Node{std::move(node), flat, lead, has_line});
}

struct Item {
  const Node* doc;
  int indent;
  bool flat;
  int after;  // width of the text that follows it on the same line whatever is broken
};

// An explicit stack, last item next: the depth of a document is not the depth of the machine's stack.
class Layout {
 public:
  explicit Layout(int width) : width_(width) {}
  std::string run(const Doc& doc) {
    stack_.push_back({doc.get(), 0, false, 0});
    while (!stack_.empty()) {
      Item item = stack_.back();
      stack_.pop_back();
      step(item);
    }
    return std::move(out_);
  }

 private:
  void step(const Item& item) {
    match(
        item.doc->node, [&](const TextNode& t) { put(t.text, item.doc->flat); },
        [&](const LineNode& l) { put_line(item, l.space); },
        [&](const NestNode& n) {
          stack_.push_back({n.inside.get(), item.indent + n.columns, item.flat, item.after});
        },
        [&](const GroupNode& g) {
          bool fits = column_ + pending_ + item.doc->flat + item.after <= width_;
          bool flat = item.flat || (fits && item.doc->flat < too_wide);
          stack_.push_back({g.inside.get(), item.indent, flat, item.after});
        },
        [&](const ConcatNode& c) { put_parts(item, c.parts); });
  }

  void put_parts(const Item& item, const std::vector<Doc>& parts) {
    int after = item.after;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      stack_.push_back({part->get(), item.indent, item.flat, after});
      after = (*part)->has_line ? (*part)->lead : add((*part)->lead, after);
    }
  }

  void put_line(const Item& item, bool space) {
    if (item.flat) {
      if (space) ++pending_;
      return;
    }
    out_ += '\n';
    column_ = 0;
    pending_ = std::min(item.indent, deepest);
  }

  // Spaces wait until text follows them, so that none ends a line.
  void put(const std::string& text, int width) {
    if (text.empty()) return;
    out_.append(static_cast<std::size_t>(pending_), ' ');
    out_ += text;
    column_ = add(column_, add(pending_, width));
    pending_ = 0;
  }

  int width_;
  int column_ = 0;
  int pending_ = 0;
  std::string out_;
  std::vector<Item> stack_;
};

}  // namespace

Doc text(std::string s) {
  int width = characters(s);
  return make(TextNode{std::move(s)}, width, width, false);
}
Doc line() { return make(LineNode{true}, 1, 0, true); }
Doc soft_line() { return make(LineNode{false}, 0, 0, true); }
Doc hard_line() { return make(LineNode{false}, too_wide, 0, true); }

Doc nest(int columns, Doc inside) {
  const Node& n = *inside;
  return make(NestNode{columns, inside}, n.flat, n.lead, n.has_line);
}

Doc group(Doc inside) {
  const Node& n = *inside;
  return make(GroupNode{inside}, n.flat, n.lead, n.has_line);
}

Doc concat(std::vector<Doc> parts) {
  int flat = 0, lead = 0;
  bool has_line = false;
  for (const Doc& part : parts) {
    flat = add(flat, part->flat);
    if (!has_line) lead = add(lead, part->lead);
    has_line = has_line || part->has_line;
  }
  return make(ConcatNode{std::move(parts)}, flat, lead, has_line);
}

Doc concat_backwards(std::vector<Doc> parts) {
  std::reverse(parts.begin(), parts.end());
  return concat(std::move(parts));
}

Doc commas(const std::vector<Doc>& parts) { return join(parts, concat({text(","), line()})); }

Doc listed(const std::string& open, const std::vector<Doc>& parts, const std::string& close) {
  return group(concat({text(open), nest(1, commas(parts)), text(close)}));
}

Doc join(const std::vector<Doc>& parts, const Doc& between) {
  std::vector<Doc> all;
  for (const Doc& part : parts) {
    if (!all.empty()) all.push_back(between);
    all.push_back(part);
  }
  return concat(std::move(all));
}

std::string layout(const Doc& doc, int width) { return Layout(width).run(doc); }

}  // namespace lockstep::pretty
