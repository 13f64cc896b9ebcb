// SPDX-License-Identifier: Apache-2.0
// Functional coverage of the SpSIMD unit's RTL: in which situations the instructions that it executed, and the SWFs
// that it held, have been. A cover point has bins; a bin that has to be hit and is not is a hole.
//
//   scalar instruction    each row that the RTL does, with and without a literal
//   vector instruction    each row and encoding (e32, literal, vop3, sdwa, dpp) that it does
//   lanes                 each vector row with no, one and some lanes active
//   modifier              each row with each neg, abs, clamp and omod that it does
//   rounding, denormals   each row of float arithmetic in each of MODE's rounding and denormal modes of its precision
//   sdwa field            each selection and extension
//   dpp control           each kind of control, rows or banks that are off, each with bound_ctrl and without
//   dpp row               each control in each row of 16, by whether its own row or another gives the value; in place,
//                         and at quarter rate
//   vector register       each operand by the register's number
//   m0                    which instruction has written the M0 that a split hands over
//   hardware register     low and high bits of each that s_getreg reads
//   left to the model     why the RTL has not executed an instruction
//   lane mask             shapes of the active lanes
//   divergence            what split, merge and ends did, by the depth of the context's child stack
//   divergence mask       the same, by the work-items of the path
//   context               which context, what was under way when an SWF left it, and when the next one began
//
// Which bins have to be hit follows from the instruction tables and from the RTL, which is asked for each instruction
// whether it does it: no list of them is kept.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/isa/opcode_row.h"

namespace pws::platform::cosim {

// What happens to the split registers of a context.
enum class divergence_event : uint8_t {
  creates,             // a split creates an SWF
  finds_none,          // a split, where no SpSIMD unit has the context free or all work-items are on one side
  merges_with_child,   // a merge where there is a child
  merges_without_one,  // a merge where there is none
  joined,              // the newest child comes back
  dropped,             // a child has ended before its merge
  taken_over,          // the context's own path has ended, and goes on with a child's
  begins,              // an SWF begins
  leaves               // the SWF has been joined or has ended
};

// What has written M0 last.
enum class m0_writer : uint8_t { nobody, destination, index, indexing_on, indexing_mode };

// A situation.
struct cover_bin {
  std::string name;
  bool wanted = false;  // a hole if it is not hit
  uint64_t hits = 0;
};
// Situations of one kind.
struct cover_point {
  std::string name;
  std::vector<cover_bin> bins;
  uint64_t wanted() const;   // how many bins have to be hit
  uint64_t covered() const;  // how many of these are
};

class functional_coverage {
 public:
  functional_coverage();

  // A scalar instruction that the RTL executes, a branch too.
  void scalar(const isa::inst& i, unsigned context);
  // A vector instruction. `active`: lanes; `mode`: MODE before it.
  void vector(const isa::inst& i, unsigned context, uint64_t active, uint32_t mode);
  // `depth`: of the context's child stack before; `work_items`: of the path, before as well.
  void divergence(divergence_event e, unsigned depth, uint64_t work_items);
  // An SWF begins where there was none before.
  void begins_first();
  // ... and that many cycles after the last one left the context.
  void begins_after(uint64_t cycles);
  // A split hands over the M0 that `by` has written in this unit; `nobody`: none has.
  void hands_over_m0(m0_writer by);
  // The RTL has not executed `i`, which is for its ALUs.
  void left_to_the_model(const isa::inst& i, uint32_t mode);
  // An SWF leaves with results of its instructions on their way.
  void leaves(bool scalar_under_way, bool vector_under_way);

  const std::vector<cover_point>& points() const { return points_; }

 private:
  // Bins of one row begin here in each cover point; `none` where it has no bins there.
  struct row_bins {
    static constexpr uint32_t none = ~0u;
    uint32_t instruction = none, lanes = none, modifier = none, mode = none;
  };
  enum point : uint8_t {
    scalar_instruction,
    vector_instruction,
    lanes,
    modifier,
    float_mode,
    sdwa_field,
    dpp_control,
    dpp_row,
    vector_register,
    m0_handed_over,
    hardware_register,
    left_to_model,
    lane_mask,
    divergence_depth,
    divergence_mask,
    context,
    n_points
  };
  void hit(point p, size_t bin) { ++points_[p].bins[bin].hits; }
  uint32_t next_bin(point p) const { return static_cast<uint32_t>(points_[p].bins.size()); }
  void add(point p, std::string name, bool wanted) { points_[p].bins.push_back({std::move(name), wanted}); }
  void add_rows();
  void add_fixed();
  void modifiers(const isa::inst& i, uint32_t first);
  void sdwa(const isa::inst& i);
  void dpp(const isa::inst& i, uint64_t active);
  void registers(const isa::inst& i);

  void add_dpp_rows();

  std::vector<cover_point> points_;
  std::unordered_map<const isa::opcode_row*, row_bins> rows_;
};

// What `i` is for M0; nothing if it does not write it.
std::optional<m0_writer> writes_m0_as(const isa::inst& i);

}  // namespace pws::platform::cosim
