// A program between what the memory and what the arithmetic of a machine allow (S. Williams, A. Waterman, D. Patterson,
// "Roofline: an insightful visual performance model for multicore architectures", CACM 2009).
#pragma once
#include <string>
#include <vector>

namespace lockstep::driver {

// Intensity: operations on floats of a byte that a program takes or gives.
struct Roof {
  double bytes = 0, operations = 0;  // a second, at most
  // Operations a second, at most, of a program of this intensity.
  double at(double operations_of_byte) const;
  double ridge() const { return operations / bytes; }  // where memory no longer bounds them
};
struct RooflinePoint {
  std::string name;
  double rate;  // operations a second
};

// The roof over a range of intensities, both axes logarithmic, and all points at the program's intensity: by letters,
// which a line below explains. The first is ours.
std::string roofline_text(const Roof& roof, double operations_of_byte, const std::vector<RooflinePoint>& points);
std::string roofline_svg(const Roof& roof, double operations_of_byte, const std::vector<RooflinePoint>& points,
                         const std::string& title);

}  // namespace lockstep::driver
