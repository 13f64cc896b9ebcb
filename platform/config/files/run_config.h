// SPDX-License-Identifier: Apache-2.0
// A run as a user describes it in YAML: machine, program, launch, arguments, what to expect. Plain data, completely
// checked when load_run returns it. All keys with their defaults and ranges: the schemas in run_schema.h and
// machine_schema.h, or `pwsvp params`.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/enum_names.h"
#include "models/machine/machine_config.h"
#include "platform/config/config_error.h"
#include "platform/config/effective.h"
#include "platform/config/outputs.h"
#include "platform/config/values/element_type.h"
#include "platform/config/yaml_tree.h"
#include "sw/loader/metadata.h"
#include "sw/pwscc/split_pass.h"

namespace pws::platform {

struct program_config {
  std::string source;              // readable regular file: HIP source, code object, offload bundle or executable
  std::string kernel;              // of the only launch; empty where the key `launches` has them
  std::vector<std::string> flags;  // for clang; empty when `source` is already compiled
  pwscc::split_choice split = pwscc::split_choice::none;  // not none: pwscc compiles it, for S = spsimd_per_simd
  bool split_by_launch = true;  // automatic: only where the launches' bounds are shorter with splits, or no longer
  // s has all splits; p, ps and psr have none and are for HIP.
  pwscc::divergence_code divergence = pwscc::divergence_code::none;
  origin where;  // of `source`
  origin kernel_where;
};

struct launch_config {
  std::array<uint32_t, 3> grid{1, 1, 1};       // work-items; need not be a multiple of the workgroup
  std::array<uint32_t, 3> workgroup{1, 1, 1};  // work-items; product at most 1024
  uint32_t dynamic_lds = 0;                    // bytes
  // Bytes of a work-item, for kernels that use a dynamic stack.
  uint32_t dynamic_stack = loader::default_dynamic_stack;
  origin where;
};

struct scalar_argument {
  element_type type = element_type::i32;
  uint64_t bits = 0;
};

// A number for a buffer of real elements (`real`) or of integer elements (`integer`: two's complement, 64 bits).
struct init_number {
  double real = 0;
  uint64_t integer = 0;
};

struct poison_init {};  // `init: none`: see buffer.h for the pattern
struct constant_init {
  uint64_t bits = 0;
};
// Element k is start + step * k.
struct ramp_init {
  init_number start{0, 0};
  init_number step{1, 1};
};
// Uniform in [min, max] (integers) or [min, max) (reals); see buffer.h for the generator.
struct random_init {
  uint64_t seed = 1;
  init_number min{0, 0};
  init_number max{1, 1};
};
struct file_init {
  std::string file;  // raw little-endian elements, exactly the buffer's size
};
struct values_init {
  std::vector<uint64_t> bits;  // one per element
};
using buffer_init = std::variant<poison_init, constant_init, ramp_init, random_init, file_init, values_init>;

struct buffer_argument {
  element_type type = element_type::i32;
  uint64_t count = 0;  // elements, at least 1
  buffer_init init;
  uint64_t bytes() const { return count * size_of(type); }
};

// A structure passed by value.
struct bytes_argument {
  // A buffer's address, which is known when the run has placed it: 8 bytes.
  struct pointer {
    size_t offset = 0;
    size_t argument = 0;  // the buffer's index in run_config::arguments
  };
  std::vector<uint8_t> bytes;  // in memory order
  std::vector<pointer> pointers{};
  std::string layout{};  // where each field lies, in words; empty: given as bytes
};

struct argument_config {
  std::string name;  // an identifier, unique in the run
  std::variant<scalar_argument, buffer_argument, bytes_argument> value;
  origin where;

