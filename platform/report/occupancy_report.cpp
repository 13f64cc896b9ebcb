// SPDX-License-Identifier: Apache-2.0
#include "platform/report/occupancy_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace pws::platform {

namespace {

const char* words_of(models::cu_resource r) {
  switch (r) {
    case models::cu_resource::contexts:
      return "wavefront contexts";
    case models::cu_resource::vgprs:
      return "vector registers";
    case models::cu_resource::sgprs:
      return "scalar registers";
    case models::cu_resource::lds:
      break;
  }
  return "LDS";
}

}  // namespace

std::string text(const models::occupancy& o) {
  std::string limits;
  for (const auto& r : enumerators(models::cu_resource{}))
    if (o.limited_by(r.value)) limits += fmt::format("{}{}", limits.empty() ? "" : " and ", words_of(r.value));
  return fmt::format("{:.1f} wavefronts per SIMD unit, {:.0f} % of the contexts; limited by {}", o.wavefronts_per_simd,
                     100 * o.share, limits);
}

const report_part<models::occupancy>& occupancy_part() {
  using o = models::occupancy;
  static const report_part<o> all = [] {
    constexpr auto resources = enumerators(models::cu_resource{});
    const auto allowed = [](const o& of, models::cu_resource r) {
      const uint64_t n = of.allowed_by(r);
      return n == o::any_number ? std::nullopt : std::optional(n);
    };
    report_part<o> enough;
    for (const auto& r : resources)
      enough.value(r.name, "workgroups per compute unit", std::string("as far as it depends on ") + r.name,
                   [=](auto& of) { return allowed(of, r.value); });
    const auto any_allowed = [=](const o& of) {
      return std::any_of(resources.begin(), resources.end(), [&](const auto& r) { return allowed(of, r.value); });
    };
    const auto limits = [=](const o& of) {
      std::vector<std::string> names;
      for (const auto& r : resources)
        if (of.limited_by(r.value)) names.emplace_back(r.name);
      return names;
    };
    return report_part<o>()
        .value("workgroups_per_cu", "workgroups", "that a compute unit holds at a time", &o::workgroups)
        .value("wavefronts_per_simd", "wavefronts, on average", "that a SIMD unit holds at a time",
               &o::wavefronts_per_simd)
        .value("share", "of the wavefront contexts", "that are in use then", &o::share)
        .value("limited_by", "resources of which more would let in another workgroup", limits)
        .part("enough_for", enough, [=](auto& of) { return any_allowed(of) ? &of : nullptr; });
  }();
  return all;
}

}  // namespace pws::platform
