// SPDX-License-Identifier: Apache-2.0
#include "platform/observers/profile.h"

#include <numeric>

#include "base/error.h"
#include "base/output/output_files.h"

namespace pws::platform {

namespace {
bool ends_in(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}
}  // namespace

uint64_t profile_counters::all_stalls() const {
  return std::accumulate(stalls.begin(), stalls.end(), uint64_t{0});
}

profile_counters& profile_counters::operator+=(const profile_counters& o) {
  issues += o.issues;
  cycles += o.cycles;
  lanes += o.lanes;
  for (size_t k = 0; k < stalls.size(); ++k) stalls[k] += o.stalls[k];
  lines += o.lines;
  l1_hits += o.l1_hits;
  l1_misses += o.l1_misses;
  return *this;
}

profile_counters profile::total() const {
  profile_counters sum;
  for (const profiled_instruction& i : instructions) sum += i.counted;
  return sum;
}

profile_format profile_format_of(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  if (ends_in(name, ".html")) return profile_format::html;
  if (ends_in(name, ".callgrind") || ends_in(name, "callgrind.out") || name.rfind("callgrind.out.", 0) == 0)
    return profile_format::callgrind;
  throw input_error("--profile " + path +
                    ": the file's name says the format: *.html, or *.callgrind, callgrind.out and callgrind.out.* for "
                    "kcachegrind");
}

void write_profile(const std::string& path, const profile& p) {
  write_output({"--profile", path}, profile_format_of(path) == profile_format::html ? html_text(p) : callgrind_text(p));
}

}  // namespace pws::platform
