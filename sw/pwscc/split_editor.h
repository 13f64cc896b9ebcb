// SPDX-License-Identifier: Apache-2.0
// Writes split, merge and what they need into the assembly of one kernel.
#pragma once

#include <string>
#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/split_region.h"
#include "sw/pwscc/assembled_kernel.h"
#include "sw/pwscc/assembly_file.h"
#include "sw/pwscc/scalar_carry.h"

namespace pws::pwscc {

// Registers that a kernel's descriptor asks for, as numbers that more can be added to.
class register_budget {
 public:
  // Reads .amdhsa_next_free_vgpr and .amdhsa_next_free_sgpr. Throws input_error if one is missing or no number.
  register_budget(const assembly_file& file, const assembly_file::kernel_lines& kernel);

  unsigned first_free_vgpr() const { return vgprs_; }
  unsigned sgprs() const { return sgprs_; }  // the kernel's own: VCC and what else the machine adds is not among them
  // First of an aligned pair that the kernel does not use.
  unsigned free_sgpr_pair() const { return (sgprs_ + 1) & ~1u; }
  bool has_vgprs(unsigned count) const { return vgprs_ + count <= 256; }
  bool has_sgpr_pair() const { return free_sgpr_pair() + 2 <= isa::sgpr_limit; }
  // True if that many more do not raise what a wavefront is allocated.
  bool has_room(unsigned vgprs, bool sgpr_pair) const;
  void use_vgprs(unsigned count) { vgprs_used_ = std::max(vgprs_used_, count); }
  void use_sgpr_pair() { sgpr_pair_used_ = true; }
  // Descriptor and metadata with what was used added.
  void write(assembly_file& file) const;

 private:
  assembly_file::kernel_lines kernel_;
  size_t vgpr_line_ = 0, sgpr_line_ = 0;
  unsigned vgprs_ = 0, sgprs_ = 0;
  unsigned vgprs_used_ = 0;
  bool sgpr_pair_used_ = false;
};

struct chosen_split {
  const cfg::split_region* region = nullptr;
  const carried_scalars* carried = nullptr;
};

// Edits `file`: split and missing skips, merges, join blocks, lane masks through vector registers. `number` makes
// labels unique in the file and is advanced.
void write_splits(assembly_file& file, const assembled_kernel& kernel, const cfg::flow_graph& graph,
                  const std::vector<chosen_split>& chosen, register_budget& registers, unsigned& number);

// Why the text of the region cannot be edited (code that comes from a macro); empty: it can.
std::string why_not_editable(const assembly_file& file, const assembled_kernel& kernel, const cfg::flow_graph& graph,
                             const cfg::split_region& region);

}  // namespace pws::pwscc
