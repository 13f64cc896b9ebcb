// SPDX-License-Identifier: Apache-2.0
// Metadata notes that are well-formed msgpack and wrong, or hostile msgpack.
#include <functional>
#include <nlohmann/json.hpp>

#include "sw/loader/metadata.h"
#include "tests/unit/loader_test_support.h"

namespace pws::loader::damaged_metadata_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json good_document() {
  return json::parse(R"({"amdhsa.version": [1, 1], "amdhsa.target": "amdgcn-amd-amdhsa--gfx803", "amdhsa.kernels": [{
    ".name": "k", ".symbol": "k.kd", ".kernarg_segment_size": 16, ".kernarg_segment_align": 8,
    ".group_segment_fixed_size": 0, ".private_segment_fixed_size": 0, ".wavefront_size": 64, ".args": [
      {".offset": 0, ".size": 8, ".value_kind": "global_buffer"},
      {".offset": 8, ".size": 4, ".value_kind": "by_value"}]}]})");
}

void read_bytes(const std::vector<uint8_t>& bytes) {
  read_metadata({bytes.data(), bytes.size(), "x.hsaco", 0x100});
}

struct wrong {
  const char* name;
  const char* pointer;  // of the value that is replaced
  json value;           // null removes it
  const char* message;
};
void PrintTo(const wrong& w, std::ostream* out) {
  *out << w.name;
}

class wrong_metadata : public testing::TestWithParam<wrong> {};

TEST_P(wrong_metadata, is_an_input_error) {
  json document = good_document();
  const json::json_pointer at(GetParam().pointer);
  if (GetParam().value.is_null()) {
    document[at.parent_pointer()].erase(at.back());
  } else {
    document[at] = GetParam().value;
  }
  const std::vector<uint8_t> bytes = json::to_msgpack(document);
  const std::string message = input_error_of([&] { read_bytes(bytes); });
  EXPECT_THAT(message, testing::StartsWith("x.hsaco: metadata note: "));
  EXPECT_THAT(message, HasSubstr(GetParam().message));
  EXPECT_THAT(message, HasSubstr("file offset 0x100"));
}

