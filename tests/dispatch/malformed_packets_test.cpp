// SPDX-License-Identifier: Apache-2.0
// Packets and kernel descriptors that make no sense: the machine stops with a fault that says why, or runs what it was
// told, and nothing else happens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

#include "models/isa/abi/kernel_descriptor.h"
#include "tests/dispatch/queue_bench.h"

namespace pws::test::malformed_packets_test {
namespace {

using isa::kernel_dispatch_packet;
using ::testing::HasSubstr;

// What a driver has in memory for a launch.
struct launch_in_memory {
  kernel_dispatch_packet packet;
  std::array<unsigned char, isa::kernel_descriptor::size> descriptor{};

  void set_group(uint16_t x, uint16_t y, uint16_t z) {
    packet.workgroup_size_x = x;
    packet.workgroup_size_y = y;
    packet.workgroup_size_z = z;
  }
  void set_grid(uint32_t x, uint32_t y, uint32_t z) {
    packet.grid_size_x = x;
    packet.grid_size_y = y;
    packet.grid_size_z = z;
  }
  void set_type(unsigned type) { packet.header = static_cast<uint16_t>((packet.header & 0xff00u) | type); }
  void set_entry(int64_t offset) { std::memcpy(&descriptor[16], &offset, sizeof offset); }
};
using change = std::function<void(launch_in_memory&)>;

// A launch of one wavefront, changed so.
queue_report changed_launch(const change& how, models::fidelity fidelity = models::fidelity::timing) {
  models::machine_config machine = small_machine(1);
  machine.fidelity = fidelity;
  return with_queues(machine, [&how](queue_bench& b) {
    queued_kernel k;
    k.number = 1;
    k.rounds = 2;
    const uint32_t queue = b.add_queue();
    launch_in_memory l;
    l.packet = b.packet_of(k, b.add_signal());
    const uint64_t descriptor = l.packet.kernel_object;
    b.board().host.read(descriptor, l.descriptor.data(), l.descriptor.size());
    how(l);
    b.board().host.write(descriptor, l.descriptor.data(), l.descriptor.size());
    b.board().host.submit(l.packet, queue);
    b.run();
  });
}

TEST(malformed_packets, what_stops_the_machine) {
  constexpr uint16_t most_items = 0xffff;
  constexpr uint32_t ones = ~uint32_t{0};
  const std::vector<std::pair<const char*, change>> malformed = {
      {"type 0 is neither a kernel dispatch nor a barrier", [](launch_in_memory& l) { l.set_type(0); }},
      {"type 4 is neither", [](launch_in_memory& l) { l.set_type(4); }},
      {"type 255 is neither", [](launch_in_memory& l) { l.set_type(255); }},
      {"sizes must not be zero", [](launch_in_memory& l) { l.packet.workgroup_size_y = 0; }},
      {"sizes must not be zero", [](launch_in_memory& l) { l.packet.grid_size_z = 0; }},
      {"a workgroup of 4397845187584 wavefronts",
       [](launch_in_memory& l) {
         l.set_group(most_items, most_items, most_items);
         l.set_grid(ones, ones, ones);
       }},
      {"has 2^64 workgroups or more",
       [](launch_in_memory& l) {
         l.set_group(1, 1, 1);
         l.set_grid(ones, ones, ones);
       }},
      {"does not fit an empty compute unit", [](launch_in_memory& l) { l.packet.group_segment_size = ones; }},
      {"bytes of scratch for every context", [](launch_in_memory& l) { l.packet.private_segment_size = ones; }},
      {"no kernel has its descriptor at 0x0", [](launch_in_memory& l) { l.packet.kernel_object = 0; }},
      {"no kernel has its descriptor at", [](launch_in_memory& l) { l.packet.kernel_object += 1; }},
      {"no kernel has its descriptor at 0xffffffffffffffff",
       [](launch_in_memory& l) { l.packet.kernel_object = ~uint64_t{0}; }},
      {"is outside every allocation", [](launch_in_memory& l) { l.packet.kernarg_address = 0; }},
      {"is outside the code", [](launch_in_memory& l) { l.descriptor.fill(0); }},
      {"reserved byte 12 is 0xff, not 0", [](launch_in_memory& l) { l.descriptor.fill(0xff); }},
      {"is not a multiple of 4", [](launch_in_memory& l) { l.set_entry(2); }},
      {"is outside the code", [](launch_in_memory& l) { l.set_entry(-4); }},
      {"is outside the code", [](launch_in_memory& l) { l.set_entry(int64_t{1} << 40); }},
      {"is outside the code", [](launch_in_memory& l) { l.set_entry(std::numeric_limits<int64_t>::min()); }},
  };
  for (const auto& [says, how] : malformed) {
    const queue_report r = changed_launch(how);
    EXPECT_FALSE(r.done) << says;
    EXPECT_THAT(r.fault, HasSubstr(says));
  }
}

TEST(malformed_packets, bits_without_a_meaning_here_change_nothing) {
  const std::vector<change> harmless = {
      [](launch_in_memory& l) { l.packet.header |= 0xfe00; },
      [](launch_in_memory& l) { l.packet.setup = 0xffff; },
      [](launch_in_memory& l) { l.packet.setup = 0; },
      [](launch_in_memory& l) { l.packet.cooperative = 0xffff; },
      [](launch_in_memory& l) { l.set_group(0xffff, 0xffff, 0xffff); },  // larger than the grid
  };
  for (const change& how : harmless) {
    const queue_report r = changed_launch(how);
    EXPECT_TRUE(r.done) << r.fault;
    EXPECT_EQ(r.order(), "1");
  }
}

// Random bytes in what a packet says of its kernel, and in the descriptor.
TEST(malformed_packets, random_ones_are_answered) {
  std::mt19937_64 random(11);
  size_t faults = 0;
  constexpr size_t n = 24;
  for (size_t k = 0; k < n; ++k) {
    const queue_report r = changed_launch(
        [&random](launch_in_memory& l) {
          kernel_dispatch_packet& p = l.packet;
          const auto spoil = [&random](void* bytes, size_t size) {
            static_cast<unsigned char*>(bytes)[random() % size] = static_cast<unsigned char>(random());
          };
          switch (random() % 4) {
            case 0:
              return spoil(&p.header, sizeof p.header);
            case 1:
              return spoil(&p.group_segment_size, sizeof p.group_segment_size);
            case 2:
              return spoil(&p.kernel_object, sizeof p.kernel_object);
            default:
              return spoil(l.descriptor.data(), l.descriptor.size());
          }
        },
        k % 2 == 0 ? models::fidelity::timing : models::fidelity::functional);
    EXPECT_TRUE(r.done || !r.fault.empty() || !r.waiting.empty()) << k;
    if (!r.fault.empty()) ++faults;
  }
  EXPECT_GT(faults, n / 4);
}

}  // namespace
}  // namespace pws::test::malformed_packets_test
