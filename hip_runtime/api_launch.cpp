// SPDX-License-Identifier: Apache-2.0
// Registration of the program's device code (what clang's host code calls before main) and launches.
#include <algorithm>
#include <cstring>
#include <set>

#include "hip_runtime/stream_work.h"
#include "hip_runtime/this_thread.h"
#include "models/isa/vector/half.h"

using namespace pws::hip;

namespace {
// As clang embeds it, one per translation unit.
struct fat_binary {
  uint32_t magic = 0;
  uint32_t version = 0;
  const void* bundle = nullptr;
  void* unused = nullptr;
};
constexpr uint32_t fat_binary_magic = 0x48495046;  // "HIPF"

void configure(dim3 grid, dim3 block, size_t dynamic_lds, hipStream_t stream) {
  this_thread().configurations.push_back({grid, block, dynamic_lds, stream, {}});
}
call_configuration& innermost_configuration() {
  std::vector<call_configuration>& all = this_thread().configurations;
  require(!all.empty(), hipErrorMissingConfiguration, "no launch has been configured");
  return all.back();
}
call_configuration take_configuration() {
  call_configuration top = std::move(innermost_configuration());
  this_thread().configurations.pop_back();
  return top;
}

code_module* module_of(void** handle) {
  return handle == nullptr ? nullptr : static_cast<code_module*>(*handle);
}

template <class Arguments>
void launch(context& c, const void* function, const extent& grid, dim3 block, size_t dynamic_lds, hipStream_t stream,
            const Arguments& arguments, launch_together together = launch_together::no, hipEvent_t start = nullptr,
            hipEvent_t stop = nullptr) {
  c.check_stream(stream);
  kernel_launch l = launch_of(c, c.stream_of(stream).device, function, grid, block, dynamic_lds, arguments);
  l.together = together;
  if (start != nullptr) record(c, start, stream);
  submit(c, stream, std::move(l));
  if (stop != nullptr) record(c, stop, stream);
}
// The arguments as most calls give them.
auto from(void** parameters, void** extra = nullptr) {
  return [=](const kernel_function& f) { return arguments_of(f, parameters, extra); };
}

bool meets_other_grids(const kernel_function& f) {
  const auto& arguments = f.loaded.kernel->metadata.arguments;
  return std::any_of(arguments.begin(), arguments.end(), [](const pws::loader::kernel_argument& a) {
    return a.kind == pws::loader::value_kind::hidden_multigrid_sync_arg;
  });
}

// A launch of a list, with a kernel of the program's own or of a module.
struct listed_launch {
  const void* function = nullptr;
  dim3 grid, block;
  size_t dynamic_lds = 0;
  hipStream_t stream = nullptr;
  void** arguments = nullptr;
};
listed_launch listed(const hipLaunchParams& l) {
  return {l.func, l.gridDim, l.blockDim, l.sharedMem, l.stream, l.args};
}
listed_launch listed(const hipFunctionLaunchParams& l) {
  require(l.function != nullptr, hipErrorInvalidHandle, "the function is null");
  return {l.function,
          dim3(l.gridDimX, l.gridDimY, l.gridDimZ),
          dim3(l.blockDimX, l.blockDimY, l.blockDimZ),
          l.sharedMemBytes,
          l.hStream,
          l.kernelParams};
}

// One launch for each of some devices. What the flags leave out, waiting for all of them before and behind, is nothing
// more than the streams' order. Machines do not run at the same time, so grids on several never meet.
template <class Launch>
void launch_on_devices(context& c, const Launch* list, int n, unsigned flags, launch_together t) {
  constexpr unsigned known = hipCooperativeLaunchMultiDeviceNoPreSync | hipCooperativeLaunchMultiDeviceNoPostSync;
  require(list != nullptr && n > 0, hipErrorInvalidValue, "no launches");
  require(n <= c.device_count(), hipErrorInvalidValue, "more launches than devices");
  require((flags & ~known) == 0, hipErrorInvalidValue, "unknown flags");
  std::set<int> devices;
  std::vector<listed_launch> launches;
  launches.reserve(static_cast<size_t>(n));
  for (int k = 0; k < n; ++k) launches.push_back(listed(list[k]));
  for (const listed_launch& l : launches) {
    require(l.stream != nullptr, hipErrorInvalidHandle, "the default stream is of no certain device");
    const int device = c.stream_of(l.stream).device;
    require(devices.insert(device).second, hipErrorInvalidDevice, "two launches for one device");
    if (n > 1 && t == launch_together::grids)
      require(!meets_other_grids(c.modules.kernel(l.function, *c.gpu(device).runtime)), hipErrorNotSupported,
              "the kernel may wait for grids on other devices (multi_grid), which do not run at the same time");
  }
  for (const listed_launch& l : launches)
    launch(c, l.function, threads_of(l.grid, l.block), l.block, l.dynamic_lds, l.stream, from(l.arguments), t);
}
}  // namespace

extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier): the names that compiled HIP programs call
// ---- registration

void** __hipRegisterFatBinary(const void* data) {
  void** handle = nullptr;
  call_unanswered(__func__, [&](context& c) {
    const auto* binary = static_cast<const fat_binary*>(data);
    require(binary != nullptr && binary->magic == fat_binary_magic && binary->version == 1, hipErrorInvalidImage,
            "device code of a form that is not known");
    handle = new void*(c.modules.add_bundle(binary->bundle));
  });
  return handle;
}

void __hipRegisterFunction(void** modules, const void* host_function, char*, const char* device_name, unsigned int,
                           void*, void*, dim3*, dim3*, int*) {
  call_unanswered(__func__, [&](context& c) {
    if (code_module* m = module_of(modules)) c.modules.add_kernel(m, host_function, device_name);
  });
}

void __hipRegisterVar(void** modules, void* shadow, char*, char* device_name, int, size_t size, int, int) {
  call_unanswered(__func__, [&](context& c) {
    if (code_module* m = module_of(modules)) c.modules.add_variable(m, shadow, {m, device_name, size});
  });
}

// The host reaches the variable through *pointer from the start, so the machine is built now.
void __hipRegisterManagedVar(void* modules, void** pointer, void* initial_value, const char* name, size_t size,
                             unsigned) {
  call_unanswered(__func__, [&](context& c) {
    code_module* m = module_of(static_cast<void**>(modules));
    if (m == nullptr) return;
    registered_variable v{m, name, size};
    v.pointer = pointer;
    v.initial = initial_value;
    c.modules.add_managed(std::move(v), *c.gpu().runtime, *c.gpu().memory);
  });
}

void __hipRegisterTexture(void** modules, void* reference, char*, char* device_name, int, int, int) {
  call_unanswered(__func__, [&](context& c) {
    code_module* m = module_of(modules);
    if (m == nullptr) return;
    c.modules.add_variable(m, reference, {m, device_name, sizeof(textureReference)});
    c.references.add_variable(static_cast<const textureReference*>(reference));
  });
}
void __hipRegisterSurface(void*, void*, char*, char*, int, int) {
  note_unsupported(__func__);
}

void __hipUnregisterFatBinary(void** modules) {
  call_unanswered(__func__, [&](context& c) {
    c.finish_what_lives();  // its kernels may still have to run
    if (code_module* m = module_of(modules)) {
      c.note_code(m);
      c.modules.remove_bundle(m, c.runtimes());
    }
    delete modules;
  });
}

// ---- launches of <<<>>>

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t dynamic_lds, hipStream_t stream) {
  return call(__func__, [&](context&) { configure(grid, block, dynamic_lds, stream); });
}

hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* dynamic_lds, hipStream_t* stream) {
  return call(__func__, [&](context&) {
    const call_configuration top = take_configuration();
    *grid = top.grid;
    *block = top.block;
    *dynamic_lds = top.dynamic_lds;
    *stream = top.stream;
  });
}

hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t dynamic_lds,
                           hipStream_t stream) {
  return call(__func__, [&](context& c) {
    launch(c, function, threads_of(grid, block), block, dynamic_lds, stream, from(arguments));
  });
}
PWS_ALSO_SPT(hipLaunchKernel);

hipError_t hipExtLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t dynamic_lds,
                              hipStream_t stream, hipEvent_t start, hipEvent_t stop, int) {
  return call(__func__, [&](context& c) {
    launch(c, function, threads_of(grid, block), block, dynamic_lds, stream, from(arguments), launch_together::no,
           start, stop);
  });
}

// ---- launches whose blocks may wait for each other

hipError_t hipLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                      unsigned dynamic_lds, hipStream_t stream) {
  return call(__func__, [&](context& c) {
    launch(c, function, threads_of(grid, block), block, dynamic_lds, stream, from(arguments), launch_together::grid);
  });
}
hipError_t hipLaunchCooperativeKernel_spt(const void* function, dim3 grid, dim3 block, void** arguments,
                                          uint32_t dynamic_lds, hipStream_t stream) {
  return hipLaunchCooperativeKernel(function, grid, block, arguments, dynamic_lds, stream);
}
hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams* launches, int n, unsigned flags) {
  return call(__func__, [&](context& c) { launch_on_devices(c, launches, n, flags, launch_together::grids); });
}
hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams* launches, int n, unsigned flags) {
  return call(__func__, [&](context& c) { launch_on_devices(c, launches, n, flags, launch_together::no); });
}

