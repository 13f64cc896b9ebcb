#include "platform/report/launch_report.h"

#include <nlohmann/json.hpp>

#include "platform/json/quantity.h"
#include "platform/report/machine_report.h"
#include "platform/report/occupancy_report.h"

namespace pws::platform {

using nlohmann::ordered_json;

void put(json_text& t, const launch_report& r, const models::machine_config& m, models::counter_detail detail) {
  t.add("number", r.number);
  t.add("kernel", r.kernel);
  t.add("fidelity", name_of(r.fidelity));
  for (const auto& [key, shape] : {std::pair{"grid", &r.grid}, std::pair{"workgroup", &r.workgroup}}) {
    const auto list = t.list(key);
    for (const uint32_t n : *shape) t.add_element(n);
  }
  t.add("dynamic_lds", r.lds_bytes, "bytes");
  {
    const auto occupancy = t.object("occupancy");
    put(t, r.occupancy);
  }
  t.add("completed", r.completed);
  if (!r.completed) t.add("error", r.error);
  if (r.fidelity == models::fidelity::timing) {
    t.add("cycles", r.cycles, "cycles");
    t.add("simulated_time", simulated_time(r.cycles, m));
  }
  {
    const auto counters = t.object("counters");
    put(t, r.counters, counted_by(m, r.fidelity, r.cycles), detail);
  }
  if (!r.checks.empty()) t.add("expect", to_json(r.checks));
}

ordered_json to_json(const launch_report& r, const models::machine_config& m) {
  return json_tree([&](json_text& t) { put(t, r, m, models::counter_detail::launch); });
}

ordered_json to_json(const std::vector<check_outcome>& checks) {
  ordered_json j = ordered_json::array();
  for (const check_outcome& c : checks) j.push_back({{"buffer", c.buffer}, {"pass", c.pass}, {"text", c.text}});
  return j;
}

}  // namespace pws::platform
