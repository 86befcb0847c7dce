// What is found out about a node of a tree, and is no part of it.
#pragma once

namespace lockstep {

template <class T>
struct Note {
  T value{};
  friend bool operator==(const Note&, const Note&) { return true; }
};

}  // namespace lockstep
