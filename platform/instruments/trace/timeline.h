// SPDX-License-Identifier: Apache-2.0
// Chrome trace JSON of a run (opens in Perfetto): a process per CU, a row per wavefront context, a slice per basic
// block. Times are microseconds of simulated time, as the format has them; the cycles are in each slice's arguments.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/output/trace_file.h"
#include "models/compute_unit/compute_unit.h"
#include "models/flow/code_table.h"

namespace pws::platform {

class timeline : public models::execution_observer {
 public:
  // Throws input_error if the file cannot be written. Only CUs in `cus` are recorded.
  timeline(const std::string& path, const models::machine_config& c);
  // The source line of the instruction at a device address, "" where it is not known: slices name theirs, if it is set.
  void set_source_lines(std::function<std::string(uint64_t pc)> lines) { source_lines_ = std::move(lines); }
  // Ends the file, so that it can be read; later events are dropped. Throws input_error if something could not be
  // written. Also done by the destructor, in silence.
  void close() { out_.close(); }
  // It hears of nothing for a while: of blocks that are being executed there is no slice.
  void pause();

  void wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;
  void issued(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void wave_ended(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;

 private:
  struct row {
    bool open = false;
    uint64_t block = 0;  // address of its first instruction
    uint64_t entry = 0;  // of the kernel
    models::cycle_t begin = 0;
    models::cycle_t last = 0;
    uint64_t instructions = 0;
    uint64_t em = 0;
    bool leader_next = true;  // the next instruction begins a block
  };
  uint32_t index_of(const models::wf_context& c) const { return c.unit.value * contexts_per_unit_ + c.slot.value; }
  uint32_t sort_index(uint32_t index) const;
  row& row_of(uint32_t cu, const models::wf_context& c);
  void close_slice(uint32_t cu, const models::wf_context& c, row& r, models::cycle_t end);
  const std::string& source_of(uint64_t pc, uint64_t launch);

  trace_file out_;
  models::unit_layout layout_;
  uint32_t clock_mhz_;
  uint32_t n_wfc_;
  uint32_t contexts_per_unit_;
  uint32_t contexts_per_cu_;
  std::vector<row> rows_;
  cfg::code_tables code_;
  std::function<std::string(uint64_t)> source_lines_;
  std::unordered_map<uint64_t, std::string> sources_;  // of blocks, as JSON
  uint64_t sources_of_ = 0;                            // the launch that they were asked for in; code may change later
};

}  // namespace pws::platform
