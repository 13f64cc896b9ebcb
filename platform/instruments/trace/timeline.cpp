// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/trace/timeline.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/output/trace_time.h"
#include "models/machine/ids.h"
#include "models/machine/occupancy.h"

namespace pws::platform {

timeline::timeline(const std::string& path, const models::machine_config& c)
    : out_("--timeline", path, fmt::format(R"({{"clock_mhz":{}}})", c.clock_mhz)),
      layout_(models::layout_of(c)),
      clock_mhz_(c.clock_mhz),
      n_wfc_(c.n_wfc),
      contexts_per_unit_(models::contexts_per_unit(c)),
      contexts_per_cu_(layout_.count() * contexts_per_unit_),
      rows_(size_t{c.n_cu} * contexts_per_cu_) {
  for (const uint32_t cu : c.trace.cus) {
    out_.name_process(cu, "cu" + std::to_string(cu));
    for (uint32_t k = 0; k < contexts_per_cu_; ++k) {
      out_.name_row(
          cu, k,
          models::context_name(c, models::unit_id(k / contexts_per_unit_), models::slot_id(k % contexts_per_unit_)));
      out_.event(fmt::format(R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}})",
                             cu, k, sort_index(k)));
    }
  }
}

// A wavefront's SWFs, or its second path, right below it.
uint32_t timeline::sort_index(uint32_t index) const {
  const models::unit_id unit(index / contexts_per_unit_);
  const uint32_t simd = layout_.simd_of(unit).value, slot = index % contexts_per_unit_;
  const uint32_t rows = layout_.spsimds + contexts_per_unit_ / n_wfc_;  // of a wavefront
  const uint32_t own = layout_.is_spsimd(unit) ? layout_.number_of(unit).part() : slot / n_wfc_;
  return (simd * n_wfc_ + slot % n_wfc_) * rows + own;
}

timeline::row& timeline::row_of(uint32_t cu, const models::wf_context& c) {
  return rows_[size_t{cu} * contexts_per_cu_ + index_of(c)];
}

void timeline::close_slice(uint32_t cu, const models::wf_context& c, row& r, models::cycle_t end) {
  if (!r.open) return;
  r.open = false;
  const models::workgroup& w = c.group->launch;
  out_.event(fmt::format(
      R"({{"ph":"X","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{"cycle":{},"cycles":{},{}"launch":{},"workgroup":"{},{},{}","wavefront":{},"instructions":{},"lanes":"{:#018x}"}}}})",
      nlohmann::json(fmt::format("{}+{:#x}", w.of->kernel, r.block - r.entry)).dump(), cu, index_of(c),
      trace_time(r.begin, clock_mhz_), trace_duration(r.begin, end, clock_mhz_), r.begin, end - r.begin,
      source_of(r.block, w.of->number()), w.of->number(), w.id[0], w.id[1], w.id[2], c.wave_in_group, r.instructions,
      r.em));
}

// As an argument of a slice.
const std::string& timeline::source_of(uint64_t pc, uint64_t launch) {
  static const std::string none;
  if (!source_lines_) return none;
  if (launch > sources_of_) {
    sources_.clear();
    sources_of_ = launch;
  }
  const auto [at, is_new] = sources_.try_emplace(pc);
  if (is_new)
    if (const std::string line = source_lines_(pc); !line.empty())
      at->second = "\"source\":" + nlohmann::json(line).dump() + ",";
  return at->second;
}

void timeline::wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t) {
  row_of(cu, c) = {};
}

void timeline::pause() {
  for (row& r : rows_) r = {};
}

void timeline::issued(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) {
  row& r = row_of(cu, c);
  if (r.leader_next || code_.of(*c.code).begins_block(i.pc)) {
    close_slice(cu, c, r, at);
    r.open = true;
    r.block = i.pc;
    r.entry = c.group->launch.of->setup.entry;
    r.begin = at;
    r.instructions = 0;
    r.em = c.state.active();
    r.leader_next = false;
  }
  ++r.instructions;
  r.last = at;
  r.leader_next = i.unit == isa::unit::branch;
}

void timeline::wave_ended(uint32_t cu, const models::wf_context& c, models::cycle_t at) {
  close_slice(cu, c, row_of(cu, c), at);
}

}  // namespace pws::platform
