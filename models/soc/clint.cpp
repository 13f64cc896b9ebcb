// SPDX-License-Identifier: Apache-2.0
#include "models/soc/clint.h"

#include <algorithm>
#include <string>

namespace pws::models {

namespace {
constexpr uint64_t mtimecmp_begin = 0x4000, mtime_begin = 0xbff8;
}

clint::clint(const sc_core::sc_module_name& name, uint32_t harts, const sc_core::sc_time& tick)
    : device(name), tick_(tick), mtimecmp_(harts, ~uint64_t{0}), msip_(harts, 0) {
  for (uint32_t h = 0; h < harts; ++h) {
    timer.push_back(std::make_unique<sc_core::sc_out<bool>>(("timer" + std::to_string(h)).c_str()));
    software.push_back(std::make_unique<sc_core::sc_out<bool>>(("software" + std::to_string(h)).c_str()));
  }
  SC_HAS_PROCESS(clint);
  SC_METHOD(update);
  sensitive << due_;
}

clint::place clint::at(uint64_t offset) const {
  const size_t harts = msip_.size();
  if (offset < 4 * harts) return {register_kind::msip, offset / 4, offset % 4};
  if (offset - mtimecmp_begin < 8 * harts) return {register_kind::mtimecmp, (offset - mtimecmp_begin) / 8, offset % 8};
  if (offset - mtime_begin < 8) return {register_kind::mtime, 0, offset % 8};
  return {};
}

tlm::tlm_response_status clint::read(uint64_t offset, unsigned bytes, uint64_t& value) {
  const place p = at(offset);
  if (p.what == register_kind::none) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (bytes < 4 || (p.what == register_kind::msip && bytes != 4)) return tlm::TLM_BURST_ERROR_RESPONSE;
  const uint64_t whole = p.what == register_kind::msip       ? msip_[p.hart]
                         : p.what == register_kind::mtimecmp ? mtimecmp_[p.hart]
                                                             : mtime();
  value = part_of(whole, p.low, bytes);
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status clint::write(uint64_t offset, unsigned bytes, uint64_t value) {
  const place p = at(offset);
  if (p.what == register_kind::none) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (bytes < 4 || (p.what == register_kind::msip && bytes != 4)) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (p.what == register_kind::msip) {
    msip_[p.hart] = static_cast<uint8_t>(value & 1);
  } else if (p.what == register_kind::mtimecmp) {
    mtimecmp_[p.hart] = with_part(mtimecmp_[p.hart], p.low, bytes, value);
  } else {
    const uint64_t now = mtime();
    ahead_ += with_part(now, p.low, bytes, value) - now;
  }
  due_.notify();
  return tlm::TLM_OK_RESPONSE;
}

// Sets the lines, and comes back when the next timer is due.
void clint::update() {
  const uint64_t now = mtime();
  uint64_t next = ~uint64_t{0};  // ticks until then
  for (size_t h = 0; h < msip_.size(); ++h) {
    software[h]->write(msip_[h] != 0);
    timer[h]->write(now >= mtimecmp_[h]);
    if (now < mtimecmp_[h]) next = std::min(next, mtimecmp_[h] - now);
  }
  // mtime goes from ~0 to 0, which only lowers lines. Beyond the last time that SystemC has, no timer is due.
  const uint64_t last = sc_core::sc_max_time().value() / tick_.value();
  if (next < last - ticks()) {
    due_.cancel();
    due_.notify(sc_core::sc_time::from_value((ticks() + next) * tick_.value()) - sc_core::sc_time_stamp());
  }
}

}  // namespace pws::models
