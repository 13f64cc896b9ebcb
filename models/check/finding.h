// SPDX-License-Identifier: Apache-2.0
// What the checks find: something that this machine does and real hardware need not do, or numbers that go wrong on
// both. A check (waits, races, init, coherence, sync, memory, streams, numbers) knows no simulator type: it is told of
// instructions and accesses, and gives what it finds to a sink.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/enum_names.h"

namespace pws::check {

enum class family : uint8_t { waits, races, init, coherence, sync, memory, streams, numbers };
constexpr auto enumerators(family) {
  using e = family;
  return std::array{named{e::waits, "waits"},         named{e::races, "races"},    named{e::init, "init"},
                    named{e::coherence, "coherence"}, named{e::sync, "sync"},      named{e::memory, "memory"},
                    named{e::streams, "streams"},     named{e::numbers, "numbers"}};
}

// An instruction of a wavefront, or of a part of one; small enough to be kept for each access.
struct site {
  uint64_t pc = 0;         // device address of the instruction; 0: of none (the host, or a launch's beginning)
  uint64_t lanes = 0;      // work-items of the wavefront that are concerned, a bit each; 0: the wavefront's scalars
  uint64_t workgroup = 0;  // number in its launch, x first
  uint32_t launch = 0;     // number in the machine's life, from 1; 0: the host
  uint16_t wave = 0;       // in its workgroup
  uint16_t cu = 0;
  uint16_t unit = 0, slot = 0;  // the context: its unit in the compute unit, and its place there
};

// Where the bytes are that two accesses meet in.
enum class memory_space : uint8_t {
  none,    // it is not about memory
  global,  // by device address
  lds,     // by offset in the workgroup's LDS
  scratch  // by offset in the work-item's private memory
};
constexpr auto enumerators(memory_space) {
  using e = memory_space;
  return std::array{named{e::none, "none"}, named{e::global, "global"}, named{e::lds, "lds"},
                    named{e::scratch, "scratch"}};
}

struct finding {
  family check = family::waits;
  std::string_view rule;      // its name, for programs: "vgpr_read_too_early". A literal: it is kept.
  std::string what;           // "v4 is read while the load that fills it is under way"
  std::string mend;           // "s_waitcnt vmcnt(1) in front of it"; empty: nothing that would always do
  site here;                  // the instruction that goes wrong
  std::optional<site> other;  // the other one: of the load, of the access that it races with
  std::string other_is;       // how that one is introduced: "the load", "written by"
  // Where a place is none of a kernel's: what the host does there, "hipFree, call 12, app.hip:31". Empty: not known.
  std::string host_here, host_other;
  memory_space space = memory_space::none;
  uint64_t address = 0;  // of the first byte concerned, as `space` says
  uint64_t bytes = 0;    // how many
  std::string piece;     // of which memory, in words; empty: what is allocated there
};

// Who keeps findings. A finding's place is its rule with the addresses of its two instructions; the same place again is
// a count.
class finding_sink {
 public:
  // Counts one. True if it is the first one of its place: then add() has to be called with all of it. Cheap otherwise.
  virtual bool is_new(std::string_view rule, uint64_t pc, uint64_t other_pc) = 0;
  // Throws program_error where the machine is to stop at the first one (check.stop).
  virtual void add(finding f) = 0;
  virtual ~finding_sink() = default;
};

}  // namespace pws::check
