// Arguments and results of the engine as leaves, without values in between: what they take is their data.
#pragma once
#include <array>
#include <deque>
#include <memory>

#include "codegen/runtime/npy.h"
#include "codegen/streaming/engine.h"

namespace lockstep::driver {

// One array as the leaves of a value of the type, whose rank is that of its shape.
std::vector<engine::EngineLeaf> leaves_of_array(const NpyArray& array, const snesl::Type& type);

// An array for each leaf of a vector or sequence of scalars or tuples of scalars; nothing for other types, and for
// arrays that are not of one length.
std::optional<std::vector<engine::EngineLeaf>> leaves_of_arrays(const std::vector<NpyArray>& arrays,
                                                                const snesl::Type& type);

// A result's arrays as `leaves_of` a value has them (leaves.h); they are the run's data, and `made` holds what is not.
// Nothing where vectors lie within others or within sequences.
std::optional<std::vector<NpyOutput>> arrays_of(const svcode::Program& program, const engine::EngineRun& run,
                                                std::vector<std::vector<std::int64_t>>& made);

// A result on standard output as it comes, as `snesl::show` writes it. What is short is not written before all of it
// has come, so that nothing stands there where the program traps early.
class ResultPrinter : public engine::EngineTaker {
 public:
  explicit ResultPrinter(const svcode::Program& program);
  int take(std::size_t leaf, const void* elements, std::int64_t count) override;
  void finish();  // the program is through

 private:
  // A leaf that is read in order, or, the base of vectors, at any place.
  struct Queue {
    svcode::Prim type{};
    bool base = false;
    static constexpr std::int64_t block = 1 << 17;        // elements
    std::deque<std::unique_ptr<unsigned char[]>> blocks;  // from element `first` on
    std::int64_t first = 0, next = 0, end = 0;
    void add(const void* elements, std::int64_t count);
    const unsigned char* at(std::int64_t k) const;
    std::int64_t integer(std::int64_t k) const;
  };
  struct Node;
  using NodeRef = std::shared_ptr<const Node>;
  struct Node {
    enum class Kind : unsigned char { Scalar, Tuple, Vector, Sequence } kind{};
    std::size_t leaf = 0;  // of a scalar; of a sequence its descriptor; of a vector its starts, and then its lengths
    std::vector<NodeRef> parts;
    bool text = false;  // a vector of Char
  };
  struct Frame {
    const Node* node;
    std::size_t at = 0;  // parts begun
    bool begun = false;
  };
  NodeRef node_of(const snesl::Type& type, bool base, std::size_t& next);
  bool has(const Node& node, std::int64_t from, std::int64_t to) const;
  void print_at(const Node& node, std::int64_t k);  // of a base
  void print_slice(const Node& vector, std::int64_t start, std::int64_t length);
  void scalar(const Queue& q, std::int64_t k);
  bool go_on();  // whether all is printed
  void write();

  std::deque<Queue> queues_;
  NodeRef root_;
  std::vector<Frame> stack_;
  std::string text_;
  std::array<std::string, 256> characters_;  // as they are written
};

}  // namespace lockstep::driver