// ---- the older ABI: arguments one by one

hipError_t hipConfigureCall(dim3 grid, dim3 block, size_t dynamic_lds, hipStream_t stream) {
  return call(__func__, [&](context&) { configure(grid, block, dynamic_lds, stream); });
}

hipError_t hipSetupArgument(const void* argument, size_t size, size_t offset) {
  return call(__func__, [&](context&) {
    constexpr size_t largest = size_t{1} << 20;
    std::vector<uint8_t>& block = innermost_configuration().arguments;
    require(argument != nullptr && offset <= largest && size <= largest, hipErrorInvalidValue, "no such argument");
    if (block.size() < offset + size) block.resize(offset + size);
    std::memcpy(block.data() + offset, argument, size);
  });
}

hipError_t hipLaunchByPtr(const void* function) {
  return call(__func__, [&](context& c) {
    const call_configuration top = take_configuration();
    launch(c, function, threads_of(top.grid, top.block), top.block, top.dynamic_lds, top.stream,
           [&](const kernel_function& f) { return cut_arguments(f, top.arguments.data(), top.arguments.size()); });
  });
}

// ---- modules' kernels

hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                                 unsigned block_y, unsigned block_z, unsigned dynamic_lds, hipStream_t stream,
                                 void** parameters, void** extra) {
  return call(__func__, [&](context& c) {
    require(f != nullptr, hipErrorInvalidHandle, "the function is null");
    const dim3 block(block_x, block_y, block_z);
    launch(c, f, threads_of({grid_x, grid_y, grid_z}, block), block, dynamic_lds, stream, from(parameters, extra));
  });
}

hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                            unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_lds,
                                            hipStream_t stream, void** parameters) {
  return call(__func__, [&](context& c) {
    require(f != nullptr, hipErrorInvalidHandle, "the function is null");
    const dim3 block(block_x, block_y, block_z);
    launch(c, f, threads_of({grid_x, grid_y, grid_z}, block), block, dynamic_lds, stream, from(parameters),
           launch_together::grid);
  });
}
hipError_t hipModuleLaunchCooperativeKernelMultiDevice(hipFunctionLaunchParams* launches, unsigned n, unsigned flags) {
  return call(__func__, [&](context& c) {
    require(n <= INT32_MAX, hipErrorInvalidValue, "more launches than devices");
    launch_on_devices(c, launches, static_cast<int>(n), flags, launch_together::grids);
  });
}

// ---- conversions that host code compiled by clang calls

uint16_t __gnu_f2h_ieee(float f) {
  return pws::isa::round_to_half(f);
}
float __gnu_h2f_ieee(uint16_t h) {
  return pws::isa::half_to_float(h);
}

// NOLINTEND(bugprone-reserved-identifier)
}  // extern "C"

// These two are C++ functions; hip_ext.h, which declares them, is for device compilers only.
// The grid in work-items, not necessarily whole blocks.
hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t work_x, uint32_t work_y, uint32_t work_z,
                                    uint32_t block_x, uint32_t block_y, uint32_t block_z, size_t dynamic_lds,
                                    hipStream_t stream, void** parameters, void** extra, hipEvent_t start,
                                    hipEvent_t stop, uint32_t) {
  return call(__func__, [&](context& c) {
    require(f != nullptr, hipErrorInvalidHandle, "the function is null");
    launch(c, f, {work_x, work_y, work_z}, {block_x, block_y, block_z}, dynamic_lds, stream, from(parameters, extra),
           launch_together::no, start, stop);
  });
}

hipError_t hipHccModuleLaunchKernel(hipFunction_t f, uint32_t work_x, uint32_t work_y, uint32_t work_z,
                                    uint32_t block_x, uint32_t block_y, uint32_t block_z, size_t dynamic_lds,
                                    hipStream_t stream, void** parameters, void** extra, hipEvent_t start,
                                    hipEvent_t stop) {
  return hipExtModuleLaunchKernel(f, work_x, work_y, work_z, block_x, block_y, block_z, dynamic_lds, stream, parameters,
                                  extra, start, stop, 0);
}
