# SPDX-License-Identifier: Apache-2.0
# The headers of HIP (libamdhip64-dev) that the project is built with: -DHIP_INCLUDE_DIR=FOLDER chooses others. Sets PWS_HIP_VERSION, in full.
# The library knows the headers of 5.2 and of 5.7 (hip_runtime/newer_api.h).
find_path(HIP_INCLUDE_DIR hip/hip_runtime_api.h REQUIRED)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${HIP_INCLUDE_DIR}/hip/hip_version.h)
file(READ ${HIP_INCLUDE_DIR}/hip/hip_version.h text)
set(parts)
foreach(part MAJOR MINOR PATCH)
  if(NOT text MATCHES "#define HIP_VERSION_${part} +([0-9]+)")
    message(FATAL_ERROR "${HIP_INCLUDE_DIR}/hip/hip_version.h does not say HIP_VERSION_${part}")
  endif()
  list(APPEND parts ${CMAKE_MATCH_1})
endforeach()
list(JOIN parts "." PWS_HIP_VERSION)
if(NOT PWS_HIP_VERSION MATCHES "^5\\.[27]\\.")
  message(FATAL_ERROR "The headers of HIP in ${HIP_INCLUDE_DIR} are of version ${PWS_HIP_VERSION}; the library can be built with those of 5.2 and of "
                      "5.7: choose some with -DHIP_INCLUDE_DIR=FOLDER")
endif()
message(STATUS "HIP's headers: version ${PWS_HIP_VERSION} in ${HIP_INCLUDE_DIR}")
