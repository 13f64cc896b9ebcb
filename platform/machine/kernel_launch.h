// SPDX-License-Identifier: Apache-2.0
// A kernel's launch: one value from the run file or HIP call that asks for it to the AQL packet.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/isa/abi/aql.h"
#include "models/machine/cu_mask.h"
#include "models/machine/machine_config.h"
#include "models/machine/occupancy.h"
#include "sw/loader/program_image.h"

namespace pws::platform {

// A kernel placed in device memory.
struct loaded_kernel {
  const loader::kernel* kernel = nullptr;
  uint64_t descriptor = 0;  // device address
  const loader::program_image* program = nullptr;

  uint64_t entry() const { return descriptor + static_cast<uint64_t>(kernel->descriptor.entry_offset); }
};

// Whether all workgroups of a launch are in the machine at the same time, so that they may meet: those of the grid, or,
// as it is one of several grids on devices, those of all.
enum class launch_together { no, grid, grids };

struct kernel_launch {
  loaded_kernel kernel;
  std::array<uint32_t, 3> grid{1, 1, 1};       // work-items; need not be a multiple of the workgroup
  std::array<uint32_t, 3> workgroup{1, 1, 1};  // work-items
  uint32_t dynamic_lds = 0;                    // bytes
  // Scratch of a work-item at least, for a kernel whose use of the stack is unknown.
  uint32_t dynamic_stack = loader::default_dynamic_stack;
  launch_together together = launch_together::no;
  uint64_t grids = 0;  // address of what describes them to device code, with launch_together::grids
  // The explicit ones, each exactly its parameter's size. For a pointer to local memory (OpenCL C) the value is the
  // block's size in bytes.
  std::vector<std::vector<uint8_t>> arguments;

  // ---- How a session runs it, and a stream of a HIP program
  std::string source;              // the program's name, for messages
  bool traced = true;              // it goes into waveform and timeline
  const void* function = nullptr;  // as the HIP program names the kernel, on whichever device
  models::cu_mask cus;             // where its workgroups may go

  // ---- Set by device_layout::prepare(): what is in device memory for it
  isa::kernel_dispatch_packet packet;
  std::vector<uint8_t> kernarg;  // the segment's bytes

  uint64_t work_items() const { return uint64_t{workgroup[0]} * workgroup[1] * workgroup[2]; }  // of a workgroup
};

// What a workgroup of the kernel takes of a compute unit.
inline models::workgroup_resources resources_of(const loader::kernel& k, uint64_t work_items, uint64_t dynamic_lds) {
  models::workgroup_resources w;
  w.work_items = work_items;
  w.vgprs = k.descriptor.n_vgprs;
  w.sgprs = k.descriptor.n_sgprs;
  w.lds_bytes = k.metadata.group_segment_fixed_size + dynamic_lds;
  return w;
}

// Work-items that a workgroup of the kernel can have at most.
uint32_t largest_workgroup(const loader::kernel& k);
// Which workgroups the kernel was compiled for, where those of `launch` are none of them: "1 to 256", "64x2x1 alone".
std::optional<std::string> wants_other_workgroups(const kernel_launch& launch);

// What does not fit the kernel.
struct launch_problem {
  // What it is about.
  enum class of { all_arguments, argument, workgroup } about;
  size_t argument = 0;  // its number
  std::string text;     // with the kernel's name
};

// What is wrong between launch and kernel.
std::optional<launch_problem> problem_with_kernel(const kernel_launch& launch);
// That no compute unit holds a workgroup. `machine`: as provisioned.
std::optional<launch_problem> problem_with_machine(const kernel_launch& launch, const models::machine_config& machine);

}  // namespace pws::platform
