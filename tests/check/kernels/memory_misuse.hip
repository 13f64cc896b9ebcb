// Memory that the program does not have, case by case: the first argument names it. The program ignores every error.
//
// Each case with the rule of the finding that `memory` has, and who has done it (host or kernel); with the check alone:
// without it the place is another block's, and nothing stops the kernel:
//
// right: finds nothing
// write_code: finds not_the_programs kernel
// write_code_atomically: finds not_the_programs kernel
// write_constants: finds not_the_programs kernel
// write_arguments: finds not_the_programs kernel
// write_packet: finds not_the_programs kernel
// write_queue: finds not_the_programs kernel
// write_signal: finds not_the_programs kernel
// write_scratch: finds not_the_programs kernel
// read_scratch: finds not_the_programs kernel
// write_texture: finds not_the_programs kernel
// kernel_after_free: finds use_after_free kernel
// first_launch: finds nothing
// first_launch_after_free: finds use_after_free kernel, with the check alone
// first_launch_after_free_async: finds use_after_free kernel, with the check alone
// first_launch_after_host_free: finds use_after_free kernel, with the check alone
// first_launch_after_managed_free: finds use_after_free kernel, with the check alone
// first_launch_after_unregister: finds use_after_free kernel, with the check alone
// host_calls_after_free: finds use_after_free kernel, with the check alone
// arguments_after_free: finds use_after_free kernel, with the check alone
// module_after_free: finds use_after_free kernel, with the check alone
// block_after_unload: finds use_after_free kernel, with the check alone
// block_after_free: finds use_after_free kernel, with the check alone
// refused_block_after_free: finds use_after_free kernel, with the check alone
// place_given_again: finds nothing
// memory_given_again: finds nothing
// kernel_reads_past_the_end: finds past_the_end kernel
// kernel_writes_past_the_end: finds past_the_end kernel
// kernel_null: finds outside_of_allocations kernel
// copy_to_code: finds not_the_programs host
// copy_from_code: finds not_the_programs host
// fill_arguments: finds not_the_programs host
// fill_scratch: finds not_the_programs host
// copy_after_free: finds use_after_free host
// fill_after_free: finds use_after_free host
// double_free: finds double_free host
// double_free_async: finds double_free host
// double_free_array: finds double_free host
// copy_to_freed_array: finds use_after_free host
// copy_from_freed_array: finds use_after_free host
// texture_of_freed_array: finds use_after_free host
// free_no_array: finds nothing
// too_much_lds: finds nothing
// free_inside: finds invalid_free host
// free_variable: finds invalid_free host
// free_host_memory: finds invalid_free host
// free_texture: finds nothing
// copy_too_large: finds past_the_end host
// copy_from_too_large: finds past_the_end host
// fill_too_large: finds past_the_end host
// rows_too_large: finds past_the_end host
// variable_too_large: finds past_the_end host
// variable_by_address_too_large: finds past_the_end host
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

__device__ unsigned variable[16], neighbour[16];
__constant__ unsigned settings[16];
// Read by an index that is not known, so that it stays a table.
__device__ const unsigned table[16] = {1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 256};

__global__ void store(unsigned* to, unsigned value) {
  to[threadIdx.x] = value + table[(threadIdx.x + value) % 16] + settings[value % 16];
}
__global__ void add(unsigned* to, unsigned value) {
  atomicAdd(to, value);
}
__global__ void load(const uint64_t* from, unsigned* to) {
  to[threadIdx.x] = static_cast<unsigned>(from[threadIdx.x] ^ from[threadIdx.x] >> 32);
}
__global__ void load_and_print(const uint64_t* from, unsigned* to) {
  to[0] = static_cast<unsigned>(from[0]);
  printf("%u\n", to[0]);
}
struct many_words {
  uint64_t words[64];
};
__global__ void load_with(many_words more, const uint64_t* from, unsigned* to) {
  to[threadIdx.x] = static_cast<unsigned>(from[threadIdx.x] + more.words[threadIdx.x % 64]);
}
__device__ __attribute__((noinline)) unsigned squared(unsigned x) {
  return x * x + variable[x % 16];
}
// Where things are that are not the program's.
__global__ void find(uint64_t* to, unsigned k) {
  volatile unsigned mine[32];
  mine[k] = squared(k);
  to[0] = reinterpret_cast<uint64_t>(&squared);
  to[1] = reinterpret_cast<uint64_t>(&table[0]);
  to[2] = (uint64_t)__builtin_amdgcn_kernarg_segment_ptr();
  const auto* packet = (const uint64_t*)__builtin_amdgcn_dispatch_ptr();
  to[3] = reinterpret_cast<uint64_t>(packet);
  const auto* queue = (const uint64_t*)__builtin_amdgcn_queue_ptr();
  to[4] = reinterpret_cast<uint64_t>(queue);
  to[5] = packet[7];        // completion_signal
  to[6] = queue[0xa0 / 8];  // scratch_backing_memory_location
  to[7] = mine[k % 32];
}

