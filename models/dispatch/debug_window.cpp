// SPDX-License-Identifier: Apache-2.0
#include "models/dispatch/debug_window.h"

#include <algorithm>
#include <cstring>

#include "models/registers/register_transport.h"

namespace pws::models {

namespace {
template <class T>
void put(std::vector<unsigned char>& bytes, uint64_t at, T value) {
  std::memcpy(&bytes[at], &value, sizeof value);
}
}  // namespace

debug_window::debug_window(const std::vector<std::unique_ptr<compute_unit>>& cus)
    : cus_(cus), shown_(cus.front()->scheme().shown()) {}

uint64_t debug_window::size() const {
  return debug_register::first_record + debug_register::record_bytes * cus_.size() * units() * contexts();
}

access_outcome debug_window::read(tlm::tlm_generic_payload& t, uint64_t at) const {
  if (!t.is_read()) return access_outcome::command_error;
  if (const access_outcome form = form_of(t); form != access_outcome::done) return form;
  if (at >= size() || t.get_data_length() > size() - at) return access_outcome::address_error;
  read(at, t.get_data_ptr(), t.get_data_length());
  return access_outcome::done;
}

unsigned debug_window::peek(tlm::tlm_generic_payload& t, uint64_t at) const {
  if (at >= size()) return 0;
  const auto length = static_cast<unsigned>(std::min<uint64_t>(t.get_data_length(), size() - at));
  read(at, t.get_data_ptr(), length);
  return length;
}

void debug_window::read(uint64_t address, unsigned char* data, unsigned length) const {
  for (unsigned done = 0; done < length;) {
    const uint64_t at = address + done;
    const bool in_header = at < debug_register::first_record;
    const std::vector<unsigned char> bytes =
        in_header ? geometry() : record((at - debug_register::first_record) / debug_register::record_bytes);
    const uint64_t offset = in_header ? at : (at - debug_register::first_record) % debug_register::record_bytes;
    const auto n = static_cast<unsigned>(std::min<uint64_t>(length - done, bytes.size() - offset));
    std::memcpy(data + done, &bytes[offset], n);
    done += n;
  }
}

std::vector<unsigned char> debug_window::geometry() const {
  std::vector<unsigned char> bytes(debug_register::first_record);
  put(bytes, debug_register::version, uint32_t{1});
  put(bytes, debug_register::compute_units, static_cast<uint32_t>(cus_.size()));
  put(bytes, debug_register::units, units());
  put(bytes, debug_register::simd_units, cus_.front()->layout().simds);
  put(bytes, debug_register::contexts, contexts());
  return bytes;
}

std::vector<unsigned char> debug_window::record(uint64_t number) const {
  const compute_unit& cu = *cus_[number / contexts() / units()];
  const simd_unit& unit = cu.unit(unit_id(static_cast<uint32_t>(number / contexts() % units())));
  const wf_context& c = unit[slot_id(static_cast<uint32_t>(number % contexts()))];
  std::vector<unsigned char> bytes(debug_register::record_bytes);
  put(bytes, debug_register::state, static_cast<uint32_t>(c.status));
  put(bytes, debug_register::id, c.slot.value + 1);
  put(bytes, debug_register::number, uint32_t{unit.number.value()});
  if (c.status == wf_status::idle) return bytes;
  put(bytes, debug_register::pc, c.state.pc);
  put(bytes, debug_register::em, c.state.scalar64(isa::exec_lo));
  put(bytes, debug_register::spm, unit.split_masks.read(c.slot));
  put(bytes, debug_register::wavefront, c.wave_in_group);
  for (size_t k = 0; k < 3; ++k) put(bytes, debug_register::workgroup + 4 * k, c.group->launch.id[k]);
  std::vector<uint64_t> values(shown_.size());
  cu.scheme().show(c, values.data());
  for (size_t k = 0; k < shown_.size(); ++k)
    std::memcpy(&bytes[shown_[k].record_offset], &values[k], shown_[k].record_bytes);
  return bytes;
}

}  // namespace pws::models
