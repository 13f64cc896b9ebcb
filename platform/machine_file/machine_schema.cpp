#include "platform/machine_file/machine_schema.h"

namespace pws::platform {

namespace {

using namespace pws::models;

// `Members` are the pointers to members that lead from a machine_config to the field.
template <auto... Members>
struct member {
  static machine_field::numbers get(const machine_config& config) {
    return {static_cast<uint64_t>((config.*....*Members))};
  }
  static void set(machine_config& config, const machine_field::numbers& values) {
    auto& target = (config.*....*Members);
    target = static_cast<std::remove_reference_t<decltype(target)>>(values.front());
  }
};

template <auto... Members>
struct list_member {
  static machine_field::numbers get(const machine_config& config) {
    const auto& source = (config.*....*Members);
    return {source.begin(), source.end()};
  }
  static void set(machine_config& config, const machine_field::numbers& values) {
    auto& target = (config.*....*Members);
    target.assign(values.begin(), values.end());
  }
};

struct range {
  uint64_t min;
  uint64_t max;
};

class table {
 public:
  template <auto... Members>
  void integer(const char* path, const char* unit, range r, const char* help) {
    add<member<Members...>>(path, field_kind::integer, unit, r, {}, help);
  }
  // Numbers of which only some are allowed.
  template <auto... Members>
  void integer(const char* path, const char* unit, std::vector<std::string> allowed, const char* help) {
    add<member<Members...>>(path, field_kind::integer, unit, {0, 0}, std::move(allowed), help);
  }
  // `names` are the enumerators in order.
  template <auto... Members>
  void choice(const char* path, std::vector<std::string> names, const char* help) {
    add<member<Members...>>(path, field_kind::choice, "", {0, 0}, std::move(names), help);
  }
  template <auto... Members>
  void integer_list(const char* path, const char* unit, range r, const char* help) {
    add<list_member<Members...>>(path, field_kind::integer_list, unit, r, {}, help);
  }
  template <auto... Members>
  void cache(const std::string& path, const std::string& what) {
    integer<Members..., &cache_config::size_kib>((path + ".size_kib").c_str(), "KiB", {1, 65536},
                                                 ("size of " + what).c_str());
    integer<Members..., &cache_config::ways>((path + ".ways").c_str(), "", {1, 256}, "lines of a set");
    integer<Members..., &cache_config::line_bytes>((path + ".line_bytes").c_str(), "byte", {16, 1024},
                                                   "length of a line, a power of two and the same in all caches");
    integer<Members..., &cache_config::hit_latency>((path + ".hit_latency").c_str(), "cycle", {1, 10000},
                                                    "request to data for a hit, unloaded");
    integer<Members..., &cache_config::mshrs>((path + ".mshrs").c_str(), "line", {1, 4096},
                                              "misses outstanding at a time");
  }
  std::vector<machine_field> rows;

