// SPDX-License-Identifier: Apache-2.0
// A wavefront with memory, and what the check of definedness knows of it.
#pragma once

#include <string>
#include <vector>

#include "models/check/init/init_checker.h"
#include "models/isa/code/decode.h"
#include "tests/isa/memory_fixture.h"

namespace pws::check::test {

// Keeps findings, one per place.
class kept_findings : public finding_sink {
 public:
  bool is_new(std::string_view rule, uint64_t pc, uint64_t) override {
    const std::string place = std::string(rule) + std::to_string(pc);
    ++count;
    if (place == last_) return false;
    last_ = place;
    return true;
  }
  void add(finding f) override { all.push_back(std::move(f)); }
  std::vector<finding> all;
  unsigned count = 0;

 private:
  std::string last_;
};

struct init_bench {
  explicit init_bench(unsigned seed = 1)
      : machine(seed), checker(found, isa::test::memory_bench::window_base, isa::test::memory_bench::window_bytes) {
    vectors.begin(isa::test::memory_bench::n_vgprs, isa::test::memory_bench::n_vgprs);
    lds.begin(isa::test::memory_bench::lds_bytes);
    const std::vector<uint8_t> defined(isa::test::memory_bench::lds_bytes);
    lds.store(0, isa::test::memory_bench::lds_bytes, defined.data(), 0);
    checker.memory().define(isa::test::memory_bench::window_base, isa::test::memory_bench::window_bytes);
    known.vectors = &vectors;
    known.lds = &lds;
    known.launched = ~uint64_t{0};
  }

  // As a machine does it: told before, executed, told of the access.
  void execute(const isa::inst& i) {
    isa::memory_access access;
    checker.executes(known, machine.state, i);
    if (i.is_memory()) machine.state.access = &access;
    machine.execute(i);
    machine.state.access = nullptr;
    if (i.is_memory()) checker.accessed(known, machine.state, i, access);
  }

  isa::test::memory_bench machine;
  kept_findings found;
  init::init_checker checker;
  init::vector_shadow vectors;
  init::lds_shadow lds;
  init::context known;
};

}  // namespace pws::check::test
