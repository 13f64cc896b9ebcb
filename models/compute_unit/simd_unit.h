// A SIMD unit: its wavefront contexts, vector register file, and vector and scalar ALU.
#pragma once

#include <systemc>
#include <vector>

#include "models/compute_unit/range_allocator.h"
#include "models/compute_unit/wf_context.h"

namespace pws::models {

class simd_unit : public sc_core::sc_module {
 public:
  simd_unit(const sc_core::sc_module_name& name, const machine_config& c, uint32_t index);

  // A context with registers for a wavefront of the kernel, or nullptr if one of them is short.
  wf_context* allocate(const dispatch& d);
  void release(wf_context& context);
  // Wavefronts of the kernel that would fit now.
  uint32_t capacity(const dispatch& d) const;

  std::vector<wf_context> contexts;
  std::vector<wf_context*> order;  // contexts in use, oldest first
  uint32_t turn = 0;               // round-robin: index in `order` that is looked at first

  // Cycle from which the unit takes its next instruction.
  cycle_t valu_free = 0;
  cycle_t salu_free = 0;
  cycle_t fetch_free = 0;
  // Cycle at which the pipeline has to look at this unit again.
  cycle_t attention = never;

 private:
  uint32_t granted_sgprs(const dispatch& d) const;
  uint32_t free_sgprs_;
  range_allocator vgprs_;
  std::vector<isa::vgpr_row> rows_;
  uint64_t next_age_ = 0;
};

}  // namespace pws::models
