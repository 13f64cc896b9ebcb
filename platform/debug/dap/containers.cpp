// SPDX-License-Identifier: Apache-2.0
// What is in the containers of variables.
#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "base/error.h"
#include "platform/debug/dap/session.h"
#include "platform/debug/expression_node.h"
#include "platform/report/machine_counters.h"

namespace pws::platform::debug::dap {

namespace {

// `expression`: what evaluates to it; "": nothing does.
json variable(const std::string& name, const std::string& value, const std::string& expression = "") {
  json v{{"name", name},
         {"value", value},
         {"variablesReference", 0},
         {"presentationHint", {{"attributes", {"readOnly"}}}}};
  if (!expression.empty()) v["evaluateName"] = expression;
  return v;
}

}  // namespace

json session::path_variables(const thread_row& t) {
  const scene here = scene_of(t);
  json all = json::array();
  all.push_back({{"name", "lane"},
                 {"value", fmt::format("{}", here.lane)},
                 {"variablesReference", 0},
                 {"evaluateName", "lane"},
                 {"presentationHint", {{"kind", "property"}}}});
  if (t.is_stacked) {
    all.push_back(variable("spm", fmt::format("{:#018x}", t.side.mask)));
    all.push_back(variable("pc", fmt::format("{:#x} {}", t.side.pc, core_.code().symbol_text(t.side.pc))));
    all.push_back(variable("waits for", fmt::format("its turn, in entry {} of the stack", t.side.entry)));
    return all;
  }
  all.push_back(variable("lane is", state_of_lane(t.at, here.lane)));
  for (const auto& row : enumerators(special{})) {
    if (row.value == special::lane) continue;
    const value v = expression::parse(row.name).evaluate(here);
    const auto bits = static_cast<uint64_t>(v.integer);
    const std::string text = is_mask(row.value)         ? fmt::format("{:#018x}", bits)
                             : row.value == special::pc ? fmt::format("{:#x} {}", bits, core_.code().symbol_text(bits))
                             : row.value == special::mode ? fmt::format("{:#x}", bits)
                                                          : debug::text_of(v);
    all.push_back(variable(row.name, text, row.name));
    if (row.value == special::pc) all.back()["memoryReference"] = fmt::format("{:#x}", bits);
  }
  all.push_back(variable("waits for", core_.machine().waiting_text(t.at)));
  return all;
}

json session::scalar_variables(const thread_row& t) {
  const isa::wave_state& s = t.at.context->state;
  json all = json::array();
  for (unsigned n = 0; n < std::min<uint32_t>(s.n_sgprs, isa::sgpr_limit); ++n)
    all.push_back(variable(fmt::format("s{}", n), fmt::format("{:#010x}", s.scalar[n]), fmt::format("s{}", n)));
  return all;
}

json session::vector_variables(const thread_row& t) {
  const isa::wave_state& s = t.at.context->state;
  const int lane = lane_of(t);
  json all = json::array();
  for (unsigned n = 0; n < s.n_vgprs; ++n) {
    const std::string name = fmt::format("v{}", n);
    json v = variable(name, fmt::format("{:#010x}", s.vgpr[n].lane[lane]), fmt::format("{}[{}]", name, lane));
    v["variablesReference"] = reference({container_kind::lanes, t.id, static_cast<int>(n), "", {}, {}});
    v["indexedVariables"] = isa::wave_size;
    all.push_back(std::move(v));
  }
  return all;
}

json session::lane_variables(const container& c, const thread_row& t, const json& a) {
  const isa::wave_state& s = t.at.context->state;
  const auto [begin, end] = wanted_part(a, isa::wave_size);
  json all = json::array();
  for (uint64_t lane = begin; lane < end; ++lane) {
    const bool is_active = (t.mask >> lane & 1) != 0;
    all.push_back(variable(fmt::format("[{}]", lane),
                           fmt::format("{:#010x}{}", s.vgpr[c.number].lane[lane], is_active ? "" : " (not active)"),
                           fmt::format("v{}[{}]", c.number, lane)));
  }
  return all;
}

json session::buffer_variables(const thread_row& t) {
  json all = json::array();
  for (const auto& [name, place] : core_.machine().buffers()) {
    const uint64_t count = (place.end - place.begin) / size_of(place.type);
    json v = variable(name, fmt::format("{:#x}, {} x {}", place.begin, count, name_of(place.type)), name);
    v["variablesReference"] = reference({container_kind::elements, t.id, 0, name, {}, {}});
    v["indexedVariables"] = count;
    v["memoryReference"] = fmt::format("{:#x}", place.begin);
    all.push_back(std::move(v));
  }
  return all;
}

json session::element_variables(const container& c, const json& a) {
  const buffer_place& b = core_.machine().buffers().at(c.name);
  const size_t size = size_of(b.type);
  const auto [begin, end] = wanted_part(a, (b.end - b.begin) / size);
  std::vector<uint8_t> bytes((end - begin) * size);
  if (!bytes.empty()) core_.machine().read(b.begin + begin * size, bytes.data(), bytes.size());
  json all = json::array();
  for (uint64_t k = begin; k < end; ++k) {
    const uint64_t bits = load_element(b.type, &bytes[(k - begin) * size]);
    json v = variable(fmt::format("[{}]", k), platform::text_of(b.type, bits), fmt::format("{}[{}]", c.name, k));
    v["memoryReference"] = fmt::format("{:#x}", b.begin + k * size);
    all.push_back(std::move(v));
  }
  return all;
}

json session::lds_variables(const thread_row& t, const json& a) {
  constexpr uint64_t word = sizeof(uint32_t);
  const auto [begin, end] = wanted_part(a, t.at.context->state.lds_bytes / word);
  json all = json::array();
  for (uint64_t k = begin; k < end; ++k) {
    uint32_t bits = 0;
    core_.machine().read_lds(t.at, k * word, &bits, word);
    json v = variable(fmt::format("[{}]", k * word), fmt::format("{:#010x}", bits), fmt::format("lds[{}]", k * word));
    v["memoryReference"] = fmt::format("lds:{}:{:#x}", t.id, k * word);
    all.push_back(std::move(v));
  }
  return all;
}

json session::scheme_variables(const thread_row& t) {
  json all = json::array();
  for (const auto& [name, bits] : core_.machine().scheme_registers(t.at))
    all.push_back(variable(name, fmt::format("{:#x}", bits)));
  return all;
}

json session::counter_variables() {
  const models::machine_config& m = core_.machine().gpu.config;
  const machine_counters counts = read_counters(core_.machine().gpu) - core_.launch().before;
  const models::counted_on on = counted_by(m, m.fidelity, core_.machine().gpu.clock.now() - core_.launch().began);
  json all = json::array();
  for (const models::counter_row& r : machine_counters::rows().all()) {
    if (!r.is_in(models::counter_detail::launch, on)) continue;
    const std::string text = std::visit([](auto v) { return fmt::format("{}", v); }, r.value_in(&counts, on));
    all.push_back(variable(r.name, fmt::format("{} {}", text, unit_of(r, on))));
  }
  return all;
}

}  // namespace pws::platform::debug::dap
