// SPDX-License-Identifier: Apache-2.0
// The machine's immutable description: plain data, filled from YAML by platform/config and read by the models.
// Defaults, units, ranges and help of every field are in platform/config/machine_schema.cpp and printed by `pwsvp
// params`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "models/machine/address_map.h"
#include "models/machine/divergence_kind.h"

namespace pws::models {

// Cycles are cycles of the GPU clock throughout.
using cycle_t = uint64_t;
constexpr cycle_t never = ~cycle_t{0};

// With or without time; both leave the same bits in memory.
enum class fidelity { functional, timing };
constexpr auto enumerators(fidelity) {
  return std::array{named{fidelity::functional, "functional"}, named{fidelity::timing, "timing"}};
}
// Functional fidelity: in which order the wavefronts of a compute unit run.
enum class wave_order { in_turn, random };
constexpr auto enumerators(wave_order) {
  return std::array{named{wave_order::in_turn, "in_turn"}, named{wave_order::random, "random"}};
}
// Which of the ready wavefronts issues.
enum class schedule_policy { oldest_first, round_robin, tdm };
constexpr auto enumerators(schedule_policy) {
  using e = schedule_policy;
  return std::array{named{e::oldest_first, "oldest_first"}, named{e::round_robin, "round_robin"}, named{e::tdm, "tdm"}};
}
// What registers and counters under way mean to the paths of a split or merge.
enum class path_scoreboard { drain, conservative, optimistic };
constexpr auto enumerators(path_scoreboard) {
  using e = path_scoreboard;
  return std::array{named{e::drain, "drain"}, named{e::conservative, "conservative"},
                    named{e::optimistic, "optimistic"}};
}
// When a path of a wavefront lets the next one issue (subwarp interleaving).
enum class turn_end { stall, issue };
constexpr auto enumerators(turn_end) {
  return std::array{named{turn_end::stall, "stall"}, named{turn_end::issue, "issue"}};
}
// How freely the paths of a stack's innermost split issue (DPE paper).
enum class path_scheduler { full, constrained };
constexpr auto enumerators(path_scheduler) {
  using e = path_scheduler;
  return std::array{named{e::full, "full"}, named{e::constrained, "constrained"}};
}
// Which warp of the pool issues (warp formation paper, 4.3).
enum class issue_heuristic { majority, minority, time_stamp, post_dominator, pc };
constexpr auto enumerators(issue_heuristic) {
  using e = issue_heuristic;
  return std::array{named{e::majority, "majority"}, named{e::minority, "minority"}, named{e::time_stamp, "time_stamp"},
                    named{e::post_dominator, "post_dominator"}, named{e::pc, "pc"}};
}
// Which lanes can reach a work-item's vector registers (warp formation paper, Fig. 10).
enum class warp_register_file { lane_aware, banked, ideal };
constexpr auto enumerators(warp_register_file) {
  using e = warp_register_file;
  return std::array{named{e::lane_aware, "lane_aware"}, named{e::banked, "banked"}, named{e::ideal, "ideal"}};
}
// Who is served: whoever is there, or each in its time slot.
enum class memory_arbitration { work_conserving, tdm };
constexpr auto enumerators(memory_arbitration) {
  using e = memory_arbitration;
  return std::array{named{e::work_conserving, "work_conserving"}, named{e::tdm, "tdm"}};
}
// Which request of a channel's queue is served.
enum class dram_scheduling { fcfs, fr_fcfs };
constexpr auto enumerators(dram_scheduling) {
  return std::array{named{dram_scheduling::fcfs, "fcfs"}, named{dram_scheduling::fr_fcfs, "fr_fcfs"}};
}
// What becomes of a row behind an access.
enum class page_policy { open, closed };
constexpr auto enumerators(page_policy) {
  return std::array{named{page_policy::open, "open"}, named{page_policy::closed, "closed"}};
}
// The names of divergence_schemes.
constexpr auto enumerators(divergence_kind) {
  std::array<named<divergence_kind>, divergence_schemes.size()> table{};
  for (size_t k = 0; k < table.size(); ++k) table[k] = {divergence_schemes[k].kind, divergence_schemes[k].name};
  return table;
}

// Cycles from an instruction's issue until an instruction that needs its result can issue. The unit itself is busy for
// 64 / valu_lanes cycles (vector) or 1 cycle (scalar) at full rate.
struct latency_config {
  uint32_t salu = 4;
  uint32_t valu = 4;
  uint32_t valu_trans = 16;  // quarter rate: also occupies the VALU four times as long
  uint32_t valu_f64 = 8;     // half rate: also occupies the VALU twice as long
  uint32_t branch = 8;       // issue of a branch to issue at its target, instruction buffer warm
  uint32_t lds = 32;         // unloaded, without bank conflicts
  uint32_t internal = 1;     // s_nop, s_setprio, ...
};

// The LDS of a compute unit.
struct lds_config {
  uint32_t size_kib = 64;
  uint32_t banks = 32;
};

// One cache, or one bank of L2.
struct cache_config {
  uint32_t size_kib = 16;
  uint32_t ways = 4;
  uint32_t line_bytes = 64;
  uint32_t hit_latency = 16;
  uint32_t mshrs = 16;  // outstanding misses (lines)

