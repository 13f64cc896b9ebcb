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

void put(json_text& t, const models::occupancy& o) {
  t.add("workgroups_per_cu", o.workgroups, "workgroups");
  t.add("wavefronts_per_simd", o.wavefronts_per_simd, "wavefronts, on average");
  t.add("share", o.share, "of the wavefront contexts");
  {
    const auto list = t.list("limited_by");
    for (const auto& r : enumerators(models::cu_resource{}))
      if (o.limited_by(r.value)) t.add_element(r.name);
  }
  const auto allows = [&o](models::cu_resource r) { return o.allowed_by(r) != models::occupancy::any_number; };
  const auto all = enumerators(models::cu_resource{});
  if (std::none_of(all.begin(), all.end(), [&](const auto& r) { return allows(r.value); })) return;
  const auto enough = t.object("enough_for");
  for (const auto& r : all)
    if (allows(r.value)) t.add(r.name, o.allowed_by(r.value), "workgroups per compute unit");
}

nlohmann::ordered_json to_json(const models::occupancy& o) {
  return json_tree([&o](json_text& t) { put(t, o); });
}

}  // namespace pws::platform
