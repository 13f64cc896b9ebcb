// SPDX-License-Identifier: Apache-2.0
// The SpSIMD unit's RTL (rtl/spsimd.sv), Verilated, behind a plain class: what a cycle's inputs are, what comes out. No
// SystemC here, and nothing of Verilator's in this header: the unit is in a shared object of its own (rtl_library.h).
// What needs that shared object throws input_error where it is not there: make(), check_assertions() and the numbers
// that are the build's.
//
// A cycle: issue_*() and the other inputs are set in any order, then clock() takes the rising edge at its end. Answers
// of issue_*() are the unit's combinational outputs of that cycle. Inputs hold for one cycle.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace pws::rtl {

// The SIMD unit's vector registers, as the unit reads and writes them: the lanes of one pass of two consecutive
// registers. What is read is asked for in the cycle that uses it.
class vrf_port {
 public:
  virtual ~vrf_port() = default;
  // Source 0 to 2, register `row` and the next one: lane l's dwords in data[2 * l] and data[2 * l + 1]. A row beyond
  // the wavefront's may be asked for where the instruction does not use it.
  virtual void read(unsigned source, unsigned row, unsigned pass, uint32_t* data) = 0;
  // Source 0 of one work-item of another pass (DPP), register `row`.
  virtual uint32_t read_edge(unsigned row, unsigned work_item) = 0;
  // Lanes of the pass whose bit is set; `wide`: of the next register too.
  virtual void write(unsigned row, bool wide, unsigned pass, uint64_t lanes, const uint32_t* data) = 0;
};

class spsimd_rtl {
 public:
  // What this build of the RTL has; a machine may use less.
  static constexpr unsigned contexts = 10;
  static constexpr unsigned lanes = 16;
  static constexpr unsigned spsimds = 63;
  static constexpr unsigned stack_depth = 64;
  static constexpr unsigned max_stages = 7;
  // Stages of the lanes' pipeline in this build: CMake's PWS_RTL_STAGES.
  static unsigned stages();
  // Cycles from issue until the result is in its register.
  static constexpr unsigned scalar_latency = 4;
  // Full, half and quarter rate: 1, 2 and 4 cycles for a pass.
  static unsigned vector_latency(unsigned cycles_of_a_pass) { return cycles_of_a_pass * (64 / lanes) + stages() - 1; }

  static constexpr unsigned scalars = 128;  // scalar registers by SSRC encoding

  // load() takes at most so many cycles for what one instruction writes.
  static constexpr unsigned load_cycles = 8;

  // Scalar registers that a hand-over moves in a cycle, in this build: CMake's PWS_RTL_HANDOVER.
  static unsigned handover_registers();
  // Cycles that its rows take.
  static unsigned handover_rows() { return scalars / handover_registers(); }
  // From the split or the take-over that starts a hand-over to the first cycle in which all registers are there: the
  // least that e_s and e_m can be.
  static unsigned handover_cycles() { return handover_rows() + 1; }

  // `simd_unit`: as a SIMD unit, whose contexts are those that wavefronts are launched in: they have no parent.
  static std::unique_ptr<spsimd_rtl> make(bool simd_unit = false);
  virtual ~spsimd_rtl() = default;
  spsimd_rtl(const spsimd_rtl&) = delete;
  spsimd_rtl& operator=(const spsimd_rtl&) = delete;

  // ---- Inputs of this cycle

  // What a scalar instruction did.
  struct scalar_answer {
    bool supported = false;
    uint64_t next_pc = 0;
    unsigned child = 0;  // split: SpSIMDID of the new SWF, 0 if there is none
    uint64_t child_spm = 0;
  };
  // `instr`: first dword low. `free_spsimds`: bit j, the context of that ID on SpSIMD unit j + 2 is free.
  virtual scalar_answer issue_scalar(unsigned context, uint64_t instr, uint64_t pc, uint64_t free_spsimds) = 0;
  // True if the unit does that instruction. Its results come stages() - 1 cycles after its passes, when the next ones
  // may have begun: in order.
  virtual bool issue_vector(unsigned context, uint64_t instr, uint64_t pc, vrf_port& vrf) = 0;

