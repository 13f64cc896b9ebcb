# SPDX-License-Identifier: Apache-2.0
# The version of LLVM and clang that the project is built with and calls. It is found here and nowhere else: -DPWS_LLVM=N chooses one.
# Sets PWS_LLVM_VERSION (in full), PWS_LLVM_BIN, PWS_LLVM_INCLUDE_DIR, and PWS_LLVM_CLANG, _CLANGXX, _BUNDLER, _LLD, _CONFIG, _OBJCOPY, _MC,
# _OBJDUMP and _READELF, which are paths in LLVM's own folder: there clang finds the linker of its version beside itself. Then
# PWS_DEVICE_LIBRARIES and PWS_DEVICE_LIBRARY_PACKAGE: AMD's libraries for device code, which are made for one version of LLVM, and which
# later ones read. It needs no language, and comes before project(): the compiler of a build with ThreadSanitizer is chosen by it.
set(PWS_LLVM_VERSIONS 15 16 17 18 19)
set(PWS_LLVM "" CACHE STRING "Version of LLVM and clang: 15 to 19; empty: the lowest whose llvm-config, clang and lld are installed")
set_property(CACHE PWS_LLVM PROPERTY STRINGS ${PWS_LLVM_VERSIONS})
# Tables, bounds and outputs in the documents are of the code that this version makes. With another one tests do not compare them.
set(PWS_LLVM_OF_DOCUMENTS 15)

# pws_llvm_bin(VERSION OUT): the folder of its programs, "" without llvm-config.
function(pws_llvm_bin version out)
  set(${out} "" PARENT_SCOPE)
  find_program(config NAMES llvm-config-${version} NO_CACHE NO_DEFAULT_PATH PATHS ENV PATH)
  if(config)
    execute_process(COMMAND ${config} --bindir OUTPUT_VARIABLE bin OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    set(${out} ${bin} PARENT_SCOPE)
  endif()
endfunction()

if(PWS_LLVM STREQUAL "")
  foreach(version IN LISTS PWS_LLVM_VERSIONS)
    pws_llvm_bin(${version} bin)
    if(bin AND EXISTS ${bin}/clang++ AND EXISTS ${bin}/ld.lld)
      set(PWS_LLVM ${version} CACHE STRING "" FORCE)
      break()
    endif()
  endforeach()
  if(PWS_LLVM STREQUAL "")
    message(FATAL_ERROR "No LLVM of a version from 15 to 19 has llvm-config, clang and lld. platform/setup.sh installs one; by hand, with "
                        "N for the version: apt install llvm-N llvm-N-dev clang-N clang-tools-N lld-N")
  endif()
elseif(NOT PWS_LLVM IN_LIST PWS_LLVM_VERSIONS)
  message(FATAL_ERROR "PWS_LLVM=${PWS_LLVM}: not a version from 15 to 19")
endif()

pws_llvm_bin(${PWS_LLVM} PWS_LLVM_BIN)
set(missing)
if(PWS_LLVM_BIN)
  set(PWS_LLVM_CONFIG ${PWS_LLVM_BIN}/llvm-config)
  execute_process(COMMAND ${PWS_LLVM_CONFIG} --includedir OUTPUT_VARIABLE PWS_LLVM_INCLUDE_DIR OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${PWS_LLVM_CONFIG} --version OUTPUT_VARIABLE PWS_LLVM_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
else()
  list(APPEND missing llvm-${PWS_LLVM})
  set(PWS_LLVM_BIN /usr/lib/llvm-${PWS_LLVM}/bin)  # where Debian has it: the other packages may be there
  set(PWS_LLVM_INCLUDE_DIR /usr/lib/llvm-${PWS_LLVM}/include)
endif()
# pws_llvm_tool(VARIABLE FILE PACKAGE)
macro(pws_llvm_tool variable file package)
  set(${variable} ${PWS_LLVM_BIN}/${file})
  if(NOT EXISTS ${${variable}})
    list(APPEND missing ${package})
  endif()
endmacro()
pws_llvm_tool(PWS_LLVM_CLANG clang clang-${PWS_LLVM})
pws_llvm_tool(PWS_LLVM_CLANGXX clang++ clang-${PWS_LLVM})
pws_llvm_tool(PWS_LLVM_BUNDLER clang-offload-bundler clang-tools-${PWS_LLVM})
pws_llvm_tool(PWS_LLVM_LLD ld.lld lld-${PWS_LLVM})
pws_llvm_tool(PWS_LLVM_OBJCOPY llvm-objcopy llvm-${PWS_LLVM})
pws_llvm_tool(PWS_LLVM_MC llvm-mc llvm-${PWS_LLVM})
pws_llvm_tool(PWS_LLVM_OBJDUMP llvm-objdump llvm-${PWS_LLVM})
pws_llvm_tool(PWS_LLVM_READELF llvm-readelf llvm-${PWS_LLVM})
if(NOT EXISTS ${PWS_LLVM_INCLUDE_DIR}/llvm/Passes/PassPlugin.h)
  list(APPEND missing llvm-${PWS_LLVM}-dev)
endif()
if(missing)
  list(REMOVE_DUPLICATES missing)
  list(JOIN missing " " missing)
  message(FATAL_ERROR "LLVM ${PWS_LLVM} is not complete: apt install ${missing} (another version: -DPWS_LLVM=N)")
endif()

# Debian 12 has the device libraries, which are of LLVM 15, in a folder of their own; Debian 13 and Ubuntu 24.04 have them, of LLVM 17,
# in that of the clang that they are made for.
set(PWS_DEVICE_LIBRARIES /usr/lib/x86_64-linux-gnu/amdgcn/bitcode)
set(PWS_DEVICE_LIBRARY_PACKAGE rocm-device-libs)
foreach(version IN LISTS PWS_LLVM_VERSIONS)
  set(folder /usr/lib/llvm-${version}/lib/clang/${version}/amdgcn/bitcode)
  if(version LESS_EQUAL PWS_LLVM AND (EXISTS ${folder} OR (version EQUAL 17 AND NOT EXISTS ${PWS_DEVICE_LIBRARIES})))
    set(PWS_DEVICE_LIBRARIES ${folder})
    set(PWS_DEVICE_LIBRARY_PACKAGE rocm-device-libs-${version})
  endif()
endforeach()
