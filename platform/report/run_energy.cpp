// SPDX-License-Identifier: Apache-2.0
#include "platform/report/run_energy.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <fstream>
#include <numeric>

#include "base/error.h"
#include "models/machine/machine_config.h"

namespace pws::platform {

namespace {

// M. Horowitz, "Computing's Energy Problem (and what we can do about it)", ISSCC 2014: a 45 nm process at 0.9 V, in pJ.
// docs/cost.md names the texts that these agree with.
constexpr double add_int32 = 0.1, add_float32 = 0.9, multiply_float32 = 3.7;
constexpr double register_access = 6;     // of an instruction: its sources and its result, 32 bits each
constexpr double instruction_fetch = 25;  // from the instruction cache
constexpr double whole_instruction = 70;  // an addition, with fetch, registers and control
constexpr double cache_8_kib = 10, cache_32_kib = 20, cache_1_mib = 100;  // 64 bits
constexpr double dram_least = 1300, dram_most = 2600;                     // 64 bits

// What this makes of them.
constexpr double control = whole_instruction - instruction_fetch - register_access - add_int32;
constexpr double lane = register_access + (add_float32 + multiply_float32) / 2;
constexpr double scalar = register_access + add_int32;
constexpr double dram_access = (dram_least + dram_most) / 2;
constexpr double access_bytes = 8, wavefront_size = 64;
// A split hands over all scalar registers, and so does a path that waits, where it goes on: each is read and written, a
// third of an instruction's register access each time.
constexpr double scalar_registers = 107;
constexpr double hand_over = scalar_registers * 2 * register_access / 3;

double cache_access(double kib) {
  return kib <= 8 ? cache_8_kib : kib <= 32 ? cache_32_kib : cache_1_mib;
}

// A report's values by path.
class report_values {
 public:
  report_values(const nlohmann::ordered_json& report, std::string name) : report_(report), name_(std::move(name)) {}

  const nlohmann::ordered_json& at(const std::string& path) const {
    nlohmann::ordered_json::json_pointer p("/" + pointer_of(path) + "/value");
    if (!report_.contains(p))
      throw input_error(
          fmt::format("{}: {} is not in it: it has to be a report of run or exec in timing fidelity", name_, path));
    return report_.at(p);
  }
  double number(const std::string& path) const {
    const nlohmann::ordered_json& v = at(path);
    if (!v.is_number()) throw input_error(fmt::format("{}: {} is no number", name_, path));
    return v.get<double>();
  }
  double key(const std::string& path) const { return number("configuration.machine." + path); }
  bool has(const std::string& path) const {
    return report_.contains(nlohmann::ordered_json::json_pointer("/" + pointer_of(path)));
  }

