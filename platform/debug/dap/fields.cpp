// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/dap/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace pws::platform::debug::dap {

namespace {

// nullptr: it is not there, or null.
const json* field(const json& object, const char* name) {
  if (!object.is_object()) throw input_error(fmt::format("{} is to stand in an object", name));
  const auto at = object.find(name);
  return at == object.end() || at->is_null() ? nullptr : &*at;
}

[[noreturn]] void refuse(const char* name, const char* wanted) {
  throw input_error(fmt::format("{} is to be {}", name, wanted));
}

template <class T>
T needed(std::optional<T> value, const char* name) {
  if (!value) throw input_error(fmt::format("{} is missing", name));
  return *value;
}

}  // namespace

std::optional<std::string> text_if_in(const json& object, const char* name) {
  const json* const f = field(object, name);
  if (f == nullptr) return std::nullopt;
  if (!f->is_string()) refuse(name, "text");
  return f->get<std::string>();
}

std::string text_in(const json& object, const char* name) {
  return needed(text_if_in(object, name), name);
}

std::optional<int64_t> number_if_in(const json& object, const char* name) {
  const json* const f = field(object, name);
  if (f == nullptr) return std::nullopt;
  if (!f->is_number_integer()) refuse(name, "a whole number");
  if (f->is_number_unsigned() && f->get<uint64_t>() > uint64_t{std::numeric_limits<int64_t>::max()})
    refuse(name, "a smaller number");
  return f->get<int64_t>();
}

int64_t number_in(const json& object, const char* name) {
  return needed(number_if_in(object, name), name);
}

bool flag_in(const json& object, const char* name, bool otherwise) {
  const json* const f = field(object, name);
  if (f == nullptr) return otherwise;
  if (!f->is_boolean()) refuse(name, "true or false");
  return f->get<bool>();
}

std::vector<json> list_in(const json& object, const char* name) {
  const json* const f = field(object, name);
  if (f == nullptr) return {};
  if (!f->is_array()) refuse(name, "a list");
  return f->get<std::vector<json>>();
}

std::vector<std::string> texts_in(const json& object, const char* name) {
  std::vector<std::string> all;
  for (const json& j : list_in(object, name)) {
    if (!j.is_string()) refuse(name, "a list of texts");
    all.push_back(j.get<std::string>());
  }
  return all;
}

json object_in(const json& object, const char* name) {
  const json* const f = field(object, name);
  if (f == nullptr) throw input_error(fmt::format("{} is missing", name));
  if (!f->is_object()) refuse(name, "an object");
  return *f;
}

wanted_range wanted_part(const json& a, uint64_t all) {
  const int64_t start = number_if_in(a, "start").value_or(0), count = number_if_in(a, "count").value_or(0);
  if (start < 0 || count < 0) throw input_error("start and count are no negative numbers");
  const uint64_t begin = std::min<uint64_t>(static_cast<uint64_t>(start), all);
  const uint64_t end = count == 0 ? all : begin + std::min<uint64_t>(static_cast<uint64_t>(count), all - begin);
  constexpr uint64_t most = 100'000;
  if (end - begin > most)
    throw input_error(fmt::format("{} values are too many at a time: start and count", end - begin));
  return {begin, end};
}

}  // namespace pws::platform::debug::dap
