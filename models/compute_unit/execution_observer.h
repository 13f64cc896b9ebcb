// SPDX-License-Identifier: Apache-2.0
// Who hears of everything that a compute unit does: timeline, measurements, checks. Costs nothing where none is
// attached.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "models/context/wf_context.h"

namespace pws::models {

class instruction_attention;  // models/compute_unit/instruction_attention.h

class execution_observer {
 public:
  virtual ~execution_observer() = default;
  // Which of the calls that come with instructions it wants; the others may be left out.
  struct interests {
    bool issuing = true, accessed = true, issued = true;
    // In place of `issuing`: only those for which it asks. One observer of a compute unit may have that.
    instruction_attention* attention = nullptr;
  };
  virtual interests wants() const { return {}; }
  // Before its wavefronts begin: their registers and its LDS have what they begin with.
  virtual void workgroup_started(uint32_t cu, const resident_workgroup& g, cycle_t at);
  virtual void wave_started(uint32_t cu, const wf_context& c, cycle_t at) = 0;  // a wavefront or an SWF begins
  // `c` is about to execute `i`: masks and registers are as the instruction will find them, only c.state.pc is the
  // following instruction's address. May throw program_error, which stops the machine at this instruction.
  virtual void issuing(uint32_t cu, const wf_context& c, const isa::inst& i, cycle_t at);
  // A memory instruction has been executed: what it has touched (`mask` 0: nothing). Before issued().
  virtual void accessed(uint32_t cu, const wf_context& c, const isa::inst& i, const isa::memory_access& a, cycle_t at);
  // It has executed it.
  virtual void issued(uint32_t cu, const wf_context& c, const isa::inst& i, cycle_t at) = 0;
  // It has spent so many cycles waiting: in front of `c.front.next`, or behind the barrier or merge that it came to
  // last.
  virtual void stalled(uint32_t cu, const wf_context& c, stall reason, cycle_t cycles);
  virtual void wave_ended(uint32_t cu, const wf_context& c, cycle_t at) = 0;  // it has ended, or merged with its parent
  // It has gone wrong, and the machine stops: at `i`, or, where that is nullptr, at c.state.pc.
  virtual void faulted(uint32_t cu, const wf_context& c, const isa::inst* i, const program_error& e);
  // Another implementation of the machine has executed `i` otherwise, and the machine stops; nullptr: another event.
  virtual void mismatched(uint32_t cu, const wf_context& c, const isa::inst* i, const program_error& e);
  // All who still have to come to the workgroup's barrier have, and are about to go on.
  virtual void barrier_passed(uint32_t cu, const resident_workgroup& g, cycle_t at);
  // All of its wavefronts have ended.
  virtual void workgroup_ended(uint32_t cu, const resident_workgroup& g, cycle_t at);
};

// Whom to call about each instruction; nullptr: nobody wants to hear of it.
struct instruction_observers {
  execution_observer *issuing = nullptr, *accessed = nullptr, *issued = nullptr;
  instruction_attention* attention = nullptr;  // after `issuing`; nullptr: nobody counts them
  bool any() const { return issuing != nullptr || accessed != nullptr || issued != nullptr; }
};

// Several of them as one.
class observer_group : public execution_observer {
 public:
  void add(execution_observer& o);     // hears what it wants to from now on
  void remove(execution_observer& o);  // hears nothing any more
  // The one to call: nullptr if there is none, itself if there is one alone.
  execution_observer* all();
  instruction_observers of_instructions();  // the one to call about each of them, for each of these calls

  void workgroup_started(uint32_t cu, const resident_workgroup& g, cycle_t at) override;
  void wave_started(uint32_t cu, const wf_context& c, cycle_t at) override;
  void accessed(uint32_t cu, const wf_context& c, const isa::inst& i, const isa::memory_access& a, cycle_t at) override;
  void issuing(uint32_t cu, const wf_context& c, const isa::inst& i, cycle_t at) override;
  void issued(uint32_t cu, const wf_context& c, const isa::inst& i, cycle_t at) override;
  void stalled(uint32_t cu, const wf_context& c, stall reason, cycle_t cycles) override;
  void wave_ended(uint32_t cu, const wf_context& c, cycle_t at) override;
  void faulted(uint32_t cu, const wf_context& c, const isa::inst* i, const program_error& e) override;
  void mismatched(uint32_t cu, const wf_context& c, const isa::inst* i, const program_error& e) override;
  void barrier_passed(uint32_t cu, const resident_workgroup& g, cycle_t at) override;
  void workgroup_ended(uint32_t cu, const resident_workgroup& g, cycle_t at) override;

 private:
  void sort();

  std::vector<execution_observer*> members_;
  std::vector<execution_observer*> issuing_, accessed_, issued_;  // those who want these calls
  instruction_attention* attention_ = nullptr;
};

}  // namespace pws::models
