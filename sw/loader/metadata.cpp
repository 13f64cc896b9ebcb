// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace pws::loader {

namespace {

using nlohmann::json;

constexpr std::array kind_names{
    std::pair{value_kind::by_value, "by_value"},
    std::pair{value_kind::global_buffer, "global_buffer"},
    std::pair{value_kind::dynamic_shared_pointer, "dynamic_shared_pointer"},
    std::pair{value_kind::sampler, "sampler"},
    std::pair{value_kind::image, "image"},
    std::pair{value_kind::pipe, "pipe"},
    std::pair{value_kind::queue, "queue"},
    std::pair{value_kind::hidden_none, "hidden_none"},
    std::pair{value_kind::hidden_global_offset_x, "hidden_global_offset_x"},
    std::pair{value_kind::hidden_global_offset_y, "hidden_global_offset_y"},
    std::pair{value_kind::hidden_global_offset_z, "hidden_global_offset_z"},
    std::pair{value_kind::hidden_printf_buffer, "hidden_printf_buffer"},
    std::pair{value_kind::hidden_hostcall_buffer, "hidden_hostcall_buffer"},
    std::pair{value_kind::hidden_default_queue, "hidden_default_queue"},
    std::pair{value_kind::hidden_completion_action, "hidden_completion_action"},
    std::pair{value_kind::hidden_multigrid_sync_arg, "hidden_multigrid_sync_arg"},
    std::pair{value_kind::hidden_block_count_x, "hidden_block_count_x"},
    std::pair{value_kind::hidden_block_count_y, "hidden_block_count_y"},
    std::pair{value_kind::hidden_block_count_z, "hidden_block_count_z"},
    std::pair{value_kind::hidden_group_size_x, "hidden_group_size_x"},
    std::pair{value_kind::hidden_group_size_y, "hidden_group_size_y"},
    std::pair{value_kind::hidden_group_size_z, "hidden_group_size_z"},
    std::pair{value_kind::hidden_remainder_x, "hidden_remainder_x"},
    std::pair{value_kind::hidden_remainder_y, "hidden_remainder_y"},
    std::pair{value_kind::hidden_remainder_z, "hidden_remainder_z"},
    std::pair{value_kind::hidden_grid_dims, "hidden_grid_dims"},
    std::pair{value_kind::hidden_heap_v1, "hidden_heap_v1"},
    std::pair{value_kind::hidden_private_base, "hidden_private_base"},
    std::pair{value_kind::hidden_shared_base, "hidden_shared_base"},
    std::pair{value_kind::hidden_queue_ptr, "hidden_queue_ptr"},
    std::pair{value_kind::hidden_dynamic_lds_size, "hidden_dynamic_lds_size"},
};

// The library's msgpack reader recurses per nesting level, so a hostile note could exhaust the stack: this handler only
// counts levels, and stops the reader early.
class depth_guard final : public json::json_sax_t {
 public:
  static constexpr int deepest = 32;
  bool too_deep() const { return depth_ > deepest; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool key(string_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  bool enter() { return ++depth_ <= deepest; }
  bool leave() {
    --depth_;
    return true;
  }
  int depth_ = 0;
};

json parse_msgpack(const byte_view& bytes) {
  const uint8_t* const begin = bytes.data();
  const uint8_t* const end = begin + bytes.size();
  depth_guard guard;
  if (!json::sax_parse(begin, end, &guard, json::input_format_t::msgpack) && guard.too_deep()) {
    bytes.fail(0, fmt::format("metadata note is nested deeper than {} levels", depth_guard::deepest));
  }
  try {
    return json::from_msgpack(begin, end);
  } catch (const json::exception& e) {
    // The library quotes bytes of the input in its message.
    bytes.fail(0, "metadata note is not valid msgpack: " + in_quotes(e.what()));
  }
}

// One map of the metadata, and what to call it in messages.
class map_reader {
 public:
  map_reader(const byte_view& file, const json& map, std::string where)
      : file_(file), map_(map), where_(std::move(where)) {
    if (!map_.is_object()) fail("is not a map");
  }
  [[noreturn]] void fail(const std::string& problem) const {
    file_.fail(0, fmt::format("metadata note: {} {}", where_, problem));
  }
  const json* find(const char* key) const {
    const auto it = map_.find(key);
    return it == map_.end() ? nullptr : &*it;
  }
  const json& required(const char* key) const {
    const json* value = find(key);
    if (value == nullptr) fail(fmt::format("has no '{}'", key));
    return *value;
  }
  uint32_t number(const char* key) const { return to_number(required(key), key); }
  uint32_t number_or(const char* key, uint32_t fallback) const {
    const json* value = find(key);
    return value == nullptr ? fallback : to_number(*value, key);
  }
  std::string text(const char* key) const { return to_text(required(key), key); }
  std::string text_or_empty(const char* key) const {
    const json* value = find(key);
    return value == nullptr ? std::string() : to_text(*value, key);
  }
  bool flag(const char* key) const {
    const json* value = find(key);
    if (value == nullptr) return false;
    if (!value->is_boolean()) fail(fmt::format("has a '{}' that is not a boolean", key));
    return value->get<bool>();
  }
  // The array's elements, or none if the key is missing.
  std::vector<json> list(const char* key) const {
    const json* value = find(key);
    if (value == nullptr) return {};
    if (!value->is_array()) fail(fmt::format("has a '{}' that is not an array", key));
    return value->get<std::vector<json>>();
  }
  uint32_t to_number(const json& value, const char* key) const {
    // msgpack readers may see a small positive number as signed.
    const bool fits = value.is_number_unsigned()
                          ? value.get<uint64_t>() <= std::numeric_limits<uint32_t>::max()
                          : value.is_number_integer() && value.get<int64_t>() >= 0 &&
                                value.get<int64_t>() <= int64_t{std::numeric_limits<uint32_t>::max()};
    if (!fits) fail(fmt::format("has a '{}' that is not a 32-bit number", key));
    return value.get<uint32_t>();
  }
  std::string to_text(const json& value, const char* key) const {
    if (!value.is_string()) fail(fmt::format("has a '{}' that is not a string", key));
    return value.get<std::string>();
  }
  const std::string& where() const { return where_; }

 private:
  const byte_view& file_;
  const json& map_;
  std::string where_;
};

kernel_argument read_argument(const map_reader& map) {
  kernel_argument a;
  a.name = map.text_or_empty(".name");
  a.type_name = map.text_or_empty(".type_name");
  a.offset = map.number(".offset");
  a.size = map.number(".size");
  a.address_space = map.text_or_empty(".address_space");
  a.pointee_align = map.number_or(".pointee_align", 0);
  const std::string kind = map.text(".value_kind");
  const auto known =
      std::find_if(kind_names.begin(), kind_names.end(), [&](const auto& row) { return row.second == kind; });
  if (known == kind_names.end()) map.fail("has the unknown value kind " + in_quotes(kind));
  a.kind = known->first;
  return a;
}

std::optional<std::array<uint32_t, 3>> read_workgroup_size(const map_reader& map) {
  const std::vector<json> sizes = map.list(".reqd_workgroup_size");
  if (sizes.empty()) return {};
  if (sizes.size() != 3) map.fail(fmt::format("has a '.reqd_workgroup_size' of {} numbers, not 3", sizes.size()));
  const auto at = [&](size_t i) {
    const uint32_t n = map.to_number(sizes[i], ".reqd_workgroup_size");
    if (n == 0) map.fail("has a '.reqd_workgroup_size' of 0");
    return n;
  };
  return std::array{at(0), at(1), at(2)};
}

void check_arguments(const map_reader& map, const kernel_metadata& k) {
  uint64_t end = 0;
  for (size_t i = 0; i < k.arguments.size(); ++i) {
    const kernel_argument& a = k.arguments[i];
    if (a.offset < end) {
      map.fail(fmt::format("has argument {} at offset {}, inside the argument before it", i, a.offset));
    }
    end = uint64_t{a.offset} + a.size;
    if (end > k.kernarg_segment_size) {
      map.fail(fmt::format("has argument {} ({} bytes at offset {}) outside its kernarg segment of {} bytes", i, a.size,
                           a.offset, k.kernarg_segment_size));
    }
  }
}

kernel_metadata read_kernel(const byte_view& file, const json& value, size_t index) {
  std::string where = fmt::format("kernel {}", index);
  if (value.is_object() && value.contains(".name") && value[".name"].is_string()) {
    where = "kernel " + in_quotes(value[".name"].get<std::string>());
  }
  const map_reader map(file, value, where);
  kernel_metadata k;
  k.name = map.text(".name");
  k.symbol = map.text(".symbol");
  if (k.name.empty()) map.fail("has an empty '.name'");
  k.language = map.text_or_empty(".language");
  k.kernarg_segment_size = map.number(".kernarg_segment_size");
  k.kernarg_segment_align = map.number(".kernarg_segment_align");
  if (k.kernarg_segment_align == 0 || (k.kernarg_segment_align & (k.kernarg_segment_align - 1)) != 0) {
    map.fail(fmt::format("has a '.kernarg_segment_align' of {}, not a power of two", k.kernarg_segment_align));
  }
  k.group_segment_fixed_size = map.number(".group_segment_fixed_size");
  k.private_segment_fixed_size = map.number(".private_segment_fixed_size");
  k.wavefront_size = map.number(".wavefront_size");
  if (k.wavefront_size != 64) map.fail(fmt::format("has wavefronts of {} work-items, gfx803 has 64", k.wavefront_size));
  k.max_flat_workgroup_size = map.number_or(".max_flat_workgroup_size", 0);
  k.required_workgroup_size = read_workgroup_size(map);
  k.sgpr_count = map.number_or(".sgpr_count", 0);
  k.vgpr_count = map.number_or(".vgpr_count", 0);
  k.sgpr_spill_count = map.number_or(".sgpr_spill_count", 0);
  k.vgpr_spill_count = map.number_or(".vgpr_spill_count", 0);
  k.uses_dynamic_stack = map.flag(".uses_dynamic_stack");
  for (const json& argument : map.list(".args")) {
    k.arguments.push_back(
        read_argument({file, argument, fmt::format("{}, argument {},", map.where(), k.arguments.size())}));
  }
  std::stable_sort(k.arguments.begin(), k.arguments.end(),
                   [](const kernel_argument& a, const kernel_argument& b) { return a.offset < b.offset; });
  check_arguments(map, k);
  return k;
}

}  // namespace

std::string_view to_string(value_kind kind) {
  return kind_names[static_cast<size_t>(kind)].second;
}

size_t kernel_metadata::explicit_arguments() const {
  return static_cast<size_t>(
      std::count_if(arguments.begin(), arguments.end(), [](const kernel_argument& a) { return !is_hidden(a.kind); }));
}

code_object_metadata read_metadata(const byte_view& msgpack) {
  const json document = parse_msgpack(msgpack);
  const map_reader map(msgpack, document, "the document");
  code_object_metadata out;
  const std::vector<json> version = map.list("amdhsa.version");
  if (version.size() != 2) map.fail("has no 'amdhsa.version' of two numbers");
  out.version_major = map.to_number(version[0], "amdhsa.version");
  out.version_minor = map.to_number(version[1], "amdhsa.version");
  if (out.version_major != 1 || out.version_minor > 2) {
    map.fail(fmt::format("has version {}.{}; 1.0, 1.1 and 1.2 (code object v3 to v5) can be read", out.version_major,
                         out.version_minor));
  }
  out.target = map.text_or_empty("amdhsa.target");
  for (const json& kernel : map.list("amdhsa.kernels")) {
    out.kernels.push_back(read_kernel(msgpack, kernel, out.kernels.size()));
  }
  return out;
}

}  // namespace pws::loader
