// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/launch_arguments.h"

#include "hip_runtime/failure.h"

namespace pws::hip {

namespace {

// Copies of the arguments from `pointers`, one per parameter.
std::vector<std::vector<uint8_t>> gather_arguments(const kernel_function& f, void** pointers) {
  const loader::kernel_metadata& k = f.loaded.kernel->metadata;
  std::vector<std::vector<uint8_t>> values;
  for (size_t i = 0; i < k.explicit_arguments(); ++i) {
    require(pointers != nullptr && pointers[i] != nullptr, hipErrorInvalidValue, "an argument is missing");
    const auto* raw = static_cast<const uint8_t*>(pointers[i]);
    values.emplace_back(raw, raw + k.arguments[i].size);
  }
  return values;
}

}  // namespace

std::vector<std::vector<uint8_t>> cut_arguments(const kernel_function& f, const uint8_t* block, size_t bytes) {
  const loader::kernel_metadata& k = f.loaded.kernel->metadata;
  std::vector<std::vector<uint8_t>> values;
  for (size_t i = 0; i < k.explicit_arguments(); ++i) {
    const loader::kernel_argument& a = k.arguments[i];
    require(a.offset <= bytes && a.size <= bytes - a.offset, hipErrorInvalidValue,
            "the block of arguments is smaller than the kernel's arguments");
    values.emplace_back(block + a.offset, block + a.offset + a.size);
  }
  return values;
}

std::vector<std::vector<uint8_t>> arguments_of(const kernel_function& f, void** parameters, void** extra) {
  require(parameters == nullptr || extra == nullptr, hipErrorInvalidValue, "both kinds of arguments are given");
  if (extra == nullptr) return gather_arguments(f, parameters);
  const uint8_t* block = nullptr;
  size_t bytes = 0;
  for (; *extra != HIP_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == HIP_LAUNCH_PARAM_BUFFER_POINTER)
      block = static_cast<const uint8_t*>(extra[1]);
    else if (*extra == HIP_LAUNCH_PARAM_BUFFER_SIZE)
      bytes = *static_cast<const size_t*>(extra[1]);
    else
      throw failure(hipErrorInvalidValue, "the list of arguments has an unknown key");
  }
  require(block != nullptr || f.loaded.kernel->metadata.explicit_arguments() == 0, hipErrorInvalidValue,
          "the list of arguments has no block");
  return cut_arguments(f, block, bytes);
}

}  // namespace pws::hip
