// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/dap/thread_table.h"

#include <fmt/format.h>

namespace pws::platform::debug::dap {

int64_t thread_table::number_of(const path_name& n, int entry, bool right) {
  const key k{n.launch, n.wavefront, n.cu, n.unit, n.slot, entry, right};
  return numbers_.emplace(k, of_launch + 1 + static_cast<int64_t>(numbers_.size())).first->second;
}

std::vector<thread_row> thread_table::list(const debugger& d) {
  const machine_view& machine = d.machine();
  std::vector<thread_row> all;
  for (const path& root : machine.wavefronts()) {
    const std::vector<path> paths = machine.paths_of(root);
    const std::vector<stacked_side> stacked = machine.stacked_of(root);
    const size_t count = paths.size() + stacked.size();
    const uint64_t launched = root.context->tree.root->tree.launched;
    const std::string wavefront = fmt::format("wavefront {}", machine.wavefront_number(*root.context));
    const auto name = [&](size_t k, uint64_t mask, const std::string& waits) {
      return fmt::format("{}, path {} of {}, {:#018x}: {}", wavefront, k, count, mask, waits);
    };
    for (size_t k = 0; k < paths.size(); ++k) {
      thread_row t;
      t.id = number_of(machine.name_of(paths[k].cu, *paths[k].context), -1, false);
      t.at = paths[k];
      t.mask = paths[k].context->state.active() & launched;
      t.name = name(k, t.mask, machine.waits_for(paths[k]));
      all.push_back(std::move(t));
    }
    for (size_t k = 0; k < stacked.size(); ++k) {
      thread_row t;
      t.id = number_of(machine.name_of(root.cu, *root.context), static_cast<int>(stacked[k].entry), stacked[k].right);
      t.at = root;
      t.is_stacked = true;
      t.side = stacked[k];
      t.mask = stacked[k].mask & launched;
      t.name = name(paths.size() + k, t.mask, fmt::format("in the stack, entry {}, until its turn", stacked[k].entry));
      all.push_back(std::move(t));
    }
  }
  if (all.empty())
    all.push_back(
        {of_launch, fmt::format("launch {}: no wavefront is in the machine", d.launch().number), {}, false, {}, 0});
  return all;
}

}  // namespace pws::platform::debug::dap
