// What elements of arrays are at an index that any of them may be, and the numbers that are made of them: as phrases
// over the elements of what nobody looks into, and as polynomials. So two things that a program computes in two places
// can be known to be one, and what it chooses can be known to lie between bounds.
#pragma once
#include "translate/rewriting/terms.h"

namespace lockstep {

using Definitions = std::map<std::string, PhraseRef>;  // what `let` has bound, by its name
Definitions definitions_in(const PhraseRef& p);

struct Between {
  std::int64_t low, high;  // both in it
  bool within(std::int64_t from, std::int64_t to) const { return from <= low && high <= to; }
};

// Conditions that hold, or do not, and what follows.
class Known {
 public:
  void learn(const PhraseRef& condition, bool truth);
  std::optional<bool> truth(const Phrase& condition) const;
  // Of an integer.
  std::optional<Between> range(const Phrase& number) const;

 private:
  std::optional<Between> computed(const Phrase& number) const;
  std::vector<std::pair<PhraseRef, bool>> facts_;
};

// Of a number that is made of elements at one index: coefficient * index + sum_coefficient * S + rest, where S is the
// sum of what `summed` makes of the elements before it, and rest is the same at every index.
struct Form {
  std::int64_t index = 0, sum = 0;
  std::optional<PhraseRef> summed{};  // where sum is not 0
  Size total;                         // of all `summed`, as `rest` has it
  Size rest;
};

// An index of arrays of n elements.
class ElementsAt {
 public:
  ElementsAt(const rewriting::Site& s, const Definitions& definitions, Size n)
      : s_(s), definitions_(definitions), n_(std::move(n)) {}

  PhraseRef element(const PhraseRef& array);
  PhraseRef normal(const PhraseRef& p);
  // Of an i64 in normal form; nothing where it has no such form.
  std::optional<Form> form(const PhraseRef& number, const Known& known);

 private:
  struct Sum {
    PhraseRef summed;
    std::string before, total;  // names of the sums
  };
  struct Opaque {
    PhraseRef phrase;  // or an array, of whose element it is
    PhraseRef name;
    bool varies;
  };
  struct Scan {
    std::string name;  // of its element
    Size value;
  };
  std::optional<Size> number(const PhraseRef& p);
  std::optional<Size> sum_of(const PrimPhrase& fold, bool whole);
  const PhraseRef& opaque(const PhraseRef& p, const PhraseType& type, bool varies);
  bool varies(const Phrase& p) const;
  PhraseRef spent(const PhraseRef& p);

  const rewriting::Site& s_;
  const Definitions& definitions_;
  const Size n_;
  std::vector<Sum> sums_;
  std::vector<Opaque> opaque_;
  std::vector<Scan> scans_;
  std::size_t steps_ = 0;
};

}  // namespace lockstep
