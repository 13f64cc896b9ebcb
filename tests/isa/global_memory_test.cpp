// SPDX-License-Identifier: Apache-2.0
#include "models/isa/global_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace pws::isa::test::global_memory_test {

namespace {

constexpr uint64_t base = 0x100000000;

// An access of either kind; the data is what is there.
void touch(const global_memory& m, uint64_t address, uint32_t bytes, bool write, int lane) {
  std::array<uint8_t, 64> data{};
  ASSERT_LE(bytes, data.size());
  if (write)
    m.write(address, data.data(), bytes, lane);
  else
    m.read(address, data.data(), bytes, lane);
}

class global_memory_test : public ::testing::Test {
 protected:
  global_memory_test() {
    memory_.set_window(storage_.data(), base, storage_.size());
    memory_.add(base + 0x200, 0x100, "argument b", memory_use::arguments);
    memory_.add(base + 0x100, 0x80, "argument a");
  }
  std::string error_of(uint64_t address, uint32_t bytes, bool write) {
    try {
      touch(memory_, address, bytes, write, 5);
    } catch (const program_error& e) {
      EXPECT_EQ(e.lane(), 5);
      return e.what();
    }
    return "accepted";
  }
  std::array<uint8_t, 0x1000> storage_{};
  global_memory memory_;
};

TEST_F(global_memory_test, finds_by_address) {
  EXPECT_EQ(memory_.find(base + 0xff), nullptr);
  EXPECT_EQ(memory_.find(base + 0x100)->name, "argument a");
  EXPECT_EQ(memory_.find(base + 0x17f)->name, "argument a");
  EXPECT_EQ(memory_.find(base + 0x180), nullptr);
  EXPECT_EQ(memory_.find(base + 0x2ff)->name, "argument b");
  EXPECT_EQ(memory_.find(base + 0x300), nullptr);
  EXPECT_EQ(memory_.find(0), nullptr);
  EXPECT_EQ(memory_.find(~uint64_t{0}), nullptr);
  EXPECT_EQ(memory_.nearest(0)->name, "argument a");
  EXPECT_EQ(memory_.nearest(base + 0x190)->name, "argument a");
  EXPECT_EQ(memory_.nearest(base + 0x1f0)->name, "argument b");
  EXPECT_EQ(memory_.nearest(~uint64_t{0})->name, "argument b");
  EXPECT_EQ(global_memory{}.nearest(5), nullptr);
}

TEST_F(global_memory_test, span_needs_one_allocation) {
  EXPECT_EQ(memory_.span(base + 0x100, base + 0x17c, 4, true), storage_.data() + 0x100);
  EXPECT_EQ(memory_.span(base + 0x100, base + 0x17d, 4, true), nullptr);
  EXPECT_EQ(memory_.span(base + 0xfc, base + 0x100, 4, false), nullptr);
  EXPECT_EQ(memory_.span(base + 0x17c, base + 0x200, 4, false), nullptr);
  EXPECT_EQ(memory_.span(base + 0x110, base + 0x100, 4, false), nullptr) << "last before first";
  EXPECT_EQ(memory_.span(base + 0x100, ~uint64_t{0} - 1, 4, false), nullptr) << "the end wraps around";
  EXPECT_EQ(memory_.span(base + 0x200, base + 0x200, 16, false), storage_.data() + 0x200);
  EXPECT_EQ(memory_.span(base + 0x200, base + 0x200, 16, true), nullptr) << "read-only";
  EXPECT_EQ(memory_.span(base + 0x200, base + 0x200, 0xffffffff, false), nullptr);
}

TEST_F(global_memory_test, messages) {
  EXPECT_EQ(error_of(base + 0x184, 4, false),
            "read of 4 bytes at 0x100000184 is outside every allocation; nearest is 'argument a' "
            "[0x100000100,0x100000180), 4 bytes past its end");
  EXPECT_EQ(error_of(base + 0x180, 1, true),
            "write of 1 byte at 0x100000180 is outside every allocation; nearest is 'argument a' "
            "[0x100000100,0x100000180), directly after its end");
  EXPECT_EQ(error_of(base + 0xf0, 4, false),
            "read of 4 bytes at 0x1000000f0 is outside every allocation; nearest is 'argument a' "
            "[0x100000100,0x100000180), 16 bytes before its start");
  EXPECT_EQ(error_of(base + 0x17e, 8, false),
            "read of 8 bytes at 0x10000017e runs 6 bytes past the end of 'argument a' [0x100000100,0x100000180)");
  EXPECT_EQ(
      error_of(base + 0x200, 4, true),
      "write of 4 bytes at 0x100000200 is to read-only 'argument b' [0x100000200,0x100000300): arguments of a kernel");
  EXPECT_EQ(error_of(base + 0x200, 4, false), "accepted");
  EXPECT_NE(error_of(0, 4, false).find("outside every allocation"), std::string::npos);
  EXPECT_NE(error_of(~uint64_t{0}, 4, false).find("outside every allocation"), std::string::npos);
  global_memory none;
  EXPECT_THROW(touch(none, 0, 1, false, program_error::no_lane), program_error);
}

TEST_F(global_memory_test, add_refuses_overlaps_and_the_outside) {
  EXPECT_THROW(memory_.add(base + 0x100, 1, "x"), std::invalid_argument);
  EXPECT_THROW(memory_.add(base + 0x17f, 4, "x"), std::invalid_argument);
  EXPECT_THROW(memory_.add(base + 0xf0, 0x11, "x"), std::invalid_argument);
  EXPECT_THROW(memory_.add(base + 0x0, 0x1000, "x"), std::invalid_argument);
  EXPECT_THROW(memory_.add(base + 0xff0, 0x11, "x"), std::invalid_argument);
  EXPECT_THROW(memory_.add(base - 4, 4, "x"), std::invalid_argument);
  EXPECT_THROW(memory_.add(base + 0x400, ~uint64_t{0}, "x"), std::invalid_argument);
  EXPECT_THROW(memory_.add(base + 0x400, 0, "x"), std::invalid_argument);
  memory_.add(base + 0xf0, 0x10, "before");
  memory_.add(base + 0x180, 0x80, "between");
  memory_.add(base + 0xff0, 0x10, "last");
  EXPECT_EQ(memory_.allocations().size(), 5u);
  EXPECT_EQ(memory_.find(base + 0x180)->name, "between");
}

TEST_F(global_memory_test, removed_memory_is_gone) {
  ASSERT_NE(memory_.span(base + 0x100, base + 0x100, 4, true), nullptr);  // now the remembered allocation
  EXPECT_FALSE(memory_.remove(base + 0x104));
  EXPECT_TRUE(memory_.remove(base + 0x100));
  EXPECT_FALSE(memory_.remove(base + 0x100));
  EXPECT_EQ(memory_.span(base + 0x100, base + 0x100, 4, true), nullptr);
  memory_.add(base + 0x100, 0x10, "again", memory_use::arguments);
  EXPECT_EQ(memory_.span(base + 0x100, base + 0x100, 4, true), nullptr);
  EXPECT_NE(memory_.span(base + 0x100, base + 0x100, 4, false), nullptr);
}

// ---- what a piece is for says who may do what there

TEST_F(global_memory_test, uses_say_what_is_allowed) {
  struct use_case {
    memory_use use;
    bool read, write, by_private_segment, host;
  };
  const use_case all[] = {
      {memory_use::buffer, true, true, false, true},      {memory_use::variables, true, true, false, true},
      {memory_use::constants, true, false, false, true},  {memory_use::code, true, false, false, false},
      {memory_use::arguments, true, false, false, false}, {memory_use::packets, true, false, false, false},
      {memory_use::queue, true, false, false, false},     {memory_use::signal, false, false, false, false},
      {memory_use::images, true, false, false, false},    {memory_use::service, true, true, false, false},
      {memory_use::scratch, false, false, true, false},   {memory_use::open, true, true, true, true},
  };
  EXPECT_EQ(std::size(all), memory_uses.size());
  uint64_t at = base + 0x400;
  const auto passes = [](auto access) {
    try {
      access();
    } catch (const memory_fault&) {
      return false;
    }
    return true;
  };
  for (const use_case& u : all) {
    memory_.add(at, 0x20, "it", u.use);
    const int use = static_cast<int>(u.use);
    EXPECT_EQ(memory_.span(at, at + 4, 4, false) != nullptr, u.read) << use;
    EXPECT_EQ(memory_.span(at, at + 4, 4, true) != nullptr, u.write) << use;
    EXPECT_EQ(memory_.private_span(at, at + 4, 4) != nullptr, u.by_private_segment) << use;
    uint32_t word = 0;
    EXPECT_EQ(passes([&] { memory_.read(at, &word, 4, 0); }), u.read) << use;
    EXPECT_EQ(passes([&] { memory_.write(at, &word, 4, 0); }), u.write) << use;
    EXPECT_EQ(passes([&] { memory_.private_read(at, &word, 4, 0); }), u.by_private_segment) << use;
    EXPECT_EQ(passes([&] { memory_.private_write(at, &word, 4, 0); }), u.by_private_segment) << use;
    EXPECT_EQ(rights_of(u.use).has(access_right::host), u.host) << use;
    at += 0x40;
  }
}

TEST_F(global_memory_test, faults_name_what_is_there) {
  memory_.add(base + 0x400, 0x20, "code of program p", memory_use::code);
  memory_.add(base + 0x440, 0x20, "scratch", memory_use::scratch);
  EXPECT_EQ(memory_.describe_fault(base + 0x404, 4, true),
            "write of 4 bytes at 0x100000404 is to read-only 'code of program p' [0x100000400,0x100000420): the "
            "program's code");
  EXPECT_EQ(memory_.describe_fault(base + 0x440, 8, false),
            "read of 8 bytes at 0x100000440 is to 'scratch' [0x100000440,0x100000460): private memory of work-items, "
            "which only they reach");
  try {
    touch(memory_, base + 0x404, 4, true, 7);
    FAIL();
  } catch (const memory_fault& f) {
    EXPECT_EQ(f.address(), base + 0x404);
    EXPECT_EQ(f.bytes(), 4u);
    EXPECT_TRUE(f.is_write());
    EXPECT_EQ(f.lane(), 7);
  }
}

// ---- fault_policy: two allocations, the second one read-only, and what hears of accesses outside of them.
class lenient_memory_test : public ::testing::Test, private access_observer {
 protected:
  static constexpr uint64_t page = global_memory::page_bytes;
  lenient_memory_test() {
    memory_.set_window(storage_.data(), base, storage_.size());
    memory_.add(base, page + 100, "two pages");
    memory_.add(base + 4 * page, 8, "constants", memory_use::constants);
    memory_.set_access_observer(this);
  }
  void access_tolerated(uint64_t address, uint32_t bytes, bool is_write, int lane) override {
    EXPECT_EQ(lane, 3);
    heard_.push_back({address - base, bytes * 2 + (is_write ? 1 : 0)});
  }
  bool passes(uint64_t offset, uint32_t bytes, bool write) {
    try {
      touch(memory_, base + offset, bytes, write, 3);
      return true;
    } catch (const program_error&) {
      return false;
    }
  }
  global_memory memory_;
  std::array<uint8_t, 8 * page> storage_{};
  std::vector<std::pair<uint64_t, uint32_t>> heard_;
};

TEST_F(lenient_memory_test, none_without_being_asked) {
  EXPECT_TRUE(passes(page + 96, 4, true));
  EXPECT_FALSE(passes(page + 100, 4, false));
  EXPECT_FALSE(passes(page + 98, 4, false));
  EXPECT_TRUE(heard_.empty());
}

TEST_F(lenient_memory_test, last_page) {
  memory_.set_fault_policy(global_memory::fault_policy::page);
  EXPECT_TRUE(passes(page + 96, 4, true));
  EXPECT_TRUE(heard_.empty());
  EXPECT_TRUE(passes(page + 98, 4, true));       // over the end
  EXPECT_TRUE(passes(page + 100, 4, false));     // behind it
  EXPECT_TRUE(passes(2 * page - 8, 8, false));   // the page's last bytes
  EXPECT_FALSE(passes(2 * page - 7, 8, false));  // over its end
  EXPECT_FALSE(passes(2 * page, 1, false));      // behind it
  EXPECT_FALSE(passes(4 * page - 1, 1, false));  // in front of an allocation
  EXPECT_TRUE(passes(4 * page + 8, 4, false));
  EXPECT_FALSE(passes(4 * page + 8, 4, true));  // read-only
  EXPECT_FALSE(passes(4 * page + 4, 4, true));
  const std::vector<std::pair<uint64_t, uint32_t>> want = {
      {page + 98, 9}, {page + 100, 8}, {2 * page - 8, 16}, {4 * page + 8, 8}};
  EXPECT_EQ(heard_, want);
}

TEST_F(lenient_memory_test, neighbour_in_the_same_page) {
  memory_.set_fault_policy(global_memory::fault_policy::page);
  memory_.add(base + page + 200, 8, "neighbour");
  EXPECT_TRUE(passes(page + 196, 4, true));
  EXPECT_FALSE(passes(page + 197, 4, true));  // reaches into it
}

TEST_F(lenient_memory_test, window) {
  memory_.set_fault_policy(global_memory::fault_policy::window);
  EXPECT_TRUE(passes(2 * page, 16, true));
  EXPECT_TRUE(passes(4 * page, 8, true));
  EXPECT_TRUE(passes(8 * page - 4, 4, true));
  EXPECT_FALSE(passes(8 * page - 3, 4, true));
  EXPECT_FALSE(passes(8 * page, 1, false));
  EXPECT_THROW(touch(memory_, base - 1, 1, false, 3), program_error);
  EXPECT_THROW(touch(memory_, ~uint64_t{0}, 8, false, 3), program_error);
  EXPECT_TRUE(heard_.empty());
}

}  // namespace

}  // namespace pws::isa::test::global_memory_test
