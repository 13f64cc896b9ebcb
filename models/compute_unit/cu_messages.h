// SPDX-License-Identifier: Apache-2.0
// What is said of a compute unit: which instruction of which wavefront a context is at, faults that stop the machine,
// and accesses that it tolerates.
#pragma once

#include <functional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "models/compute_unit/cu_parts.h"
#include "models/compute_unit/machine_fault.h"
#include "models/isa/global_memory.h"

namespace pws::models {

class compute_unit;

// Where the instruction at a device address comes from, "file:line"; empty: not known.
using source_lines = std::function<std::string(uint64_t pc)>;

// Accesses outside of allocations that the machine tolerates (memory.faults: page): each place in the code is told of
// once.
struct tolerated_accesses {
  std::function<void(const std::string& message)> say;  // who hears of a place
  std::unordered_set<uint64_t> places;                  // PCs that it has heard of
};

class cu_messages : private isa::access_observer {
 public:
  // `fault`: who hears of a fault. Nothing follows it.
  using fault_listener = std::function<void(const machine_fault&)>;
  cu_messages(const cu_parts& cu, const isa::global_memory& memory, fault_listener fault)
      : cu_(cu), memory_(memory), fault_(std::move(fault)) {}

  // What source lines are named with; nothing: texts do without.
  void set_source_lines(source_lines lines) { source_lines_ = std::move(lines); }
  // Who hears of accesses that are tolerated; shared by all units. Must outlive them.
  void set_tolerated_accesses(tolerated_accesses& t) { tolerated_ = &t; }

  // ---- Texts

  // "simd1.wf3", "simd1.spsimd2.swf3": as the waveform names it.
  std::string place_of(const wf_context& c) const;
  // "kernel k, workgroup (1,0,0), wavefront 2 (cu0.simd1.wf3)"
  std::string where(const wf_context& c) const;
  // "pc 0x1000 (kernel entry + 0x10): v_mov_b32_e32 v0, v1 (k.hip:7)". `i`, the instruction there, may be nullptr. The
  // source line is left out where it is not known.
  std::string instruction_text(const wf_context& c, uint64_t pc, const isa::inst* i) const;
  // Tells observers of a mismatch (execution_observer::mismatched), and throws it.
  [[noreturn]] void mismatch(const wf_context& c, const isa::inst* i, const reported_error& e) const;

  // ---- Faults

  bool stopped() const { return stopped_; }  // after a fault, or stop()
  void stop() { stopped_ = true; }
  void go_on() { stopped_ = false; }  // after a reset
  // Does what may execute instructions: a program_error is reported as a fault of the context that is executing.
  // False: there was one.
  template <class F>
  bool guard(F work) {
    const struct scope {
      const isa::global_memory& memory;
      isa::access_observer* const before = memory.witness();
      ~scope() { memory.set_access_observer(before); }
    } scope{memory_};
    memory_.set_access_observer(this);
    try {
      work();
    } catch (const program_error& e) {
      cu_.alone([&] { report(e); });
    }
    return !stopped_;
  }

 private:
  std::string executing_text(const wf_context& c, int lane) const;
  void report(const program_error& e);
  void access_tolerated(uint64_t address, uint32_t bytes, bool is_write, int lane) override;

  const cu_parts& cu_;
  const isa::global_memory& memory_;
  const fault_listener fault_;
  source_lines source_lines_;
  tolerated_accesses* tolerated_ = nullptr;
  bool stopped_ = false;
};

// A line for each place where wavefronts or paths stand that have not ended: the first of them and how many more there
// are, what they do, the instruction with its source line, and the first one's EXEC. The places where most stand come
// first; at most `places` are listed, and the rest is a number. Every line ends with a newline; "" if there are none.
std::string describe_standing(const std::vector<const compute_unit*>& cus, size_t places = 16);

}  // namespace pws::models
