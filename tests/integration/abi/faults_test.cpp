// SPDX-License-Identifier: Apache-2.0
// What a program may not do: the message says what, where in the program, by which lane, and at which address.
#include <cstring>
#include <systemc>

#include "platform/machine/device_runtime.h"
#include "platform/machine/virtual_platform.h"
#include "tests/integration/abi/abi_run.h"
#include "tests/integration/child_process.h"

namespace pws::test::faults_test {
namespace {

using reference::input;
using reference::scalar;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using words = std::vector<uint32_t>;

constexpr const char* file = "faults.hip";
const std::string program_counter = "pc 0x[0-9a-f]+ \\(kernel entry \\+ 0x[0-9a-f]+\\): ";

// Work-item 70 is lane 6 of wavefront 1.
reference::kernel_case at(const std::string& kernel, uint64_t offset,
                          std::vector<uint8_t> data = std::vector<uint8_t>(64)) {
  return abi_case(file, kernel, 128, 128, {input("data", data), scalar<uint64_t>("at", offset)});
}
reference::kernel_case load_at(uint64_t offset) {
  auto c = at("load_8", offset);
  c.args.push_back(input("out", std::vector<uint64_t>(1)));
  return c;
}
testing::Matcher<const std::string&> says(const std::string& kernel, const std::string& mnemonic,
                                          const std::string& problem) {
  return AllOf(HasSubstr("kernel " + kernel + ", workgroup (0,0,0), wavefront 1 (cu0.simd"),
               ContainsRegex(program_counter + mnemonic), HasSubstr("lane 6"), ContainsRegex(problem));
}

TEST(faults, beyond_a_buffer) {
  expect_error(load_at(64), says("load_8", "flat_load_dwordx2",
                                 "read of 8 bytes at 0x1[0-9a-f]{8} is outside every allocation; nearest is 'argument "
                                 "data' \\[0x[0-9a-f]+,0x[0-9a-f]+\\), directly after its end"));
  expect_error(load_at(60), says("load_8", "flat_load_dwordx2",
                                 "runs 4 bytes past the end of 'argument data' \\[0x[0-9a-f]+,0x[0-9a-f]+\\)"));
  expect_error(load_at(~uint64_t{0} - 6), says("load_8", "flat_load", "is outside every allocation; nearest is"));
  expect_error(at("store_16", 164), says("store_16", "flat_store_dwordx4",
                                         "write of 16 bytes at .* 'argument data' .*, 100 bytes past its end"));
  expect_error(at("add_4", 64), says("add_4", "flat_atomic_add", " of 4 bytes at .* directly after its end"));
}

TEST(faults, null_pointer) {
  auto c = at("store_16", 0);
  c.args[0] = scalar<uint64_t>("data", 0);
  expect_error(c, says("store_16", "flat_store_dwordx4",
                       "write of 16 bytes at 0x0 is outside every allocation: a null pointer"));
  c.kernel = "add_8";
  expect_error(c,
               says("add_8", "flat_atomic_add_x2", " of 8 bytes at 0x0 is outside every allocation: a null pointer"));
}

// Only atomics need alignment in global memory.
TEST(faults, misaligned) {
  EXPECT_TRUE(run_abi(load_at(3), both_fidelities()[0]).completed);
  EXPECT_TRUE(run_abi(load_at(3), both_fidelities()[1]).completed);
  expect_error(at("add_4", 2),
               says("add_4", "flat_atomic_add", "unaligned atomic: 4 bytes at address 0x1[0-9a-f]{7}2"));
  expect_error(at("add_8", 4),
               says("add_8", "flat_atomic_add_x2", "unaligned atomic: 8 bytes at address 0x1[0-9a-f]{7}4"));
}

TEST(faults, scalar_load) {
  auto c = at("scalar_load", 1 << 20);
  c.args.push_back(input("out", words(128)));
  expect_error(c, AllOf(HasSubstr("kernel scalar_load, workgroup (0,0,0), wavefront "),
                        ContainsRegex(program_counter + "s_load_dword s"),
                        ContainsRegex("read of 4 bytes at 0x1[0-9a-f]{8} is outside every allocation; nearest is '")));
}

TEST(faults, lds) {
  auto c = abi_case(file, "lds_load", 64, 64, {input("out", words(2)), scalar<uint32_t>("at", 64)});
  c.dynamic_lds = 256;
  const std::string where = "kernel lds_load, workgroup (0,0,0), wavefront 0 ";
  expect_error(c, AllOf(HasSubstr(where), ContainsRegex(program_counter + "ds_read_b32"), HasSubstr("lane 3"),
                        HasSubstr("LDS access out of range: 4 bytes at offset 0x100, the workgroup has 256 bytes")));
  c.kernel = "lds_load_8";
  c.args[1] = scalar<uint32_t>("at", 4);
  expect_error(c, AllOf(ContainsRegex(program_counter + "ds_read_b64"), HasSubstr("lane 3"),
                        HasSubstr("unaligned LDS access: 8 bytes at offset 0x4")));
}

TEST(faults, private_memory) {
  expect_error(abi_case(file, "private_store", 64, 64, {input("out", words(64)), scalar<uint32_t>("at", 1 << 20)}),
               AllOf(HasSubstr("kernel private_store"), ContainsRegex(program_counter + "buffer_store_dword"),
                     HasSubstr("lane 0"),
                     ContainsRegex("private access out of range: 4 bytes at offset 0x4[0-9a-f]+, the work-item has "
                                   "[0-9]+ bytes of scratch")));
}

TEST(faults, traps) {
  const auto c = abi_case(file, "traps", 128, 128, {input("out", words(128)), scalar<uint32_t>("culprit", 70)});
  expect_error(c,
               AllOf(HasSubstr("kernel traps, workgroup (0,0,0), wavefront 1 "),
                     ContainsRegex(program_counter + "s_trap 2"), HasSubstr("the program trapped")),
               all_builds());
  expect_error(abi_case(file, "aborts", 64, 64, {input("out", words(64))}),
               AllOf(HasSubstr("kernel aborts, workgroup (0,0,0), wavefront 0 "), HasSubstr("s_trap 2")), all_builds());
}

// Printing needs a host that listens; the message says so rather than naming an address.
// The machine alone, as a simulation has it that answers no host calls: how a launch of one wavefront of the kernel
// ends.
std::string error_without_host_calls(const std::string& kernel, const abi_build& build) {
  const loader::program_image& program = abi_program(file, build);
  const child_result child = in_child(
      [&](const message_sink& sink) {
        models::machine_config machine;
        machine.fidelity = build.fidelity;
        platform::virtual_platform board("board", machine);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        platform::device_runtime runtime(board);
        runtime.load(program);
        const words in(64, 3);
        const uint64_t out = runtime.allocate(4 * in.size(), "out");
        runtime.write(out, in.data(), 4 * in.size());
        platform::kernel_launch request;
        request.kernel = runtime.find_kernel(kernel);
        request.grid = request.workgroup = {64, 1, 1};
        request.arguments.emplace_back(8);
        std::memcpy(request.arguments.back().data(), &out, 8);
        const std::string error = runtime.launch(request).error;
        sink(error.data(), error.size());
        return 0;
      },
      60);
  EXPECT_EQ(child.status, 0) << child.log;
  return {child.message.begin(), child.message.end()};
}

TEST(faults, services_of_the_host) {
  for (const char* kernel : {"prints", "asserts"})
    for (const abi_build& build : all_builds())
      EXPECT_THAT(error_without_host_calls(kernel, build),
                  AllOf(HasSubstr(std::string("kernel ") + kernel + ", workgroup (0,0,0), wavefront 0 "),
                        HasSubstr("the hostcall buffer (device-side printf, assert and malloc of HIP), which this "
                                  "machine does not have")));
}

TEST(faults, messages_that_nobody_receives) {
  expect_error(abi_case(file, "interrupts", 64, 64, {input("out", words(64))}),
               AllOf(HasSubstr("kernel interrupts, workgroup (0,0,0), wavefront 0 "),
                     ContainsRegex(program_counter + "s_sendmsg sendmsg\\(MSG_INTERRUPT\\)"),
                     HasSubstr("message 1 has no receiver on this machine")));
}

// Where the assertion holds, nothing is asked of the host.
TEST(faults, an_assertion_that_holds) {
  words in(64);
  for (uint32_t i = 0; i < 64; ++i) in[i] = i;
  expect_results(abi_case(file, "asserts", 64, 64, {reference::output("out", in, words(64, 1))}));
}

}  // namespace
}  // namespace pws::test::faults_test
