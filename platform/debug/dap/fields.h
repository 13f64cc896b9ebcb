// SPDX-License-Identifier: Apache-2.0
// Fields of what a client sends, each with the type that it is to have. All throw input_error, which names the field.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace pws::platform::debug::dap {

using json = nlohmann::json;

std::string text_in(const json& object, const char* name);
std::optional<std::string> text_if_in(const json& object, const char* name);
int64_t number_in(const json& object, const char* name);
std::optional<int64_t> number_if_in(const json& object, const char* name);
// `otherwise`: it is not there.
bool flag_in(const json& object, const char* name, bool otherwise = false);
// An array; empty if it is not there.
std::vector<json> list_in(const json& object, const char* name);
std::vector<std::string> texts_in(const json& object, const char* name);
// An object.
json object_in(const json& object, const char* name);

// Which of `all` are wanted: [begin, end), by `start` and `count`.
struct wanted_range {
  uint64_t begin = 0, end = 0;
};
wanted_range wanted_part(const json& a, uint64_t all);

}  // namespace pws::platform::debug::dap
