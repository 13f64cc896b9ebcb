// SPDX-License-Identifier: Apache-2.0
// Finding a kernel by any of the names a user may give it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "sw/loader/code_object.h"
#include "sw/loader/names.h"

namespace pws::loader {

namespace {

constexpr size_t longest_list = 20;

std::string list_of(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (size_t i = 0; i < std::min(names.size(), longest_list); ++i) shown.push_back(in_quotes(names[i]));
  std::string out = fmt::format("{}", fmt::join(shown, ", "));
  if (names.size() > shown.size()) out += fmt::format(" and {} more", names.size() - shown.size());
  return out;
}

}  // namespace

found_kernel find_kernel(const std::vector<const code_object*>& objects, std::string_view kernel_name,
                         const std::string& file) {
  std::vector<found_kernel> by_short_name;
  std::vector<std::string> all;        // as shown to the user
  std::vector<std::string> spellings;  // candidates for "did you mean"
  for (const code_object* object : objects) {
    for (const kernel& k : object->kernels()) {
      if (kernel_name == k.metadata.name || kernel_name == k.metadata.symbol || kernel_name == k.demangled) {
        return {object, &k};
      }
      const std::string short_name = without_parameters(k.demangled);
      if (kernel_name == short_name) by_short_name.push_back({object, &k});
      all.push_back(k.demangled);
      spellings.push_back(short_name);
      spellings.push_back(k.demangled);
      spellings.push_back(k.metadata.name);
    }
  }
  if (by_short_name.size() == 1) return by_short_name.front();
  if (by_short_name.size() > 1) {
    std::vector<std::string> overloads;
    overloads.reserve(by_short_name.size());
    for (const found_kernel& f : by_short_name) overloads.push_back(f.kernel->demangled);
    throw input_error(fmt::format("{}: kernel name {} is ambiguous, it has the overloads {}", file,
                                  in_quotes(kernel_name), list_of(overloads)));
  }
  if (all.empty())
    throw input_error(fmt::format("{}: no kernel {}: the program has no kernels", file, in_quotes(kernel_name)));
  const std::string near = nearest_name(kernel_name, spellings);
  throw input_error(fmt::format("{}: no kernel {}{}; the program has {}", file, in_quotes(kernel_name),
                                near.empty() ? "" : fmt::format(", did you mean {}?", in_quotes(near)), list_of(all)));
}

const kernel& code_object::find_kernel(std::string_view kernel_name) const {
  return *loader::find_kernel({this}, kernel_name, name_).kernel;
}

}  // namespace pws::loader
