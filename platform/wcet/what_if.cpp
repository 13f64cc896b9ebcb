// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/error.h"
#include "models/isa/predicates.h"
#include "platform/run/program/machine_timing.h"
#include "platform/wcet/path_costs.h"
#include "sw/loader/line_table.h"

namespace pws::platform {

namespace {

std::string text_of(const cfg::source_place& p) {
  return loader::text(loader::source_line{p.file, p.line, p.column});
}

uint32_t at_least_one_for(uint64_t bytes, uint64_t of) {
  return static_cast<uint32_t>(std::max<uint64_t>(1, (bytes + of - 1) / of));
}

}  // namespace

changed_bound tried(const std::function<changed_bound()>& bound) {
  const auto none = [](const std::exception& e) {
    const std::string text = e.what();
    return changed_bound{std::nullopt, text.substr(0, text.find('\n'))};
  };
  try {
    return bound();
  } catch (const wcet::infeasible_flow&) {
    return {std::nullopt, "the code leaves no way through it then"};
  } catch (const input_error& e) {
    return none(e);
  } catch (const program_error& e) {
    return none(e);
  }
}

what_if::what_if(wcet_result& r, wcet::scheme s) : result_(r), scheme_(s) {
  const wcet::wavefront_bound& w = r.of(s).wavefront;
  solved_.push_back({std::get<static_basis>(r.basis).timing, w.cycles, w.swfs});
}

bool what_if::has_times_of(const models::machine_config& machine) const {
  return timing_of(machine) == solved_.front().timing;
}

bool what_if::differs_in_times_only(const models::machine_config& machine) const {
  const wcet::machine_timing timing = timing_of(machine);
  const wcet::machine_timing& own = solved_.front().timing;
  const wcet::analysed_kernel& code = *result_.analysed;
  const bool splits = !code.split_points().empty();
  const bool uses_lds = std::any_of(code.accesses().begin(), code.accesses().end(),
                                    [](const wcet::access_bound& a) { return a.lds_passes != 0; });
  return machine.divergence == result_.machine.divergence &&
         machine.hardware_queues == result_.machine.hardware_queues &&
         (!splits || machine.spsimd_per_simd == result_.swf_contexts) && timing.line_bytes == own.line_bytes &&
         (!uses_lds || timing.lds_banks == own.lds_banks);
}

uint64_t what_if::kernel_with(const models::machine_config& machine, const wcet::machine_timing& timing,
                              wcet::wavefront_bound wavefront) const {
  scheme_bound b;
  b.wavefront = std::move(wavefront);
  bound_launch(machine, result_.extent, first_issue_at_most(timing), b);
  return b.e_kernel;
}

changed_bound what_if::on(const models::machine_config& machine) {
  return tried([&] {
    const wcet::machine_timing timing = timing_of(machine);
    auto known = std::find_if(solved_.begin(), solved_.end(), [&](const solved& s) { return s.timing == timing; });
    if (known == solved_.end()) {
      const wcet::wavefront_bound w = wcet::bound_wavefront(*result_.analysed, scheme_, timing);
      known = solved_.insert(solved_.end(), {timing, w.cycles, w.swfs});
    }
    wcet::wavefront_bound w;
    w.of_scheme = scheme_;
    w.cycles = known->cycles;
    w.swfs = known->swfs;
    return changed_bound{kernel_with(machine, timing, std::move(w)), ""};
  });
}

template <class F>
changed_bound what_if::with(F change) {
  wcet::analysed_kernel& code = *result_.analysed;
  const wcet::analysed_kernel::assumed found = code.found();
  const changed_bound out = tried([&] {
    wcet::analysed_kernel::assumed other = found;
    if (!change(other)) return changed_bound{now(), ""};
    code.assume(std::move(other));
    const wcet::machine_timing& timing = solved_.front().timing;
    return changed_bound{kernel_with(result_.machine, timing, wcet::bound_wavefront(code, scheme_, timing)), ""};
  });
  code.assume(found);
  return out;
}

namespace {

std::string name_of_mark(const wcet_result& r, const wcet::marked_loop& m) {
  if (m.in_loop.empty()) return fmt::format("{} at {}", m.from, text_of(m.place));
  const auto first = std::find(m.in_loop.begin(), m.in_loop.end(), true) - m.in_loop.begin();
  return fmt::format("{} at {}+{:#x}", m.from, r.kernel, r.offset_of(static_cast<size_t>(first)));
}

std::string name_of_loop(const wcet_result& r, const wcet::bounded_loop& l) {
  return "loop at " + (l.place.line != 0 ? text_of(l.place) : r.kernel + r.analysed->offset_of(l.header));
}

}  // namespace

std::vector<what_if::mark> what_if::marks() const {
  std::vector<mark> out;
  for (const wcet::marked_loop& m : result_.analysed->marked_loops()) {
    const std::string name = name_of_mark(result_, m);
    const auto known = std::find_if(out.begin(), out.end(), [&](const mark& o) { return o.name == name; });
    if (known == out.end())
      out.push_back({name, m.bound});
    else
      known->bound = std::max(known->bound, m.bound);
  }
  return out;
}

changed_bound what_if::with_mark(const std::string& name, int more) {
  return with([&](wcet::analysed_kernel::assumed& other) {
    bool any = false;
    for (wcet::marked_loop& m : other.marked) {
      if (name_of_mark(result_, m) != name || (more < 0 && m.bound == 0)) continue;
      m.bound = more < 0 ? m.bound - 1 : m.bound + 1;
      any = true;
    }
    if (any) other.loops = result_.analysed->loops_with(other.marked);
    return any;
  });
}

std::vector<what_if::loop> what_if::loops() const {
  std::vector<loop> out;
  for (const wcet::bounded_loop& l : result_.analysed->loops()) {
    if (l.by_marks == l.passes) continue;
    const std::string name = name_of_loop(result_, l);
    const auto known = std::find_if(out.begin(), out.end(), [&](const loop& o) { return o.name == name; });
    if (known == out.end())
      out.push_back({name, *l.passes});
    else
      known->passes = std::max(known->passes, *l.passes);
  }
  return out;
}

changed_bound what_if::with_fewer_passes(const std::string& name) {
  return with([&](wcet::analysed_kernel::assumed& other) {
    bool any = false;
    for (wcet::bounded_loop& l : other.loops) {
      if (l.by_marks == l.passes || *l.passes < 2 || name_of_loop(result_, l) != name) continue;
      --*l.passes;
      l.exactly = false;  // so that marks cannot contradict it
      any = true;
    }
    return any;
  });
}

std::string what_if::place_of(size_t instruction) const {
  const cfg::source_place at = result_.analysed->place(instruction);
  return at.line != 0 ? text_of(at) : fmt::format("{}+{:#x}", result_.kernel, result_.offset_of(instruction));
}

wcet::access_bound what_if::side_by_side(size_t k) const {
  const isa::inst& i = result_.code.instructions[k];
  wcet::access_bound a = result_.analysed->accesses()[k];
  const uint64_t bytes = data_type_of(i) == isa::data_type::none ? 0 : bytes_of(data_type_of(i));
  if (bytes == 0 || i.native == isa::format::mimg) return a;
  const wcet::machine_timing& timing = solved_.front().timing;
  const uint64_t lanes = i.unit == isa::unit::scalar_memory ? 1 : isa::wave_size;
  if (a.lines != 0) a.lines = std::min(a.lines, at_least_one_for(lanes * bytes, timing.line_bytes));
  if (a.lds_passes != 0) {
    const bool twice = (i.row->flags & isa::double_access) != 0 && i.offset0 != i.offset1;
    const uint32_t half = at_least_one_for(isa::wave_size / 2 * bytes, timing.lds_banks * uint64_t{4});
    a.lds_passes = std::min(a.lds_passes, 2 * half * (twice ? 2 : 1));
  }
  return a;
}

std::vector<what_if::line_accesses> what_if::scattered() const {
  const scheme_bound& b = result_.of(scheme_);
  const wcet::analysed_kernel& code = *result_.analysed;
  const path_costs costs = costs_of(code, b.wavefront);
  // E_kernel has D_S times that much of E_WF, for DWS once more for each SWF, and once for the last workgroup.
  const uint64_t paths =
      scheme_ == wcet::scheme::dws ? b.d_s * (b.wavefront.swfs + 1) + (b.d_s > 1 && b.wavefront.swfs != 0) : b.d_s;
  struct found {
    line_accesses said;
    double saved = 0;
    uint32_t worst = 0;
  };
  std::map<std::pair<std::string, uint64_t>, found> all;  // by place, in its own order
  for (size_t k = 0; k < code.accesses().size(); ++k) {
    const wcet::access_bound &a = code.accesses()[k], better = side_by_side(k);
    const uint32_t before = a.lines + a.lds_passes, after = better.lines + better.lds_passes;
    if (after >= before) continue;
    const cfg::source_place at = code.place(k);
    found& f = all[{at.line == 0 ? "" : at.file, at.line != 0 ? at.line : k}];
    f.said.place = place_of(k);
    ++f.said.accesses;
    // Slots are in proportion to lines and passes, but for one that may be either, which counts as if all were saved.
    const double share = a.lines != 0 && a.lds_passes != 0 ? 1 : 1 - static_cast<double>(after) / before;
    f.saved += static_cast<double>(costs.instructions[k].memory) * share * static_cast<double>(paths);
    if (before <= f.worst) continue;
    f.worst = before;
    f.said.now = amount_text(a);
    f.said.better = amount_text(better);
  }
  std::vector<line_accesses> out;
  for (auto& [place, f] : all) {
    f.said.name = fmt::format("{} access{} of {}", f.said.accesses, f.said.accesses == 1 ? "" : "es", f.said.place);
    const bool known = b.wavefront.path.is_path && f.saved < 9e18;
    f.said.at_most = known ? static_cast<uint64_t>(f.saved) + 1 : std::numeric_limits<uint64_t>::max();
    out.push_back(std::move(f.said));
  }
  return out;
}

changed_bound what_if::with_accesses_side_by_side(const std::string& place) {
  return with([&](wcet::analysed_kernel::assumed& other) {
    bool any = false;
    for (size_t k = 0; k < other.accesses.size(); ++k) {
      const wcet::access_bound& a = other.accesses[k];
      if ((a.lines == 0 && a.lds_passes == 0) || place_of(k) != place) continue;
      other.accesses[k] = side_by_side(k);
      any = true;
    }
    return any;
  });
}

}  // namespace pws::platform
