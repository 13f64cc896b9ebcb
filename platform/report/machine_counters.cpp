// SPDX-License-Identifier: Apache-2.0
#include "platform/report/machine_counters.h"

#include <fmt/format.h>

#include <stdexcept>

#include "base/ratio.h"
#include "models/compute_unit/warp_scheduler.h"
#include "models/machine/machine_config.h"

namespace pws::platform {

namespace {

using models::counted_on;
using models::counter_detail;
using models::counter_row;

// In functional fidelity memory, waiting and use of units are not modelled.
bool has_caches(const counted_on& on) {
  return on.timed && on.machine.memory.arbitration != models::memory_arbitration::tdm;
}
bool has_slots(const counted_on& on) {
  return on.timed && !has_caches(on);
}
bool forms_warps(const counted_on& on) {
  return on.timed && models::traits_of(on.machine.divergence).forms_warps();
}

// Cycles of all SIMD units, or of all SpSIMD units of one number.
uint64_t unit_cycles(const counted_on& on) {
  return on.cycles * on.machine.n_cu * models::provisioned(on.machine).n_simd;
}

template <class S>
void add(S& to, const S& from) {
  S::rows().add(to, from);
}

using row_span = std::vector<const counter_row*>;

// Rows from `at` on whose names begin with the first `prefix` letters of the one there.
row_span::const_iterator put_group(json_text& t, row_span::const_iterator at, row_span::const_iterator end,
                                   size_t prefix, const void* counts, const counted_on& on) {
  const std::string_view group = std::string_view((*at)->name).substr(0, prefix);
  while (at != end && std::string_view((*at)->name).substr(0, prefix) == group) {
    const counter_row& r = **at;
    const std::string_view rest = std::string_view(r.name).substr(prefix);
    if (const size_t dot = rest.find('.'); dot != std::string_view::npos) {
      const auto below = t.object(rest.substr(0, dot));
      at = put_group(t, at, end, prefix + dot + 1, counts, on);
      continue;
    }
    std::visit([&](auto value) { t.add(rest, value, unit_of(r, on)); }, r.value_in(counts, on));
    ++at;
  }
  return at;
}

}  // namespace

const models::counter_list<machine_counters>& machine_counters::rows() {
  using s = machine_counters;
  static const models::counter_list<s> all =
      models::counter_list<s>()
          .part("", &s::cu)
          .uncalled(&s::simd_issuing)
          .value(
              "simd_idle",
              [](const s& n, const counted_on& on) {  // a unit that ran ahead of a stop has issued later
                return std::max(unit_cycles(on), n.simd_issuing) - n.simd_issuing;
              },
              "cycles without an issue, summed over SIMD units", "over all cycles")
          .where(models::is_timed)
          .count("lds.conflict_cycles", &s::lds_conflict_cycles, "cycles", "that bank conflicts took")
          .where(models::is_timed)
          .part("", &s::requests)
          .where(models::is_timed)
          .part("vector_l1", &s::vector_l1)
          .where(has_caches)
          .part("scalar_cache", &s::scalar_cache, counter_detail::totals)
          .where(has_caches)
          .part("instruction_cache", &s::instruction_cache, counter_detail::totals)
          .where(has_caches)
          .part("l2", &s::l2)
          .where(has_caches)
          .part("dram", &s::dram)
          .where(has_caches)
          .part("tdm", &s::tdm)
          .where(has_slots)
          .part("", &s::divergence)
          .part("formation", &s::formation)
          .where(forms_warps);
  return all;
}

const models::counter_list<spsimd_use>& spsimd_use::rows() {
  using s = spsimd_use;
  static const models::counter_list<s> all =
      models::counter_list<s>()
          .count("valu_busy", &s::valu_busy, "cycles, summed over units", "of the SpSIMD units of this number")
          .value(
              "valu_utilisation",
              [](const s& n, const counted_on& on) { return percent(n.valu_busy, unit_cycles(on)); }, "%",
              "cycles in which their VALU was busy")
          .uncalled(&s::swf_occupancy)
          .value(
              "swfs", [](const s& n, const counted_on& on) { return ratio(n.swf_occupancy, unit_cycles(on)); },
              "contexts in use, average per unit", "SWFs");
  return all;
}

machine_counters read_counters(const models::gpu& gpu) {
  machine_counters n;
  for (const auto& cu : gpu.cus) {
    add(n.cu, cu->statistics());
    add(n.requests, cu->mif.statistics());
    add(n.divergence, cu->scheme().statistics());
    n.lds_conflict_cycles += cu->lds().conflict_cycles();
    for (uint32_t u = 0; u < cu->layout().simds; ++u) {
      n.simd_issuing += cu->unit(models::unit_id(u)).issuing_cycles;
      if (cu->warps() != nullptr) add(n.formation, cu->warps()->statistics(models::simd_id(u)));
    }
  }
  for (const auto& c : gpu.memory.vector_l1) add(n.vector_l1, c->statistics());
  for (const auto& c : gpu.memory.scalar_cache) add(n.scalar_cache, c->statistics());
  for (const auto& c : gpu.memory.instruction_cache) add(n.instruction_cache, c->statistics());
  for (const auto& c : gpu.memory.l2) add(n.l2, c->statistics());
  n.dram = gpu.memory.dram.statistics();
  if (gpu.memory.predictable) n.tdm = gpu.memory.predictable->statistics();
  return n;
}

machine_counters operator-(machine_counters a, const machine_counters& b) {
  machine_counters::rows().subtract(a, b);
  return a;
}

machine_counters& operator+=(machine_counters& a, const machine_counters& b) {
  add(a, b);
  return a;
}

std::vector<spsimd_use> read_spsimds(const models::gpu& gpu) {
  std::vector<spsimd_use> all(models::spsimds_per_simd(gpu.config));
  for (const auto& cu : gpu.cus)
    for (uint32_t u = cu->layout().simds; u < cu->layout().count(); ++u) {
      const models::simd_unit& unit = cu->unit(models::unit_id(u));
      add(all[unit.number.spsimd_index()], {unit.valu_busy, unit.swf_occupancy});
    }
  return all;
}

counted_on counted_by(const models::machine_config& m, models::fidelity f, models::cycle_t cycles) {
  return {m, f == models::fidelity::timing, cycles, issuer_of(m, f)};
}

const char* issuer_of(const models::machine_config& m, models::fidelity f) {
  if (!models::traits_of(m.divergence).forms_warps()) return "wavefront";
  return f == models::fidelity::timing ? "warp" : "path";
}

std::string unit_of(const counter_row& r, const counted_on& on) {
  return r.unit.empty() || r.unit.front() != '*' ? r.unit : on.issuer + r.unit.substr(1);
}

std::string filled_from(const std::vector<counter_row>& rows, std::string_view text, const void* counts,
                        const counted_on& on) {
  const auto value_of = [&](std::string_view name) {
    for (const counter_row& r : rows)
      if (r.name == name) return r.value_in(counts, on);
    throw std::logic_error("no counter is called " + std::string(name));
  };
  std::string out;
  while (true) {
    const size_t begin = text.find('{'), end = text.find('}', begin);
    out += text.substr(0, begin);
    if (begin == std::string_view::npos) return out;
    const std::string_view inside = text.substr(begin + 1, end - begin - 1);
    text.remove_prefix(end + 1);
    const size_t colon = inside.find(':');
    const models::counter_value value = value_of(inside.substr(0, colon));
    std::string format = colon == std::string_view::npos ? "" : std::string(inside.substr(colon));
    if (!format.empty() && format.back() == '%') {
      format.back() = 'f';
      out += fmt::format(fmt::runtime("{" + format + "} %"), 100 * std::get<double>(value));
    } else {
      std::visit([&](auto v) { out += fmt::format(fmt::runtime("{" + format + "}"), v); }, value);
    }
  }
}

// A row with "*" in its unit has as many units as there are issuers of instructions.
std::vector<report_field> counter_fields(const std::vector<counter_row>& rows, counter_detail detail) {
  std::vector<report_field> all;
  std::string last;
  for (const counter_row& r : rows) {
    const std::string& name = r.pattern.empty() ? r.name : r.pattern;
    if (name.empty() || name == last || r.detail > detail) continue;
    last = name;
    std::string units = r.unit;
    if (!units.empty() && units.front() == '*') {
      units.clear();
      for (const char* issuer : issuers) units += (units.empty() ? "" : " | ") + (issuer + r.unit.substr(1));
    }
    all.push_back({name, value_kind::number, units, r.meaning});
  }
  return all;
}

void put_rows(json_text& t, const std::vector<counter_row>& rows, const void* counts, const counted_on& on,
              counter_detail detail) {
  row_span shown;
  for (const counter_row& r : rows)
    if (r.is_in(detail, on)) shown.push_back(&r);
  if (!shown.empty()) put_group(t, shown.begin(), shown.end(), 0, counts, on);
}

nlohmann::ordered_json to_json(const machine_counters& n, const counted_on& on, counter_detail detail) {
  return json_tree([&](json_text& t) { put(t, n, on, detail); });
}

}  // namespace pws::platform
