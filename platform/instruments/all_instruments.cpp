// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/all_instruments.h"

#include "base/error.h"
#include "platform/instruments/findings.h"
#include "platform/instruments/observers/profile.h"

namespace pws::platform {

// Each in its own file.
std::unique_ptr<instrument> make_rtl_outputs(virtual_platform&, const session_options&);
std::unique_ptr<instrument> make_waveform(virtual_platform&, const session_options&);
std::unique_ptr<instrument> make_timeline(virtual_platform&, const session_options&);
std::unique_ptr<instrument> make_statistics(virtual_platform&, const session_options&);
std::unique_ptr<instrument> make_profile(virtual_platform&, const session_options&);
std::unique_ptr<instrument> make_branch_counts(virtual_platform&, const session_options&);
std::unique_ptr<instrument> make_reconvergence(virtual_platform&, const session_options&);
std::unique_ptr<instrument> make_loop_counts(virtual_platform&, const session_options&);
std::unique_ptr<instrument> make_progress(virtual_platform&, const session_options&);

static std::unique_ptr<instrument> make_checks(virtual_platform& board, const session_options& o) {
  return std::make_unique<check_findings>(board.gpu, o.found);
}

const std::vector<instrument_maker>& all_instruments() {
  static const std::vector<instrument_maker> all = {
      make_loop_counts, make_rtl_outputs, make_waveform,      make_timeline,      make_checks,
      make_statistics,  make_profile,     make_branch_counts, make_reconvergence, make_progress,
  };
  return all;
}

std::vector<named_output> wanted_outputs(const outputs& files) {
  std::vector<named_output> all;
  for (const output_kind& k : output_kinds())
    if (const std::string& path = files.of(k.name); !path.empty()) all.push_back({option_of(k.name), path});
  return all;
}

void prepare(const outputs& files, const std::vector<named_output>& more, const std::vector<std::string>& inputs) {
  if (const std::string& profile = files.of("profile"); !profile.empty()) profile_format_of(profile);
  std::vector<named_output> all = wanted_outputs(files);
  all.insert(all.end(), more.begin(), more.end());
  prepare_outputs(all, inputs);
}

void refuse_unmet(const outputs& files, const run_conditions& conditions) {
  for (const output_kind& k : output_kinds()) {
    if (files.of(k.name).empty()) continue;
    for (const unmet_need& n : unmet_needs(k.made_by, conditions)) throw input_error(option_of(k.name) + ": " + n.why);
  }
}

}  // namespace pws::platform
