// SPDX-License-Identifier: Apache-2.0
// GCN3 as it is: the sides of a branch run one after the other under EXEC. split and merge mean nothing to it.
#include "models/divergence/divergence_scheme.h"

namespace pws::models {

namespace {
class no_splitting : public divergence_scheme {
 public:
  explicit no_splitting(const machine_config& c) : divergence_scheme(c) {}

  bool diverges(const wf_context&, const isa::inst&) const override { return false; }
  after_divergence execute(wf_context&, const isa::inst&, swf_scheduler&) override { return after_divergence::goes_on; }
  void check_barrier(const wf_context&) const override {}
  void ended(wf_context& w, swf_scheduler& s) override {
    w.become(wf_status::ended);
    s.finish(w);
  }
};
}  // namespace

std::unique_ptr<divergence_scheme> make_none(const machine_config& c, context_map&) {
  return std::make_unique<no_splitting>(c);
}

scheme_storage storage_of_none(const machine_config&, uint32_t) {
  return {};
}

}  // namespace pws::models
