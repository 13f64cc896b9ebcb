// SPDX-License-Identifier: Apache-2.0
#include "tests/models/pipeline/cu_bench.h"

namespace pws::test {

namespace {
constexpr int fetch_latency = 8, vector_latency = 100;
constexpr uint64_t memory_bytes = 1024;
}  // namespace

models::machine_config one_simd_unit() {
  models::machine_config c;
  c.n_cu = c.n_simd = 1;
  c.limits.max_instructions = 1'000'000;
  return c;
}

cu_bench::cu_bench(const models::machine_config& c, std::vector<uint32_t> words, const models::scheme_factory& make,
                   const sc_core::sc_module_name& name)
    : sc_module(name),
      config_(c),
      clock_(c.clock_mhz),
      storage_(memory_bytes),
      words_(std::move(words)),
      program_(words_.data(), entry, words_.size()),
      turns_("turns", clock_, models::event_sequencer::present_cycle::allowed),
      cu_("cu", config_, 0, clock_, memory_, make),
      instruction_("instruction"),
      scalar_("scalar"),
      vector_("vector") {
  memory_.set_window(storage_.data(), 0, storage_.size());
  memory_.add(0, storage_.size(), "memory");
  cu_.mif.set_window(storage_.data(), 0, storage_.size());
  instruction_.register_nb_transport_fw(this, &cu_bench::answer, fetch_latency);
  scalar_.register_nb_transport_fw(this, &cu_bench::answer, static_cast<int>(scalar_latency));
  vector_.register_nb_transport_fw(this, &cu_bench::answer, vector_latency);
  cu_.mif.instruction.bind(instruction_);
  cu_.mif.scalar.bind(scalar_);
  cu_.mif.vector.bind(vector_);
  cu_.bind_listener(*this);
  cu_.bind_turns(turns_);
  cu_.attach(static_cast<models::execution_observer&>(*this));
  kernel_.kernel = "bench";
  kernel_.code = &program_;
  kernel_.vgprs = kernel_.descriptor.n_vgprs = 4;
  kernel_.sgprs = kernel_.descriptor.n_sgprs = 16;
  kernel_.setup.entry = entry;
}

bool cu_bench::start(uint32_t work_items, cycle_t at) {
  kernel_.setup.workgroup_size = kernel_.setup.grid_size = {work_items, 1, 1};
  const models::workgroup w{&kernel_, {0, 0, 0}, {work_items, 1, 1}};
  if (!cu_.fits(w)) return false;
  cu_.start(w, at);
  return true;
}

void cu_bench::run() {
  sc_core::sc_start();
}

void cu_bench::issuing(uint32_t, const models::wf_context& c, const isa::inst& i, cycle_t at) {
  issues.push_back({cu_.messages().place_of(c), c.wave_in_group, static_cast<uint32_t>((i.pc - entry) / 4), at,
                    c.state.active() & c.tree.root->tree.launched});
}

std::map<uint32_t, cycle_t> cu_bench::times(const std::string& place) const {
  std::map<uint32_t, cycle_t> t;
  for (const issue& i : issues)
    if (i.place == place) t[i.dword] = i.at;
  return t;
}

void cu_bench::workgroup_finished(models::compute_unit&, models::resident_workgroup&, cycle_t) {
  ++finished;
}

tlm::tlm_sync_enum cu_bench::answer(int latency, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                    sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  delay += clock_.time_of(static_cast<cycle_t>(latency));
  t.set_response_status(tlm::TLM_OK_RESPONSE);
  return tlm::TLM_COMPLETED;
}

}  // namespace pws::test
