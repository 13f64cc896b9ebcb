// SPDX-License-Identifier: Apache-2.0
// A generated HIP source: kernels of 64-bit slots in and out, each with the judge of its results.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/fuzz/float/number.h"

namespace pws::test {

struct accuracy {
  double worst = 0;  // in units of the bound's kind
  double bound = 0;
  uint64_t comparisons = 0;
  std::string at;      // arguments of the worst
  std::string source;  // of the bound
};

// What judging found; of one program, or the sum of many.
struct tally {
  uint64_t comparisons = 0;
  uint64_t several = 0;    // of them, with more than one permitted result
  uint64_t undecided = 0;  // results with too many permitted ones, not compared
  std::map<std::string, accuracy> functions;

  void add(const tally& other);
};

struct kernel_case {
  std::string name;
  std::string source;  // without the include
  std::vector<scalar> inputs, outputs;
  std::vector<uint64_t> slots;  // inputs.size() per lane
  // What is wrong with a lane's results, "" if nothing.
  std::function<std::string(const uint64_t* in, const uint64_t* out, tally& t)> judge;

  uint32_t lanes() const { return static_cast<uint32_t>(slots.size() / inputs.size()); }
};

enum class program_kind : uint8_t { trees, functions, modes, fast };

struct program_options {
  std::string only;        // "" or a program kind, or a function's name
  double bound_scale = 1;  // multiplies every accuracy bound
};

struct float_program {
  uint64_t seed = 0;
  program_kind kind = program_kind::trees;
  std::vector<std::string> flags;  // -O first
  std::vector<kernel_case> cases;

  std::string source() const;
};

// The program of a seed: its kind, flags, kernels and inputs. Throws std::runtime_error for an `only` that is neither.
float_program make_program(uint64_t seed, const program_options& o);

// One each; `make_program` chooses.
void add_tree_cases(float_program& p, random_source& r);
void add_fast_cases(float_program& p, random_source& r);
void add_function_cases(float_program& p, const program_options& o, random_source& r);
void add_mode_cases(float_program& p, random_source& r);

}  // namespace pws::test