  // SCC, MODE and TRAPSTS.
  struct status_registers {
    bool scc = false;
    uint32_t mode = 0, trapsts = 0;
  };
  // Registers written from outside: those whose bit is set in `words[0]` (0..63) and `words[1]` (64..127), and the
  // status registers. A pair of them is written in each cycle from this one on; scalar() has all at once.
  virtual void load(unsigned context, const uint32_t* scalar, const std::array<uint64_t, 2>& words,
                    const status_registers& s) = 0;
  // How an SWF begins.
  struct start {
    uint64_t pc = 0, spm = 0, launched = 0;
    unsigned parent = 0;  // SpSIMDID; 0 in a SIMD unit
    uint32_t hw_id = 0, gpr_alloc = 0, lds_alloc = 0;
  };
  // SCC, MODE and TRAPSTS alone.
  virtual void load_status(unsigned context, const status_registers& s) = 0;
  // An SWF or a wavefront begins. Its scalar registers come by receive() from the next cycle on.
  virtual void begin(unsigned context, const start& s) = 0;
  // ... or goes on in place of the context's own, which has ended. Its registers come by receive() too.
  virtual void take_over(unsigned context, const start& s) = 0;
  // The next row of scalar registers, handover_registers() of them, for a context that has begun or been taken over.
  virtual void receive(unsigned context, const uint32_t* row) = 0;
  // The context's scalar registers are handed over from this cycle on, to that in which its SWF goes on. A split that
  // creates an SWF does so by itself.
  virtual void give(unsigned context) = 0;
  // The SWF on top of the context's child stack comes back.
  virtual void join(unsigned context, uint64_t spm, uint64_t em) = 0;
  // An SWF of the context's child stack has ended before its merge.
  virtual void drop(unsigned context, unsigned spsimd_id) = 0;
  // The context's SWF has been joined, or has ended.
  virtual void leave(unsigned context) = 0;

  // ---- The edge

  static constexpr unsigned none = ~0u;
  // What a cycle has completed.
  struct retired {
    unsigned scalar = none;  // context whose scalar instruction's result is there from the new cycle on
    unsigned vector = none;
  };
  // Ends the cycle. `vrf` serves the instructions in the vector ALU, if there are any: one reads, one writes.
  virtual retired clock(vrf_port* vrf) = 0;
  // An instruction is in the vector ALU, after the first of its cycles and with passes left to begin.
  virtual bool vector_busy() const = 0;
  // True if a clock would change something.
  virtual bool busy() const = 0;
  // What has been evaluated so far: the unit without its lanes, and lanes, each for one work-item.
  struct work_done {
    uint64_t evaluations = 0, lanes = 0;
  };
  virtual const work_done& work() const = 0;

  // ---- State of a context, after the last clock()

  virtual unsigned ready() const = 0;  // contexts, by bit: no scalar register is still to come
  virtual unsigned gives()
      const = 0;  // contexts, by bit, that hand over a row of scalar registers in the new cycle ...
  virtual const uint32_t* given_row(unsigned context) const = 0;  // ... and the row
  virtual const uint32_t* scalar(
      unsigned context) const = 0;  // `scalars` of them, EM as written included; until the next call
  virtual status_registers status(unsigned context) const = 0;         // of a context, as all below
  virtual uint64_t pc(unsigned context) const = 0;                     // byte address
  virtual uint64_t em(unsigned context) const = 0;                     // EM, of the unit's own output
  virtual uint64_t vcc(unsigned context) const = 0;                    // VCC
  virtual bool scc(unsigned context) const = 0;                        // SCC
  virtual uint64_t spm(unsigned context) const = 0;                    // its work-items
  virtual unsigned parent(unsigned context) const = 0;                 // SpSIMDID
  virtual unsigned depth(unsigned context) const = 0;                  // of the child stack
  virtual unsigned child(unsigned context, unsigned entry) const = 0;  // 0 is the oldest
  virtual unsigned top(unsigned context) const = 0;                    // the newest; 0 if there is none
  // 0 idle, 1 running, 2 waits for a child at its merge, 3 waits for its parent there
  virtual unsigned state(unsigned context) const = 0;

  // ---- Assertions

  // Whether units that are made from now on look at the RTL's assertions; they do unless this says otherwise. Where one
  // does not hold, what has been called throws assertion_error (assertion_error.h), and the unit is of no use any more.
  static void check_assertions(bool on);

  // ---- Waveform

  // Writes a waveform of all of the unit's signals from now on: FST if the file's name ends in .fst, else VCD. The edge
  // at which cycle n's inputs take effect is at n * period_ps, where the machine's own waveform shows the cycle's
  // state. `levels`: of modules inside one another, 0 is all. Throws std::runtime_error if the file cannot be opened.
  virtual void open_waveform(const std::string& file, uint64_t period_ps, unsigned levels = 0) = 0;
  // A waveform that is not recorded stays as it is until it is again.
  virtual void record(bool on) = 0;
  // Ends it, if there is one. Throws std::runtime_error if some of it could not be written.
  virtual void close_waveform() = 0;
  // The cycle that the next clock() ends; only for the waveform.
  virtual void set_cycle(uint64_t cycle) = 0;

 protected:
  spsimd_rtl() = default;
};

}  // namespace pws::rtl
