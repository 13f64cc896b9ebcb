// Chrome trace JSON of a run (opens in Perfetto): a process per CU, a row per wavefront context, a slice per basic
// block. Timestamps are cycles, shown as microseconds by viewers that know no other unit.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "models/compute_unit/compute_unit.h"
#include "models/flow/code_table.h"

namespace pws::platform {

class timeline : public models::execution_observer {
 public:
  // Throws input_error if the file cannot be written. Only CUs in `cus` are recorded.
  timeline(const std::string& path, const models::machine_config& c);
  // Ends the file, so that it can be read; later events are dropped. Throws input_error if something could not be
  // written. Also done by the destructor, in silence.
  void close();
  // It hears of nothing for a while: of blocks that are being executed there is no slice.
  void pause();
  ~timeline() override;

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
  void event(const std::string& json);

  const std::string path_;
  std::ofstream out_;
  models::unit_layout layout_;
  uint32_t n_wfc_;
  uint32_t contexts_per_unit_;
  uint32_t contexts_per_cu_;
  bool first_ = true;
  std::vector<row> rows_;
  cfg::code_tables code_;
};

}  // namespace pws::platform
