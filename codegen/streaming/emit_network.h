// The struct that runs a network, as text.
#pragma once
#include <string>

#include "codegen/streaming/network.h"

namespace lockstep::engine {

// A part of a program in pieces, or all of one.
enum class Part : unsigned char { Whole, Head, Body, Tail };
struct NetworkText {
  const Network& network;
  std::int64_t slack = 0;
  std::string number{};  // of several programs in one text
  Part part = Part::Whole;
  const transducer::Pieces* pieces = nullptr;
};
std::string network_text(const NetworkText& t);

}  // namespace lockstep::engine
