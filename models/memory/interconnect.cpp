// SPDX-License-Identifier: Apache-2.0
#include "models/memory/interconnect.h"

#include <algorithm>
#include <string>

namespace pws::models {

interconnect::interconnect(const sc_core::sc_module_name& name, const interconnect_config& c, uint32_t n_caches,
                           uint32_t n_banks, uint32_t line_bytes, const gpu_clock& clock)
    : sc_module(name), config_(c), clock_(clock), line_bytes_(line_bytes), responses_(n_banks) {
  for (uint32_t i = 0; i < n_caches; ++i) {
    from_caches.push_back(std::make_unique<target_socket>(("from_cache" + std::to_string(i)).c_str()));
    from_caches.back()->register_nb_transport_fw(this, &interconnect::nb_transport_fw, static_cast<int>(i));
  }
  for (uint32_t i = 0; i < n_banks; ++i) {
    to_banks.push_back(std::make_unique<initiator_socket>(("to_bank" + std::to_string(i)).c_str()));
    to_banks.back()->register_nb_transport_bw(this, &interconnect::nb_transport_bw, static_cast<int>(i));
  }
}

tlm::tlm_sync_enum interconnect::nb_transport_fw(int port, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                                 sc_core::sc_time& delay) {
  const auto bank = static_cast<size_t>((t.get_address() / line_bytes_) % to_banks.size());
  if (phase == tlm::BEGIN_REQ) {
    if (refuses(t)) return tlm::TLM_COMPLETED;
    info(t).source_port = static_cast<uint16_t>(port);
    delay += clock_.duration(config_.latency);
  }
  return (*to_banks[bank])->nb_transport_fw(t, phase, delay);
}

tlm::tlm_sync_enum interconnect::nb_transport_bw(int bank, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                                 sc_core::sc_time& delay) {
  const bool carries_data = t.is_read() || info(t).kind == access_kind::atomic;
  const cycle_t beats =
      carries_data ? (t.get_data_length() + config_.bytes_per_cycle - 1) / config_.bytes_per_cycle : 1;
  const cycle_t now = clock_.now();
  const cycle_t start = responses_[static_cast<size_t>(bank)].reserve(now + clock_.cycles_in(delay), beats, now);
  delay = clock_.time_of(start + config_.latency) - sc_core::sc_time_stamp();
  return (*from_caches[info(t).source_port])->nb_transport_bw(t, phase, delay);
}

}  // namespace pws::models
