// SPDX-License-Identifier: Apache-2.0
// Modules that the program loads itself, variables, attributes of kernels, occupancy.
#include <fmt/format.h>

#include "base/error.h"
#include "hip_runtime/context.h"
#include "models/machine/occupancy.h"

using namespace pws::hip;
namespace loader = pws::loader;

namespace {
hipModule_t handle_of(code_module* m) {
  return reinterpret_cast<hipModule_t>(m);
}

code_module& module_of(context& c, hipModule_t m) {
  auto* own = reinterpret_cast<code_module*>(m);
  if (!c.modules.is_loaded(own))
    throw failure(hipErrorInvalidHandle, fmt::format("{} is no module", static_cast<const void*>(m)));
  return *own;
}

void load_data(context& c, hipModule_t* to, const void* image) {
  require(to != nullptr && image != nullptr, hipErrorInvalidValue, "no address for the module, or no image");
  try {
    *to = handle_of(c.modules.load(program_in_memory(image, "module in memory"), *c.gpu().runtime, *c.gpu().memory));
  } catch (const pws::input_error& e) {
    throw failure(hipErrorInvalidImage, e.what());
  }
}

const kernel_function& kernel(context& c, const void* handle) {
  return c.modules.kernel(handle, *c.gpu().runtime);
}

int most_threads(const kernel_function& f) {
  return static_cast<int>(pws::platform::largest_workgroup(*f.loaded.kernel));
}

void active_blocks(context& c, int* blocks, const void* f, int block_size, size_t dynamic_lds) {
  require(blocks != nullptr, hipErrorInvalidValue, "the address for the number is null");
  const kernel_function& k = kernel(c, f);
  require(block_size > 0, hipErrorInvalidValue, "a block without threads");
  *blocks = block_size > most_threads(k) ? 0
                                         : static_cast<int>(c.gpu().workgroups_per_cu(
                                               *k.loaded.kernel, static_cast<uint64_t>(block_size), dynamic_lds));
}

// The block with which most wavefronts are resident; of several, the largest.
void best_block(context& c, int* grid_size, int* block_size, const void* f, size_t dynamic_lds, int limit) {
  require(grid_size != nullptr && block_size != nullptr, hipErrorInvalidValue, "an address for a result is null");
  const kernel_function& k = kernel(c, f);
  constexpr int wave = static_cast<int>(pws::isa::wave_size);
  const int largest = limit > 0 ? std::min(limit, most_threads(k)) : most_threads(k);
  uint32_t best_groups = 0;
  int best = 0;
  const auto consider = [&](int threads) {
    const uint32_t groups = c.gpu().workgroups_per_cu(*k.loaded.kernel, static_cast<uint64_t>(threads), dynamic_lds);
    const auto resident = [](uint32_t n, int t) { return n * pws::models::wavefronts_of(static_cast<uint64_t>(t)); };
    if (groups == 0 || resident(groups, threads) < resident(best_groups, best)) return;
    best = threads;
    best_groups = groups;
  };
  for (int threads = wave; threads <= largest; threads += wave) consider(threads);
  if (largest < wave) consider(largest);
  require(best != 0, hipErrorLaunchOutOfResources, "no block of this kernel fits a compute unit");
  *block_size = best;
  *grid_size = static_cast<int>(best_groups * c.gpu().gpu.config.n_cu);
}
}  // namespace

extern "C" {

hipError_t hipModuleLoad(hipModule_t* module, const char* file) {
  return call(__func__, [&](context& c) {
    require(module != nullptr && file != nullptr, hipErrorInvalidValue, "no address for the module, or no file");
    std::vector<uint8_t> bytes;
    try {
      bytes = loader::read_file(file);
    } catch (const pws::input_error& e) {
      throw failure(hipErrorFileNotFound, e.what());
    }
    try {
      *module = handle_of(c.modules.load(loader::read_program(bytes, file), *c.gpu().runtime, *c.gpu().memory));
      c.gpu().note_input(file, bytes);
    } catch (const pws::input_error& e) {
      throw failure(hipErrorInvalidImage, e.what());
    }
  });
}
hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  return call(__func__, [&](context& c) { load_data(c, module, image); });
}
// The options are the compiler's, and the image is compiled.
hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned int, hipJitOption*, void**) {
  return call(__func__, [&](context& c) { load_data(c, module, image); });
}
hipError_t hipModuleUnload(hipModule_t module) {
  return call(__func__, [&](context& c) {
    c.finish_what_lives();
    c.references.forget(reinterpret_cast<code_module*>(module));
    c.note_code(reinterpret_cast<code_module*>(module));
    c.modules.unload(reinterpret_cast<code_module*>(module), *c.gpu().memory);
  });
}
hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name) {
  return call(__func__, [&](context& c) {
    require(function != nullptr && name != nullptr, hipErrorInvalidValue, "no address for the function, or no name");
    code_module& m = module_of(c, module);
    *function = reinterpret_cast<hipFunction_t>(&m.function(name, c.modules.home_of(&m)));
  });
}
hipError_t hipModuleGetGlobal(hipDeviceptr_t* address, size_t* bytes, hipModule_t module, const char* name) {
  return call(__func__, [&](context& c) {
    require(name != nullptr, hipErrorInvalidValue, "no name");
    const code_module& m = module_of(c, module);
    const loader::symbol s = m.variable(name, c.modules.home_of(&m));
    if (address != nullptr) *address = reinterpret_cast<void*>(s.address);
    if (bytes != nullptr) *bytes = s.size;
  });
}

