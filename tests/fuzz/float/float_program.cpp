// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/float/float_program.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "tests/fuzz/float/function_table.h"

namespace pws::test {

namespace {

program_kind kind_of(uint64_t seed, const std::string& only) {
  if (only == "trees") return program_kind::trees;
  if (only == "functions") return program_kind::functions;
  if (only == "modes") return program_kind::modes;
  if (only == "fast") return program_kind::fast;
  const auto& table = function_table();
  if (std::any_of(table.begin(), table.end(), [&](const tested_function& f) { return f.name == only; }))
    return program_kind::functions;
  if (!only.empty()) {
    std::string names = "trees, functions, modes, fast";
    for (const tested_function& f : table) names += ", " + f.name;
    throw std::runtime_error("--only " + only + ": there are " + names);
  }
  switch (seed % 8) {
    case 0:
      return program_kind::modes;
    case 1:
    case 5:
      return program_kind::functions;
    case 4:
      return program_kind::fast;
    default:
      return program_kind::trees;
  }
}

std::vector<std::string> flags_of(program_kind kind, random_source& r) {
  constexpr std::array<const char*, 5> levels{"-O3", "-O3", "-O1", "-O0", "-O2"};
  constexpr std::array<const char*, 2> flush{"-fgpu-flush-denormals-to-zero", "-fcuda-flush-denormals-to-zero"};
  constexpr std::array<const char*, 2> contract{"-ffp-contract=on", "-ffp-contract=fast"};
  std::vector<std::string> flags{r.one_of(levels)};
  // For gfx803 clang flushes single-precision denormals unless told otherwise.
  constexpr const char* keep = "-fno-gpu-flush-denormals-to-zero";
  switch (kind) {
    case program_kind::trees:
      flags.emplace_back(r.chance(25) ? r.one_of(flush) : keep);
      flags.emplace_back(r.chance(30) ? r.one_of(contract) : "-ffp-contract=off");
      break;
    case program_kind::functions:
      flags.emplace_back(r.chance(20) ? r.one_of(flush) : keep);
      flags.emplace_back("-ffp-contract=off");
      break;
    case program_kind::modes:
      flags.emplace_back(keep);
      flags.emplace_back("-ffp-contract=off");
      break;
    case program_kind::fast:
      flags.emplace_back("-ffast-math");
      break;
  }
  return flags;
}

}  // namespace

void tally::add(const tally& other) {
  comparisons += other.comparisons;
  several += other.several;
  undecided += other.undecided;
  for (const auto& [name, theirs] : other.functions) {
    accuracy& ours = functions[name];
    const uint64_t sum = ours.comparisons + theirs.comparisons;
    if (theirs.worst >= ours.worst) ours = theirs;
    ours.comparisons = sum;
  }
}

std::string float_program::source() const {
  std::string s = "#include \"functions.h\"\n";
  for (const kernel_case& c : cases) s += "\n" + c.source;
  return s;
}

float_program make_program(uint64_t seed, const program_options& o) {
  random_source r(seed);
  float_program p;
  p.seed = seed;
  p.kind = kind_of(seed, o.only);
  p.flags = flags_of(p.kind, r);
  switch (p.kind) {
    case program_kind::trees:
      add_tree_cases(p, r);
      break;
    case program_kind::functions:
      add_function_cases(p, o, r);
      break;
    case program_kind::modes:
      add_mode_cases(p, r);
      break;
    case program_kind::fast:
      add_fast_cases(p, r);
      break;
  }
  return p;
}

}  // namespace pws::test
