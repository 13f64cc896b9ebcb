// hsaco: conformance_module.hip
// flags: -Wno-deprecated-declarations
// Modules: loading from a file and from memory, kernels and variables in them, launches, and what is no module.
#include <hip/hip_ext.h>

#include <fstream>
#include <iterator>

#include "conformance.h"

namespace {

std::vector<char> contents() {
  std::ifstream in(module_file(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
struct loaded {
  hipModule_t m = nullptr;
  loaded() { OK(hipModuleLoad(&m, module_file().c_str())); }
  ~loaded() { static_cast<void>(hipModuleUnload(m)); }
  loaded(const loaded&) = delete;
  loaded& operator=(const loaded&) = delete;
  hipFunction_t function(const char* name) const {
    hipFunction_t f = nullptr;
    OK(hipModuleGetFunction(&f, m, name));
    return f;
  }
};

CASE(load) {
  hipModule_t m = nullptr;
  OK(hipModuleLoad(&m, module_file().c_str()));
  EXPECT(m != nullptr);
  OK(hipModuleUnload(m));
}
CASE(load_nowhere) {
  GIVES(hipErrorInvalidValue, hipModuleLoad(nullptr, module_file().c_str()));
}
CASE(load_without_a_name) {
  hipModule_t m = nullptr;
  GIVES(hipErrorInvalidValue, hipModuleLoad(&m, nullptr));
}
CASE(load_a_file_that_is_not_there) {
  hipModule_t m = nullptr;
  GIVES(hipErrorFileNotFound, hipModuleLoad(&m, "there is no such file.hsaco"));
}
CASE(load_what_is_no_code) {
  hipModule_t m = nullptr;
  GIVES(hipErrorInvalidImage, hipModuleLoad(&m, "/proc/self/comm"));
}
CASE(load_data) {
  const std::vector<char> image = contents();
  hipModule_t m = nullptr;
  hipFunction_t f = nullptr;
  OK(hipModuleLoadData(&m, image.data()));
  OK(hipModuleGetFunction(&f, m, "add_one"));
  OK(hipModuleUnload(m));
}
CASE(load_data_nowhere) {
  const std::vector<char> image = contents();
  hipModule_t m = nullptr;
  GIVES(hipErrorInvalidValue, hipModuleLoadData(nullptr, image.data()));
  GIVES(hipErrorInvalidValue, hipModuleLoadData(&m, nullptr));
}
CASE(load_data_that_is_no_code) {
  hipModule_t m = nullptr;
  const std::vector<char> zeros(10000);
  GIVES(hipErrorInvalidImage, hipModuleLoadData(&m, zeros.data()));
}
CASE(load_data_with_options) {
  const std::vector<char> image = contents();
  hipModule_t m = nullptr;
  OK(hipModuleLoadDataEx(&m, image.data(), 0, nullptr, nullptr));
  OK(hipModuleUnload(m));
}
CASE(load_twice) {
  const loaded a, b;
  EXPECT(a.m != b.m);
  EXPECT(a.function("add_one") != b.function("add_one"));
}
CASE(load_many_times) {
  for (int k = 0; k < 50; ++k) const loaded one;
}
CASE(unload_null) {
  GIVES(hipErrorInvalidHandle, hipModuleUnload(nullptr));
}
CASE(unload_twice) {
  hipModule_t m = nullptr;
  OK(hipModuleLoad(&m, module_file().c_str()));
  OK(hipModuleUnload(m));
  GIVES(hipErrorInvalidHandle, hipModuleUnload(m));
}
CASE(unload_gives_memory_back) {
  size_t before = 0, after = 0, total = 0;
  OK(hipMemGetInfo(&before, &total));
  for (int k = 0; k < 20; ++k) const loaded one;
  OK(hipMemGetInfo(&after, &total));
  SAME(after, before);
}

// ---- functions

CASE(function) {
  const loaded l;
  EXPECT(l.function("add_one") != nullptr);
}
CASE(function_that_is_not_there) {
  const loaded l;
  hipFunction_t f = nullptr;
  GIVES(hipErrorNotFound, hipModuleGetFunction(&f, l.m, "subtract_one"));
}
CASE(function_that_is_a_variable) {
  const loaded l;
  hipFunction_t f = nullptr;
  GIVES(hipErrorNotFound, hipModuleGetFunction(&f, l.m, "offset"));
}
CASE(function_nowhere) {
  const loaded l;
  hipFunction_t f = nullptr;
  GIVES(hipErrorInvalidValue, hipModuleGetFunction(nullptr, l.m, "add_one"));
  GIVES(hipErrorInvalidValue, hipModuleGetFunction(&f, l.m, nullptr));
}
CASE(function_of_no_module) {
  hipFunction_t f = nullptr;
  GIVES(hipErrorInvalidHandle, hipModuleGetFunction(&f, nullptr, "add_one"));
}
CASE(function_has_a_name) {
  const loaded l;
  EXPECT(std::strcmp(hipKernelNameRef(l.function("add_one")), "add_one") == 0);
}
bool add_attributes() {
  const struct {
    const char* name;
    hipFunction_attribute which;
    int least, most;
  } all[] = {{"max_threads", HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024, 1024},
             {"shared_bytes", HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 256 * 4, 256 * 4},
             {"const_bytes", HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, 0, 0},
             {"local_bytes", HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, 0, 0},
             {"registers", HIP_FUNC_ATTRIBUTE_NUM_REGS, 1, 256},
             {"ptx_version", HIP_FUNC_ATTRIBUTE_PTX_VERSION, 30, 999},
             {"binary_version", HIP_FUNC_ATTRIBUTE_BINARY_VERSION, 30, 999},
             {"cache_mode", HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA, 0, 0},
             {"dynamic_shared_bytes", HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024, 65536 - 1024},
             {"carveout", HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 0, 100}};
  for (const auto& a : all) {
    const hipFunction_attribute which = a.which;
    const int least = a.least, most = a.most;
    add(std::string("attribute_") + a.name, [=] {
      const loaded l;
      int value = -1;
      OK(hipFuncGetAttribute(&value, which, l.function("reverse")));
      EXPECT(value >= least && value <= most);
    });
  }
  return true;
}
const bool added = add_attributes();
CASE(attribute_nowhere) {
  const loaded l;
  GIVES(hipErrorInvalidValue, hipFuncGetAttribute(nullptr, HIP_FUNC_ATTRIBUTE_NUM_REGS, l.function("add_one")));
}
CASE(attribute_that_is_none) {
  const loaded l;
  int value = 0;
  GIVES(hipErrorInvalidValue,
        hipFuncGetAttribute(&value, static_cast<hipFunction_attribute>(77), l.function("add_one")));
}
CASE(attribute_of_no_function) {
  int value = 0;
  GIVES(hipErrorInvalidDeviceFunction, hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_NUM_REGS, nullptr));
}

// ---- launches

CASE(launch_with_parameters) {
  const loaded l;
  const device_block<int> d(std::vector<int>(200, 4));
  int* data = d.get();
  int n = 200;
  void* parameters[] = {&data, &n};
  OK(hipModuleLaunchKernel(l.function("add_one"), 4, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  EXPECT(d.read() == std::vector<int>(200, 5));
}
struct packed {
  int* data;
  int n;
};
CASE(launch_with_a_buffer) {
  const loaded l;
  const device_block<int> d(std::vector<int>(200, 4));
  packed p = {d.get(), 200};
  size_t size = sizeof p;
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &p, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  OK(hipModuleLaunchKernel(l.function("add_one"), 4, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
  EXPECT(d.read() == std::vector<int>(200, 5));
}
CASE(launch_in_a_stream) {
  const loaded l;
  const own_stream s;
  const device_block<int> d(std::vector<int>(64, 4));
  int* data = d.get();
  int n = 64;
  void* parameters[] = {&data, &n};
  OK(hipModuleLaunchKernel(l.function("add_one"), 1, 1, 1, 64, 1, 1, 0, s, parameters, nullptr));
  OK(hipStreamSynchronize(s));
  EXPECT(d.read() == std::vector<int>(64, 5));
}
CASE(launch_with_shared_memory) {
  const loaded l;
  std::vector<int> values(64);
  for (int i = 0; i < 64; ++i) values[i] = i;
  const device_block<int> d(values);
  int* data = d.get();
  void* parameters[] = {&data};
  OK(hipModuleLaunchKernel(l.function("reverse_dynamic"), 1, 1, 1, 64, 1, 1, 64 * 4, nullptr, parameters, nullptr));
  const std::vector<int> got = d.read();
  for (int i = 0; i < 64; ++i) SAME(got[i], 63 - i);
}
CASE(launch_ext) {
  const loaded l;
  const own_event before, after;
  const device_block<int> d(std::vector<int>(100, 4));
  int* data = d.get();
  int n = 100;
  void* parameters[] = {&data, &n};
  OK(hipExtModuleLaunchKernel(l.function("add_one"), 128, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr, before,
                              after));
  OK(hipEventSynchronize(after));
  EXPECT(d.read() == std::vector<int>(100, 5));
}
CASE(launch_hcc) {
  const loaded l;
  const device_block<int> d(std::vector<int>(100, 4));
  int* data = d.get();
  int n = 100;
  void* parameters[] = {&data, &n};
  OK(hipHccModuleLaunchKernel(l.function("add_one"), 128, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr, nullptr,
                              nullptr));
  EXPECT(d.read() == std::vector<int>(100, 5));
}
CASE(launch_nothing) {
  GIVES(hipErrorInvalidHandle, hipModuleLaunchKernel(nullptr, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr));
}
CASE(launch_without_threads) {
  const loaded l;
  int* data = nullptr;
  int n = 0;
  void* parameters[] = {&data, &n};
  GIVES(hipErrorInvalidConfiguration,
        hipModuleLaunchKernel(l.function("add_one"), 0, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
}
CASE(launch_too_large_a_block) {
  const loaded l;
  int* data = nullptr;
  int n = 0;
  void* parameters[] = {&data, &n};
  GIVES(hipErrorInvalidConfiguration,
        hipModuleLaunchKernel(l.function("add_one"), 1, 1, 1, 2048, 1, 1, 0, nullptr, parameters, nullptr));
}
CASE(launch_a_function_of_a_module_that_is_gone) {
  hipModule_t m = nullptr;
  hipFunction_t f = nullptr;
  OK(hipModuleLoad(&m, module_file().c_str()));
  OK(hipModuleGetFunction(&f, m, "add_one"));
  OK(hipModuleUnload(m));
  int* data = nullptr;
  int n = 0;
  void* parameters[] = {&data, &n};
  EXPECT(hipModuleLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr) != hipSuccess);
  static_cast<void>(hipGetLastError());
}

// ---- variables

CASE(variable) {
  const loaded l;
  hipDeviceptr_t address = nullptr;
  size_t bytes = 0;
  OK(hipModuleGetGlobal(&address, &bytes, l.m, "offset"));
  SAME(bytes, sizeof(int));
  int value = 0;
  OK(hipMemcpyDtoH(&value, address, sizeof value));
  SAME(value, 1);
}
CASE(variable_changes_the_kernel) {
  const loaded l;
  hipDeviceptr_t address = nullptr;
  OK(hipModuleGetGlobal(&address, nullptr, l.m, "offset"));
  int value = 11;
  OK(hipMemcpyHtoD(address, &value, sizeof value));
  const device_block<int> d(std::vector<int>(64, 4));
  int* data = d.get();
  int n = 64;
  void* parameters[] = {&data, &n};
  OK(hipModuleLaunchKernel(l.function("add_one"), 1, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  EXPECT(d.read() == std::vector<int>(64, 15));
}
CASE(variable_of_each_load) {
  const loaded a, b;
  hipDeviceptr_t of_a = nullptr, of_b = nullptr;
  OK(hipModuleGetGlobal(&of_a, nullptr, a.m, "offset"));
  OK(hipModuleGetGlobal(&of_b, nullptr, b.m, "offset"));
  EXPECT(of_a != of_b);
}
CASE(variable_size_alone) {
  const loaded l;
  size_t bytes = 0;
  OK(hipModuleGetGlobal(nullptr, &bytes, l.m, "offset"));
  SAME(bytes, sizeof(int));
}
CASE(variable_that_is_not_there) {
  const loaded l;
  hipDeviceptr_t address = nullptr;
  size_t bytes = 0;
  GIVES(hipErrorNotFound, hipModuleGetGlobal(&address, &bytes, l.m, "no_such_variable"));
}
CASE(variable_without_a_name) {
  const loaded l;
  hipDeviceptr_t address = nullptr;
  size_t bytes = 0;
  GIVES(hipErrorInvalidValue, hipModuleGetGlobal(&address, &bytes, l.m, nullptr));
}
CASE(variable_of_no_module) {
  hipDeviceptr_t address = nullptr;
  size_t bytes = 0;
  GIVES(hipErrorInvalidHandle, hipModuleGetGlobal(&address, &bytes, nullptr, "offset"));
}

// ---- occupancy of a module's function

CASE(active_blocks) {
  const loaded l;
  int blocks = 0, flagged = 0;
  OK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, l.function("add_one"), 256, 0));
  OK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&flagged, l.function("add_one"), 256, 0,
                                                                 hipOccupancyDefault));
  EXPECT(blocks > 0);
  SAME(flagged, blocks);
}
CASE(best_block) {
  const loaded l;
  int grid = 0, block = 0, flagged_grid = 0, flagged_block = 0;
  OK(hipModuleOccupancyMaxPotentialBlockSize(&grid, &block, l.function("add_one"), 0, 0));
  OK(hipModuleOccupancyMaxPotentialBlockSizeWithFlags(&flagged_grid, &flagged_block, l.function("add_one"), 0, 0, 0));
  EXPECT(grid > 0 && block > 0 && block <= 1024);
  SAME(flagged_grid, grid);
  SAME(flagged_block, block);
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
