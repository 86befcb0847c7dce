#include "driver/commands/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::driver {
namespace {

// What is drawn: powers of two of operations a byte, of ten of operations a second.
struct Axes {
  double least_x, most_x, least_y, most_y;  // logarithms

  // From 0 to 1.
  double x(double intensity) const { return (std::log2(intensity) - least_x) / (most_x - least_x); }
  double y(double rate) const { return (std::log10(rate) - least_y) / (most_y - least_y); }
  double intensity(double x) const { return std::exp2(least_x + x * (most_x - least_x)); }
};
Axes axes_of(const Roof& roof, double intensity, const std::vector<RooflinePoint>& points) {
  Axes out{};
  out.least_x = std::floor(std::log2(std::min(intensity, roof.ridge()))) - 2;
  out.most_x = std::ceil(std::log2(std::max(intensity, roof.ridge()))) + 2;
  double least = roof.at(std::exp2(out.least_x)), most = roof.operations;
  for (const RooflinePoint& p : points) least = std::min(least, p.rate), most = std::max(most, p.rate);
  out.least_y = std::floor(std::log10(least)), out.most_y = std::ceil(std::log10(most));
  return out;
}
char letter(std::size_t point) {
  return point == 0 ? 'o' : static_cast<char>('A' + std::min<std::size_t>(point, 26) - 1);
}
std::string giga(double rate) { return fmt::format("{:.3g}", rate / 1e9); }
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

}  // namespace

double Roof::at(double operations_of_byte) const { return std::min(operations, bytes * operations_of_byte); }

std::string roofline_text(const Roof& roof, double operations_of_byte, const std::vector<RooflinePoint>& points) {
  constexpr int width = 60, height = 14;
  const Axes axes = axes_of(roof, operations_of_byte, points);
  std::vector<std::string> rows(height + 1, std::string(width + 1, ' '));
  const auto row = [&](double rate) {
    return height - std::clamp(static_cast<int>(std::lround(axes.y(rate) * height)), 0, height);
  };
  for (int k = 0; k <= width; ++k) {
    const double intensity = axes.intensity(static_cast<double>(k) / width);
    rows[static_cast<std::size_t>(row(roof.at(intensity)))][static_cast<std::size_t>(k)] =
        intensity < roof.ridge() ? '/' : '-';
  }
  const auto column = static_cast<std::size_t>(std::lround(axes.x(operations_of_byte) * width));
  for (std::size_t k = points.size(); k-- > 0;) rows[static_cast<std::size_t>(row(points[k].rate))][column] = letter(k);
  std::string out = "operations on floats a second, in 10^9\n";
  for (int k = 0; k <= height; ++k) {
    const double rate = std::pow(10, axes.least_y + (axes.most_y - axes.least_y) * (height - k) / height);
    std::string line = fmt::format("{:>8} |{}", k % 2 == 0 ? giga(rate) : "", rows[static_cast<std::size_t>(k)]);
    out += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  }
  out += "         +" + std::string(width + 1, '-') + "\n" +
         fmt::format("          {:<30.3g}{:>31.3g}\n", axes.intensity(0), axes.intensity(1)) +
         "          operations of a byte that is taken or given\n\n";
  for (std::size_t k = 0; k < points.size(); ++k)
    out += fmt::format("{}  {}: {} of at most {}\n", letter(k), points[k].name, giga(points[k].rate),
                       giga(roof.at(operations_of_byte)));
  return out;
}

std::string roofline_svg(const Roof& roof, double operations_of_byte, const std::vector<RooflinePoint>& points,
                         const std::string& title) {
  constexpr double left = 90, top = 50, width = 560, height = 360;
  const Axes axes = axes_of(roof, operations_of_byte, points);
  const auto x = [&](double intensity) { return left + width * axes.x(intensity); };
  const auto y = [&](double rate) { return top + height * (1 - axes.y(rate)); };
  const auto text = [](double at_x, double at_y, const std::string& anchor, const std::string& what) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", at_x, at_y, anchor,
                       escaped(what));
  };
  const auto line = [](double x1, double y1, double x2, double y2, const char* color, double wide) {
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{}\"/>\n", x1, y1,
        x2, y2, color, wide);
  };
  std::string out =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 700 480\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n<rect width=\"700\" height=\"480\" fill=\"white\"/>\n";
  out += text(left, 28, "start", title);
  for (double k = axes.least_x; k <= axes.most_x; ++k) {
    out += line(x(std::exp2(k)), top, x(std::exp2(k)), top + height, "#e4e4e4", 1);
    out += text(x(std::exp2(k)), top + height + 18, "middle", fmt::format("{:g}", std::exp2(k)));
  }
  for (double k = axes.least_y; k <= axes.most_y; ++k) {
    out += line(left, y(std::pow(10, k)), left + width, y(std::pow(10, k)), "#e4e4e4", 1);
    out += text(left - 8, y(std::pow(10, k)) + 4, "end", fmt::format("{:g}", std::pow(10, k) / 1e9));
  }
  out += text(left + width / 2, top + height + 40, "middle", "operations of a byte that is taken or given");
  out += fmt::format("<text transform=\"translate(28 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                     top + height / 2, "10^9 operations on floats a second");
  const double least = std::exp2(axes.least_x), most = std::exp2(axes.most_x);
  out += line(x(least), y(roof.at(least)), x(roof.ridge()), y(roof.operations), "#202020", 2);
  out += line(x(roof.ridge()), y(roof.operations), x(most), y(roof.operations), "#202020", 2);
  out += text(x(most) - 4, y(roof.operations) - 6, "end", giga(roof.operations));
  const double middle = std::sqrt(least * roof.ridge());
  out += text(x(middle) - 6, y(roof.at(middle)) - 6, "end", giga(roof.bytes) + " GB/s");
  for (std::size_t k = 0; k < points.size(); ++k) {
    const double px = x(operations_of_byte), py = y(points[k].rate);
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n", px, py,
                       k == 0 ? "#c02020" : "#2050c0");
    out += text(px + 8, py + 4, "start", points[k].name + ", " + giga(points[k].rate));
  }
  return out + "</svg>\n";
}

}  // namespace lockstep::driver
