// SPDX-License-Identifier: Apache-2.0
// The debugger stops where RTL and model disagree, at the path, the instruction and the lane. As in
// tests/cosim/model_faults_test.cpp, the fault is in a row of the model's instruction table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

#include "models/isa/code/decode.h"
#include "models/isa/code/opcode_table.h"
#include "models/isa/opcode_row.h"
#include "platform/debug/run/watched_run.h"
#include "tests/models/simulation.h"

namespace pws::test::mismatch_test {
namespace {

using platform::debug::resumption;
using platform::debug::stop_reason;
using testing::HasSubstr;

isa::opcode_row& row(const char* mnemonic) {
  for (const isa::opcode_row* r : isa::all_rows())
    if (std::strcmp(r->mnemonic, mnemonic) == 0) return const_cast<isa::opcode_row&>(*r);
  throw std::runtime_error(std::string("no row ") + mnemonic);
}

class noting_listener : public platform::debug::stop_listener {
 public:
  void look_through(const platform::debug::debugger& d) { debugger_ = &d; }

  resumption stopped(const platform::debug::stop& s) override {
    reasons.push_back(s.why);
    if (s.why != stop_reason::mismatch) return {};
    found = s;
    const isa::inst* const i = debugger_->machine().runtime.instruction_at(s.pc);
    instruction = i == nullptr ? "" : isa::disassemble(*i);
    is_part = s.at && s.at.context->is_swf();
    return {};
  }

  std::vector<stop_reason> reasons;
  platform::debug::stop found;
  std::string instruction;
  bool is_part = false;

 private:
  const platform::debug::debugger* debugger_ = nullptr;
};

SIMULATION(debugger, stops_at_a_mismatch) {
  isa::opcode_row& broken = row("v_sub_u32");
  broken.exec = row("v_add_u32").exec;
  broken.kernel = row("v_add_u32").kernel;
  const platform::run_config config = platform::load_run(PWS_SOURCE_DIR "/configs/runs/lockstep.yaml");
  noting_listener listener;
  platform::debug::debugger core(listener, platform::debug::run_to_debug(config));
  listener.look_through(core);
  std::ostringstream said;
  const platform::debug::run_outcome outcome = platform::debug::watched_run(config, core, said);
  EXPECT_FALSE(outcome.passed);
  EXPECT_THAT(listener.reasons, testing::ElementsAre(stop_reason::launch_begins, stop_reason::mismatch));
  EXPECT_THAT(listener.found.text, HasSubstr("RTL and model disagree: kernel spiking_neuron"));
  EXPECT_THAT(listener.instruction, HasSubstr("v_sub_u32"));
  EXPECT_TRUE(listener.is_part);
  EXPECT_GE(listener.found.lane, 0);
  EXPECT_THAT(listener.found.text, HasSubstr("lane " + std::to_string(listener.found.lane)));
}

}  // namespace
}  // namespace pws::test::mismatch_test
