// SPDX-License-Identifier: Apache-2.0
#include "tests/splitting/issue_recorder.h"

#include <cstring>
#include <stdexcept>

#include "platform/machine/device_runtime.h"
#include "platform/machine/virtual_platform.h"
#include "tests/integration/child_process.h"

namespace pws::test {

namespace {

class issue_recorder final : public models::execution_observer {
 public:
  explicit issue_recorder(const message_sink& send) : send_(send) {}
  interests wants() const override { return {true, false, false}; }
  void wave_started(uint32_t, const models::wf_context&, models::cycle_t) override {}
  void wave_ended(uint32_t, const models::wf_context&, models::cycle_t) override {}
  void issued(uint32_t, const models::wf_context&, const isa::inst&, models::cycle_t) override {}
  void issuing(uint32_t, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override {
    const uint64_t launched = c.tree.root->tree.launched;
    const observed_issue o{
        at, i.pc, c.state.split_mask & launched, c.state.active() & launched, launch, c.wave_in_group, i.unit};
    send_(&o, sizeof o);
  }
  uint32_t launch = 0;

 private:
  const message_sink& send_;
};

}  // namespace

std::vector<std::vector<observed_issue>> record_issues(const models::machine_config& machine,
                                                       const loader::program_image& image,
                                                       const std::vector<uint32_t>& work_items) {
  const child_result child = in_child(
      [&](const message_sink& send) {
        platform::virtual_platform board("board", machine);
        models::gpu& gpu = board.gpu;
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        platform::device_runtime runtime(board);
        runtime.load(image);
        issue_recorder recorder(send);
        const platform::attached_observer attached(gpu, &recorder);
        for (; recorder.launch < work_items.size(); ++recorder.launch) {
          platform::kernel_launch r;
          r.kernel = runtime.find_kernel("k" + std::to_string(recorder.launch));
          r.grid = r.workgroup = {work_items[recorder.launch], 1, 1};
          const platform::launch_result result = runtime.launch(r);
          if (!result.completed) throw std::runtime_error(result.error);
        }
        return 0;
      },
      60);
  if (child.status != 0) throw std::runtime_error(describe_status(child.status) + "\n" + child.log);
  std::vector<std::vector<observed_issue>> launches(work_items.size());
  observed_issue o;
  for (size_t at = 0; at + sizeof o <= child.message.size(); at += sizeof o) {
    std::memcpy(&o, child.message.data() + at, sizeof o);
    launches.at(o.launch).push_back(o);
  }
  return launches;
}

}  // namespace pws::test