const wrong wrongs[] = {
    {"no_version", "/amdhsa.version", nullptr, "no 'amdhsa.version' of two numbers"},
    {"one_number", "/amdhsa.version", {1}, "no 'amdhsa.version' of two numbers"},
    {"version_text", "/amdhsa.version/0", "1", "'amdhsa.version' that is not a 32-bit number"},
    {"version_2", "/amdhsa.version/0", 2, "has version 2.1; 1.0, 1.1 and 1.2"},
    {"version_is_a_map", "/amdhsa.version", json::object({{"a", 1}}), "'amdhsa.version' that is not an array"},
    {"target_is_a_number", "/amdhsa.target", 7, "'amdhsa.target' that is not a string"},
    {"kernels_are_a_map", "/amdhsa.kernels", json::object({{"a", 1}}), "'amdhsa.kernels' that is not an array"},
    {"kernel_is_a_number", "/amdhsa.kernels/0", 3, "kernel 0 is not a map"},
    {"kernel_without_name", "/amdhsa.kernels/0/.name", nullptr, "kernel 0 has no '.name'"},
    {"kernel_name_empty", "/amdhsa.kernels/0/.name", "", "has an empty '.name'"},
    {"kernel_without_symbol", "/amdhsa.kernels/0/.symbol", nullptr, "kernel 'k' has no '.symbol'"},
    {"kernarg_size_missing", "/amdhsa.kernels/0/.kernarg_segment_size", nullptr, "has no '.kernarg_segment_size'"},
    {"kernarg_size_negative", "/amdhsa.kernels/0/.kernarg_segment_size", -1, "is not a 32-bit number"},
    {"kernarg_size_huge", "/amdhsa.kernels/0/.kernarg_segment_size", uint64_t{1} << 32, "is not a 32-bit number"},
    {"kernarg_size_float", "/amdhsa.kernels/0/.kernarg_segment_size", 8.5, "is not a 32-bit number"},
    {"kernarg_align_0", "/amdhsa.kernels/0/.kernarg_segment_align", 0, "of 0, not a power of two"},
    {"kernarg_align_12", "/amdhsa.kernels/0/.kernarg_segment_align", 12, "of 12, not a power of two"},
    {"wavefront_32", "/amdhsa.kernels/0/.wavefront_size", 32, "wavefronts of 32 work-items, gfx803 has 64"},
    {"args_are_text", "/amdhsa.kernels/0/.args", "x", "'.args' that is not an array"},
    {"argument_is_text", "/amdhsa.kernels/0/.args/1", "x", "kernel 'k', argument 1, is not a map"},
    {"argument_kind", "/amdhsa.kernels/0/.args/0/.value_kind", "hidden\x1b", "unknown value kind 'hidden\\x1b'"},
    {"argument_without_kind", "/amdhsa.kernels/0/.args/0/.value_kind", nullptr, "argument 0, has no '.value_kind'"},
    {"argument_outside", "/amdhsa.kernels/0/.args/1/.size", 9,
     "(9 bytes at offset 8) outside its kernarg segment of 16"},
    {"argument_far_outside", "/amdhsa.kernels/0/.args/1/.offset", 0xffffffffu, "outside its kernarg segment"},
    {"arguments_overlap", "/amdhsa.kernels/0/.args/1/.offset", 4, "argument 1 at offset 4, inside the argument before"},
    {"required_size_of_two", "/amdhsa.kernels/0/.reqd_workgroup_size", {1, 2}, "'.reqd_workgroup_size' of 2 numbers"},
    {"required_size_zero", "/amdhsa.kernels/0/.reqd_workgroup_size", {64, 0, 1}, "'.reqd_workgroup_size' of 0"},
    {"dynamic_stack_number", "/amdhsa.kernels/0/.uses_dynamic_stack", 1, "'.uses_dynamic_stack' that is not a boolean"},
};
INSTANTIATE_TEST_SUITE_P(metadata, wrong_metadata, testing::ValuesIn(wrongs),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(damaged_metadata, the_undamaged_one_is_fine) {
  read_bytes(json::to_msgpack(good_document()));
}

TEST(damaged_metadata, documents_that_are_no_map) {
  for (const json& document : {json::array(), json(7), json("text"), json(nullptr), json(true), json(1.5)}) {
    EXPECT_THAT(input_error_of([&] { read_bytes(json::to_msgpack(document)); }),
                HasSubstr("the document is not a map"));
  }
}

TEST(damaged_metadata, truncated_at_every_byte) {
  const std::vector<uint8_t> whole = json::to_msgpack(good_document());
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::vector<uint8_t> part(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_THAT(input_error_of([&] { read_bytes(part); }), HasSubstr("not valid msgpack")) << size;
  }
}

TEST(damaged_metadata, nesting_does_not_exhaust_the_stack) {
  for (const uint8_t open : {uint8_t{0x91}, uint8_t{0x81}}) {
    std::vector<uint8_t> bytes;
    for (int i = 0; i < 10'000'000; ++i) {
      bytes.push_back(open);
      if (open == 0x81) bytes.insert(bytes.end(), {0xa1, 'a'});
    }
    EXPECT_THAT(input_error_of([&] { read_bytes(bytes); }), HasSubstr("nested deeper than 32 levels"));
  }
}

TEST(damaged_metadata, lengths_beyond_the_end) {
  const std::vector<std::vector<uint8_t>> documents = {
      {0xdd, 0xff, 0xff, 0xff, 0xff},       // array 32
      {0xdf, 0xff, 0xff, 0xff, 0xff},       // map 32
      {0xdb, 0xff, 0xff, 0xff, 0xff, 'a'},  // string 32
      {0xc6, 0xff, 0xff, 0xff, 0xff, 'a'},  // binary 32
      {0xc9, 0xff, 0xff, 0xff, 0xff, 'a'},  // extension 32
      {0x81, 0x01, 0x02},                   // a key that is no string
      {0x80, 0x80},                         // more after the end
  };
  for (const std::vector<uint8_t>& bytes : documents) {
    EXPECT_THAT(input_error_of([&] { read_bytes(bytes); }), HasSubstr("not valid msgpack")) << int{bytes[0]};
  }
}

}  // namespace
}  // namespace pws::loader::damaged_metadata_test
