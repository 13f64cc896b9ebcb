// SPDX-License-Identifier: Apache-2.0
#include "platform/config/machine_schema.h"

#include "models/machine/cu_mask.h"

namespace pws::platform {

namespace {

using namespace pws::models;

constexpr limits cycles{1, 10000};

void add_core(schema<machine_config>& s) {
  using c = machine_config;
  s.choice("fidelity", &c::fidelity, "functional: no timing, fast; timing: cycle-approximate");
  s.integer("clock_mhz", &c::clock_mhz, "MHz", {1, 10000}, "GPU clock; only converts cycles to time");
  s.integer("n_cu", &c::n_cu, "", {1, most_compute_units}, "compute units");
  s.integer("n_simd", &c::n_simd, "", {1, 16}, "SIMD units of a compute unit");
  s.integer("n_wfc", &c::n_wfc, "", {1, 1024}, "wavefront contexts of a SIMD unit");
  s.integer_of("valu_lanes", &c::valu_lanes, "", {1, 2, 4, 8, 16, 32, 64},
               "lanes of a vector ALU: a wavefront takes 64 / valu_lanes cycles at full rate");
  s.integer("vgprs_per_simd", &c::vgprs_per_simd, "", {4, 16384},
            "vector registers per lane that a SIMD unit's wavefronts share; a multiple of 4");
  s.integer("sgprs_per_simd", &c::sgprs_per_simd, "", {16, 65536},
            "scalar registers that a SIMD unit's wavefronts share; a multiple of 16");
  s.integer("ibuf_dwords", &c::ibuf_dwords, "dword", {2, 1024},
            "instruction buffer of a context; holds at least a fetch and a dword");
  s.integer("fetch_bytes", &c::fetch_bytes, "byte", {4, 256}, "one instruction fetch, a power of two");
  s.integer("dispatch_latency", &c::dispatch_latency, "cycle", {1, 1'000'000},
            "workgroup placed to its first fetch; at least memory.interconnect.latency");
  s.integer("hardware_queues", &c::hardware_queues, "", {1, 64},
            "kernels that share the compute units, each from a queue of its own; 1: one after the other");
  s.choice("schedule", &c::schedule,
           "which ready wavefront issues first; tdm: each context has issue slots of its own");
  s.choice(
      "wave_order", &c::wave_order,
      "functional fidelity: a compute unit's wavefronts run in turn, each until it has to wait; or any of them for "
      "a random number of instructions, so that programs that count on an order show");
  s.integer("wave_order_seed", &c::wave_order_seed, "", {0, int128{1} << 62},
            "wave_order: random: the same seed gives the same order");
  s.integer("threads", &c::threads, "", {1, most_compute_units},
            "functional fidelity: threads of the host on which compute units run at the same time; with more than one, "
            "wavefronts of different units that touch the same bytes do so in any order, as on hardware");
}

void add_divergence(schema<machine_config>& s) {
  using c = machine_config;
  std::string help;
  for (const scheme_traits& t : divergence_schemes)
    help += (help.empty() ? "" : "; ") + std::string(t.name) + ": " + t.help;
  s.choice("divergence", &c::divergence, help);
  s.integer("spsimd_per_simd", &c::spsimd_per_simd, "", {0, models::most_swfs},
            "S: SpSIMD units of each SIMD unit; dws: SWFs a wavefront may have beside itself");
  s.integer("split_cycles", &c::split_cycles, "cycle", cycles, "e_s: a split's issue to the next instruction");
  s.integer("merge_cycles", &c::merge_cycles, "cycle", cycles,
            "e_m: the later side's arrival at a merge to the next instruction");
  s.integer("child_stack_entries", &c::child_stack_entries, "", {1, 128}, "splits that a context can have open");
  s.boolean(
      "fold_mask_instructions", &c::fold_mask_instructions,
      "stack: instructions that keep EXEC around a split or merge are a part of it, as where the hardware's stack "
      "keeps masks: they issue and are counted with it");
  s.boolean("force_mode_split", &c::force_mode_split,
            "pws-mode: as if MODE bit 21 were always set, for unmodified programs");
  s.boolean("designate_spsimd", &c::designate_spsimd,
            "n_simd counts SIMD and SpSIMD units together: n_simd / (S + 1) of them run wavefronts");
  s.boolean("reuse_idle_spsimd", &c::reuse_idle_spsimd,
            "SpSIMD units beyond split_points work as SIMD units, with SpSIMD units of their own");
  s.choice("scoreboard", &c::scoreboard,
           "drain: a split or merge waits for what its path has under way; conservative, optimistic: both sides, and "
           "the joined path, wait for it where they use it. conservative keeps it by slot, so that paths may wait for "
           "one another's results; optimistic keeps it by path");
  s.integer("split_points", &c::split_points, "", {0, models::most_swfs},
            "reuse_idle_spsimd: SWFs that the kernel needs of each wavefront");
}

void fill_dpe(schema<dpe_config>& s) {
  using d = dpe_config;
  s.choice("scheduler", &d::scheduler,
           "full: both paths of a wavefront compete like two wavefronts; constrained: one of them at a time, until it "
           "misses in a cache or issues a quarter-rate instruction");
  s.boolean("path_forwarding", &d::path_forwarding, "a free slot is given to a path below the top of the stack");
}

void fill_dws(schema<dws_config>& s) {
  s.integer(
       "threshold", &dws_config::threshold, "instruction", {0, 1'000'000},
       "dws-table: a split subdivides if the block behind its merge is no longer than that; not set: whatever it is")
      .or_nothing();
  s.boolean("pc_reconvergence", &dws_config::pc_reconvergence,
            "dws-table: warp-splits of a wavefront that stand at one PC issue together, each with scalar registers of "
            "its own");
}

void fill_subwarps(schema<subwarps_config>& s) {
  using w = subwarps_config;
  s.choice("switch_at", &w::switch_at,
           "when the next path of a wavefront issues: where this one waits for memory (stall), or already behind an "
           "instruction that misses in a cache or is of the quarter rate (issue)");
  s.integer("entries", &w::entries, "path", {1, 64},
            "paths of a wavefront that may have begun and not come to their merge; not set: as many as there are")
      .or_nothing();
  s.integer("switch_cycles", &w::switch_cycles, "cycle", cycles,
            "from where a path stops to where the next one can issue; what it has to fetch comes on top");
}

void fill_convergence(schema<convergence_config>& s) {
  s.integer("yield_branches", &convergence_config::yield_branches, "branch", {0, 1'000'000},
            "taken backward branches of a path after which it yields, as at s_sleep; 0: at s_sleep alone");
}

void fill_dwf(schema<dwf_config>& s) {
  using d = dwf_config;
  s.integer_of("warp_size", &d::warp_size, "work-item", {1, 2, 4, 8, 16, 32, 64},
               "a vector instruction of a warp takes warp_size / valu_lanes cycles, at least one; not set: valu_lanes")
      .or_nothing();
  s.boolean("swizzle", &d::swizzle, "even and odd home lanes are exchanged in every other static warp");
  s.choice("heuristic", &d::heuristic,
           "which warp issues: of the PC that most or fewest work-items stand at, the oldest, that which has passed "
           "fewest post-dominators, of the lowest PC");
  s.choice("register_file", &d::register_file,
           "lane_aware: a work-item issues in its home lane alone; banked: in any, but registers of one home lane "
           "come one after the other; ideal: in any");
  s.integer("lut_entries", &d::lut_entries, "", {2, 4096},
            "PC-warp LUT, two-way set associative; twice a power of two");
  s.integer("pool", &d::pool, "warp", {1, 65536}, "warp pool; not set: a warp for every work-item").or_nothing();
  s.integer("update_registers", &d::update_registers, "", {1, 64},
            "groups of work-items that enter the pool in a cycle");
  s.integer("majority_entries", &d::majority_entries, "PC", {1, 4096},
            "PCs whose work-items heuristics majority and minority count; others issue when no counted one can");
}

void fill_latency(schema<latency_config>& s) {
  using l = latency_config;
  s.integer("salu", &l::salu, "cycle", cycles, "scalar ALU: issue to issue of a dependent instruction");
  s.integer("valu", &l::valu, "cycle", cycles, "vector ALU, full rate: likewise");
  s.integer("valu_trans", &l::valu_trans, "cycle", cycles, "vector ALU, quarter rate (rcp, sqrt, exp, ...)");
  s.integer("valu_f64", &l::valu_f64, "cycle", cycles, "vector ALU, half rate (f64, 64-bit multiply)");
  s.integer("branch", &l::branch, "cycle", cycles, "branch to issue at its target, buffer warm");
  s.integer("lds", &l::lds, "cycle", cycles, "LDS access without bank conflicts, unloaded");
  s.integer("internal", &l::internal, "cycle", cycles, "s_nop, s_setprio and the like");
}

void fill_lds(schema<lds_config>& s) {
  using l = lds_config;
  s.integer("size_kib", &l::size_kib, "KiB", {1, 64}, "LDS of a compute unit");
  s.integer("banks", &l::banks, "", {1, 64}, "LDS banks of 4 bytes, a power of two");
}

schema<cache_config> make_cache(const std::string& what) {
  using c = cache_config;
  schema<c> s;
  s.integer("size_kib", &c::size_kib, "KiB", {1, 65536}, "size of " + what);
  s.integer("ways", &c::ways, "", {1, 256}, "lines of a set");
  s.integer("line_bytes", &c::line_bytes, "byte", {16, 1024},
            "length of a line, a power of two and the same in all caches");
  s.integer("hit_latency", &c::hit_latency, "cycle", cycles, "request to data for a hit, unloaded");
  s.integer("mshrs", &c::mshrs, "line", {1, 4096}, "misses outstanding at a time");
  return s;
}

void fill_interconnect(schema<interconnect_config>& s) {
  using i = interconnect_config;
  s.integer("latency", &i::latency, "cycle", {1, 100'000}, "one way, a compute unit's cache to an L2 bank");
  s.integer("bytes_per_cycle", &i::bytes_per_cycle, "byte/cycle", {1, 4096}, "of each L2 bank's port, per direction");
}

void fill_l2(schema<l2_config>& s) {
  static const schema<cache_config> bank = make_cache("one L2 bank");
  s.integer("banks", &l2_config::banks, "", {1, 64}, "L2 banks, interleaved by line");
  s.group("bank", &l2_config::bank, bank);
}

void fill_dram(schema<dram_config>& s) {
  using d = dram_config;
  s.integer("size_mib", &d::size_mib, "MiB", {1, 65536}, "device memory");
  s.integer("channels", &d::channels, "", {1, 64}, "DRAM channels");
  s.integer("banks", &d::banks, "", {1, 256}, "banks of a channel");
  s.integer("row_bytes", &d::row_bytes, "byte", {64, 65536}, "a row (page) of a bank, a power of two");
  s.integer("t_rcd", &d::t_rcd, "cycle", cycles, "activate to read or write");
  s.integer("t_rp", &d::t_rp, "cycle", cycles, "precharge to activate");
  s.integer("t_cl", &d::t_cl, "cycle", cycles, "read to its data");
  s.integer("t_burst", &d::t_burst, "cycle", cycles, "data bus busy with one line");
  s.integer("extra_latency", &d::extra_latency, "cycle", {0, 100'000}, "controller and PHY, added to each access once");
  s.integer("queue", &d::queue, "", {1, 4096}, "requests that a channel holds");
  s.choice("scheduling", &d::scheduling, "first come first served, or open rows first");
  s.choice("page", &d::page, "whether a row stays open after an access");
}

template <class Config>
void add_port(schema<Config>& s) {
  s.integer("latency", &Config::latency, "cycle", {1, 100'000}, "from a line's arrival at the socket to its L2 bank");
  s.integer("outstanding", &Config::outstanding, "", {1, 4096}, "lines that are asked for at a time");
}

void fill_local(schema<local_memory_config>& s) {
  s.choice(
      "at", &local_memory_config::at,
      "where device memory is, of dram.size_mib: in this machine's DRAM, or behind the socket `local` of a GPU that "
      "is a block of another platform");
  add_port(s);
}

void fill_system(schema<system_memory_config>& s) {
  using m = system_memory_config;
  s.integer("base", &m::base, "", {0, (uint64_t{1} << 48) - 1}, "address of its first byte");
  s.integer("size_mib", &m::size_mib, "MiB", {0, 65536}, "0: there is none");
  add_port(s);
}

void fill_memory(schema<memory_config>& s) {
  using m = memory_config;
  static const schema<cache_config> vector_l1 = make_cache("a compute unit's vector cache");
  static const schema<cache_config> scalar_cache = make_cache("a scalar cache");
  static const schema<cache_config> instruction_cache = make_cache("an instruction cache");
  static const schema<interconnect_config> interconnect(fill_interconnect);
  static const schema<l2_config> l2(fill_l2);
  static const schema<dram_config> dram(fill_dram);
  static const schema<local_memory_config> local(fill_local);
  static const schema<system_memory_config> system(fill_system);
  s.choice("arbitration", &m::arbitration,
           "tdm: each wavefront context has memory slots of its own, vector and scalar caches are bypassed, "
           "instructions are locked in theirs");
  s.choice("fill", &m::fill,
           "what LDS, registers, scratch and device memory hold that nothing has written: zeros, numbers by fill_seed, "
           "or a pattern that is no number (0x7ffadbad)");
  s.integer("fill_seed", &m::fill_seed, "", {0, int128{1} << 62},
            "fill: random: the same seed gives the same contents");
  s.choice("faults", &m::faults,
           "accesses outside allocations that stop the machine: all, those that leave an allocation's last 4 KiB page "
           "(others are warned of once per place), none in device memory; auto: page below exec without check and "
           "wcet, else allocation");
  s.group("vector_l1", &m::vector_l1, vector_l1);
  s.group("scalar_cache", &m::scalar_cache, scalar_cache);
  s.group("instruction_cache", &m::instruction_cache, instruction_cache);
  s.group("interconnect", &m::interconnect, interconnect);
  s.group("l2", &m::l2, l2);
  s.group("dram", &m::dram, dram);
  s.group("local", &m::local, local);
  s.group("system", &m::system, system);
}

void fill_cosim(schema<cosim_config>& s) {
  using k = cosim_config;
  s.choice("mode", &k::mode,
           "who executes in SpSIMD units: this model; their RTL, whose results drive the machine; both, compared after "
           "every instruction");
  s.integers("cus", &k::cus, "", {0, 255}, "compute units whose units cosim.mode is for; [] is all");
  s.integers("simds", &k::simds, "", {0, 15}, "SIMD units of these; [] is all");
  s.integers("spsimds", &k::spsimds, "", {1, 64},
             "SpSIMD units of these, by SpSIMDID; 1 is the SIMD unit itself, where wavefronts are launched; [] is all "
             "SpSIMD units");
}

void fill_limits(schema<limits_config>& s) {
  using l = limits_config;
  constexpr limits any{0, int128{1} << 62};
  s.integer("max_cycles", &l::max_cycles, "cycle", any, "timing: stop there with an error; 0 = no limit");
  s.integer("max_instructions", &l::max_instructions, "", any,
            "functional: wavefront instructions until an error; 0 = no limit");
}

void fill_check(schema<check_config>& s) {
  using k = check_config;
  s.boolean("waits", &k::waits,
            "find registers that are used before a memory operation on them is waited for, and missing wait states");
  s.boolean("races", &k::races, "find accesses of the same bytes of LDS or memory that nothing orders");
  s.boolean("init", &k::init, "find registers, LDS and memory that are used before they are written");
  s.boolean("coherence", &k::coherence, "find loads that may get an old line from a cache");
  s.boolean("sync", &k::sync, "find barriers and merges that not all reach");
  s.boolean("memory", &k::memory,
            "find accesses, copies and frees of memory that is not there, is free again or is not the program's");
  s.boolean("streams", &k::streams,
            "find kernels, copies and fills of a HIP program that touch the same bytes and that no order of streams, "
            "events or waits keeps apart");
  s.boolean("numbers", &k::numbers, "find NaNs and infinities that arise, and integers that are divided by zero");
  s.choice("stop", &k::stop, "when one of these has found something: stop there, or go on and report all at the end");
  s.boolean_or_auto("split_isolation", &k::split_isolation,
                    "error where an SWF reaches vector registers of another's work-items; auto: with force_mode_split, "
                    "which splits programs that were not compiled for it");
  s.boolean("split_contexts", &k::split_contexts, "error where a split finds no free SWF context");
  s.boolean("loop_bounds", &k::loop_bounds,
            "error where a work-item takes a loop more often than its PWS_LOOP_BOUND says");
}

void fill_trace(schema<trace_config>& s) {
  s.integers("cus", &trace_config::cus, "", {0, 255}, "compute units whose contexts go into the VCD and the timeline");
  s.boolean("branch_uniformity", &trace_config::branch_uniformity,
            "report how often each branch is uniform: all work-items of the path take one side");
  constexpr limits any{0, int128{1} << 62}, launches{1, int128{1} << 62};
  s.integer("from_cycle", &trace_config::from_cycle, "cycle", any, "waveforms begin in that cycle of the machine")
      .or_nothing();
  s.integer("from_launch", &trace_config::from_launch, "", launches, "... with that launch, the first is 1")
      .or_nothing();
  s.integer("from_pc", &trace_config::from_pc, "byte", any,
            "... when the instruction at that offset from its kernel's entry issues, as pwsvp disasm prints it; not "
            "before from_cycle and from_launch")
      .or_nothing();
  s.integer("until_cycle", &trace_config::until_cycle, "cycle", any, "waveforms end before that cycle").or_nothing();
  s.integer("until_launch", &trace_config::until_launch, "", launches, "... or behind that launch").or_nothing();
  s.integer("until_pc", &trace_config::until_pc, "byte", any,
            "... or when the instruction at that offset issues after they have begun")
      .or_nothing();
  s.integer("depth", &trace_config::depth, "", {0, 100},
            "scopes of a waveform below the outermost one; what is further in is left out. 0: all");
}

void fill_machine(schema<machine_config>& s) {
  using c = machine_config;
  static const schema<dpe_config> dpe(fill_dpe);
  static const schema<dws_config> dws(fill_dws);
  static const schema<subwarps_config> subwarps(fill_subwarps);
  static const schema<convergence_config> convergence(fill_convergence);
  static const schema<dwf_config> dwf(fill_dwf);
  static const schema<latency_config> latency(fill_latency);
  static const schema<lds_config> lds(fill_lds);
  static const schema<memory_config> memory(fill_memory);
  static const schema<cosim_config> cosim(fill_cosim);
  static const schema<limits_config> limits(fill_limits);
  static const schema<check_config> check(fill_check);
  static const schema<trace_config> trace(fill_trace);
  add_core(s);
  add_divergence(s);
  s.group("dpe", &c::dpe, dpe);
  s.group("dws", &c::dws, dws);
  s.group("subwarps", &c::subwarps, subwarps);
  s.group("convergence", &c::convergence, convergence);
  s.group("dwf", &c::dwf, dwf);
  s.group("latency", &c::latency, latency);
  s.group("lds", &c::lds, lds);
  s.group("memory", &c::memory, memory);
  s.group("cosim", &c::cosim, cosim);
  s.group("limits", &c::limits, limits);
  s.group("check", &c::check, check);
  s.group("trace", &c::trace, trace);
  s.allow(machine_layer_keys().base.name());
}

}  // namespace

const schema<machine_config>& machine_schema() {
  static const schema<machine_config> s(fill_machine);
  return s;
}

const machine_layer_schema& machine_layer_keys() {
  static const machine_layer_schema s;
  return s;
}

std::vector<field> machine_fields(const machine_config& config) {
  return machine_schema().fields("", config);
}

std::vector<field> machine_fields_below(const std::string& key) {
  return machine_schema().fields(key + ".");
}

}  // namespace pws::platform
