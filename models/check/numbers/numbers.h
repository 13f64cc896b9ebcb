// Finds NaNs and infinities that arise, and integers that are divided by zero. A NaN or infinity arises where none of
// an instruction's operands is one and its result is. Compilers make many that no result has (a reciprocal of 0 inside
// a division, a side of a branch that is computed for nothing), so values are followed, as the check of initialisation
// does: what arises is a finding when it is stored to memory or LDS. What is found, and not, is in docs/checks.md.
#pragma once

#include "models/check/finding.h"
#include "models/check/numbers/number_shadow.h"
#include "models/isa/inst.h"
#include "models/isa/wave_state.h"

namespace pws::check {

class numbers {
 public:
  explicit numbers(finding_sink& sink) : sink_(sink) {}

  // Each instruction: before it is executed, and behind it. `s` is the wavefront's at that time.
  void executes(number_shadow& w, const isa::wave_state& s, const isa::inst& i);
  void executed(number_shadow& w, const isa::wave_state& s, const isa::inst& i);
  // A memory instruction, between the two: lanes that reach memory or LDS, and those that reach scratch, at these
  // device addresses (of 64).
  void accessed(number_shadow& w, const isa::inst& i, uint64_t outside, uint64_t in_scratch, const uint64_t* address);

 private:
  void capture(const isa::wave_state& s, const isa::inst& i);
  number_shadow::mark mark_of(const number_shadow& w, const isa::inst& i, unsigned source, unsigned lane) const;
  void float_result(number_shadow& w, const isa::wave_state& s, const isa::inst& i);
  void other_result(number_shadow& w, const isa::wave_state& s, const isa::inst& i);
  void follow_integers(number_shadow& w, const isa::inst& i);
  number_shadow::mark arises(number_shadow& w, const isa::inst& i, unsigned lane, uint64_t result);
  void report(number_shadow& w, number_shadow::mark m, uint64_t lanes, bool division, const site* stored);

  finding_sink& sink_;
  // All that follows is about the instruction that is being executed.
  uint64_t active_ = 0;
  unsigned sources_ = 0;
  isa::type type_[4] = {};
  uint64_t value_[4][64] = {};
};

}  // namespace pws::check