hipError_t hipGetSymbolAddress(void** address, const void* symbol) {
  return call(__func__, [&](context& c) {
    require(address != nullptr, hipErrorInvalidValue, "the address for the pointer is null");
    *address = reinterpret_cast<void*>(c.modules.variable(symbol, *c.gpu().runtime).first);
  });
}
hipError_t hipGetSymbolSize(size_t* size, const void* symbol) {
  return call(__func__, [&](context& c) {
    require(size != nullptr, hipErrorInvalidValue, "the address for the size is null");
    *size = c.modules.variable(symbol, *c.gpu().runtime).second;
  });
}

// ---- attributes

hipError_t hipFuncGetAttributes(hipFuncAttributes* a, const void* function) {
  return call(__func__, [&](context& c) {
    require(a != nullptr, hipErrorInvalidValue, "the address for the attributes is null");
    const kernel_function& f = kernel(c, function);
    const loader::kernel_metadata& k = f.loaded.kernel->metadata;
    *a = {};
    a->binaryVersion = a->ptxVersion = 803;
    a->localSizeBytes = k.private_segment_fixed_size;
    a->sharedSizeBytes = k.group_segment_fixed_size;
    a->maxDynamicSharedSizeBytes =
        static_cast<int>(c.gpu().gpu.config.lds.size_kib * 1024 - k.group_segment_fixed_size);
    a->maxThreadsPerBlock = most_threads(f);
    a->numRegs = static_cast<int>(k.vgpr_count);
  });
}
hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attribute, hipFunction_t function) {
  hipFuncAttributes a;
  if (value == nullptr) return call(__func__, [&](context&) { require(false, hipErrorInvalidValue, "no address"); });
  const hipError_t code = hipFuncGetAttributes(&a, function);
  if (code != hipSuccess) return code;
  return call(__func__, [&](context&) {
    switch (attribute) {
      case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = a.maxThreadsPerBlock;
        break;
      case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = static_cast<int>(a.sharedSizeBytes);
        break;
      case HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      case HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      case HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = 0;
        break;
      case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = static_cast<int>(a.localSizeBytes);
        break;
      case HIP_FUNC_ATTRIBUTE_NUM_REGS:
        *value = a.numRegs;
        break;
      case HIP_FUNC_ATTRIBUTE_PTX_VERSION:
      case HIP_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = a.binaryVersion;
        break;
      case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = a.maxDynamicSharedSizeBytes;
        break;
      default:
        throw failure(hipErrorInvalidValue, "no such attribute");
    }
  });
}
// A compute unit has one LDS and one cache: there is nothing to choose.
hipError_t hipFuncSetAttribute(const void* function, hipFuncAttribute attribute, int) {
  return call(__func__, [&](context& c) {
    kernel(c, function);
    require(attribute == hipFuncAttributeMaxDynamicSharedMemorySize ||
                attribute == hipFuncAttributePreferredSharedMemoryCarveout,
            hipErrorInvalidValue, "no such attribute");
  });
}
hipError_t hipFuncSetCacheConfig(const void* function, hipFuncCache_t) {
  return call(__func__, [&](context& c) { kernel(c, function); });
}
hipError_t hipFuncSetSharedMemConfig(const void* function, hipSharedMemConfig) {
  return call(__func__, [&](context& c) { kernel(c, function); });
}
const char* hipKernelNameRef(const hipFunction_t f) {
  return hipKernelNameRefByPtr(f, nullptr);
}
const char* hipKernelNameRefByPtr(const void* function, hipStream_t) {
  const char* name = nullptr;
  call_unanswered(__func__, [&](context& c) { name = c.modules.kernel_name(function); });
  return name;
}

// ---- occupancy

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* f, int block_size, size_t lds) {
  return call(__func__, [&](context& c) { active_blocks(c, blocks, f, block_size, lds); });
}
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* f, int block_size, size_t lds,
                                                                 unsigned int) {
  return call(__func__, [&](context& c) { active_blocks(c, blocks, f, block_size, lds); });
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, hipFunction_t f, int block_size,
                                                              size_t lds) {
  return call(__func__, [&](context& c) { active_blocks(c, blocks, f, block_size, lds); });
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, hipFunction_t f, int block_size,
                                                                       size_t lds, unsigned int) {
  return call(__func__, [&](context& c) { active_blocks(c, blocks, f, block_size, lds); });
}
hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, const void* f, size_t lds, int limit) {
  return call(__func__, [&](context& c) { best_block(c, grid, block, f, lds, limit); });
}
hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* grid, int* block, hipFunction_t f, size_t lds, int limit) {
  return call(__func__, [&](context& c) { best_block(c, grid, block, f, lds, limit); });
}
hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, hipFunction_t f, size_t lds,
                                                            int limit, unsigned int) {
  return call(__func__, [&](context& c) { best_block(c, grid, block, f, lds, limit); });
}

}  // extern "C"
