#include "platform/report/occupancy_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "platform/json/quantity.h"

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

nlohmann::ordered_json to_json(const models::occupancy& o) {
  nlohmann::ordered_json j = {{"workgroups_per_cu", quantity(o.workgroups, "workgroups")},
                              {"wavefronts_per_simd", quantity(o.wavefronts_per_simd, "wavefronts, on average")},
                              {"share", quantity(o.share, "of the wavefront contexts")},
                              {"limited_by", nlohmann::ordered_json::array()}};
  for (const auto& r : enumerators(models::cu_resource{})) {
    if (o.limited_by(r.value)) j["limited_by"].push_back(r.name);
    if (o.allowed_by(r.value) != models::occupancy::any_number)
      j["enough_for"][r.name] = quantity(o.allowed_by(r.value), "workgroups per compute unit");
  }
  return j;
}

}  // namespace pws::platform
