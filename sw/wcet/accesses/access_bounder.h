// SPDX-License-Identifier: Apache-2.0
// How many cache lines or LDS passes a memory instruction takes at most, given what is known of its registers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/inst.h"
#include "models/machine/address_map.h"
#include "sw/wcet/lanes/lane_state.h"
#include "sw/wcet/launch_facts.h"

namespace pws::wcet {

struct access_bound {
  uint32_t lines = 0;          // global, scalar: cache lines of one execution, at most (0: no such access)
  uint32_t lds_passes = 0;     // LDS: passes, at most
  bool exact_pattern = false;  // false: the lanes' addresses are not known, each may be anywhere
  // The buffers (launch_facts::buffers) that every lane's bytes are taken to lie in, one of them each. 0: nothing is
  // taken, the bound holds for any address.
  buffer_set within = 0;
  std::string why;  // for reports
};

struct memory_shape {
  uint32_t line_bytes = 64;  // a power of two
  uint32_t lds_banks = 32;
};

class access_bounder {
 public:
  access_bounder(const memory_shape& shape, const launch_facts& facts);
  // By its format; default-constructed for what is no access.
  access_bound of(const isa::inst& i, const lane_state& s) const;
  // Buffers that a vector access surely goes to; 0: not known.
  static buffer_set buffers_of(const isa::inst& i, const lane_state& s);
  // With its lanes in one of those buffers each, where that says more.
  void limit(access_bound& b, buffer_set within) const;

 private:
  access_bound scalar(const isa::inst& i, const lane_state& s) const;
  access_bound flat(const isa::inst& i, const lane_state& s) const;
  access_bound buffer(const isa::inst& i, const lane_state& s) const;
  access_bound image(const isa::inst& i, const lane_state& s) const;
  access_bound local(const isa::inst& i, const lane_state& s) const;

  memory_shape m_;
  models::flat_apertures apertures_;
  const std::vector<device_buffer>* buffers_;
  bool has_scratch_ = true, has_lds_ = true;
  uint32_t lds_words_ = UINT32_MAX;  // of a workgroup
};

}  // namespace pws::wcet
