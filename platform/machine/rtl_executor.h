// SPDX-License-Identifier: Apache-2.0
// An SpSIMD unit's RTL in the machine, or the same RTL as a SIMD unit: drives the Verilated unit from what the compute
// unit's front end issues, in step with the machine's clock.
//
// rtl       the RTL's results drive the machine: its next PC at the issue, registers and lanes when they are written.
// lockstep  the model executes as ever; the RTL does the same, and a checker compares both for every instruction that
//           retires.
//
// Instructions that the RTL does not do (memory and LDS, which are not the unit's, and a few rows) are executed
// by the model in both modes, and their scalar results loaded into the RTL's registers. They are counted, by name. What
// they read is the RTL's: taken from there where it drives, else compared.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "models/compute_unit/compute_unit.h"
#include "models/compute_unit/execution_unit.h"
#include "platform/machine/functional_coverage.h"
#include "platform/machine/retirement.h"
#include "platform/machine/window_recorder.h"
#include "rtl/wrapper/spsimd_rtl.h"

namespace pws::platform::cosim {

// What an executor counts.
struct executor_statistics {
  uint64_t scalar = 0, vector = 0, splits_and_merges = 0;  // instructions that the RTL executed
  uint64_t memory = 0;                                     // not the unit's
  std::map<std::string, uint64_t> unsupported;  // of its ALUs, by mnemonic with its encoding: v_fma_f64, v_add_f16_sdwa
  uint64_t compared = 0;                        // retirements compared; lockstep
  uint64_t evaluations = 0, lanes = 0;          // of the RTL without its lanes, and of a lane; host's work
  uint64_t executed() const { return scalar + vector + splits_and_merges; }
  uint64_t n_unsupported() const;
  void add(const executor_statistics& o);  // sums
};

class rtl_executor : public models::execution_unit, private rtl::vrf_port {
 public:
  // `number`: the SpSIMD unit, or 1, the SIMD unit itself. `compare`: lockstep with this checker; nullptr: the RTL
  // drives.
  rtl_executor(const models::compute_unit& cu, models::simd_id simd, models::swf_number number,
               const models::machine_config& config, checker* compare);

  // The executors of the compute unit by unit, nullptr where there is none: their RTL's hand-overs are connected.
  void connect(const std::vector<rtl_executor*>& by_unit) { by_unit_ = by_unit; }

  // Counts from now on what the RTL does; nullptr: nothing. Several units may count together.
  void cover(functional_coverage* coverage) { coverage_ = coverage; }

  void bind(models::context_map& contexts) override { model_ = &contexts; }
  void advance(models::cycle_t now) override;
  void execute(models::wf_context& c, const isa::inst& i, models::cycle_t now) override;
  void diverging(models::wf_context& c, const isa::inst& i, models::cycle_t now) override;
  void diverged(models::wf_context& c, const isa::inst& i, models::cycle_t now) override;
  void divides(const models::wf_context& from, models::wf_context& swf, models::cycle_t now) override;
  void launches(models::wf_context& wave, models::cycle_t at) override;
  void begins(models::wf_context& swf, models::cycle_t now) override;
  void joins(models::wf_context& parent, const models::wf_context& child, models::cycle_t now) override;
  void drops(models::wf_context& parent, models::swf_number child, models::cycle_t now) override;
  void moves(const models::wf_context& child, const models::wf_context& parent, models::cycle_t now) override;
  void taken_over(models::wf_context& c, models::cycle_t now) override;
  void leaves(models::wf_context& swf, models::cycle_t now) override;
  void reset(models::cycle_t now) override;

  // What the RTL's contexts hold, for the waveform; written by show().
  std::array<context_registers, rtl::spsimd_rtl::contexts> views;
  // Ends cycle `now`, of which all has happened, and brings `views` up to date.
  void show(models::cycle_t now);

  // Runs what is under way to its end.
  void drain();
  rtl::spsimd_rtl& unit() { return *rtl_; }  // the RTL
  const rtl::spsimd_rtl& unit() const { return *rtl_; }
  executor_statistics statistics() const;
  std::string name() const;           // "cu0.simd1.spsimd2", "cu0.simd1"
  std::string context_scope() const;  // what its contexts are called: "swf", "wf"
  const window_recorder& window() const { return window_; }

 private:
  // An instruction that is under way in one of the ALUs.
  struct flight {
    issued_instruction issued;
    // Vector registers written, on both sides. The RTL's are what it has written so far over what was there at the
    // issue.
    std::array<row_value, retirement::max_results> model, rtl;
    unsigned n_results = 0;
    isa::vgpr_row* rows = nullptr;  // the wavefront's vector registers
    uint32_t n_rows = 0;
    bool abandoned = false;                    // its SWF has left since
    const models::wf_context* root = nullptr;  // of its wavefront, ...
    uint64_t age = 0;                          // ... which is that of this age
  };
  struct context_state {
    models::wf_context* model = nullptr;
    unsigned in_flight = 0;
    const issued_instruction* expects_pc = nullptr;  // compare the PC register at the end of the cycle
    uint64_t expected_pc = 0;
    bool issued = false;         // an instruction that writes registers at the end of the cycle
    bool split_changed = false;  // split registers are to be compared at the end of the cycle ...
    split_event event;           // ... and why
    // No SWF is here since `event`; what the registers were then.
    bool left = false, free = false;
    m0_writer m0_by = m0_writer::nobody;     // for coverage
    std::optional<models::cycle_t> left_at;  // the last SWF
    std::array<uint32_t, isa::scalar_count> left_behind{};
  };