 private:
  template <class Access>
  void add(const char* path, field_kind kind, const char* unit, range r, std::vector<std::string> choices,
           const char* help) {
    machine_field f;
    f.path = path;
    f.kind = kind;
    f.unit = unit;
    f.min = static_cast<int128>(r.min);
    f.max = static_cast<int128>(r.max);
    f.choices = std::move(choices);
    f.help = help;
    f.get = Access::get;
    f.set = Access::set;
    f.default_text = machine_value_text(f, machine_config{});
    rows.push_back(std::move(f));
  }
};

void add_core(table& t) {
  using c = machine_config;
  t.choice<&c::fidelity>("fidelity", {"functional", "timing"},
                         "functional: no timing, fast; timing: cycle-approximate");
  t.integer<&c::clock_mhz>("clock_mhz", "MHz", {1, 10000}, "GPU clock; only converts cycles to time");
  t.integer<&c::n_cu>("n_cu", "", {1, 256}, "compute units");
  t.integer<&c::n_simd>("n_simd", "", {1, 16}, "SIMD units of a compute unit");
  t.integer<&c::n_wfc>("n_wfc", "", {1, 64}, "wavefront contexts of a SIMD unit");
  t.integer<&c::valu_lanes>("valu_lanes", "", std::vector<std::string>{"16", "64"},
                            "lanes of a vector ALU: 16 take four cycles for a wavefront, 64 take one");
  t.integer<&c::vgprs_per_simd>("vgprs_per_simd", "", {4, 16384},
                                "vector registers per lane that a SIMD unit's wavefronts share; a multiple of 4");
  t.integer<&c::sgprs_per_simd>("sgprs_per_simd", "", {16, 65536},
                                "scalar registers that a SIMD unit's wavefronts share; a multiple of 16");
  t.integer<&c::ibuf_dwords>("ibuf_dwords", "dword", {2, 1024},
                             "instruction buffer of a context; holds at least one fetch");
  t.integer<&c::fetch_bytes>("fetch_bytes", "byte", {4, 256}, "one instruction fetch, a power of two");
  t.integer<&c::dispatch_latency>("dispatch_latency", "cycle", {1, 1'000'000},
                                  "workgroup placed to its first fetch; at least memory.interconnect.latency");
  t.choice<&c::schedule>("schedule", {"oldest_first", "round_robin", "tdm"},
                         "which ready wavefront issues first; tdm: each context has issue slots of its own");
}

void add_divergence(table& t) {
  using c = machine_config;
  std::vector<std::string> schemes;
  std::string help;
  for (const scheme_traits& s : divergence_schemes) {
    schemes.emplace_back(s.name);
    help += (help.empty() ? "" : "; ") + std::string(s.name) + ": " + s.help;
  }
  t.choice<&c::divergence>("divergence", std::move(schemes), help.c_str());
  t.integer<&c::spsimd_per_simd>("spsimd_per_simd", "", {0, 63},
                                 "S: SpSIMD units of each SIMD unit; dws: SWFs a wavefront may have beside itself");
  t.integer<&c::split_cycles>("split_cycles", "cycle", {1, 10000}, "e_s: a split's issue to the next instruction");
  t.integer<&c::merge_cycles>("merge_cycles", "cycle", {1, 10000},
                              "e_m: the later side's arrival at a merge to the next instruction");
  t.integer<&c::child_stack_entries>("child_stack_entries", "", {1, 128}, "splits that a context can have open");
  t.choice<&c::force_mode_split>("force_mode_split", {"false", "true"},
                                 "pws-mode: as if MODE bit 21 were always set, for unmodified programs");
  t.choice<&c::designate_spsimd>(
      "designate_spsimd", {"false", "true"},
      "n_simd counts SIMD and SpSIMD units together: n_simd / (S + 1) of them run wavefronts");
  t.choice<&c::reuse_idle_spsimd>(
      "reuse_idle_spsimd", {"false", "true"},
      "SpSIMD units beyond split_points work as SIMD units, with SpSIMD units of their own");
  t.integer<&c::split_points>("split_points", "", {0, 63},
                              "reuse_idle_spsimd: SWFs that the kernel needs of each wavefront");
}

void add_latency(table& t) {
  using c = machine_config;
  using l = latency_config;
  constexpr range cycles{1, 10000};
  t.integer<&c::latency, &l::salu>("latency.salu", "cycle", cycles,
                                   "scalar ALU: issue to issue of a dependent instruction");
  t.integer<&c::latency, &l::valu>("latency.valu", "cycle", cycles, "vector ALU, full rate: likewise");
  t.integer<&c::latency, &l::valu_trans>("latency.valu_trans", "cycle", cycles,
                                         "vector ALU, quarter rate (rcp, sqrt, exp, ...)");
  t.integer<&c::latency, &l::valu_f64>("latency.valu_f64", "cycle", cycles,
                                       "vector ALU, half rate (f64, 64-bit multiply)");
  t.integer<&c::latency, &l::branch>("latency.branch", "cycle", cycles, "branch to issue at its target, buffer warm");
  t.integer<&c::latency, &l::lds>("latency.lds", "cycle", cycles, "LDS access without bank conflicts, unloaded");
  t.integer<&c::latency, &l::internal>("latency.internal", "cycle", cycles, "s_nop, s_setprio and the like");
}

void add_memory(table& t) {
  using c = machine_config;
  using m = memory_config;
  t.integer<&c::lds, &lds_config::size_kib>("lds.size_kib", "KiB", {1, 64}, "LDS of a compute unit");
  t.integer<&c::lds, &lds_config::banks>("lds.banks", "", {1, 64}, "LDS banks of 4 bytes, a power of two");
  t.choice<&c::memory, &m::arbitration>("memory.arbitration", {"work_conserving", "tdm"},
                                        "tdm: each wavefront context has memory slots of its own, vector and scalar "
                                        "caches are bypassed, instructions are locked in theirs");
  t.cache<&c::memory, &m::vector_l1>("memory.vector_l1", "a compute unit's vector cache");
  t.cache<&c::memory, &m::scalar_cache>("memory.scalar_cache", "a scalar cache");
  t.cache<&c::memory, &m::instruction_cache>("memory.instruction_cache", "an instruction cache");
  t.integer<&c::memory, &m::interconnect, &interconnect_config::latency>(
      "memory.interconnect.latency", "cycle", {1, 100'000}, "one way, a compute unit's cache to an L2 bank");
  t.integer<&c::memory, &m::interconnect, &interconnect_config::bytes_per_cycle>(
      "memory.interconnect.bytes_per_cycle", "byte/cycle", {1, 4096}, "of each L2 bank's port, per direction");
  t.integer<&c::memory, &m::l2, &l2_config::banks>("memory.l2.banks", "", {1, 64}, "L2 banks, interleaved by line");
  t.cache<&c::memory, &m::l2, &l2_config::bank>("memory.l2.bank", "one L2 bank");
}

void add_dram(table& t) {
  using c = machine_config;
  using m = memory_config;
  using d = dram_config;
  constexpr range timing{1, 10000};
  t.integer<&c::memory, &m::dram, &d::size_mib>("memory.dram.size_mib", "MiB", {1, 65536}, "device memory");
  t.integer<&c::memory, &m::dram, &d::channels>("memory.dram.channels", "", {1, 64}, "DRAM channels");
  t.integer<&c::memory, &m::dram, &d::banks>("memory.dram.banks", "", {1, 256}, "banks of a channel");
  t.integer<&c::memory, &m::dram, &d::row_bytes>("memory.dram.row_bytes", "byte", {64, 65536},
                                                 "a row (page) of a bank, a power of two");
  t.integer<&c::memory, &m::dram, &d::t_rcd>("memory.dram.t_rcd", "cycle", timing, "activate to read or write");
  t.integer<&c::memory, &m::dram, &d::t_rp>("memory.dram.t_rp", "cycle", timing, "precharge to activate");
  t.integer<&c::memory, &m::dram, &d::t_cl>("memory.dram.t_cl", "cycle", timing, "read to its data");
  t.integer<&c::memory, &m::dram, &d::t_burst>("memory.dram.t_burst", "cycle", timing, "data bus busy with one line");
  t.integer<&c::memory, &m::dram, &d::extra_latency>("memory.dram.extra_latency", "cycle", {0, 100'000},
                                                     "controller and PHY, added to each access once");
  t.integer<&c::memory, &m::dram, &d::queue>("memory.dram.queue", "", {1, 4096}, "requests that a channel holds");
  t.choice<&c::memory, &m::dram, &d::scheduling>("memory.dram.scheduling", {"fcfs", "fr_fcfs"},
                                                 "first come first served, or open rows first");
  t.choice<&c::memory, &m::dram, &d::page>("memory.dram.page", {"open", "closed"},
                                           "whether a row stays open after an access");
}

void add_limits_checks_and_trace(table& t) {
  using c = machine_config;
  constexpr range any{0, uint64_t{1} << 62};
  t.integer<&c::limits, &limits_config::max_cycles>("limits.max_cycles", "cycle", any,
                                                    "timing: stop there with an error; 0 = no limit");
  t.integer<&c::limits, &limits_config::max_instructions>(
      "limits.max_instructions", "", any, "functional: wavefront instructions until an error; 0 = no limit");
  t.choice<&c::check, &check_config::split_isolation>(
      "check.split_isolation", {"false", "true"},
      "error where an SWF reaches vector registers of another's work-items");
  t.choice<&c::check, &check_config::split_contexts>("check.split_contexts", {"false", "true"},
                                                     "error where a split finds no free SWF context");
  t.choice<&c::check, &check_config::loop_bounds>(
      "check.loop_bounds", {"false", "true"},
      "error where a work-item takes a loop more often than its PWS_LOOP_BOUND says");
  t.integer_list<&c::trace, &trace_config::cus>("trace.cus", "", {0, 255},
                                                "compute units whose contexts go into the VCD and the timeline");
}

void add_cosim(table& t) {
  using c = machine_config;
  using k = cosim_config;
  t.choice<&c::cosim, &k::mode>("cosim.mode", {"model", "rtl", "lockstep"},
                                "who executes in SpSIMD units: this model; their RTL, whose results drive the machine; "
                                "both, compared after every instruction");
  t.integer_list<&c::cosim, &k::cus>("cosim.cus", "", {0, 255},
                                     "compute units whose SpSIMD units cosim.mode is for; [] is all");
  t.integer_list<&c::cosim, &k::simds>("cosim.simds", "", {0, 15}, "SIMD units of these; [] is all");
  t.integer_list<&c::cosim, &k::spsimds>("cosim.spsimds", "", {2, 64}, "SpSIMD units of these, by SpSIMDID; [] is all");
}

}  // namespace

const std::vector<machine_field>& machine_fields() {
  static const std::vector<machine_field> rows = [] {
    table t;
    add_core(t);
    add_divergence(t);
    add_latency(t);
    add_memory(t);
    add_dram(t);
    add_cosim(t);
    add_limits_checks_and_trace(t);
    return t.rows;
  }();
  return rows;
}

const machine_field* find_machine_field(std::string_view path) {
  for (const machine_field& f : machine_fields()) {
    if (f.path == path) return &f;
  }
  return nullptr;
}

std::string machine_value_text(const machine_field& f, const models::machine_config& config) {
  const machine_field::numbers values = f.get(config);
  if (f.kind == field_kind::choice) return f.choices.at(values.front());
  if (f.kind == field_kind::integer) return std::to_string(values.front());
  std::string all;
  for (const uint64_t value : values) all += (all.empty() ? "" : ", ") + std::to_string(value);
  return "[" + all + "]";
}

}  // namespace pws::platform
