// SPDX-License-Identifier: Apache-2.0
#include "models/soc/plic.h"

#include <string>

namespace pws::models {

namespace {

constexpr uint64_t pending_begin = 0x1000, enable_begin = 0x2000, enable_stride = 0x80;
constexpr uint64_t context_begin = 0x20'0000, context_stride = 0x1000, claim_offset = 4;
constexpr uint32_t priority_mask = 7;
constexpr uint32_t word_bits = 32;

bool bit(const std::vector<uint32_t>& words, uint32_t number) {
  return (words[number / word_bits] >> number % word_bits & 1) != 0;
}

void set_bit(std::vector<uint32_t>& words, uint32_t number, bool value) {
  const uint32_t mask = 1U << number % word_bits;
  words[number / word_bits] = value ? words[number / word_bits] | mask : words[number / word_bits] & ~mask;
}

}  // namespace

plic::plic(const sc_core::sc_module_name& name, uint32_t n_sources, uint32_t n_contexts)
    : device(name),
      priority_(n_sources + 1, 0),
      pending_(n_sources / word_bits + 1, 0),
      real_sources_(pending_),
      in_service_(n_sources + 1, 0),
      states_(n_contexts, context_state{pending_, 0}) {
  SC_HAS_PROCESS(plic);
  SC_METHOD(sample);
  for (uint32_t s = 1; s <= n_sources; ++s) {
    sources.push_back(std::make_unique<sc_core::sc_in<bool>>(("source" + std::to_string(s)).c_str()));
    sensitive << *sources.back();
    set_bit(real_sources_, s, true);
  }
  SC_METHOD(update);
  sensitive << changed_;
  for (uint32_t c = 0; c < n_contexts; ++c)
    contexts.push_back(std::make_unique<sc_core::sc_out<bool>>(("context" + std::to_string(c)).c_str()));
}

// The source of the highest priority above `above`, of equal ones the lowest number; 0: there is none.
uint32_t plic::best(const context_state& c, uint32_t above) const {
  uint32_t found = 0, highest = above;
  for (uint32_t w = 0; w < pending_.size(); ++w) {
    if ((pending_[w] & c.enabled[w]) == 0) continue;
    for (uint32_t s = w * word_bits; s < (w + 1) * word_bits && s < priority_.size(); ++s)
      if (bit(pending_, s) && bit(c.enabled, s) && priority_[s] > highest) {
        found = s;
        highest = priority_[s];
      }
  }
  return found;
}

// The threshold has no part in claims.
uint32_t plic::claim(context_state& c) {
  const uint32_t source = best(c, 0);
  if (source != 0) {
    set_bit(pending_, source, false);
    in_service_[source] = 1;
    changed_.notify();
  }
  return source;
}

// What the context has not enabled it cannot complete.
void plic::complete(const context_state& c, uint32_t source) {
  if (!is_source(source) || !bit(c.enabled, source)) return;
  in_service_[source] = 0;
  sample();
}

// A source's gateway: one request until it is completed.
void plic::sample() {
  for (uint32_t s = 1; s < priority_.size(); ++s)
    if (sources[s - 1]->read() && in_service_[s] == 0) set_bit(pending_, s, true);
  changed_.notify();
}

void plic::update() {
  for (size_t c = 0; c < states_.size(); ++c) contexts[c]->write(best(states_[c], states_[c].threshold) != 0);
}

uint32_t* plic::stored(uint64_t offset) {
  if (offset < pending_begin) {
    const uint64_t s = offset / 4;
    return is_source(s) ? &priority_[s] : nullptr;
  }
  if (offset - pending_begin < 4 * pending_.size()) return &pending_[(offset - pending_begin) / 4];
  if (offset >= enable_begin && offset < context_begin) {
    const uint64_t c = (offset - enable_begin) / enable_stride, word = (offset - enable_begin) % enable_stride / 4;
    return c < states_.size() && word < pending_.size() ? &states_[c].enabled[word] : nullptr;
  }
  if (offset >= context_begin && (offset - context_begin) % context_stride == 0) {
    const uint64_t c = (offset - context_begin) / context_stride;
    return c < states_.size() ? &states_[c].threshold : nullptr;
  }
  return nullptr;
}

bool plic::is_claim(uint64_t offset, size_t& context) const {
  if (offset < context_begin) return false;
  context = (offset - context_begin) / context_stride;
  return (offset - context_begin) % context_stride == claim_offset && context < states_.size();
}

tlm::tlm_response_status plic::read(uint64_t offset, unsigned bytes, uint64_t& value) {
  if (bytes != 4) return tlm::TLM_BURST_ERROR_RESPONSE;
  size_t context = 0;
  if (is_claim(offset, context))
    value = claim(states_[context]);
  else if (const uint32_t* r = stored(offset))
    value = *r;
  else
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status plic::write(uint64_t offset, unsigned bytes, uint64_t value) {
  if (bytes != 4) return tlm::TLM_BURST_ERROR_RESPONSE;
  size_t context = 0;
  if (is_claim(offset, context)) {
    complete(states_[context], static_cast<uint32_t>(value));
    return tlm::TLM_OK_RESPONSE;
  }
  uint32_t* r = stored(offset);
  if (r == nullptr) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (offset >= pending_begin && offset < enable_begin) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const bool is_enable = offset >= enable_begin && offset < context_begin;
  *r = static_cast<uint32_t>(value) &
       (is_enable ? real_sources_[(offset - enable_begin) % enable_stride / 4] : priority_mask);
  changed_.notify();
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace pws::models