// The program's code, and what its kernels call the host by, come to the device with its first launch.
void first_launch(const std::string& name, unsigned* to) {
  constexpr size_t bytes = 4 << 20;
  void *freed = nullptr, *host = nullptr;
  if (name == "first_launch_after_free" || name == "host_calls_after_free" || name == "first_launch") {
    (void)hipMalloc(&freed, bytes);
    if (name != "first_launch") (void)hipFree(freed);
  } else if (name == "first_launch_after_free_async") {
    (void)hipMallocAsync(&freed, bytes, nullptr);
    (void)hipFreeAsync(freed, nullptr);
  } else if (name == "first_launch_after_host_free") {
    (void)hipHostMalloc(&freed, bytes);
    (void)hipHostFree(freed);
  } else if (name == "first_launch_after_managed_free") {
    (void)hipMallocManaged(&freed, bytes);
    (void)hipFree(freed);
  } else if (name == "first_launch_after_unregister") {
    host = aligned_alloc(4096, bytes);
    (void)hipHostRegister(host, bytes, 0);
    (void)hipHostGetDevicePointer(&freed, host, 0);
    (void)hipHostUnregister(host);
  }
  if (name == "host_calls_after_free")
    load_and_print<<<1, 1>>>(static_cast<uint64_t*>(freed), to);
  else
    load<<<1, 1>>>(static_cast<uint64_t*>(freed), to);
  (void)hipDeviceSynchronize();
  free(host);
}

// True: all memory is there again and again. What has been freed keeps its place no longer than there is another.
bool is_memory_given_again() {
  size_t before = 0, after = 0, total = 0;
  if (hipMemGetInfo(&before, &total) != hipSuccess) return false;
  for (int k = 0; k < 6; ++k) {
    unsigned* most = nullptr;
    if (hipMalloc(&most, before / 4 * 3) != hipSuccess) return false;
    store<<<1, 64>>>(most, 1);
    if (hipDeviceSynchronize() != hipSuccess || hipFree(most) != hipSuccess) return false;
  }
  for (int k = 0; k < 5000; ++k) {
    unsigned* one = nullptr;
    if (hipMalloc(&one, 4096) != hipSuccess || hipFree(one) != hipSuccess) return false;
  }
  return hipMemGetInfo(&after, &total) == hipSuccess && after == before;
}

