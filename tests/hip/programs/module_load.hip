// hsaco: vector_kernels.hip
// The module API on a code object given as argv[1]: hipModuleLoad, hipModuleLoadData, hipModuleGetFunction,
// hipModuleGetGlobal (a managed variable too), hipModuleLaunchKernel with an argument array and with a packed buffer,
// hipModuleUnload; damaged images and unknown names are refused.
#include "check.h"

struct polynomial {
  double c0, c1, c2;
};

static std::vector<char> read_file(const char* path) {
  std::FILE* const file = std::fopen(path, "rb");
  CHECK(file != nullptr, "cannot open %s", path);
  std::vector<char> bytes;
  char buffer[4096];
  for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) bytes.insert(bytes.end(), buffer, buffer + n);
  std::fclose(file);
  return bytes;
}

static void with_argument_array(hipModule_t module, int n) {
  hipFunction_t scale;
  HIP_CHECK(hipModuleGetFunction(&scale, module, "scale"));
  check::random_source random(22);
  std::vector<float> in(n), want(n);
  float factor = 4;
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<float>(random.below(1000));
    want[i] = in[i] * factor + static_cast<float>(i % 4 + 1);
  }
  check::device_array<float> device_in(in), device_out(n);
  const float* in_pointer = device_in.get();
  float* out_pointer = device_out.get();
  void* arguments[] = {&in_pointer, &out_pointer, &factor, &n};
  HIP_CHECK(hipModuleLaunchKernel(scale, check::blocks_for(n, 128), 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK_SAME("scale", device_out.download(), want);
}

static void with_packed_buffer(hipModule_t module, int n) {
  hipFunction_t evaluate;
  HIP_CHECK(hipModuleGetFunction(&evaluate, module, "evaluate"));
  check::device_array<double> out(n);
  struct {
    uint8_t shift;
    polynomial p;
    double* out;
    int n;
  } packed = {3, {0.5, -2, 0.25}, out.get(), n};
  size_t size = sizeof packed;
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipModuleLaunchKernel(evaluate, check::blocks_for(n, 96), 1, 1, 96, 1, 1, 0, stream, nullptr, extra));
  HIP_CHECK(hipStreamSynchronize(stream));
  HIP_CHECK(hipStreamDestroy(stream));
  std::vector<double> want(n);
  for (int i = 0; i < n; ++i) want[i] = (0.5 - 2.0 * i + 0.25 * i * i) * 8;
  CHECK_SAME("evaluate", out.download(), want);
}

static void globals_and_lds(hipModule_t module, int expected_counter) {
  hipFunction_t count;
  HIP_CHECK(hipModuleGetFunction(&count, module, "count"));
  check::device_array<int> out(3);
  int* pointer = out.get();
  void* arguments[] = {&pointer};
  HIP_CHECK(hipModuleLaunchKernel(count, 3, 1, 1, 70, 1, 1, 70 * sizeof(int), nullptr, arguments, nullptr));
  CHECK_SAME("count", out.download(), std::vector<int>(3, 11 + 69 * 70 / 2));
  hipDeviceptr_t address;
  size_t size = 0;
  HIP_CHECK(hipModuleGetGlobal(&address, &size, module, "module_counter"));
  CHECK(size == sizeof(int), "size of module_counter is %zu", size);
  int counter = 0;
  HIP_CHECK(hipMemcpyDtoH(&counter, address, sizeof counter));
  CHECK(counter == expected_counter, "module_counter is %d, expected %d", counter, expected_counter);
}

// A managed variable of the module's own: the host reaches it by its address.
static void managed_variable(hipModule_t module) {
  hipDeviceptr_t address;
  size_t size;
  HIP_CHECK(hipModuleGetGlobal(&address, &size, module, "shared_with_host"));
  CHECK(size == 3 * sizeof(int), "size of shared_with_host is %zu", size);
  hipPointerAttribute_t attributes;
  HIP_CHECK(hipPointerGetAttributes(&attributes, address));
  CHECK(attributes.isManaged != 0, "shared_with_host is not managed");
  int* const words = static_cast<int*>(address);
  CHECK(words[0] == 20 && words[1] == 30 && words[2] == 40, "it begins with %d, %d, %d", words[0], words[1], words[2]);
  words[1] = 100;
  hipFunction_t add;
  HIP_CHECK(hipModuleGetFunction(&add, module, "add_to_shared"));
  int n = 5;
  void* arguments[] = {&n};
  HIP_CHECK(hipModuleLaunchKernel(add, 1, 1, 1, 3, 1, 1, 0, nullptr, arguments, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(words[0] == 25 && words[1] == 105 && words[2] == 45, "now it is %d, %d, %d", words[0], words[1], words[2]);
}

int main(int argc, char** argv) {
  CHECK(argc == 2, "usage: module_load FILE.hsaco");
  const auto image = read_file(argv[1]);
  hipModule_t by_path, by_data;
  HIP_CHECK(hipModuleLoad(&by_path, argv[1]));
  HIP_CHECK(hipModuleLoadData(&by_data, image.data()));
  with_argument_array(by_path, 1000);
  with_packed_buffer(by_data, 515);
  globals_and_lds(by_path, 6);
  globals_and_lds(by_data, 6);  // variables of its own
  globals_and_lds(by_data, 9);
  managed_variable(by_path);
  managed_variable(by_data);  // another one

  hipFunction_t function;
  hipDeviceptr_t address;
  size_t size;
  hipModule_t none;
  EXPECT_ERROR(hipErrorNotFound, hipModuleGetFunction(&function, by_data, "no_such_kernel"));
  EXPECT_ERROR(hipErrorNotFound, hipModuleGetGlobal(&address, &size, by_data, "no_such_variable"));
  EXPECT_ERROR(hipErrorFileNotFound, hipModuleLoad(&none, "/nonexistent/file.hsaco"));
  std::vector<char> damaged(4096, 'x');
  CHECK(hipModuleLoadData(&none, damaged.data()) != hipSuccess, "4 KiB of 'x' were accepted as a module");
  HIP_CHECK(hipModuleUnload(by_path));
  HIP_CHECK(hipModuleUnload(by_data));
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