 private:
  static std::string pointer_of(std::string path) {
    for (char& c : path)
      if (c == '.') c = '/';
    return path;
  }
  const nlohmann::ordered_json& report_;
  const std::string name_;
};

// Work-items that an instruction can have: of a wavefront, or of a warp.
double lanes_of_instruction(const report_values& r) {
  if (!r.has("totals.formation")) return wavefront_size;
  const bool set = !r.at("configuration.machine.dwf.warp_size").is_null();
  return r.key(set ? "dwf.warp_size" : "valu_lanes");
}

// The energy of all lines that a cache has served.
double energy_of_cache(const report_values& r, const std::string& counters, const std::string& keys) {
  const std::string totals = "totals." + counters + ".";
  if (!r.has("totals." + counters)) return 0;  // memory.arbitration: tdm has none
  const double lines = r.number(totals + "reads") + r.number(totals + "writes") + r.number(totals + "atomics");
  return lines * r.key("memory." + keys + ".line_bytes") / access_bytes *
         cache_access(r.key("memory." + keys + ".size_kib"));
}

}  // namespace

std::string access_energies() {
  return fmt::format(
      "of single accesses in pJ (Horowitz, ISSCC 2014: 45 nm, 0.9 V)\n"
      "  control       {:.1f} an instruction ({} less fetch, registers and sum)\n"
      "  fetch         {} a line of the instruction cache\n"
      "  vector lanes  {:.1f} an active work-item of a vector instruction: registers {}, mean of sum and product of "
      "floats\n"
      "  scalar ALU    {:.1f} an instruction\n"
      "  caches        {} up to 8 KiB, {} up to 32 KiB, {} above, each 64 bits\n"
      "  LDS           half of a cache access of a bank's size, for 64 work-items an instruction\n"
      "  DRAM          {} each 64 bits ({} to {})\n"
      "  splits        {:.0f} a split or merge: {} scalar registers read and written\n",
      control, whole_instruction, instruction_fetch, lane, register_access, scalar, cache_8_kib, cache_32_kib,
      cache_1_mib, dram_access, dram_least, dram_most, hand_over, scalar_registers);
}

double run_energy::total() const {
  return std::accumulate(picojoules.begin(), picojoules.end(), 0.0);
}

run_energy energy_of(const nlohmann::ordered_json& report, const std::string& name) {
  const report_values r(report, name);
  run_energy e;
  e.source = name;
  e.scheme = r.at("configuration.machine.divergence").get<std::string>();
  e.cycles = static_cast<uint64_t>(r.number("cycles"));
  const auto to = [&e](energy_part p) -> double& { return e.picojoules[static_cast<size_t>(p)]; };
  const auto of_unit = [&r](const char* unit) { return r.number(std::string("totals.instructions_by_unit.") + unit); };
  to(energy_part::control) = r.number("totals.instructions") * control;
  to(energy_part::fetch) = r.number("totals.instruction_cache.reads") * instruction_fetch;
  const double width = lanes_of_instruction(r);
  to(energy_part::lanes) =
      r.number("totals.vector_alu_instructions") * width * r.number("totals.simd_lane_utilisation") / 100 * lane;
  to(energy_part::scalar) = (of_unit("salu") + of_unit("branch")) * scalar;
  to(energy_part::caches) = energy_of_cache(r, "vector_l1", "vector_l1") +
                            energy_of_cache(r, "scalar_cache", "scalar_cache") + energy_of_cache(r, "l2", "l2.bank");
  to(energy_part::lds) = of_unit("lds") * wavefront_size * cache_access(r.key("lds.size_kib") / r.key("lds.banks")) / 2;
  const bool divided = r.has("totals.tdm");  // memory.arbitration: tdm
  const double lines =
      divided ? r.number("totals.tdm.lines") : r.number("totals.dram.reads") + r.number("totals.dram.writes");
  to(energy_part::dram) = lines * r.key("memory.l2.bank.line_bytes") / access_bytes * dram_access;
  to(energy_part::splits) = (r.number("totals.splits") + r.number("totals.merges")) * hand_over;
  return e;
}

run_energy energy_of_file(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw input_error(file + ": it cannot be read");
  const nlohmann::ordered_json report = nlohmann::ordered_json::parse(in, nullptr, false);
  if (report.is_discarded() || !report.is_object()) throw input_error(file + ": it is not a report: no JSON object");
  return energy_of(report, file);
}

void print_energies(std::ostream& out, const std::vector<run_energy>& runs) {
  fmt::print(out, "| scheme | cycles | speed-up |");
  for (size_t k = 0; k < energy_parts; ++k) fmt::print(out, " {} |", enumerators(energy_part{})[k].name);
  fmt::print(out, " nJ | of the first |\n|---|---|---|");
  for (size_t k = 0; k < energy_parts; ++k) fmt::print(out, "---|");
  fmt::print(out, "---|---|\n");
  for (const run_energy& e : runs) {
    const run_energy& first = runs.front();
    fmt::print(out, "| `{}` | {} | {:.3f} |", e.scheme, e.cycles,
               static_cast<double>(first.cycles) / static_cast<double>(e.cycles));
    for (const double pj : e.picojoules) fmt::print(out, " {:.1f} |", pj / 1000);
    fmt::print(out, " {:.1f} | {:.3f} |\n", e.total() / 1000, e.total() / first.total());
  }
}

namespace {

const report_part<run_energy>& parts_of_energy() {
  using e = run_energy;
  static const report_part<e> all = [] {
    report_part<e> part;
    for (size_t k = 0; k < energy_parts; ++k) {
      std::string name = enumerators(energy_part{})[k].name;
      std::replace(name.begin(), name.end(), ' ', '_');
      part.value(name, "nJ", "estimate of the dynamic energy", [k](const e& of) { return of.picojoules[k] / 1000; });
    }
    part.value("total", "nJ", "of all of these", [](const e& of) { return of.total() / 1000; });
    return part;
  }();
  return all;
}

}  // namespace

const report_part<run_energy>& run_energy_part() {
  using e = run_energy;
  static const report_part<e> all = report_part<e>()
                                        .value("report", "the file", &e::source)
                                        .value("scheme", "machine.divergence", &e::scheme)
                                        .value("cycles", "cycles", "of the run", &e::cycles)
                                        .group("energy", parts_of_energy());
  return all;
}

}  // namespace pws::platform