int main(int, char** arguments) {
  const std::string name = arguments[1];
  unsigned *a = nullptr, *b = nullptr, host[256] = {};
  uint64_t* places = nullptr;
  (void)hipMalloc(&a, 256);
  (void)hipMalloc(&b, 1024);
  (void)hipMalloc(&places, 64);
  if (name.rfind("first_launch", 0) == 0 || name == "host_calls_after_free") {
    first_launch(name, a);
    return 0;
  }
  find<<<1, 1>>>(places, 3);
  uint64_t at[8];
  if (hipMemcpy(at, places, sizeof at, hipMemcpyDeviceToHost) != hipSuccess) return 2;
  const auto pointer = [&](int k) { return reinterpret_cast<unsigned*>(at[k]); };
  hipTextureObject_t texture = nullptr;
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeLinear;
  resource.res.linear.devPtr = b;
  resource.res.linear.desc = hipCreateChannelDesc<unsigned>();
  resource.res.linear.sizeInBytes = 1024;
  hipTextureDesc description{};
  if (hipCreateTextureObject(&texture, &resource, &description, nullptr) != hipSuccess) return 2;

  if (name == "right") {
    store<<<1, 64>>>(a, 1);
    unsigned* v = nullptr;
    (void)hipGetSymbolAddress(reinterpret_cast<void**>(&v), HIP_SYMBOL(variable));
    store<<<1, 16>>>(v, 1);
    (void)hipMemcpy(v, host, sizeof variable, hipMemcpyHostToDevice);
    (void)hipMemcpyToSymbol(HIP_SYMBOL(settings), host, sizeof settings);
    (void)hipMemcpyFromSymbol(host, HIP_SYMBOL(table), sizeof table);
    (void)hipMemcpy(host, a, 256, hipMemcpyDeviceToHost);
    (void)hipFree(a);
    (void)hipFree(nullptr);
    if (host[3] != 1 + 25) return 2;
  } else if (name == "write_code") {
    store<<<1, 1>>>(pointer(0), 1);
  } else if (name == "write_code_atomically") {
    add<<<1, 1>>>(pointer(0), 1);
  } else if (name == "write_constants") {
    store<<<1, 1>>>(pointer(1), 1);
  } else if (name == "write_arguments") {
    store<<<1, 1>>>(pointer(2), 1);
  } else if (name == "write_packet") {
    store<<<1, 1>>>(pointer(3), 1);
  } else if (name == "write_queue") {
    store<<<1, 1>>>(pointer(4), 1);
  } else if (name == "write_signal") {
    store<<<1, 1>>>(pointer(5), 1);
  } else if (name == "write_scratch") {
    store<<<1, 1>>>(pointer(6), 1);
  } else if (name == "read_scratch") {
    load<<<1, 1>>>(reinterpret_cast<uint64_t*>(at[6]), a);
  } else if (name == "write_texture") {
    store<<<1, 1>>>(reinterpret_cast<unsigned*>(texture), 1);
  } else if (name == "kernel_after_free") {
    (void)hipFree(b);
    store<<<1, 1>>>(b, 1);
  } else if (name == "arguments_after_free") {
    (void)hipFree(b);
    load_with<<<1, 1>>>({}, reinterpret_cast<uint64_t*>(b), a);
  } else if (name == "module_after_free") {
    hipModule_t m = nullptr;
    unsigned* big = nullptr;
    (void)hipMalloc(&big, 4 << 20);
    (void)hipFree(big);
    if (hipModuleLoad(&m, "program.hsaco") != hipSuccess) return 2;
    load<<<1, 1>>>(reinterpret_cast<uint64_t*>(big), a);
  } else if (name == "block_after_unload") {
    hipModule_t m = nullptr;
    hipDeviceptr_t v = nullptr;
    unsigned* big = nullptr;
    size_t bytes = 0;
    if (hipModuleLoad(&m, "program.hsaco") != hipSuccess) return 2;
    if (hipModuleGetGlobal(&v, &bytes, m, "variable") != hipSuccess) return 2;
    (void)hipModuleUnload(m);
    (void)hipMalloc(&big, 4 << 20);
    load<<<1, 1>>>(reinterpret_cast<uint64_t*>(v), a);
  } else if (name == "block_after_free" || name == "refused_block_after_free") {
    unsigned *next = nullptr, *refused = nullptr;
    (void)hipFree(b);
    if (name == "refused_block_after_free" && hipMalloc(&refused, uint64_t{1} << 40) == hipSuccess) return 2;
    (void)hipMalloc(&next, 1024);
    load<<<1, 1>>>(reinterpret_cast<uint64_t*>(b), a);
  } else if (name == "place_given_again") {
    unsigned *big = nullptr, *again = nullptr;
    (void)hipFree(b);
    (void)hipMalloc(&big, 256 << 20);
    (void)hipFree(big);
    (void)hipMalloc(&again, 1024);
    if (again != b) return 2;
    store<<<1, 64>>>(b, 1);
  } else if (name == "memory_given_again") {
    if (!is_memory_given_again()) return 2;
  } else if (name == "kernel_reads_past_the_end") {
    load<<<1, 1>>>(reinterpret_cast<uint64_t*>(reinterpret_cast<char*>(a) + 252), b);
  } else if (name == "kernel_writes_past_the_end") {
    store<<<1, 64>>>(a + 1, 1);
  } else if (name == "kernel_null") {
    store<<<1, 1>>>(nullptr, 1);
  } else if (name == "copy_to_code") {
    (void)hipMemcpy(pointer(0), host, 4, hipMemcpyHostToDevice);
  } else if (name == "copy_from_code") {
    (void)hipMemcpy(host, pointer(0), 4, hipMemcpyDeviceToHost);
  } else if (name == "fill_arguments") {
    (void)hipMemset(pointer(2), 0, 4);
  } else if (name == "fill_scratch") {
    (void)hipMemset(pointer(6), 0, 4);
  } else if (name == "copy_after_free") {
    (void)hipFree(b);
    (void)hipMemcpy(host, b, 64, hipMemcpyDeviceToHost);
  } else if (name == "fill_after_free") {
    (void)hipFree(b);
    (void)hipMemsetAsync(b, 0, 64, nullptr);
  } else if (name == "double_free") {
    (void)hipFree(b);
    (void)hipFree(b);
  } else if (name == "double_free_async") {
    (void)hipFreeAsync(b, nullptr);
    (void)hipFreeAsync(b, nullptr);
  } else if (name.find("array") != std::string::npos) {
    const hipChannelFormatDesc format = hipCreateChannelDesc<unsigned>();
    hipArray_t array = nullptr, other = nullptr;
    if (hipMallocArray(&array, &format, 16, 4) != hipSuccess || hipFreeArray(array) != hipSuccess) return 2;
    if (name == "double_free_array") {
      (void)hipFreeArray(array);
    } else if (name == "copy_to_freed_array") {
      (void)hipMemcpy2DToArray(array, 0, 0, host, 64, 64, 4, hipMemcpyHostToDevice);
    } else if (name == "copy_from_freed_array") {
      (void)hipMemcpy2DFromArray(host, 64, array, 0, 0, 64, 4, hipMemcpyDeviceToHost);
    } else if (name == "texture_of_freed_array") {
      hipResourceDesc resource{};
      resource.resType = hipResourceTypeArray;
      resource.res.array.array = array;
      const hipTextureDesc how{};
      hipTextureObject_t none{};
      if (hipCreateTextureObject(&none, &resource, &how, nullptr) == hipSuccess) return 2;
    } else if (hipFreeArray(reinterpret_cast<hipArray_t>(host)) == hipSuccess ||
               hipMallocArray(&other, &format, 16, 4) != hipSuccess || other == array) {
      return 2;  // a handle that has been one does not come back
    }
  } else if (name == "too_much_lds") {
    store<<<1, 64, 1 << 20>>>(a, 1);
    (void)hipGetLastError();
  } else if (name == "free_inside") {
    (void)hipFree(b + 4);
  } else if (name == "free_variable") {
    unsigned* v = nullptr;
    (void)hipGetSymbolAddress(reinterpret_cast<void**>(&v), HIP_SYMBOL(variable));
    (void)hipFree(v);
  } else if (name == "free_host_memory") {
    (void)hipFree(host);
  } else if (name == "free_texture") {
    if (hipFree(reinterpret_cast<void*>(texture)) == hipSuccess) return 2;
  } else if (name == "copy_too_large") {
    (void)hipMemcpy(a, host, 260, hipMemcpyHostToDevice);
  } else if (name == "copy_from_too_large") {
    (void)hipMemcpyAsync(host, a + 60, 20, hipMemcpyDeviceToHost, nullptr);
  } else if (name == "fill_too_large") {
    (void)hipMemset(a, 1, 257);
  } else if (name == "rows_too_large") {
    (void)hipMemcpy2D(a, 64, host, 64, 32, 5, hipMemcpyHostToDevice);
  } else if (name == "variable_too_large") {
    (void)hipMemcpyToSymbol(HIP_SYMBOL(variable), host, sizeof variable + 4);
  } else if (name == "variable_by_address_too_large") {
    unsigned* v = nullptr;
    (void)hipGetSymbolAddress(reinterpret_cast<void**>(&v), HIP_SYMBOL(variable));
    (void)hipMemcpy(v, host, sizeof variable + 4, hipMemcpyHostToDevice);
  } else {
    std::printf("no case %s\n", name.c_str());
    return 2;
  }
  (void)hipDeviceSynchronize();
  return 0;
}
// SPDX-License-Identifier: Apache-2.0
