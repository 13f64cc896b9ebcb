// SPDX-License-Identifier: Apache-2.0
// Random HIP kernels with marked loops, which the compiler merges, rotates, unrolls and peels: nests of for, while and
// do with breaks, continues, returns and switches, whose tests share conditions, in functions that are inlined more
// than once.
//
// Every loop's mark is true for every launch. How often the loops run says the launch's n:
//   0  each as often as its mark says, where nothing leaves it early
//   1  any number of times, another for each lane
//   2  some lanes as often as the marks say, the others any number of times
//   3  never, where a loop may
// m and the data decide ifs and switches.
#pragma once

#include <cstdint>
#include <string>

namespace pws::test {

struct random_loops_options {
  unsigned depth = 3;       // of nested loops
  unsigned statements = 3;  // per block, at most
  bool memory = true;
  bool leaves = true;  // breaks, continues, returns
};

// A HIP source with the kernels k0, k1, ...; each takes (data, table, n, m) as bounded_launches.h says.
class random_loops {
 public:
  random_loops();
  void add_kernel(uint64_t seed, const random_loops_options& options);
  const std::string& text() const { return text_; }

 private:
  unsigned kernels_ = 0;
  std::string text_;
};

}  // namespace pws::test