  const buffer_argument* buffer() const { return std::get_if<buffer_argument>(&value); }
};

struct expect_constant {
  uint64_t bits = 0;
};
struct expect_file {
  std::string file;  // raw little-endian elements, exactly `count` of them
};
struct expect_values {
  std::vector<uint64_t> bits;
};
struct expect_expression {
  std::string text;  // see expression.h
};

// An element passes if it meets any of the three. All zero: equal values are wanted.
struct tolerance_config {
  double absolute = 0;  // |actual - expected| <= absolute
  double relative = 0;  // |actual - expected| <= relative * |expected|
  uint64_t ulp = 0;     // at most so many representable numbers apart; real types only
};

struct expect_config {
  std::string buffer;   // its argument's name
  size_t argument = 0;  // its index in run_config::arguments
  std::variant<expect_constant, expect_file, expect_values, expect_expression> value;
  tolerance_config tolerance;
  uint64_t first = 0;  // elements [first, first + count) are checked
  uint64_t count = 0;
  origin where;
};

enum class block_time_source : uint8_t {
  machine,   // static: from the machine's constants, a guarantee
  measured,  // the longest seen in a run, an estimate
};
constexpr auto enumerators(block_time_source) {
  return std::array{named{block_time_source::machine, "static"}, named{block_time_source::measured, "measured"}};
}

enum class save_format : uint8_t { raw, csv, npy };
constexpr auto enumerators(save_format) {
  using e = save_format;
  return std::array{named{e::raw, "raw"}, named{e::csv, "csv"}, named{e::npy, "npy"}};
}

// A buffer that is written to a file when the run is over (saved_buffer.h).
struct save_config {
  std::string buffer;   // its argument's name
  size_t argument = 0;  // its index in run_config::arguments
  std::string file;
  save_format format = save_format::raw;
};

// A loop's bound, for code that has no PWS_LOOP_BOUND.
struct loop_bound_config {
  uint64_t bound = 0;  // iterations each time the loop is reached
  // One of these: the line of the loop statement's keyword (else 0), a label in the loop's assembly, or the offset of
  // an instruction in the loop, in bytes from the kernel's entry.
  uint32_t line = 0;
  std::string label;
  std::optional<uint64_t> offset;
  std::string file;    // with `line`: the end of the source's path; empty: any
  std::string kernel;  // empty: any
  origin where;
};

// One launch of a kernel.
struct run_launch {
  std::string kernel;  // name as in the source or as in the code object's metadata
  launch_config shape;
  // Indices into run_config::arguments, in the order of the kernel's parameters; nothing: all of them in their order,
  // except left_out.
  std::optional<std::vector<size_t>> arguments;
  std::vector<size_t> left_out;       // buffers that structures point to
  std::vector<expect_config> expect;  // holds after this launch
  origin kernel_where, arguments_where;
  std::string below;  // before a key's name in messages: "launches.0."

  std::vector<size_t> of(size_t all) const {
    std::vector<size_t> indices(arguments ? 0 : all);
    std::iota(indices.begin(), indices.end(), size_t{0});
    for (const size_t k : left_out) indices.erase(std::remove(indices.begin(), indices.end(), k), indices.end());
    return arguments.value_or(indices);
  }
};

// What `pwsvp wcet` wants to know besides the run.
struct wcet_config {
  block_time_source block_times = block_time_source::machine;
  uint32_t runs = 1;    // measured: how many; each with other random numbers
  bool buffers = true;  // accesses are taken to stay in the buffer that their pointer is of
  std::vector<loop_bound_config> loops;
};

struct run_config {
  models::machine_config machine;
  program_config program;
  std::vector<run_launch> launches;        // in order, at least one
  std::vector<argument_config> arguments;  // that launches have
  std::vector<expect_config> expect;       // holds after the last launch
  std::vector<save_config> save;
  outputs to_write;
  wcet_config wcet;
  std::string file;                    // the run file as given
  std::vector<std::string> files;      // all YAML files that this was read from
  effective_value effective;           // every key
  std::vector<std::string> idle_keys;  // keys_without_effect
};

// Every file that decides the run: YAML, program, those of buffers.
std::vector<std::string> input_files(const run_config& run);

// Reads and checks the whole run; `overrides` are "path=value" (see overrides.h). Throws config_error with every
// problem.
run_config load_run(const yaml_source& from, const std::vector<std::string>& overrides = {});

}  // namespace pws::platform
