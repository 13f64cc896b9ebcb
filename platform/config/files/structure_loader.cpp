// SPDX-License-Identifier: Apache-2.0
// `struct` of an argument: a structure passed by value, its fields laid out as C lays them out.
#include <fmt/format.h>

#include <algorithm>

#include "base/round_up.h"
#include "platform/config/files/run_schema.h"
#include "platform/config/values/text.h"

namespace pws::platform {

namespace {

// Puts the field behind those that are there.
void append(const loading_field& f, loading_structure& to) {
  const loading_structure& c = f.contents;
  const size_t align = f.align == 0 ? c.align : f.align;
  const size_t begin = round_up(to.bytes.size(), align);
  to.align = std::max(to.align, align);
  to.bytes.resize(begin);
  to.bytes.insert(to.bytes.end(), c.bytes.begin(), c.bytes.end());
  for (loading_structure::pointer p : c.pointers) {
    p.offset += begin;
    to.pointers.push_back(std::move(p));
  }
  for (loading_structure::field_place p : c.fields) {
    p.offset += begin;
    if (!f.name.empty()) p.name = p.name.empty() ? f.name : f.name + "." + p.name;
    to.fields.push_back(std::move(p));
  }
}

bool fits(const value_at& v, size_t bytes) {
  if (bytes <= most_structure_bytes) return true;
  v.issue(fmt::format("{} bytes up to here; a kernel takes at most {}", bytes, most_structure_bytes));
  return false;
}

// The elements one behind the other, each aligned to its size.
bool put_elements(const value_at& v, const std::vector<uint64_t>& bits, std::string text, loading_field& to) {
  const size_t size = size_of(to.type);
  if (!fits(v, bits.size() * size)) return false;
  loading_structure& c = to.contents;
  c.align = size;
  c.bytes.resize(bits.size() * size);
  for (size_t k = 0; k < bits.size(); ++k) store_element(to.type, c.bytes.data() + k * size, bits[k]);
  c.fields.push_back({0, "", std::move(text)});
  return true;
}

bool check_type(const value_at& v, const loading_field& f) {
  if (!f.has_type) v.issue("needs a type beside it");
  return f.typed;
}

bool refuse_type(const value_at& v, const loading_field& f) {
  if (f.has_type) v.issue("has no type; value and values have");
  return !f.has_type;
}

bool read_value(const value_at& v, loading_field& to) {
  if (!check_type(v, to)) return false;
  const auto bits = v.read.element(v.node, v.path, to.type);
  return bits && put_elements(v, {*bits}, name_of(to.type), to);
}

bool read_values(const value_at& v, loading_field& to) {
  if (!check_type(v, to)) return false;
  const auto bits = v.read.elements(v.node, v.path, to.type);
  if (bits && bits->empty()) v.issue("there is no element in it");
  return bits && !bits->empty() && put_elements(v, *bits, fmt::format("{} {}", bits->size(), name_of(to.type)), to);
}

bool read_buffer(const value_at& v, loading_field& to) {
  if (!refuse_type(v, to)) return false;
  const auto name = v.read.text(v.node, v.path);
  if (!name) return false;
  loading_structure& c = to.contents;
  c.align = sizeof(uint64_t);
  c.bytes.resize(sizeof(uint64_t));
  c.pointers.push_back({0, *name, v.node.where, v.path});
  c.fields.push_back({0, "", "address of " + printable(*name)});
  return true;
}

void put_padding(const value_at& v, loading_field& to) {
  if (!refuse_type(v, to)) return;
  to.contents.bytes.resize(to.pad);
  to.contents.fields.push_back({0, "", fmt::format("{} byte{} of padding", to.pad, to.pad == 1 ? "" : "s")});
}

schema<loading_field> make_fields(const schema<loading_field>* below) {
  using f = loading_field;
  using k = field_kind;
  constexpr int contents = 1;  // of a type
  schema<f> s;
  s.text("name", &f::name, "for messages and --set");
  s.choice("type", &f::type, "of value, or of each of values").by_default("").then([](const value_at&, f& to) {
    to.typed = true;
  });
  const auto& value =
      s.custom("value", k::text, "a number", read_value).type("number of the field's type").step(contents);
  const auto& values = s.custom("values", k::text_list, "an array", read_values).type(numbers_of_type).step(contents);
  const auto& buffer = s.custom("buffer", k::text, "name of a buffer: its address", read_buffer).step(contents);
  const auto& pad = s.integer("pad", &f::pad, "byte", {1, most_structure_bytes}, "zeros that no field has")
                        .by_default("")
                        .then(put_padding)
                        .step(contents);
  auto& structure = s.custom("struct", k::list, "a structure in it: its fields", [](const value_at& v, f& to) {
                       return refuse_type(v, to) && read_structure(v, to.contents);
                     }).step(contents);
  if (below != nullptr) structure.lists("*.", *below);
  s.one_of({&value, &values, &buffer, &pad, &structure});
  s.integer_of("align", &f::align, "byte", {1, 2, 4, 8, 16, 32, 64, 128, 256},
               "in place of the type's own, its size: 16 for a float4, 1 in a packed structure")
      .by_default("");
  return s;
}

}  // namespace

// Structures in structures in structures are read, but not listed.
const schema<loading_field>& field_schema() {
  static const schema<loading_field> inner = make_fields(nullptr), outer = make_fields(&inner);
  return outer;
}

bool read_structure(const value_at& v, loading_structure& to) {
  if (v.node.is_list() && v.node.items.empty()) v.issue("there is no field in it");
  bool fitting = true;
  const bool good = v.each_mapping([&](const value_at& item) {
    if (!fitting) return false;
    loading_field f;
    f.has_type = item.node.find("type") != nullptr;
    if (!field_schema().read(item.node, item.path, f, item.read)) return false;
    append(f, to);
    fitting = fits(item, to.bytes.size());
    return fitting;
  });
  to.bytes.resize(round_up(to.bytes.size(), to.align));
  return good && !v.node.items.empty() && fitting && fits(v, to.bytes.size());
}

}  // namespace pws::platform
