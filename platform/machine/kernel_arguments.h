// SPDX-License-Identifier: Apache-2.0
// The kernarg segment: explicit arguments and the hidden ones that compiled HIP code expects behind them.
// (LLVM "User Guide for AMDGPU Backend", "Kernel Argument Metadata", code object v3 to v5)
#pragma once

#include <cstdint>
#include <vector>

#include "models/machine/address_map.h"
#include "platform/machine/device_layout.h"

namespace pws::platform {

// Hidden arguments that nothing here serves. Each has an address of its own that no allocation has, so that a program
// that uses it stops with an error that says what it needs. Not among them: multigrid_sync_arg, where null is what
// programs ask for, namely no cooperative launch.
struct unserved_argument {
  loader::value_kind kind;
  const char* what;
};
constexpr unserved_argument unserved_arguments[] = {
    {loader::value_kind::hidden_printf_buffer, "the printf buffer (device-side printf of OpenCL C)"},
    {loader::value_kind::hidden_hostcall_buffer, "the hostcall buffer (device-side printf, assert and malloc of HIP)"},
    {loader::value_kind::hidden_default_queue, "the device-side default queue (enqueue_kernel)"},
    {loader::value_kind::hidden_completion_action, "the completion action (enqueue_kernel)"},
    {loader::value_kind::hidden_heap_v1, "the device heap (device-side malloc)"}};
constexpr uint64_t unserved_bytes = uint64_t{1} << 32;  // of addresses for each
// Address of an element of unserved_arguments.
constexpr uint64_t unserved_address(size_t index) {
  return (uint64_t{0x7000} << 32) + index * unserved_bytes;
}

// LDS of a workgroup: the kernel's own, the launch's dynamic block, then what its pointers to local memory ask for.
uint64_t lds_bytes(const loader::kernel_metadata& k, const kernel_launch& l);

// Bytes of the segment for a checked launch. What is not served is among unserved_arguments.
std::vector<uint8_t> lay_out_arguments(const loader::kernel_metadata& k, const kernel_launch& l, uint64_t queue_object,
                                       models::flat_apertures apertures, const served_arguments& served = {});

}  // namespace pws::platform
