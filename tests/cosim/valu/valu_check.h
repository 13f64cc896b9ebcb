// SPDX-License-Identifier: Apache-2.0
// One instruction through the RTL and through the instruction semantics of models/isa, compared.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/inst.h"
#include "models/isa/wave_state.h"
#include "tests/cosim/valu/rtl_valu.h"

namespace pws::cosim {

// What models/isa says about the words, and whether the RTL's vector ALU has to do them.
struct expectation {
  bool legal = false;      // decode() accepts them
  bool supported = false;  // an instruction of supported_rows.h, with semantics in models/isa
  isa::inst inst;          // if legal
  std::string refusal;     // decode()'s message if not
};
expectation expect(const uint32_t (&words)[2]);

class valu_check {
 public:
  explicit valu_check(rtl_valu& rtl);

  // The state before the next instruction; both sides start from it.
  isa::wave_state& state() { return model_; }
  // Executes on both sides. Returns an empty text, or what differs. The sides agree again afterwards.
  std::string run(const uint32_t (&words)[2]);
  // Instructions that both executed so far.
  uint64_t executed() const { return executed_; }

 private:
  std::string differences(const isa::inst& i, const valu_outcome& out, const isa::wave_state& before);
  std::string lane_report(const isa::inst& i, unsigned row, unsigned lane) const;
  void copy_rows(std::vector<isa::vgpr_row>& to, const std::vector<isa::vgpr_row>& from, const isa::inst& i);

  rtl_valu& rtl_;
  uint64_t executed_ = 0;
  std::vector<isa::vgpr_row> model_rows_, rtl_rows_, old_rows_;
  isa::wave_state model_;
};

}  // namespace pws::cosim
