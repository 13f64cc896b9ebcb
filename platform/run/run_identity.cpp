// SPDX-License-Identifier: Apache-2.0
#include "platform/run/run_identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/sha256.h"

namespace pws::platform {

namespace {

// Keys of the machine that change nothing of what it has done: what watches it, and when it is stopped.
constexpr std::array<std::string_view, 3> only_watching{"check", "trace", "limits"};

std::string value_of(const effective_value& leaf) {
  const nlohmann::ordered_json value = to_json(leaf).at("value");
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void add(run_identity& to, const std::string& path, const effective_value& v) {
  if (v.what == effective_value::form::leaf) to.emplace_back(path, value_of(v));
  size_t number = 0;
  for (const effective_value& below : v.below)
    add(to, path + "." + (below.key.empty() ? std::to_string(number++) : below.key), below);
}

void add_machine(run_identity& to, const effective_value& config, bool any_fidelity) {
  for (const effective_value& machine : config.below) {
    if (machine.key != "machine") continue;
    for (const effective_value& v : machine.below) {
      const bool left_out = std::find(only_watching.begin(), only_watching.end(), v.key) != only_watching.end() ||
                            (any_fidelity && v.key == "fidelity");
      if (!left_out) add(to, "machine." + v.key, v);
    }
  }
}

std::string text_of(const argument_config& a) {
  if (const buffer_argument* const b = a.buffer(); b != nullptr)
    return fmt::format("buffer of {} {}", b->count, name_of(b->type));
  if (const auto* const s = std::get_if<scalar_argument>(&a.value))
    return fmt::format("{} {:#x}", name_of(s->type), s->bits);
  const auto& bytes = std::get<bytes_argument>(a.value);
  return "structure " + sha256(bytes.bytes.data(), bytes.bytes.size());
}

std::string text_of(const run_launch& l, const std::vector<argument_config>& arguments) {
  const launch_config& s = l.shape;
  std::string names;
  for (const size_t n : l.of(arguments.size())) names += (names.empty() ? "" : ", ") + arguments[n].name;
  return fmt::format("{}({}), grid {}, workgroup {}, {} bytes of dynamic LDS, {} of stack", l.kernel, names,
                     fmt::join(s.grid, "x"), fmt::join(s.workgroup, "x"), s.dynamic_lds, s.dynamic_stack);
}

}  // namespace

run_identity identity_of(const run_config& config, const loader::program_image& program, const checkpoint_place& at) {
  run_identity all;
  add_machine(all, config.effective, !at.is_within_launch());
  std::string code;
  for (const loader::code_object& o : program.code_objects()) {
    const auto& bytes = o.file_bytes();
    code += sha256(bytes.data(), bytes.size());
  }
  all.emplace_back("program", sha256(reinterpret_cast<const uint8_t*>(code.data()), code.size()));
  for (const argument_config& a : config.arguments) all.emplace_back("arguments." + a.name, text_of(a));
  const uint64_t begun = at.is_within_launch() ? at.launch : at.launch - 1;
  for (uint64_t n = 0; n < std::min<uint64_t>(begun, config.launches.size()); ++n)
    all.emplace_back(fmt::format("launch {}", n + 1), text_of(config.launches[n], config.arguments));
  return all;
}

}  // namespace pws::platform
