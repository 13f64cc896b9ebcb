// SPDX-License-Identifier: Apache-2.0
// An estimate of the dynamic energy of a run, from the counters in its report and published energies of single
// accesses. It compares schemes on one machine; it is no prediction for a chip. There is no leakage, clock or
// interconnect in it.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/output/report_part.h"

namespace pws::platform {

// What energy is counted for.
enum class energy_part : uint8_t { control, fetch, lanes, scalar, caches, lds, dram, splits };
constexpr auto enumerators(energy_part) {
  using e = energy_part;
  return std::array{named{e::control, "control"},   named{e::fetch, "fetch"},   named{e::lanes, "vector lanes"},
                    named{e::scalar, "scalar ALU"}, named{e::caches, "caches"}, named{e::lds, "LDS"},
                    named{e::dram, "DRAM"},         named{e::splits, "splits"}};
}
constexpr size_t energy_parts = enumerators(energy_part{}).size();

struct run_energy {
  std::string source, scheme;
  uint64_t cycles = 0;
  std::array<double, energy_parts> picojoules{};  // by part

  double total() const;  // pJ
};

// The energies of single accesses, with their sources, one a line.
std::string access_energies();

// The energy of a run by its report, of `run` or `exec`, in timing fidelity; `name` is for messages. Throws
// input_error: it has not what is needed.
run_energy energy_of(const nlohmann::ordered_json& report, const std::string& name);
// Reads the file. Throws input_error.
run_energy energy_of_file(const std::string& file);

// As a table of Markdown, the first being what all are compared with.
void print_energies(std::ostream& out, const std::vector<run_energy>& runs);
const report_part<run_energy>& run_energy_part();

}  // namespace pws::platform
