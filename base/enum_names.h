// SPDX-License-Identifier: Apache-2.0
// Enumerators and their names in YAML and reports. An enum has its table next to it, as a function that is found by the
// enum's namespace:
//
//   enum class fidelity { functional, timing };
//   constexpr auto enumerators(fidelity) {
//     return std::array{named{fidelity::functional, "functional"}, named{fidelity::timing, "timing"}};
//   }
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace pws {

// One row of such a table.
template <class E>
struct named {
  E value;
  const char* name;
};
template <class E>
named(E, const char*) -> named<E>;

// Only for enums that have a table, so that others can have a name_of of their own.
template <class E, class = std::enable_if_t<std::is_enum_v<E>>, class = decltype(enumerators(E{}))>
constexpr const char* name_of(E value) {
  constexpr auto table = enumerators(E{});
  for (size_t k = 0; k < table.size(); ++k)
    if (table[k].value == value) return table[k].name;
  return "?";
}

// In the table's order.
template <class E>
std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& one : enumerators(E{})) all.emplace_back(one.name);
  return all;
}

// Nothing: no enumerator is called so.
template <class E>
constexpr std::optional<E> value_named(std::string_view name) {
  constexpr auto table = enumerators(E{});
  for (size_t k = 0; k < table.size(); ++k)
    if (table[k].name == name) return table[k].value;
  return std::nullopt;
}

}  // namespace pws
