// A program of the calculus as fusion sees it: which loops take the elements of which arrays.
#pragma once
#include <map>

#include "translate/dpia/viewed_maps.h"
#include "translate/fusion/graph.h"

namespace lockstep {

// What takes each element of an array once, as the first parameter of its functions, and which argument that is.
std::optional<std::size_t> array_taken(const PrimPhrase& x);
std::size_t functions_of(const PrimPhrase& x);  // its first arguments
bool is_map(const PrimPhrase& x);               // of no level
// The functions that read this component of an element, bit by bit.
std::uint64_t functions_reading(const PrimPhrase& x, const rewriting::Components& path);

// A statement for each loop that takes an array, and for whatever else uses what one makes.
class LoopGraph {
 public:
  LoopGraph(const PhraseProgram& p, rewriting::Site& site) : site_(site) {
    visit(p.body, graph.block(fusion::none, false));
  }

  fusion::Graph graph;
  struct Input {
    std::uint64_t read_by;            // functions that read it, bit by bit
    const ViewedMap* view = nullptr;  // that it is, of a map
    bool apart = false;               // by a view that no rule moves
  };
  struct Made {
    const PrimPhrase* loop = nullptr;
    const Phrase* phrase = nullptr;
    bool inside = false;    // of the function of a loop
    bool levelled = false;  // in a loop with a parallel level, in which reductions stay in order
    std::vector<Input> inputs{};
  };
  std::vector<Made> made;                                  // by statement; no loop: nothing
  std::map<const Phrase*, fusion::StatementId> statement;  // of a loop
  std::map<std::string, fusion::StatementId> bound;        // by `let` to what a loop makes
  std::map<const Phrase*, ViewedMap> viewed;               // by what loops take

  // The loop whose result a phrase is, or is a view of, by a name or where it stands.
  fusion::StatementId loop_of(const PhraseRef& p) const;

 private:
  fusion::StatementId add(fusion::BlockId b, fusion::Statement s);
  void use(fusion::StatementId of, const Region& at, fusion::BlockId b);  // otherwise than an element at a time
  void visit(const PhraseRef& p, fusion::BlockId b);
  void inside(const PhraseRef& p, fusion::StatementId owner, bool is_body);
  fusion::StatementId loop(const PhraseRef& p, const PrimPhrase& x, fusion::BlockId b);
  void elements(const PrimPhrase& x, const PhraseRef& xs, fusion::BlockId b, fusion::Statement& s,
                std::vector<Input>& inputs);
  const ViewedMap* view(const PrimPhrase& x, const rewriting::Zipped& z);
  void input(const PhraseRef& xs, const Input& how, fusion::BlockId b, fusion::Statement& s,
             std::vector<Input>& inputs);

  rewriting::Site& site_;
  int functions_ = 0;  // of loops, around
  int levels_ = 0;     // of them, that are parallel by what is written
};

}  // namespace lockstep
