// SPDX-License-Identifier: Apache-2.0
// In place of rv64_core.cpp where the build has no processor (PWS_SOC=OFF): there is nothing of Unicorn in it.
#include <stdexcept>

#include "base/error.h"
#include "models/soc/rv64_core.h"

namespace pws::models {

namespace {

[[noreturn]] void never_reached() {
  throw std::logic_error("a processor that there cannot be");
}

}  // namespace

std::string rv64_core::why_there_is_none() {
  return "this program was built without the RISC-V processor (PWS_SOC=OFF)";
}

rv64_core::rv64_core() {
  throw input_error(why_there_is_none());
}
rv64_core::~rv64_core() = default;

void rv64_core::map(uint64_t, uint64_t, unsigned char*, bool) {
  never_reached();
}
void rv64_core::unmap(uint64_t, uint64_t) {
  never_reached();
}
const rv64_core::range* rv64_core::range_at(uint64_t) const {
  never_reached();
}
rv64_core::stop rv64_core::run(uint64_t, uint64_t, bool) {
  never_reached();
}
void rv64_core::set_breakpoints(std::vector<uint64_t>) {
  never_reached();
}
void rv64_core::set_watches(std::vector<watch>) {
  never_reached();
}
void rv64_core::forget_code() {
  never_reached();
}
uint64_t rv64_core::x(unsigned) const {
  never_reached();
}
void rv64_core::set_x(unsigned, uint64_t) {
  never_reached();
}

}  // namespace pws::models
