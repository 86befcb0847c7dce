// A document algebra after Wadler ("A prettier printer"), with the layout decided in linear time.
// A group is laid out on one line where that fits, with the text that must follow it; otherwise each line directly in
// it is broken. Widths count characters of UTF-8.
#pragma once
#include <memory>
#include <string>
#include <vector>

namespace lockstep::pretty {

inline constexpr int page_width = 100;

struct Node;
using Doc = std::shared_ptr<const Node>;

Doc text(std::string s);            // holds no newline
Doc line();                         // a space, or a new line
Doc soft_line();                    // nothing, or a new line
Doc hard_line();                    // a new line, and every group around it is broken
Doc nest(int columns, Doc inside);  // lines inside are indented further
Doc group(Doc inside);
Doc concat(std::vector<Doc> parts);
Doc concat_backwards(std::vector<Doc> parts);  // the last first, as they are found along left operands
Doc join(const std::vector<Doc>& parts, const Doc& between);
Doc commas(const std::vector<Doc>& parts);  // a, b, c
// (a, b, c) on one line, or one under another, after the opening text.
Doc listed(const std::string& open, const std::vector<Doc>& parts, const std::string& close);

// Without spaces at the ends of lines and without a newline at the end.
std::string layout(const Doc& doc, int width = page_width);

}  // namespace lockstep::pretty
