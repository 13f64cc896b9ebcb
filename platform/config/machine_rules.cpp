// SPDX-License-Identifier: Apache-2.0
// Rules about several machine values at once. Each is a sentence, reported at the first value involved that is not a
// default.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "models/machine/host_memory.h"
#include "models/machine/ids.h"
#include "models/machine/occupancy.h"
#include "platform/config/machine_loader.h"
#include "platform/config/needs.h"
#include "rtl/wrapper/rtl_library.h"

namespace pws::platform {

namespace {

// Why the RTL of the SpSIMD unit, as built, cannot be part of a machine, as a sentence that names the key; empty if
// there is no reason.
std::string cosim_refusal(const models::machine_config& c) {
  using unit = rtl::spsimd_rtl;
  if (std::string reason = rtl::why_there_is_no_rtl(); !reason.empty()) return reason;
  const auto needs = [](bool wrong, const char* key, auto value, auto actual) {
    return wrong ? fmt::format("the RTL of the SpSIMD unit needs {}: {}, and it is {}", key, value, actual)
                 : std::string();
  };
  std::string s;
  const auto require = [&](std::string text) {
    if (s.empty()) s = std::move(text);
  };
  const models::scheme_traits& scheme = models::traits_of(c.divergence);
  if (!models::has_spsimds(c) || scheme.acts_at != models::divergence_points::split_and_merge)
    require("the RTL is of an SpSIMD unit that splits and merges: machine.divergence must be pws");
  if (c.spsimd_per_simd == 0) require("spsimd_per_simd is 0: there is no SpSIMD unit");
  if (c.fidelity != models::fidelity::timing) require("co-simulation is of cycles: machine.fidelity must be timing");
  if (c.schedule == models::schedule_policy::tdm)
    require(
        "the RTL's passes follow each other: machine.schedule tdm, which gives each a slot of its own, is the model's");
  if (c.scoreboard != models::path_scoreboard::drain)
    require("the RTL's paths begin with nothing under way: machine.scoreboard must be drain");
  require(needs(c.valu_lanes != unit::lanes, "machine.valu_lanes", unit::lanes, c.valu_lanes));
  require(needs(c.n_wfc > unit::contexts, "machine.n_wfc of at most", unit::contexts, c.n_wfc));
  require(
      needs(c.spsimd_per_simd > unit::spsimds, "machine.spsimd_per_simd of at most", unit::spsimds, c.spsimd_per_simd));
  require(needs(c.child_stack_entries > unit::stack_depth, "machine.child_stack_entries of at most", unit::stack_depth,
                c.child_stack_entries));
  // A hand-over of scalar registers, which a split starts, and a merge at which an SWF goes on in its parent's place.
  const unsigned handover = unit::handover_cycles();
  require(needs(c.split_cycles < handover, "machine.split_cycles of at least", handover, c.split_cycles));
  require(needs(c.merge_cycles < handover, "machine.merge_cycles of at least", handover, c.merge_cycles));
  // A wavefront's registers are handed over before its first fetch.
  const std::vector<uint32_t>& numbers = c.cosim.spsimds;
  require(needs(std::count(numbers.begin(), numbers.end(), 1) != 0 && c.dispatch_latency <= handover,
                "machine.dispatch_latency of at least", handover + 1, c.dispatch_latency));
  // What a load brings is written before it can be read.
  require(needs(c.memory.scalar_cache.hit_latency < unit::load_cycles,
                "machine.memory.scalar_cache.hit_latency of at least", unit::load_cycles,
                c.memory.scalar_cache.hit_latency));
  require(needs(c.latency.salu != unit::scalar_latency, "machine.latency.salu", unit::scalar_latency, c.latency.salu));
  // An instruction is in the vector ALU for its passes, whatever the key says.
  const auto vector = [&](const char* key, uint32_t actual, unsigned cycles_of_a_pass) {
    const unsigned passes = cycles_of_a_pass * (64 / unit::lanes), latency = unit::vector_latency(cycles_of_a_pass);
    require(needs(std::max(actual, passes) != latency, key, latency, actual));
  };
  vector("machine.latency.valu", c.latency.valu, 1);
  vector("machine.latency.valu_f64", c.latency.valu_f64, 2);
  vector("machine.latency.valu_trans", c.latency.valu_trans, 4);
  return s;
}

using models::machine_config;
using verdict = std::optional<std::string>;  // what is wrong

struct rule {
  std::vector<std::string> fields;  // that it is about; the first gives the path of the message
  std::function<verdict(const machine_config&)> check;
};

bool power_of_two(uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

verdict wrong(bool is_wrong, std::string sentence) {
  if (!is_wrong) return std::nullopt;
  return sentence;
}

using cache_of = std::function<const models::cache_config&(const machine_config&)>;

void add_cache_rules(std::vector<rule>& rules, const std::string& path, const cache_of& cache) {
  rules.push_back({{path + ".line_bytes"}, [cache](const machine_config& c) {
                     const uint32_t line = cache(c).line_bytes;
                     return wrong(!power_of_two(line), fmt::format("line_bytes {} must be a power of two", line));
                   }});
  rules.push_back(
      {{path + ".size_kib", path + ".ways", path + ".line_bytes"}, [cache](const machine_config& c) {
         const models::cache_config& cc = cache(c);
         const uint64_t bytes = uint64_t{cc.size_kib} * 1024;
         const uint64_t set = uint64_t{cc.ways} * cc.line_bytes;
         if (bytes % set != 0) {
           return verdict(fmt::format("size_kib {} ({} bytes) is not divisible into sets of {} ways * {} bytes",
                                      cc.size_kib, bytes, cc.ways, cc.line_bytes));
         }
         return wrong(!power_of_two(bytes / set),
                      fmt::format("{} KiB / ({} ways * {} bytes) gives {} sets, and a power of two is needed",
                                  cc.size_kib, cc.ways, cc.line_bytes, bytes / set));
       }});
  if (path == "memory.vector_l1") return;
  rules.push_back(
      {{path + ".line_bytes", "memory.vector_l1.line_bytes"}, [cache](const machine_config& c) {
         const uint32_t line = cache(c).line_bytes, l1 = c.memory.vector_l1.line_bytes;
         return wrong(
             line != l1,
             fmt::format("line_bytes {} differs from vector_l1's {}; all caches must have the same", line, l1));
       }});
}

void add_memory_rules(std::vector<rule>& rules) {
  using ref = const models::cache_config&;
  add_cache_rules(rules, "memory.vector_l1", [](const machine_config& c) -> ref { return c.memory.vector_l1; });
  add_cache_rules(rules, "memory.scalar_cache", [](const machine_config& c) -> ref { return c.memory.scalar_cache; });
  add_cache_rules(rules, "memory.instruction_cache",
                  [](const machine_config& c) -> ref { return c.memory.instruction_cache; });
  add_cache_rules(rules, "memory.l2.bank", [](const machine_config& c) -> ref { return c.memory.l2.bank; });
  rules.push_back({{"lds.banks"}, [](const machine_config& c) {
                     return wrong(!power_of_two(c.lds.banks),
                                  fmt::format("{} banks; a power of two is needed", c.lds.banks));
                   }});
  rules.push_back({{"memory.dram.size_mib", "memory.local.at"}, [](const machine_config& c) {
                     if (c.memory.local.is_outside()) return wrong(false, "");  // it takes nothing of the host here
                     // What programs touch has to be there. The default is exempt: small hosts run small kernels on it.
                     const models::host_bytes memory = models::host_memory();
                     const uint64_t host = memory.bytes >> 20;
                     return wrong(c.memory.dram.size_mib > std::max<uint64_t>(host, models::dram_config().size_mib),
                                  fmt::format("size_mib {} is more than the host's memory, {} MiB with swap{}",
                                              c.memory.dram.size_mib, host, memory.text()));
                   }});
  rules.push_back({{"memory.dram.row_bytes"}, [](const machine_config& c) {
                     return wrong(!power_of_two(c.memory.dram.row_bytes),
                                  fmt::format("row_bytes {} must be a power of two", c.memory.dram.row_bytes));
                   }});
  rules.push_back({{"memory.dram.row_bytes", "memory.l2.bank.line_bytes"}, [](const machine_config& c) {
                     const uint32_t row = c.memory.dram.row_bytes, line = c.memory.l2.bank.line_bytes;
                     return wrong(row < line,
                                  fmt::format("row_bytes {} is less than a line of the L2 ({} bytes)", row, line));
                   }});
}

const rule core_rules[] = {
    {{"dispatch_latency", "memory.interconnect.latency"},
     [](const machine_config& c) {
       return wrong(c.dispatch_latency < c.memory.interconnect.latency,
                    fmt::format("dispatch_latency {} must be at least memory.interconnect.latency, which is {}",
                                c.dispatch_latency, c.memory.interconnect.latency));
     }},
    {{"threads", "wave_order"},
     [](const machine_config& c) {
       return wrong(c.threads > 1 && c.wave_order == models::wave_order::random,
                    "wave_order random is an order that a seed gives again: threads must be 1");
     }},
    {{"schedule", "memory.arbitration"},
     [](const machine_config& c) {
       return wrong(
           c.schedule == models::schedule_policy::tdm && c.memory.arbitration != models::memory_arbitration::tdm,
           "schedule tdm needs memory.arbitration: tdm; in a shared memory a context's slots "
           "would not keep others from delaying it");
     }},
    {{"schedule", "divergence"},
     [](const machine_config& c) {
       return wrong(c.schedule == models::schedule_policy::tdm && models::contexts_per_wavefront(c) != 1,
                    fmt::format("schedule tdm has no issue slots for further paths of a wavefront, which "
                                "divergence {} has",
                                models::traits_of(c.divergence).name));
     }},
    {{"memory.arbitration", "divergence"},
     [](const machine_config& c) {
       const models::scheme_traits& scheme = models::traits_of(c.divergence);
       return wrong(c.memory.arbitration == models::memory_arbitration::tdm && scheme.has_further_contexts(),
                    fmt::format("memory.arbitration tdm has no slots for any number of paths, which "
                                "divergence {} has",
                                models::traits_of(c.divergence).name));
     }},
    {{"n_wfc", "divergence"},
     [](const machine_config& c) {
       return wrong(models::contexts_per_unit(c) > models::most_contexts_per_unit,
                    fmt::format("n_wfc {} wavefronts of up to {} paths each, which divergence {} gives "
                                "them, are more than the {} contexts that a SIMD unit can have",
                                c.n_wfc, models::contexts_per_wavefront(c), models::traits_of(c.divergence).name,
                                models::most_contexts_per_unit));
     }},
    {{"dws.threshold", "divergence"},
     [](const machine_config& c) {
       return wrong(c.dws.threshold && c.divergence != models::divergence_kind::dws_table,
                    fmt::format("dws.threshold is the warp-split table's: divergence dws-table, and it is "
                                "{}",
                                models::traits_of(c.divergence).name));
     }},
    {{"dwf.lut_entries"},
     [](const machine_config& c) {
       return wrong(!power_of_two(c.dwf.lut_entries),
                    fmt::format("{} entries of two ways each are not a power of two of sets", c.dwf.lut_entries));
     }},
    {{"scoreboard", "divergence"},
     [](const machine_config& c) {
       return wrong(
           c.scoreboard == models::path_scoreboard::conservative && !models::traits_of(c.divergence).has_slots(),
           "scoreboard conservative is of one or two slots per wavefront: divergence stack or "
           "dpe");
     }},
    {{"memory.dram.page", "memory.arbitration"},
     [](const machine_config& c) {
       return wrong(
           c.memory.arbitration == models::memory_arbitration::tdm && c.memory.dram.page != models::page_policy::closed,
           "memory.arbitration tdm needs memory.dram.page: closed; an open row would make a "
           "slot's length depend on who came before");
     }},
    {{"memory.local.at", "memory.arbitration"},
     [](const machine_config& c) {
       return wrong(c.memory.local.is_outside() && c.memory.arbitration == models::memory_arbitration::tdm,
                    "memory.arbitration tdm has no slots for memory.local.at: socket, whose time is the platform's");
     }},
    {{"memory.system.size_mib", "memory.arbitration"},
     [](const machine_config& c) {
       return wrong(c.memory.system.exists() && c.memory.arbitration == models::memory_arbitration::tdm,
                    "memory.arbitration tdm has no slots for system memory, whose time is the platform's");
     }},
    {{"memory.system.base", "memory.system.size_mib", "memory.dram.size_mib"},
     [](const machine_config& c) {
       const models::system_memory_config& s = c.memory.system;
       const models::dram_config& d = c.memory.dram;
       constexpr uint64_t page = 4096;
       if (!s.exists()) return wrong(false, "");
       if (s.base % page != 0)
         return wrong(true, fmt::format("memory.system.base {:#x} is no multiple of 4096", s.base));
       return wrong(s.base < d.base() + d.bytes() && d.base() < s.base + s.bytes(),
                    fmt::format("memory.system.size_mib {}: system memory [{:#x},{:#x}) overlaps device memory "
                                "[{:#x},{:#x}), memory.dram.size_mib {}",
                                s.size_mib, s.base, s.base + s.bytes(), d.base(), d.base() + d.bytes(), d.size_mib));
     }},
    {{"designate_spsimd", "n_simd", "spsimd_per_simd", "divergence"},
     [](const machine_config& c) {
       const uint32_t group = c.spsimd_per_simd + 1;
       return wrong(c.designate_spsimd && models::has_spsimds(c) && c.n_simd % group != 0,
                    fmt::format("n_simd {} does not divide into groups of one SIMD unit and "
                                "spsimd_per_simd {} SpSIMD units",
                                c.n_simd, c.spsimd_per_simd));
     }},
    {{"vgprs_per_simd"},
     [](const machine_config& c) {
       return wrong(c.vgprs_per_simd % 4 != 0,
                    fmt::format("{} is not a multiple of 4, the unit of allocation", c.vgprs_per_simd));
     }},
    {{"sgprs_per_simd"},
     [](const machine_config& c) {
       return wrong(c.sgprs_per_simd % 16 != 0,
                    fmt::format("{} is not a multiple of 16, the unit of allocation", c.sgprs_per_simd));
     }},
    {{"fetch_bytes"},
     [](const machine_config& c) {
       return wrong(!power_of_two(c.fetch_bytes), fmt::format("{} is not a power of two", c.fetch_bytes));
     }},
    {{"fetch_bytes", "memory.instruction_cache.line_bytes"},
     [](const machine_config& c) {
       const uint32_t line = c.memory.instruction_cache.line_bytes;
       return wrong(c.fetch_bytes > line, fmt::format("fetch_bytes {} is more than a line of the instruction cache "
                                                      "(line_bytes {})",
                                                      c.fetch_bytes, line));
     }},
    {{"ibuf_dwords", "fetch_bytes"},
     [](const machine_config& c) {
       // The next fetch waits until the buffer has room for all of it, and the first half of the
       // instruction that needs it is still there.
       constexpr uint32_t first_half = 1;
       const uint32_t needed = c.fetch_bytes / 4 + first_half;
       return wrong(c.ibuf_dwords < needed,
                    fmt::format("ibuf_dwords {} cannot hold a fetch of fetch_bytes {} beside the first "
                                "dword of an instruction that goes on in it; at least {} are needed",
                                c.ibuf_dwords, c.fetch_bytes, needed));
     }},
    {{"trace.until_cycle", "trace.from_cycle"},
     [](const machine_config& c) {
       const uint64_t from = c.trace.from_cycle.value_or(0);
       return wrong(c.trace.until_cycle && *c.trace.until_cycle <= from,
                    fmt::format("ends at cycle {}, and begins at cycle {}", c.trace.until_cycle.value_or(0), from));
     }},
    {{"trace.until_launch", "trace.from_launch"},
     [](const machine_config& c) {
       const uint64_t from = c.trace.from_launch.value_or(1);
       return wrong(
           c.trace.until_launch && *c.trace.until_launch < from,
           fmt::format("ends behind launch {}, and begins with launch {}", c.trace.until_launch.value_or(0), from));
     }},
    {{"trace.cus", "n_cu"},
     [](const machine_config& c) {
       std::set<uint32_t> seen;
       for (const uint32_t cu : c.trace.cus) {
         if (cu >= c.n_cu) {
           return verdict(fmt::format("there is no compute unit {}; n_cu is {}, so 0..{}", cu, c.n_cu, c.n_cu - 1));
         }
         if (!seen.insert(cu).second) return verdict(fmt::format("compute unit {} is listed twice", cu));
       }
       return verdict();
     }},
};

// A list of units that are to be there, each once: those from `first` to `last`. `count`: the key's value.
verdict units_listed(const std::vector<uint32_t>& list, uint32_t first, uint32_t last, const char* what,
                     const char* key, uint32_t count) {
  std::set<uint32_t> seen;
  for (const uint32_t n : list) {
    if (n < first || n > last) return fmt::format("there is no {} {}; {} is {}", what, n, key, count);
    if (!seen.insert(n).second) return fmt::format("{} {} is listed twice", what, n);
  }
  return std::nullopt;
}

void add_cosim_rules(std::vector<rule>& rules) {
  rules.push_back(
      {{"cosim.mode", "divergence", "spsimd_per_simd", "fidelity", "schedule", "valu_lanes", "n_wfc",
        "child_stack_entries", "split_cycles", "merge_cycles", "cosim.spsimds", "dispatch_latency",
        "memory.scalar_cache.hit_latency", "latency.salu", "latency.valu", "latency.valu_f64", "latency.valu_trans"},
       [](const machine_config& c) {
         if (c.cosim.mode == models::cosim_mode::model) return verdict();
         const std::string reason = cosim_refusal(c);
         return wrong(!reason.empty(), reason);
       }});
  rules.push_back({{"cosim.cus", "n_cu"}, [](const machine_config& c) {
                     return units_listed(c.cosim.cus, 0, c.n_cu - 1, "compute unit", "n_cu", c.n_cu);
                   }});
  rules.push_back({{"cosim.simds", "n_simd"}, [](const machine_config& c) {
                     return units_listed(c.cosim.simds, 0, c.n_simd - 1, "SIMD unit", "n_simd", c.n_simd);
                   }});
  rules.push_back({{"cosim.spsimds", "spsimd_per_simd"}, [](const machine_config& c) {
                     return units_listed(c.cosim.spsimds, models::swf_number::simd_unit().value(),
                                         c.spsimd_per_simd + 1, "SpSIMD unit", "spsimd_per_simd", c.spsimd_per_simd);
                   }});
}

}  // namespace

void check_machine_rules(const loaded_machine& machine, issue_list& issues) {
  std::vector<rule> rules(std::begin(core_rules), std::end(core_rules));
  add_memory_rules(rules);
  add_cosim_rules(rules);
  for (const rule& r : rules) {
    if (!machine.known_good(r.fields)) continue;
    if (const verdict sentence = r.check(machine.config)) {
      issues.add(machine.place(r.fields), "machine." + r.fields.front(), *sentence);
    }
  }
  for (const machine_watcher& w : machine_watchers()) {
    if (!w.on(machine.config)) continue;
    for (const unmet_need& n : unmet_needs(w.watches, {machine.config})) {
      std::vector<std::string> fields = w.keys;
      fields.insert(fields.end(), n.keys.begin(), n.keys.end());
      if (machine.known_good(fields)) issues.add(machine.place(fields), "machine." + w.keys.front(), n.why);
    }
  }
}

}  // namespace pws::platform
