// SPDX-License-Identifier: Apache-2.0
// Where a work-item is: 3-D grids, incomplete workgroups, hidden arguments.
#include <algorithm>
#include <array>

#include "sw/loader/llvm_version.h"
#include "tests/integration/abi/abi_run.h"

namespace pws::test::grid_test {
namespace {

using reference::input;
using reference::output;
using reference::unwritten;
using dim3 = std::array<uint32_t, 3>;
using words = std::vector<uint32_t>;

template <class F>
void for_each_item(const dim3& grid, F f) {
  dim3 at{};
  for (at[2] = 0; at[2] < grid[2]; ++at[2])
    for (at[1] = 0; at[1] < grid[1]; ++at[1])
      for (at[0] = 0; at[0] < grid[0]; ++at[0]) f(at);
}

reference::kernel_case shaped(const std::string& file, const std::string& kernel, const dim3& grid, const dim3& group) {
  auto c = abi_case(file, kernel, 1, 1);
  c.grid = grid;
  c.workgroup = group;
  return c;
}

struct shape {
  dim3 groups, group;
};
const shape shapes[] = {{{3, 2, 2}, {4, 3, 5}},  {{1, 1, 1}, {1, 1, 1}},    {{2, 3, 1}, {65, 1, 2}},
                        {{1, 1, 3}, {8, 8, 16}}, {{5, 1, 1}, {1024, 1, 1}}, {{1, 7, 2}, {1, 1, 64}}};

TEST(grid, hip_ids_in_three_dimensions) {
  for (const shape& s : shapes) {
    const dim3 grid{s.groups[0] * s.group[0], s.groups[1] * s.group[1], s.groups[2] * s.group[2]};
    words expected;
    for_each_item(grid, [&](const dim3& at) {
      for (unsigned d = 0; d < 3; ++d) expected.push_back(at[d] % s.group[d]);
      for (unsigned d = 0; d < 3; ++d) expected.push_back(at[d] / s.group[d]);
      expected.insert(expected.end(), s.group.begin(), s.group.end());
      expected.insert(expected.end(), s.groups.begin(), s.groups.end());
    });
    auto c = shaped("grid.hip", "places", grid, s.group);
    c.args = {output("out", unwritten<uint32_t>(expected.size()), expected)};
    expect_results(c);
  }
}

TEST(grid, ids_that_a_kernel_does_not_use_are_left_out) {
  auto c = shaped("grid.hip", "only_z", {1, 1, 12}, {1, 1, 4});
  c.args = {output("out", words(12, 0), words{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4})};
  expect_results(c);
  c = shaped("grid.hip", "only_group_y", {8, 5, 1}, {8, 1, 1});
  c.args = {output("out", words(5, 0), words{1, 2, 3, 4, 5})};
  expect_results(c);
}

// As struct place in opencl.cl.
struct place {
  dim3 global_id, global_size, local_id, local_size, enqueued_size, group, groups, offset;
  uint32_t dim, linear, local_linear;
};

void expect_places(const dim3& grid, const dim3& group) {
  std::vector<place> expected;
  for_each_item(grid, [&](const dim3& at) {
    place p{};
    p.global_id = at;
    p.global_size = grid;
    p.enqueued_size = group;
    for (unsigned d = 0; d < 3; ++d) {
      p.local_id[d] = at[d] % group[d];
      p.group[d] = at[d] / group[d];
      p.groups[d] = (grid[d] + group[d] - 1) / group[d];
      p.local_size[d] = std::min(group[d], grid[d] - p.group[d] * group[d]);
    }
    p.dim = grid[2] > 1 ? 3 : grid[1] > 1 ? 2 : 1;
    p.linear = (at[2] * grid[1] + at[1]) * grid[0] + at[0];
    // Those of ROCm 5.2, which that package has, multiply by the size of a complete workgroup here.
    const dim3& size = loader::device_library_package() == "rocm-device-libs" ? group : p.local_size;
    p.local_linear = (p.local_id[2] * size[1] + p.local_id[1]) * size[0] + p.local_id[0];
    expected.push_back(p);
  });
  auto c = shaped("opencl.cl", "places", grid, group);
  c.args = {output("out", unwritten<place>(expected.size()), expected)};
  expect_results(c);
}

TEST(grid, opencl_with_whole_workgroups) {
  expect_places({8, 6, 4}, {4, 3, 2});
  expect_places({256, 1, 1}, {64, 1, 1});
}
// The last workgroup of each dimension is smaller, where the grid is no multiple of it.
TEST(grid, opencl_with_incomplete_workgroups) {
  expect_places({100, 1, 1}, {64, 1, 1});
  expect_places({7, 5, 3}, {4, 3, 2});
  expect_places({65, 3, 1}, {64, 2, 1});
  expect_places({3, 1, 1}, {256, 1, 1});
}

}  // namespace
}  // namespace pws::test::grid_test