  void clock();
  void begin_launched(models::cycle_t now);
  void clock_until(models::cycle_t now);
  void retire(flight& f, models::cycle_t latency);
  void compare(const flight& f, models::cycle_t latency, retirement& model, retirement& rtl,
               const std::array<uint64_t, 2>& registers);
  models::cycle_t latency_of(const isa::inst& i) const;
  void check_ports(const rtl::spsimd_rtl::retired& done);
  flight& oldest_vector() { return vector_[vector_first_]; }
  const flight& newest_vector() const { return vector_[(vector_first_ + vector_count_ - 1) % vector_slots]; }
  [[noreturn]] void wrong(const flight* f, const std::string& what);
  void check_cycle();
  void split_changes(const models::wf_context& c, const char* what, const isa::inst* i);
  void cover(divergence_event e, const models::wf_context& c);
  void record();
  void take_results(models::wf_context& c, unsigned slot);
  void describe(issued_instruction& to, models::wf_context& c, const isa::inst& i, models::cycle_t now) const;
  void execute_scalar(models::wf_context& c, const isa::inst& i, models::cycle_t now);
  void execute_vector(models::wf_context& c, const isa::inst& i, models::cycle_t now);
  // By the model (rtl_executor_model.cpp): it executes on what the RTL has; what changes in the scalar registers is
  // loaded into the RTL's.
  void execute_in_model(models::wf_context& c, const isa::inst& i, models::cycle_t now);
  void execute_scalar_on_both(models::wf_context& c, const isa::inst& i, models::cycle_t now);
  void check_inputs(models::wf_context& c, const isa::inst& i, models::cycle_t now);
  void check_arrived(models::wf_context& c, const isa::inst& i, unsigned first, unsigned count, models::cycle_t now);
  void refuse_to_execute(models::wf_context& c, const isa::inst& i, models::cycle_t now, const std::string& why);
  rtl::spsimd_rtl::start start_of(const models::wf_context& c) const;
  void check_left_behind(unsigned slot);
  // Hand-overs (rtl_executor_handover.cpp).
  void hands_over(const models::wf_context& from, const models::wf_context& to, const split_event& why);
  rtl::spsimd_rtl::status_registers given_status(const models::wf_context& c) const;
  void expects_registers(const models::wf_context& c);
  void receive_rows();
  void check_handovers();
  bool drop_results(const models::wf_context& ended);
  context_registers model_registers(const models::wf_context& c) const;
  context_registers rtl_registers(unsigned slot) const;
  split_state model_split(const models::wf_context& c) const;
  split_state rtl_split(unsigned slot) const;

  const isa::vgpr_row* register_now(unsigned row) const;
  void read(unsigned source, unsigned row, unsigned pass, uint32_t* data) override;
  uint32_t read_edge(unsigned row, unsigned work_item) override;
  void write(unsigned row, bool wide, unsigned pass, uint64_t lanes, const uint32_t* data) override;

  const models::compute_unit& cu_;
  models::context_map* model_ = nullptr;  // the contexts of cu_
  const models::simd_id simd_;
  const models::swf_number number_;
  const models::machine_config& config_;
  checker* const checker_;
  functional_coverage* coverage_ = nullptr;
  std::unique_ptr<rtl::spsimd_rtl> rtl_;
  // Wavefronts that are launched in a cycle to come: they begin here so much before it that their scalar registers,
  // which the dispatcher hands over, are there then.
  struct launched {
    models::wf_context* wave;
    models::cycle_t begins;
  };
  std::vector<launched> launched_;
  models::cycle_t cycle_ = 0;  // whose inputs are being set
  std::array<context_state, rtl::spsimd_rtl::contexts> contexts_;
  // In the vector ALU: the newest reads, the oldest writes, and ends first. As many as a pipeline has whose
  // instructions take four cycles at least to begin.
  static constexpr unsigned vector_slots = 2 + (rtl::spsimd_rtl::max_stages - 1 + 3) / 4;
  std::array<flight, vector_slots> vector_;  // in order of issue
  unsigned vector_first_ = 0, vector_count_ = 0;
  models::cycle_t vector_reads_until_ = 0;  // the newest one's passes have begun
  static constexpr unsigned scalar_slots = 8;
  std::array<flight, scalar_slots> scalar_;  // in order of issue
  unsigned scalar_first_ = 0, scalar_count_ = 0;
  rtl::spsimd_rtl::scalar_answer split_answer_;

  std::vector<rtl_executor*> by_unit_;
  using all_scalars = std::array<uint32_t, isa::scalar_count>;
  // Scalar registers on their way from a context of this unit to the same one of another.
  struct departure {
    models::cycle_t began = 0;
    rtl_executor* to = nullptr;  // nullptr: its unit is the model's
    all_scalars registers{};     // the model's
    split_event why;
  };
  std::array<departure, rtl::spsimd_rtl::contexts> departures_;
  unsigned departing_ = 0;  // contexts, by bit
  // ... and to one.
  struct arrival {
    models::cycle_t began = 0;
    rtl_executor* from = nullptr;  // nullptr: its unit is the model's
    all_scalars registers{};       // the rows that have come
    unsigned rows = 0;             // how many
  };
  std::array<arrival, rtl::spsimd_rtl::contexts> arrivals_;
  unsigned arriving_ = 0;
  std::array<rtl_executor*, rtl::spsimd_rtl::contexts> givers_{};  // of those that begin in this cycle

  executor_statistics statistics_;
  window_recorder window_;
};

}  // namespace pws::platform::cosim
