// SPDX-License-Identifier: Apache-2.0
// What a report_part writes and what it lists.
#include "base/output/report_part.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace pws::report_part_test {
namespace {

enum class colour : uint8_t { red, blue };
constexpr auto enumerators(colour) {
  return std::array{named{colour::red, "red"}, named{colour::blue, "blue"}};
}

struct thing {
  uint64_t cycles = 7;
  colour paint = colour::blue;
  std::string error;
  std::optional<int> maybe;
  nullable<int> unknown;
  bool good = true;
  std::map<std::string, uint64_t> by_name{{"a \"b\"", 1}};
  std::vector<int> numbers{1, 2};
};

report_part<thing> all_kinds() {
  using t = thing;
  return report_part<t>()
      .value("cycles", "cycles", "that it took", &t::cycles)
      .value("paint", "its colour", &t::paint)
      .text("error", "why not", &t::error)
      .value("maybe", "if there is one", &t::maybe)
      .value("unknown", "null if it is unknown", &t::unknown)
      .value("good", "that it is", &t::good)
      .where([](const t& of) { return of.cycles > 7; })
      .map("by_name", "", "of this name", &t::by_name)
      .value("numbers", "some", &t::numbers);
}

TEST(report_part, leaves_out_what_is_not_there_but_nullables) {
  thing t;
  EXPECT_EQ(all_kinds().json(t).dump(),
            R"({"cycles":{"value":7,"unit":"cycles"},"paint":"blue","unknown":null,"by_name":{"a \"b\"":1},)"
            R"("numbers":[1,2]})");
  t.cycles = 8;
  t.error = "a";
  t.maybe = -1;
  t.unknown = 2;
  t.by_name.clear();
  EXPECT_EQ(all_kinds().json(t).dump(),
            R"({"cycles":{"value":8,"unit":"cycles"},"paint":"blue","error":"a","maybe":-1,"unknown":2,"good":true,)"
            R"("numbers":[1,2]})");
}

TEST(report_part, lists_all_that_may_be_there) {
  std::string text;
  for (const report_field& f :
       report_part<thing>().list("all", all_kinds(), [](const thing&) { return std::vector<thing>(); }).fields())
    text += f.path + " " + name_of(f.kind) + "\n";
  EXPECT_EQ(text,
            "all.*.cycles number\nall.*.paint text\nall.*.error text\nall.*.maybe number\nall.*.unknown number\n"
            "all.*.good truth value\nall.*.by_name.* number\nall.*.numbers list\n");
}

}  // namespace
}  // namespace pws::report_part_test
