// SPDX-License-Identifier: Apache-2.0
// The state of a machine that a debugger has stopped: wavefronts, their paths, registers, memory. Looks and changes
// nothing.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/gpu/gpu.h"
#include "platform/config/values/element_type.h"
#include "platform/debug/stop.h"
#include "platform/machine/kernel_launch.h"
#include "platform/machine/loaded_code.h"
#include "sw/loader/kernel_parameters.h"

namespace pws::platform::debug {

// A side of a split that a reconvergence stack keeps, without a context, until its turn comes.
struct stacked_side {
  uint64_t pc = 0, mask = 0;
  uint32_t entry = 0;  // of the stack, 0 the outermost
  bool right = false;
};

// A buffer that a kernel is given.
struct buffer_place {
  uint64_t begin = 0, end = 0;  // device addresses
  element_type type = element_type::u32;
};

// A number that a kernel is given.
struct number_argument {
  element_type type = element_type::u32;
  uint64_t bits = 0;  // as load_element has them
};

// What is known of a run's arguments, by name.
struct known_arguments {
  std::map<std::string, element_type> buffers;  // the types of their elements
  std::map<std::string, number_argument> numbers;
};

class code_variables;  // platform/debug/variables.h

class machine_view {
 public:
  machine_view(const models::gpu& gpu, const loaded_code& runtime);
  ~machine_view();

  // ---- Paths

  // The wavefronts that have not ended, as their own contexts, by number.
  std::vector<path> wavefronts() const;
  // The paths of a path's wavefront that have a context, its own context first. Those that have ended are left out.
  std::vector<path> paths_of(const path& p) const;
  // Those that have none.
  std::vector<stacked_side> stacked_of(const path& p) const;
  // The wavefront's own context.
  path root_of(const path& p) const { return {p.cu, p.context->tree.root}; }
  // A wavefront's number in its launch: workgroups in the order of dispatch, from 0.
  uint64_t wavefront_number(const models::wf_context& c) const;
  path_name name_of(uint32_t cu, const models::wf_context& c) const;
  // Whether this context has that name. Quick: it is asked about every instruction.
  bool has_name(uint32_t cu, const models::wf_context& c, const path_name& name) const;
  // The path in execution that has that name; none: it is not there.
  path find(const path_name& name) const;
  // The path that has this context now; none: it is free.
  path in_context(uint32_t cu, models::unit_id unit, models::slot_id slot) const;
  // "cu0.simd1.wf3"
  std::string place_of(const path& p) const;
  // The address of the instruction that it has come to.
  uint64_t pc_of(const path& p) const;
  // What it waits for, or "running".
  std::string waits_for(const path& p) const;
  // The same, and in timing fidelity since when: the cycle in which it issued last.
  std::string waiting_text(const path& p) const;
  // The registers that the divergence scheme keeps for its context: name and value, without those that are 0.
  std::vector<std::pair<std::string, uint64_t>> scheme_registers(const path& p) const;

  // ---- Memory

  // The bytes at a device address, if programs may access all of them. Throws input_error.
  void read(uint64_t address, void* to, uint64_t bytes) const;
  // Those of the path's workgroup's LDS. Throws input_error.
  void read_lds(const path& p, uint64_t offset, void* to, uint64_t bytes) const;
  // Buffers by the name of the argument that is their address.
  const std::map<std::string, buffer_place>& buffers() const { return buffers_; }
  // Numbers by the name of the argument.
  const std::map<std::string, number_argument>& numbers() const { return numbers_; }
  // To be called when buffers have been placed.
  void note_arguments(const known_arguments& all);
  // The same where nobody knows them by name: what the launch is given. Names and types are those of the source, where
  // the code has them (-g). Without them a buffer is arg0 or arg1, of whole numbers of 32 bits, and a number has no
  // name.
  void note_arguments(const kernel_launch& l);

  // Code has come or gone.
  void forget_code();

  const models::gpu& gpu;
  const loaded_code& runtime;  // whoever knows what is loaded
  // Variables of the source, of all code that is loaded.
  const code_variables& variables() const { return *variables_; }
  // The context that is at an instruction now: it has moved its PC on.
  path current;
  uint64_t current_pc = 0;

 private:
  const models::compute_unit& cu_of(const path& p) const { return *gpu.cus[p.cu]; }
  const std::vector<loader::kernel_parameter>& parameters_of(const kernel_launch& l);
  std::unique_ptr<code_variables> variables_;
  std::map<std::string, buffer_place> buffers_;
  std::map<std::string, number_argument> numbers_;
  std::map<uint64_t, std::vector<loader::kernel_parameter>> parameters_;  // by the kernel's entry
};

}  // namespace pws::platform::debug