  uint32_t line_shift() const { return static_cast<uint32_t>(__builtin_ctz(line_bytes)); }  // a power of two
};

// Between the compute units and L2.
struct interconnect_config {
  uint32_t latency = 16;          // one way, a CU's cache to an L2 bank
  uint32_t bytes_per_cycle = 64;  // of each L2 bank's port, per direction
};

// Shared by the compute units.
struct l2_config {
  uint32_t banks = 4;
  cache_config bank{256, 16, 64, 24, 32};
};

// Where device memory lies if there are several machines of one configuration in a process, which no file says but who
// makes the machines: theirs is side by side, in the order of their numbers, so that an address names the machine, and
// each reaches all of it.
struct memory_place {
  uint32_t machine = 0;                 // number of this one
  uint32_t machines = 1;                // that there are
  unsigned char* storage = nullptr;     // the host's, of all of them, zeros at first; nullptr: the only one has its own
  uint64_t begin = device_memory_base;  // device address of the first one's
};
// Device memory; times in cycles of the GPU clock.
struct dram_config {
  uint32_t size_mib = 4096;
  uint32_t channels = 4;
  uint32_t banks = 16;  // per channel
  uint32_t row_bytes = 2048;
  uint32_t t_rcd = 14, t_rp = 14, t_cl = 14, t_burst = 4;  // a burst moves one line
  uint32_t extra_latency = 60;                             // controller and PHY, added to each access once
  uint32_t queue = 32;                                     // requests a channel holds
  dram_scheduling scheduling = dram_scheduling::fr_fcfs;
  page_policy page = page_policy::open;
  memory_place place;  // of no file

  uint64_t bytes() const { return uint64_t{size_mib} << 20; }
  uint64_t base() const { return place.begin + place.machine * bytes(); }  // device address of the first byte
};

// How lines come from memory that is the platform's, at which a socket of the GPU arrives (models/gpu/gpu.h).
struct memory_port_config {
  uint32_t latency = 20;      // cycles from a line's arrival at the socket to the L2 bank that has asked for it
  uint32_t outstanding = 16;  // lines that are asked for at a time
};
// Memory that all of the platform has: the GPU's socket `system`.
struct system_memory_config : memory_port_config {
  uint64_t base = 0x8000'0000;  // address of its first byte, on the GPU's side and on that of the socket
  uint32_t size_mib = 0;        // 0: there is none

