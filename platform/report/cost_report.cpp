// SPDX-License-Identifier: Apache-2.0
#include "platform/report/cost_report.h"

#include <fmt/ostream.h>

#include <algorithm>

#include "models/divergence/divergence_scheme.h"
#include "models/formation/formation_storage.h"

namespace pws::platform {

namespace {

// The machine with that scheme. Only a stack's slots can have a conservative scoreboard.
models::machine_config with_scheme(models::machine_config m, const models::scheme_traits& scheme) {
  m.divergence = scheme.kind;
  m.spsimd_per_simd = std::max(m.spsimd_per_simd, 1u);
  if (!scheme.has_slots() && m.scoreboard == models::path_scoreboard::conservative)
    m.scoreboard = models::path_scoreboard::drain;
  return m;
}

uint64_t register_bits_of_simd(const models::machine_config& m) {
  constexpr uint64_t bits = 32;
  return bits * (uint64_t{m.vgprs_per_simd} * isa::wave_size + m.sgprs_per_simd);
}

}  // namespace

std::vector<scheme_cost> scheme_costs(const models::machine_config& machine, uint32_t splits) {
  std::vector<scheme_cost> costs;
  for (const models::scheme_traits& scheme : models::divergence_schemes) {
    const models::machine_config m = with_scheme(machine, scheme);
    scheme_cost c;
    c.scheme = scheme.name;
    if (models::has_spsimds(m)) c.swfs = m.spsimd_per_simd;
    c.bits = models::storage_of_scheme(m, splits);
    if (models::joins_paths(m)) c.bits.unit += models::storage_of(models::formation_sizes_of(m)).total();
    c.per_simd = c.bits.per_simd(m);
    c.of_registers = 100 * static_cast<double>(c.per_simd) / static_cast<double>(register_bits_of_simd(m));
    costs.push_back(c);
  }
  return costs;
}

void print_scheme_costs(std::ostream& out, const std::vector<scheme_cost>& costs) {
  fmt::print(out,
             "| scheme | paths | scoreboards | instruction buffers | scalar registers | of a wavefront | "
             "of a SIMD unit | % of its registers |\n|---|---|---|---|---|---|---|---|\n");
  for (const scheme_cost& c : costs) {
    const std::string name = "`" + c.scheme + "`" + (c.swfs == 0 ? "" : fmt::format(", S = {}", c.swfs));
    fmt::print(out, "| {} | {} | {} | {} | {} | {} | {} | {:.1f} |\n", name, c.bits.paths, c.bits.scoreboards,
               c.bits.buffers, c.bits.scalars, c.bits.per_wavefront(), c.per_simd, c.of_registers);
  }
}

namespace {

const report_part<models::scheme_storage>& wavefront_part() {
  using b = models::scheme_storage;
  static const report_part<b> all =
      report_part<b>()
          .value("paths", "bits", "PCs, masks and stacks of its paths, and what else says where they are", &b::paths)
          .value("scoreboards", "bits", "of further paths, and shadow bits", &b::scoreboards)
          .value("instruction_buffers", "bits", "of further paths", &b::buffers)
          .value("scalar_registers", "bits", "of further paths", &b::scalars)
          .value("total", "bits", "of a wavefront", &b::per_wavefront);
  return all;
}

const report_part<scheme_cost>& simd_part() {
  using c = scheme_cost;
  static const report_part<c> all =
      report_part<c>()
          .value("shared", "bits", "for all of its wavefronts", [](const c& of) { return of.bits.unit; })
          .value("total", "bits", "with what each of its wavefronts has", &c::per_simd)
          .value("of_registers", "% of the bits of its registers", "likewise", &c::of_registers);
  return all;
}

const report_part<scheme_cost>& scheme_cost_part() {
  using c = scheme_cost;
  static const report_part<c> all = report_part<c>()
                                        .value("scheme", "machine.divergence", &c::scheme)
                                        .value("spsimd_per_simd", "S, where there are SWF contexts", &c::swfs)
                                        .where([](const c& of) { return of.swfs != 0; })
                                        .part("wavefront", wavefront_part(), &c::bits)
                                        .group("simd", simd_part());
  return all;
}

}  // namespace

const report_part<cost_report>& cost_part() {
  static const report_part<cost_report> all = report_part<cost_report>()
                                                  .list("storage", scheme_cost_part(), &cost_report::schemes)
                                                  .list("runs", run_energy_part(), &cost_report::runs);
  return all;
}

}  // namespace pws::platform
