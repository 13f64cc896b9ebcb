# SPDX-License-Identifier: Apache-2.0
# The runtime of CMake's language HIP: what targets with HIP sources are linked with. (CMake looks for it in lib/cmake/hip-lang below
# ROCm's folder, where Debian has none.)
if(NOT TARGET hip-lang::device)
  add_library(hip-lang::device INTERFACE IMPORTED)
  # Code of several objects is put together (-fgpu-rdc); clang would add a path to ROCm's library, which programs keep.
  set_target_properties(hip-lang::device PROPERTIES
    INTERFACE_LINK_OPTIONS "$<$<LINK_LANGUAGE:HIP>:--hip-link;-no-hip-rt;--offload-arch=gfx803>"
    INTERFACE_LINK_LIBRARIES "$<$<LINK_LANGUAGE:HIP>:amdhip64>")
endif()
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET hip-lang::device)
