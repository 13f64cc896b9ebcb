// SPDX-License-Identifier: Apache-2.0
// Structures in memory that a kernel, the dispatcher and host software share: AQL packets, the queue, signals (HSA
// Platform System Architecture 2.9, "AQL packet formats"; AMDGPU backend user guide, "amdhsa") and the implicit kernel
// arguments. Plain data in device byte order (little endian), laid out as memory holds it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pws::isa {

// Bits 7:0 of a packet's header.
enum class packet_type : uint8_t {
  vendor_specific = 0,
  invalid = 1,
  kernel_dispatch = 2,
  barrier_and = 3,
  agent_dispatch = 4,
  barrier_or = 5
};
// For whom memory is made visible.
enum class fence_scope : uint8_t { none = 0, agent = 1, system = 2 };

// The 16-bit header that every packet begins with.
constexpr uint16_t packet_header(packet_type type, bool barrier, fence_scope acquire, fence_scope release) {
  return static_cast<uint16_t>(static_cast<unsigned>(type) | (barrier ? 1u << 8 : 0u) |
                               static_cast<unsigned>(acquire) << 9 | static_cast<unsigned>(release) << 11);
}
// The type in a packet's header.
constexpr packet_type type_of(uint16_t header) {
  return static_cast<packet_type>(header & 0xff);
}

// It waits until the packets before it in its queue are complete.
constexpr bool has_barrier_bit(uint16_t header) {
  return (header & 1u << 8) != 0;
}

// A launch, as the queue holds it: 64 bytes.
struct kernel_dispatch_packet {
  uint16_t header = 0;                                                        // packet_header()
  uint16_t setup = 0;                                                         // bits 1:0: dimensions of the grid, 1..3
  uint16_t workgroup_size_x = 0, workgroup_size_y = 0, workgroup_size_z = 0;  // work-items
  // 1: all workgroups of the grid are in the machine together, and may meet at barriers (ds_gws_barrier). Reserved in
  // HSA, where the queue says that.
  uint16_t cooperative = 0;
  uint32_t grid_size_x = 0, grid_size_y = 0, grid_size_z = 0;  // work-items, not workgroups
  uint32_t private_segment_size = 0;                           // bytes per work-item
  uint32_t group_segment_size = 0;                             // bytes of LDS per workgroup, static and dynamic
  uint64_t kernel_object = 0;                                  // address of the kernel descriptor
  uint64_t kernarg_address = 0;                                // 16-byte aligned
  // The number of the launch, from 1, as the host counts; 0: the machine counts. Reserved in HSA, where ROCm's profiler
  // has its correlation ID.
  uint64_t launch_number = 0;
  uint64_t completion_signal = 0;  // address of an amd_signal, or 0
};
static_assert(sizeof(kernel_dispatch_packet) == 64 && offsetof(kernel_dispatch_packet, grid_size_x) == 12 &&
              offsetof(kernel_dispatch_packet, kernel_object) == 32 &&
              offsetof(kernel_dispatch_packet, completion_signal) == 56);

// barrier_and, barrier_or: waits until all (any) of the signals that are not 0 reach value 0.
struct barrier_packet {
  uint16_t header = 0;
  uint16_t reserved0 = 0;
  uint32_t reserved1 = 0;
  uint64_t dep_signal[5] = {};
  uint64_t reserved2 = 0;
  uint64_t completion_signal = 0;
};
static_assert(sizeof(barrier_packet) == 64 && offsetof(barrier_packet, dep_signal) == 8 &&
              offsetof(barrier_packet, completion_signal) == 56);

// amd_queue_t. Kernels reach it through the queue pointer and read the apertures' high halves from it (code object v4).
struct amd_queue {
  uint32_t type = 0;
  uint32_t features = 1;  // kernel dispatch
  uint64_t base_address = 0;
  uint64_t doorbell_signal = 0;
  uint32_t size = 0;  // packets
  uint32_t reserved0 = 0;
  uint64_t id = 0;
  uint32_t reserved1[4] = {};
  uint64_t write_dispatch_id = 0;
  uint32_t group_segment_aperture_base_hi = 0;
  uint32_t private_segment_aperture_base_hi = 0;
  uint32_t max_cu_id = 0;
  uint32_t max_wave_id = 0;
  uint64_t max_legacy_doorbell_dispatch_id_plus_1 = 0;
  uint32_t legacy_doorbell_lock = 0;
  uint32_t reserved2[9] = {};
  uint64_t read_dispatch_id = 0;
  uint32_t read_dispatch_id_field_base_byte_offset = 0;
  uint32_t compute_tmpring_size = 0;
  uint32_t scratch_resource_descriptor[4] = {};
  uint64_t scratch_backing_memory_location = 0;
  uint64_t scratch_backing_memory_byte_size = 0;
  uint32_t scratch_workitem_byte_size = 0;
  uint32_t queue_properties = 0;
  uint32_t reserved3[2] = {};
  uint64_t queue_inactive_signal = 0;
  uint32_t reserved4[14] = {};
};
static_assert(sizeof(amd_queue) == 256 && offsetof(amd_queue, write_dispatch_id) == 0x38 &&
              offsetof(amd_queue, group_segment_aperture_base_hi) == 0x40 &&
              offsetof(amd_queue, private_segment_aperture_base_hi) == 0x44 &&
              offsetof(amd_queue, read_dispatch_id) == 0x80 &&
              offsetof(amd_queue, scratch_resource_descriptor) == 0x90);

// amd_signal_t. The command processor decrements `value` when the packet's work is done, having written in GPU cycles
// when it began and ended.
struct amd_signal {
  int64_t kind = 1;  // user signal
  int64_t value = 0;
  uint64_t event_mailbox_ptr = 0;
  uint32_t event_id = 0;
  uint32_t reserved1 = 0;
  uint64_t start_ts = 0, end_ts = 0;
  uint64_t queue_ptr = 0;
  uint32_t reserved3[2] = {};
};
static_assert(sizeof(amd_signal) == 64 && offsetof(amd_signal, value) == 8 && offsetof(amd_signal, start_ts) == 32 &&
              offsetof(amd_signal, end_ts) == 40);

}  // namespace pws::isa