  bool exists() const { return size_mib != 0; }
  uint64_t bytes() const { return uint64_t{size_mib} << 20; }
};

// Where device memory is, whose addresses are those of dram_config: in the machine's own DRAM, or behind the GPU's
// socket `local`.
enum class local_memory { internal, socket };
constexpr auto enumerators(local_memory) {
  using e = local_memory;
  return std::array{named{e::internal, "internal"}, named{e::socket, "socket"}};
}
// The key memory.local: where device memory is, and how the GPU reaches it there.
struct local_memory_config : memory_port_config {
  local_memory at = local_memory::internal;

  bool is_outside() const { return at == local_memory::socket; }
};

// What LDS, registers, scratch and device memory hold before anything is written there.
enum class memory_fill { zero, random, poison };
constexpr auto enumerators(memory_fill) {
  using e = memory_fill;
  return std::array{named{e::zero, "zero"}, named{e::random, "random"}, named{e::poison, "poison"}};
}

// Which accesses of device memory outside of every allocation stop the machine: all of them; those that leave the last
// 4 KiB page of an allocation, as hardware has it; none within device memory. automatic: `page` below `pwsvp exec`
// where nothing is checked or bounded, else `allocation`.
enum class memory_faults { automatic, allocation, page, off };
constexpr auto enumerators(memory_faults) {
  using e = memory_faults;
  return std::array{named{e::automatic, "auto"}, named{e::allocation, "allocation"}, named{e::page, "page"},
                    named{e::off, "off"}};
}

// All of the memory system.
struct memory_config {
  memory_arbitration arbitration = memory_arbitration::work_conserving;
  memory_fill fill = memory_fill::zero;  // what is in it at first (fill_pattern.h)
  uint64_t fill_seed = 1;                // random: the same seed gives the same contents
  memory_faults faults = memory_faults::automatic;
  cache_config vector_l1{16, 4, 64, 32, 32};
  cache_config scalar_cache{16, 4, 64, 16, 8};
  cache_config instruction_cache{32, 4, 64, 8, 8};
  interconnect_config interconnect;
  l2_config l2;
  dram_config dram;
  local_memory_config local;
  system_memory_config system;
};

// Where a run that does not end is stopped.
struct limits_config {
  uint64_t max_cycles = 10'000'000'000;           // timing: stop with an error there; 0 = no limit
  uint64_t max_instructions = 1'000'000'000'000;  // functional: wavefront instructions; 0 = no limit
};

// When a run ends that a check has found something in.
enum class check_stop { first, all };
constexpr auto enumerators(check_stop) {
  using e = check_stop;
  return std::array{named{e::first, "first"}, named{e::all, "all"}};
}
// Checks at run time that cost speed.
struct check_config {
  // What real hardware would get wrong (models/check). None of them changes what the machine does;
  // with `memory`, freed blocks keep their addresses for a while (platform/machine/device_heap.h).
  bool waits = false;      // an operation's registers are used before it is waited for
  bool races = false;      // accesses of the same bytes that nothing orders
  bool init = false;       // something is used before it has been written
  bool coherence = false;  // a load may find an old line in a cache
  bool sync = false;       // barriers and merges that not everybody reaches
  bool memory = false;     // accesses, copies and frees of memory that is not there, or not the program's
  bool streams = false;    // operations of streams on the same bytes that nothing orders
  bool numbers = false;    // NaNs and infinities that arise, integers divided by zero
  check_stop stop = check_stop::all;
  // An SWF touches a work-item of another SWF through a vector register. Nothing: see checks_split_isolation.
  std::optional<bool> split_isolation;
  bool split_contexts = false;  // a split finds no free SWF context
  bool loop_bounds = false;     // a work-item takes a loop more often than its PWS_LOOP_BOUND says
};
// One of those that list what they find is on.
inline bool finds_hardware_errors(const check_config& c) {
  return c.waits || c.races || c.init || c.coherence || c.sync || c.memory || c.streams || c.numbers;
}

// Who executes the instructions of SpSIMD units: this model, their RTL, or both with a comparison after every one.
enum class cosim_mode { model, rtl, lockstep };
constexpr auto enumerators(cosim_mode) {
  using e = cosim_mode;
  return std::array{named{e::model, "model"}, named{e::rtl, "rtl"}, named{e::lockstep, "lockstep"}};
}
// RTL in the loop.
struct cosim_config {
  cosim_mode mode = cosim_mode::model;
  // Which units, by number: SpSIMDID from 2 on, 1 is the SIMD unit itself; an empty list is all, of SpSIMD units.
  std::vector<uint32_t> cus, simds, spsimds;
};

// What is recorded.
struct trace_config {
  std::vector<uint32_t> cus{0};    // CUs whose contexts go into the VCD and the timeline
  bool branch_uniformity = false;  // count how often each branch is uniform
  // Waveforms are recorded from the first cycle, launch (from 1 on) and instruction (bytes from the kernel's entry on)
  // for which all of these have come, until one of the others has. None: always.
  std::optional<uint64_t> from_cycle, from_launch, from_pc, until_cycle, until_launch, until_pc;
  uint32_t depth = 0;  // scopes below the outermost one that waveforms have; 0: all
};

// Divergence dpe.
struct dpe_config {
  path_scheduler scheduler = path_scheduler::full;
  bool path_forwarding = false;  // a free slot is given to a path below the top of the stack (DPE paper, 7.1)
};

// Divergence dws-table.
struct dws_config {
  std::optional<uint32_t> threshold;  // instructions behind a merge up to which its split subdivides; none: any number
  bool pc_reconvergence = true;       // warp-splits of a wavefront that stand at one PC issue together
};

// Divergence subwarps.
struct subwarps_config {
  turn_end switch_at = turn_end::stall;
  std::optional<uint32_t> entries;  // paths of a wavefront that may have begun and not come to their merge; none: all
  uint32_t switch_cycles = 1;       // from where one path stops to where the next one issues, its fetch apart
};

// Divergence convergence.
struct convergence_config {
  uint32_t yield_branches = 64;  // taken backward branches of a path after which it yields; 0: it does not
};

// Divergence pdom, naive, dwf and mimd; all but warp_size and swizzle are of dwf alone.
struct dwf_config {
  std::optional<uint32_t> warp_size;  // work-items of a warp; none: valu_lanes
  bool swizzle = true;                // even and odd home lanes are exchanged in every other static warp
  issue_heuristic heuristic = issue_heuristic::majority;
  warp_register_file register_file = warp_register_file::lane_aware;
  uint32_t lut_entries = 32;       // of the PC-warp LUT, two-way set associative
  std::optional<uint32_t> pool;    // warps; none: one for every work-item that the SIMD unit can have
  uint32_t update_registers = 2;   // requests that enter the pool in a cycle
  uint32_t majority_entries = 32;  // PCs whose work-items are counted; heuristics majority and minority
};

struct machine_config {
  models::fidelity fidelity = models::fidelity::timing;
  uint32_t clock_mhz = 1000;
  uint32_t n_cu = 4;
  uint32_t n_simd = 4;             // per CU
  uint32_t n_wfc = 10;             // wavefront contexts per SIMD
  uint32_t valu_lanes = 16;        // a divisor of 64
  uint32_t vgprs_per_simd = 256;   // per lane; allocated to wavefronts in fours
  uint32_t sgprs_per_simd = 800;   // allocated in sixteens
  uint32_t ibuf_dwords = 16;       // instruction buffer of a context
  uint32_t fetch_bytes = 32;       // one fetch; each SIMD unit's fetch stage starts at most one per cycle
  uint32_t dispatch_latency = 32;  // workgroup placed to its wavefronts' first fetch; at least interconnect.latency
  uint32_t hardware_queues = 1;    // kernels that the dispatcher has in service at a time
  schedule_policy schedule = schedule_policy::oldest_first;
  models::wave_order wave_order = models::wave_order::in_turn;  // functional fidelity
  uint64_t wave_order_seed = 1;                                 // random: the same seed gives the same order
  uint32_t threads = 1;  // functional fidelity: of the host, on which compute units run
  divergence_kind divergence = divergence_kind::none;
  uint32_t spsimd_per_simd = 0;         // S; dws: SWFs that a wavefront may have beside itself
  uint32_t split_cycles = 1;            // e_s: a split's issue to the next instruction
  uint32_t merge_cycles = 1;            // e_m: likewise, from the arrival of the later side
  uint32_t child_stack_entries = 64;    // of a context
  bool fold_mask_instructions = false;  // stack: what keeps EXEC around splits and merges is a part of them
  bool force_mode_split = false;        // pws-mode: as if MODE bit 21 were always set
  bool designate_spsimd = false;        // n_simd counts SIMD and SpSIMD units together (PWS paper, Fig. 10c)
  bool reuse_idle_spsimd = false;       // SpSIMD units that the kernel does not need are SIMD units (PWS paper, Eq. 2)
  uint32_t split_points = 63;           // |S_B|: SWFs that the kernel needs of each wavefront
  path_scoreboard scoreboard = path_scoreboard::drain;
  dpe_config dpe;
  dws_config dws;
  subwarps_config subwarps;
  convergence_config convergence;
  dwf_config dwf;
  latency_config latency;
  lds_config lds;
  memory_config memory;
  limits_config limits;
  check_config check;
  cosim_config cosim;
  trace_config trace;
};

// Whether instructions that keep EXEC at splits and merges take neither time nor a slot of their own.
inline bool folds_mask_instructions(const machine_config& c) {
  return c.fold_mask_instructions && c.divergence == divergence_kind::stack;
}
// Work-items of a warp, where paths issue as warps.
inline uint32_t warp_size_of(const machine_config& c) {
  return c.dwf.warp_size.value_or(c.valu_lanes);
}
// Whatever pwscc splits keeps isolation, and a program that asks for splits itself is expected to. One that is split
// without having asked, although its lanes may work together, would go wrong in silence.
inline bool checks_split_isolation(const machine_config& c) {
  return c.check.split_isolation.value_or(c.divergence == divergence_kind::pws_mode && c.force_mode_split);
}
// True for schemes that run SWFs on SpSIMD units.
inline bool has_spsimds(const machine_config& c) {
  return traits_of(c.divergence).contexts == swf_contexts::spsimd_units;
}
// SpSIMD units that a SIMD unit of this machine has.
inline uint32_t spsimds_per_simd(const machine_config& c) {
  return has_spsimds(c) ? c.spsimd_per_simd : 0;
}
// SWFs beside a wavefront that code for this machine is split for. Paths on a stack, or in turn, need no contexts of
// others: as many as can be, unless S is given, for the code of another machine.
constexpr uint32_t most_swfs = 63;
// S for pwscc.
inline uint32_t swfs_to_compile_for(const machine_config& c) {
  return traits_of(c.divergence).keeps_own_paths() && c.spsimd_per_simd == 0 ? most_swfs : c.spsimd_per_simd;
}

// The machine that is built for `c`: designate_spsimd and reuse_idle_spsimd turned into numbers of units.
//
// designate_spsimd: of n_simd units n_simd / (S + 1) are SIMD units, the rest their SpSIMD units (PWS paper, Fig. 10c).
// reuse_idle_spsimd: a kernel that needs |S_B| < S SWFs of each wavefront leaves N_unused = S - |S_B| SpSIMD units per
// SIMD unit idle; they become SIMD units with |S_B| SpSIMD units each (PWS paper, Eq. 2):
//     N_SIMD_total = N_SIMD + floor(N_unused * N_SIMD / (|S_B| + 1))
// Each of them has vector registers like any SIMD unit.
machine_config provisioned(machine_config c);

}  // namespace pws::models
