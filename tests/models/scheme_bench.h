// SPDX-License-Identifier: Apache-2.0
// A divergence scheme alone: the contexts of one SIMD unit and its SpSIMD units, and an engine that only notes what it
// is told. No pipeline, no program, no time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "models/divergence/divergence_scheme.h"

namespace pws::test {

class scheme_bench : public models::swf_scheduler {
 public:
  explicit scheme_bench(const models::machine_config& c);

  // A wavefront of `work_items` in the SIMD unit, running. `group` says which workgroup.
  models::wf_context& launch(models::resident_workgroup& group, uint32_t work_items = 64);

  models::after_divergence split(models::wf_context& w, uint64_t mask);
  models::after_divergence merge(models::wf_context& w);
  // s_cbranch_execz over `skipped` instructions.
  models::after_divergence branch_execz(models::wf_context& w, unsigned skipped);
  void end(models::wf_context& w);

  std::vector<models::wf_context*> in_use() const;
  // What the wavefront and its workgroup count, held against its contexts one by one, and their split masks against the
  // registers; empty if it is right.
  std::string counted_wrong(const models::wf_context& root) const;

  models::divergence_scheme& scheme() { return *scheme_; }
  models::context_map& contexts() { return contexts_; }
  // The context that SWFs of the wavefront have on the SpSIMD unit of that SpSIMDID.
  models::wf_context& swf_of(const models::wf_context& w, uint16_t spsimd) {
    return contexts_.at(w.simd, models::swf_number(spsimd))[w.slot];
  }
  // What the engine was told, in order: "begin 2", "leave 2", "resume 1", "finish", with SpSIMDIDs or IDs.
  std::vector<std::string> told;

  void begin(models::wf_context& swf, const models::wf_context& from) override;
  void resume(models::wf_context& c, uint64_t join) override;
  void replace(models::wf_context& c) override;
  void suspend(models::wf_context& c) override;
  void release(models::wf_context& c) override;
  void take_turn(models::wf_context& c, models::cycle_t after) override;
  void leave(models::wf_context& swf) override;
  void finish(models::wf_context& root) override;

 private:
  struct unit : models::context_file {
    using context_file::context_file;
    using context_file::release;
  };
  std::string name_of(const models::wf_context& c) const;
  static void go_on(models::wf_context& c);

  models::machine_config config_;
  models::context_map contexts_;
  std::vector<std::unique_ptr<unit>> units_;
  std::unique_ptr<models::divergence_scheme> scheme_;
  models::dispatch kernel_;
};

// What `f` throws; "none" if it does not.
template <typename function>
std::string error_of(function f) {
  try {
    f();
  } catch (const program_error& e) {
    return e.what();
  }
  return "none";
}

// A machine of one SIMD unit.
models::machine_config one_simd(models::divergence_kind scheme, uint32_t s, uint32_t contexts = 4);

}  // namespace pws::test
