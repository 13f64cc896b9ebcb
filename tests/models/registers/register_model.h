// SPDX-License-Identifier: Apache-2.0
// What registers are to do, byte by byte: an independent model of the register bank, slow and simple.
#pragma once

#include <cstdint>
#include <map>
#include <tlm>
#include <vector>

#include "models/registers/register_map.h"

namespace pws::test {

// A transaction on registers, as a test makes it.
struct register_access_request {
  tlm::tlm_command command = tlm::TLM_READ_COMMAND;
  uint64_t address = 0;
  unsigned bytes = 8;
  unsigned streaming_width = 8;
  bool byte_enables = false;
  std::vector<unsigned char> data = std::vector<unsigned char>(8);  // to be written, or what was read
};

class register_model {
 public:
  explicit register_model(const models::register_map& map);

  // Makes the access; the data of one that reads is filled in.
  tlm::tlm_response_status access(register_access_request& r);
  // As the debugger's transport has it: how many bytes, from the first on, registers have.
  unsigned peek(uint64_t address, unsigned bytes, std::vector<unsigned char>& data) const;

 private:
  struct byte {
    models::register_access access = models::register_access::ro;
    unsigned char bits = 0;  // that are not reserved
    unsigned char value = 0;
  };
  tlm::tlm_response_status judge(const register_access_request& r) const;

  std::map<uint64_t, byte> bytes_;  // by address
  uint64_t wrong_at_;               // address of the register that counts wrong accesses
  uint64_t wrong_ = 0;
};

}  // namespace pws::test
