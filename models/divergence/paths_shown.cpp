// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/paths_shown.h"

#include <algorithm>

namespace pws::models {

std::vector<shown_register> shown_paths() {
  std::vector<shown_register> list{{"paths.count", 32, paths_record::count, 4}};
  for (uint32_t k = 0; k < paths_record::entries_shown; ++k) {
    const std::string path = "paths.path" + std::to_string(k) + ".";
    const unsigned bits = k < listed_in_waveform ? 64 : 0;
    const uint64_t at = paths_record::entries + k * paths_record::entry_bytes;
    list.push_back({path + "pc", bits, at + paths_record::pc, 8});
    list.push_back({path + "mask", bits, at + paths_record::mask, 8});
  }
  return list;
}

void show_paths(const wf_context& root, uint64_t* values) {
  std::fill_n(values, 1 + 2 * paths_record::entries_shown, 0);
  if (root.status == wf_status::idle) return;
  const auto show = [&](const wf_context& path) {
    if (path.status == wf_status::ended) return;
    if (values[0] < paths_record::entries_shown) {
      values[1 + 2 * values[0]] = path.state.pc;
      values[2 + 2 * values[0]] = path.state.split_mask;
    }
    ++values[0];
  };
  show(root);
  for (const wf_context* swf : root.group->swfs)
    if (swf->tree.root == &root) show(*swf);
}

}  // namespace pws::models
