// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/buffer_checker.h"

#include <fmt/format.h>

#include "base/error.h"
#include "models/isa/predicates.h"

namespace pws::platform {

buffer_checker::buffer_checker(const cfg::function_code& code, const std::vector<wcet::access_bound>& accesses,
                               std::vector<wcet::device_buffer> buffers)
    : begin_(code.begin()), accesses_((code.end() - code.begin()) / 4), buffers_(std::move(buffers)) {
  for (size_t k = 0; k < accesses.size(); ++k) {
    if (accesses[k].within == 0) continue;
    const isa::inst& i = code.instructions[k];
    accesses_[(i.pc - begin_) / 4] = {accesses[k].within, bytes_of(data_type_of(i))};
    ++checked_;
  }
}

void buffer_checker::issuing(uint32_t, const models::wf_context& c, const isa::inst& i, models::cycle_t) {
  const uint64_t word = (i.pc - begin_) / 4;  // in front of the code: beyond its end
  if (word >= accesses_.size() || accesses_[word].within == 0) return;
  const access& a = accesses_[word];
  const isa::vgpr_row &low = c.state.vgpr[i.src[0].index], &high = c.state.vgpr[i.src[0].index + 1];
  for (uint64_t m = c.state.active(); m != 0; m &= m - 1) {
    const int lane = __builtin_ctzll(m);
    const uint64_t address = low.lane[lane] | uint64_t{high.lane[lane]} << 32;
    if (!is_in(a, address)) fail(a, address, lane);
  }
}

bool buffer_checker::is_in(const access& a, uint64_t address) const {
  for (uint64_t m = a.within; m != 0; m &= m - 1) {
    const wcet::device_buffer& b = buffers_[static_cast<size_t>(__builtin_ctzll(m))];
    if (b.begin <= address && address < b.end && a.bytes <= b.end - address) return true;
  }
  return false;
}

void buffer_checker::fail(const access& a, uint64_t address, int lane) {
  std::string where;
  for (uint64_t m = a.within; m != 0; m &= m - 1) {
    const wcet::device_buffer& b = buffers_[static_cast<size_t>(__builtin_ctzll(m))];
    where += fmt::format("{}{} at 0x{:x}, {} bytes", where.empty() ? "" : "; ", b.name, b.begin, b.end - b.begin);
  }
  broken_ = fmt::format(
      "an access of {} bytes at 0x{:x} is outside the buffer that its pointer is of ({}): the bound takes for granted "
      "that "
      "it is inside; with wcet.buffers: false it does not",
      a.bytes, address, where);
  throw program_error(broken_, lane);
}

}  // namespace pws::platform
