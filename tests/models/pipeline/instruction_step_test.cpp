// SPDX-License-Identifier: Apache-2.0
// What an instruction does is the same in each engine: observers hear the same in the same order, and what is refused
// is refused with the same words.
#include "models/compute_unit/instruction_step.h"

#include <gmock/gmock.h>

#include "tests/models/pipeline/cu_bench.h"
#include "tests/models/simulation.h"

namespace pws::test::instruction_step_test {
namespace {

using namespace code;
using models::divergence_kind;
using models::fidelity;
using models::machine_config;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Hears everything of instructions and barriers: "issued s_nop 0".
class listener : public models::execution_observer {
 public:
  std::vector<std::string> heard;

 private:
  void say(const char* what, const isa::inst& i) {
    heard.push_back(std::string(what) + " " + std::string(i.row->mnemonic));
  }
  void wave_started(uint32_t, const models::wf_context&, cycle_t) override {}
  void wave_ended(uint32_t, const models::wf_context&, cycle_t) override {}
  void issuing(uint32_t, const models::wf_context&, const isa::inst& i, cycle_t) override { say("issuing", i); }
  void accessed(uint32_t, const models::wf_context&, const isa::inst& i, const isa::memory_access&, cycle_t) override {
    say("accessed", i);
  }
  void issued(uint32_t, const models::wf_context&, const isa::inst& i, cycle_t) override { say("issued", i); }
  void barrier_passed(uint32_t, const models::resident_workgroup&, cycle_t) override { heard.push_back("passed"); }
};

machine_config machine(fidelity f, divergence_kind d, uint32_t warp_size = 64) {
  machine_config c = one_simd_unit();
  c.fidelity = f;
  c.divergence = d;
  c.dwf.warp_size = warp_size;
  return c;
}

// One wavefront on a machine.
struct engine {
  engine(const machine_config& c, const std::vector<uint32_t>& program) : bench(c, program) {
    bench.cu().attach(told);
    EXPECT_TRUE(bench.start(64));
  }
  listener told;
  cu_bench bench;
};

// The functional engine, the pipeline, and the warp scheduler with the functional engine of its machines.
std::vector<std::unique_ptr<engine>> run_everywhere(const std::vector<uint32_t>& program) {
  std::vector<std::unique_ptr<engine>> all;
  for (const divergence_kind d : {divergence_kind::none, divergence_kind::dwf})
    for (const fidelity f : {fidelity::functional, fidelity::timing})
      all.push_back(std::make_unique<engine>(machine(f, d), program));
  sc_core::sc_start();
  return all;
}

constexpr uint32_t s_trap_1 = 0xbf920001;

SIMULATION(instruction_step, observers_hear_the_same_in_the_same_order) {
  const std::vector<uint32_t> program{s_mov_b32(0, 0), s_mov_b32(1, 0), s_load_dword(4, 0), 0, s_waitcnt_lgkm0,
                                      s_barrier,       s_endpgm};
  for (const auto& e : run_everywhere(program)) {
    EXPECT_EQ(e->bench.fault_message, "");
    EXPECT_THAT(e->told.heard,
                ElementsAre("issuing s_mov_b32", "issued s_mov_b32", "issuing s_mov_b32", "issued s_mov_b32",
                            "issuing s_load_dword", "accessed s_load_dword", "issued s_load_dword", "issuing s_waitcnt",
                            "issued s_waitcnt", "issuing s_barrier", "issued s_barrier", "passed", "issuing s_endpgm",
                            "issued s_endpgm"));
  }
}

// An instruction that stops the machine is about to execute, and has not executed.
SIMULATION(instruction_step, what_stops_the_machine_has_not_executed) {
  for (const auto& e : run_everywhere({s_trap_1, s_endpgm})) {
    EXPECT_THAT(e->told.heard, ElementsAre("issuing s_trap"));
    EXPECT_THAT(e->bench.fault_message, HasSubstr("pc 0x1000 (kernel entry + 0x0): s_trap 1: the program trapped"));
  }
}

// A program with four vector registers.
SIMULATION(instruction_step, registers_that_are_not_there_are_refused_alike) {
  for (const auto& e : run_everywhere({0xdc500000, 0x09000000, s_endpgm})) {  // flat_load_dword v9, v[0:1]
    EXPECT_THAT(e->told.heard, ElementsAre("issuing flat_load_dword"));
    EXPECT_THAT(e->bench.fault_message,
                HasSubstr("flat_load_dword v9, v[0:1]: v9 is not among the 4 vector registers"));
  }
}

SIMULATION(instruction_step, broken_isolation_names_the_instruction) {
  // Work-item 0 reads a register of work-item 20, which is on the other side of the split.
  const std::vector<uint32_t> program{
      s_mov_b32(0, 1), s_mov_b32(1, 0), split(0), 0xd2890004, (128 + 20) << 9 | (256 + 1), merge, s_endpgm};
  std::vector<std::unique_ptr<engine>> all;
  for (const fidelity f : {fidelity::functional, fidelity::timing}) {
    machine_config c = machine(f, divergence_kind::pws);
    c.spsimd_per_simd = 1;
    c.check.split_isolation = true;
    all.push_back(std::make_unique<engine>(c, program));
  }
  sc_core::sc_start();
  for (const auto& e : all)
    EXPECT_THAT(e->bench.fault_message, HasSubstr("pc 0x100c (kernel entry + 0xc): v_readlane_b32 s4, v1, 20, lane 20: "
                                                  "reaches the vector registers of work-item 20"));
}

SIMULATION(instruction_step, paths_of_warps_meet_at_no_barrier_of_the_grid) {
  std::vector<std::unique_ptr<engine>> all;
  for (const fidelity f : {fidelity::functional, fidelity::timing})
    all.push_back(
        std::make_unique<engine>(machine(f, divergence_kind::dwf, 16), std::vector<uint32_t>{0xd93b0000, 0, s_endpgm}));
  sc_core::sc_start();
  for (const auto& e : all)
    EXPECT_THAT(e->bench.fault_message, HasSubstr(": ds_gws_barrier v0 gds: barriers of the grid are for wavefronts: "
                                                  "machine.divergence forms warps"));
}

// A wavefront of four paths: each instruction of a path or a warp has four that could issue, or fewer behind the first
// end.
SIMULATION(instruction_step, counts_the_paths_that_could_issue) {
  std::vector<std::unique_ptr<engine>> all;
  for (const fidelity f : {fidelity::functional, fidelity::timing})
    for (const divergence_kind d : {divergence_kind::pdom, divergence_kind::dwf})
      all.push_back(std::make_unique<engine>(machine(f, d, 16), std::vector<uint32_t>{s_nop(0), s_nop(0), s_endpgm}));
  sc_core::sc_start();
  for (const auto& e : all) {
    const models::cu_statistics& s = e->bench.cu().statistics();
    EXPECT_EQ(s.total_instructions(), 12u);
    EXPECT_GE(s.schedulable_paths, 2 * 12u);
    EXPECT_LE(s.schedulable_paths, 4 * 12u);
  }
}

}  // namespace
}  // namespace pws::test::instruction_step_test
