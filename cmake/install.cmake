# SPDX-License-Identifier: Apache-2.0
# What is installed, where, and as which package: docs/install.md. Components: `programs`, `development` for simulations that have the machine
# in them, and `python`.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
foreach(dir BINDIR LIBDIR INCLUDEDIR DATADIR DOCDIR MANDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${dir}}")
    message(FATAL_ERROR "CMAKE_INSTALL_${dir} is ${CMAKE_INSTALL_${dir}}; it is to be relative, because an installation may be moved")
  endif()
endforeach()

# Programs, plugins, the HIP runtime and pws.h are in one folder, laid out as in the build tree, where they find each other
# (base/installation.h). The HIP runtime is not among the system's libraries, because it has another's name.
set(PWS_HOME ${CMAKE_INSTALL_LIBDIR}/pwsvp)
set(PWS_DATA ${CMAKE_INSTALL_DATADIR}/pwsvp)
install(TARGETS pwsvp pwscc EXPORT pwsvpTargets RUNTIME DESTINATION ${PWS_HOME}/bin COMPONENT programs)
install(TARGETS amdhip64 pws_loop_anchors pws_predication
        LIBRARY DESTINATION ${PWS_HOME}/lib COMPONENT programs NAMELINK_SKIP)
# The RTL where it has been built: quickstart does without. A machine that asks for it says what builds it.
if(PWS_RTL)
  install(TARGETS spsimd_rtl LIBRARY DESTINATION ${PWS_HOME}/lib COMPONENT programs OPTIONAL)
endif()
install(DIRECTORY platform/sweep/page/ DESTINATION ${PWS_HOME}/lib/report_page COMPONENT programs)
set(PWS_KERNEL_HEADERS pws.h pws.inc pws_opencl.h)
foreach(header IN LISTS PWS_KERNEL_HEADERS)
  install(FILES ${PROJECT_SOURCE_DIR}/sw/include/${header} DESTINATION ${PWS_HOME}/include/pwsvp COMPONENT programs)
endforeach()

# install_link(FILE LINK COMPONENT): both by their path below the prefix.
function(install_link file link component)
  cmake_path(GET link PARENT_PATH folder)
  cmake_path(GET link FILENAME name)
  cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${folder} OUTPUT_VARIABLE target)
  set(made ${PROJECT_BINARY_DIR}/links/${folder})
  file(MAKE_DIRECTORY ${made})
  file(CREATE_LINK ${target} ${made}/${name} SYMBOLIC)
  install(FILES ${made}/${name} DESTINATION ${folder} COMPONENT ${component})
endfunction()
install_link(${PWS_HOME}/bin/pwsvp ${PWS_HOME}/bin/hipcc programs)
foreach(program pwsvp pwscc)
  install_link(${PWS_HOME}/bin/${program} ${CMAKE_INSTALL_BINDIR}/${program} programs)
endforeach()
# hipcc in a folder of one's own, but not among the system's programs, where Debian's package of that name has another.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/links/hipcc)
file(CREATE_LINK pwsvp ${PROJECT_BINARY_DIR}/links/hipcc/hipcc SYMBOLIC)
install(CODE "
  if(NOT CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
    file(INSTALL \"${PROJECT_BINARY_DIR}/links/hipcc/hipcc\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\")
  endif()" COMPONENT programs)

# By which CMake makes HIP programs for the machine; in the build tree below cmake/.
set(PWS_TOOLCHAIN ${PWS_DATA}/cmake)
set(PWS_TOOLCHAIN_TO_BIN ../bin)
configure_file(cmake/hip/pwsvp-hip.cmake.in ${PROJECT_BINARY_DIR}/cmake/pwsvp-hip.cmake @ONLY)
configure_file(cmake/hip/hip-lang-config.cmake ${PROJECT_BINARY_DIR}/cmake/rocm/lib/cmake/hip-lang/hip-lang-config.cmake COPYONLY)
cmake_path(RELATIVE_PATH PWS_HOME BASE_DIRECTORY ${PWS_TOOLCHAIN} OUTPUT_VARIABLE PWS_TOOLCHAIN_TO_BIN)
string(APPEND PWS_TOOLCHAIN_TO_BIN /bin)
configure_file(cmake/hip/pwsvp-hip.cmake.in ${PROJECT_BINARY_DIR}/package/pwsvp-hip.cmake @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/pwsvp-hip.cmake DESTINATION ${PWS_TOOLCHAIN} COMPONENT programs)
install(FILES cmake/hip/hip-lang-config.cmake DESTINATION ${PWS_TOOLCHAIN}/rocm/lib/cmake/hip-lang COMPONENT programs)

foreach(header IN LISTS PWS_KERNEL_HEADERS)
  install_link(${PWS_HOME}/include/pwsvp/${header} ${CMAKE_INSTALL_INCLUDEDIR}/pwsvp/${header} programs)
endforeach()

# Machines, runs, experiments and kernels, which name each other by their places in the project; documents.
install(DIRECTORY configs DESTINATION ${PWS_DATA} COMPONENT programs)
install(DIRECTORY sw/kernels DESTINATION ${PWS_DATA}/sw COMPONENT programs)
install(DIRECTORY docs/tutorial docs/examples DESTINATION ${PWS_DATA}/docs USE_SOURCE_PERMISSIONS COMPONENT programs)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs
        PATTERN site EXCLUDE PATTERN tutorial EXCLUDE PATTERN examples EXCLUDE PATTERN layers.txt EXCLUDE)
install(DIRECTORY editors DESTINATION ${PWS_DATA} COMPONENT programs)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs)
install(FILES LICENSE DESTINATION ${PWS_DATA} COMPONENT programs)
install(FILES cmake/debian/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs)
foreach(folder tutorial examples)
  install_link(${PWS_DATA}/docs/${folder} ${CMAKE_INSTALL_DOCDIR}/docs/${folder} programs)
endforeach()

# The package of Python: its extension is with the rest, which it finds from there (base/installation.h), and Debian's Python has a link.
if(PWS_PYTHON)
  set(PWS_PYTHON_PACKAGE lib/python3/dist-packages/pwsvp)
  get_target_property(suffix pwsvp_python SUFFIX)
  install(TARGETS pwsvp_python LIBRARY DESTINATION ${PWS_HOME}/lib COMPONENT python)
  install(DIRECTORY python/pwsvp/ DESTINATION ${PWS_PYTHON_PACKAGE} COMPONENT python FILES_MATCHING PATTERN *.py PATTERN *.pyi PATTERN py.typed)
  install_link(${PWS_HOME}/lib/_core${suffix} ${PWS_PYTHON_PACKAGE}/_core${suffix} python)
  install(FILES cmake/debian/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-pwsvp COMPONENT python)
endif()

# Manual pages and completion scripts, which pwsvp makes of its own command line and of the files' keys.
find_program(GZIP gzip REQUIRED)
set(manual ${PROJECT_BINARY_DIR}/share)
add_custom_command(OUTPUT ${manual}/made
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual}
  COMMAND pwsvp manual --output ${manual}/man
  COMMAND sh -c "exec \"$0\" -9nr \"$1\"" ${GZIP} ${manual}/man
  COMMAND sh -c "for s in bash zsh fish; do \"$0\" completion $s >\"$1/completion.$s\" || exit; done" $<TARGET_FILE:pwsvp> ${manual}
  COMMAND ${CMAKE_COMMAND} -E touch ${manual}/made
  DEPENDS pwsvp COMMENT "Manual pages and completion" VERBATIM)
add_custom_target(manual ALL DEPENDS ${manual}/made)
install(DIRECTORY ${manual}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT programs)
# install_completion(SHELL FOLDER FILE): and for pwscc where the shell wants a file for each program.
function(install_completion shell folder file)
  install(FILES ${PROJECT_BINARY_DIR}/share/completion.${shell} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} RENAME ${file}
          COMPONENT programs)
endfunction()
install_completion(bash bash-completion/completions pwsvp)
install_completion(zsh zsh/site-functions _pwsvp)
install_completion(fish fish/vendor_completions.d pwsvp.fish)
set(completions ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install_link(${completions}/pwsvp ${completions}/pwscc programs)
set(completions ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install_link(${completions}/pwsvp.fish ${completions}/pwscc.fish programs)
# Debian's zsh looks there.
install_link(${CMAKE_INSTALL_DATADIR}/zsh/site-functions/_pwsvp ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions/_pwsvp programs)

# The machine as a library, for simulations that have it as one of their modules.
pws_layers_below(PWS_PUBLIC_FOLDERS platform/machine platform/config platform/instruments/trace
                 models/isa/rows models/isa/levels)
set(public_headers)
foreach(folder IN LISTS PWS_PUBLIC_FOLDERS)
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${folder}/*.h ${folder}/*.def)
  list(APPEND public_headers ${headers})
endforeach()
list(FILTER public_headers EXCLUDE REGEX "^base/version\\.h$")  # of programs
list(JOIN public_headers "\n" header_list)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/public/headers.txt CONTENT "@header_list@\n" @ONLY)
set(header_files ${public_headers})
list(TRANSFORM header_files PREPEND ${PROJECT_SOURCE_DIR}/)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/public/made
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${PROJECT_BINARY_DIR}/public/include
  COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D OUTPUT=${PROJECT_BINARY_DIR}/public/include
          -D LIST=${PROJECT_BINARY_DIR}/public/headers.txt -P ${PROJECT_SOURCE_DIR}/cmake/public_headers.cmake
  COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/public/made
  DEPENDS ${header_files} ${PROJECT_BINARY_DIR}/public/headers.txt ${PROJECT_SOURCE_DIR}/cmake/public_headers.cmake
  COMMENT "Headers for users" VERBATIM)
add_custom_target(public_headers ALL DEPENDS ${PROJECT_BINARY_DIR}/public/made)
install(DIRECTORY ${PROJECT_BINARY_DIR}/public/include/pwsvp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

# The registers of the GPU for drivers in C, which pwsvp makes of the register map.
set(driver_header ${PROJECT_BINARY_DIR}/public/gpu_registers.h)
add_custom_command(OUTPUT ${driver_header}
  COMMAND sh -c "\"$0\" reference registers --c-header >\"$1\"" $<TARGET_FILE:pwsvp> ${driver_header}
  DEPENDS pwsvp COMMENT "Header for drivers" VERBATIM)
add_custom_target(driver_header ALL DEPENDS ${driver_header})
install(FILES ${driver_header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pwsvp COMPONENT development)

# All that is installed, but for the RTL.
add_custom_target(programs DEPENDS pwsvp pwscc amdhip64 manual public_headers driver_header)
if(PWS_PYTHON)
  add_dependencies(programs pwsvp_python)
endif()

add_library(pwsvp_machine INTERFACE)  # all of it
target_link_libraries(pwsvp_machine INTERFACE pws_platform_config pws_platform_machine pws_platform_instruments_trace)
# Where a simulation elsewhere finds the RTL (rtl/wrapper/rtl_library.h).
target_link_options(pwsvp_machine INTERFACE "$<INSTALL_INTERFACE:-Wl,-rpath,$<INSTALL_PREFIX>/${PWS_HOME}/lib>")
set_target_properties(pwsvp_machine PROPERTIES EXPORT_NAME machine)
set(PWS_LIBRARIES)   # those of models/isa need each other: pwsvp.pc has all as a group
set(PWS_INTERFACES)  # folders of headers alone
foreach(folder IN LISTS PWS_PUBLIC_FOLDERS)
  pws_layer_target(${folder} library)
  get_target_property(type ${library} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    list(APPEND PWS_LIBRARIES ${library})
  else()
    list(APPEND PWS_INTERFACES ${library})
  endif()
endforeach()
list(APPEND PWS_LIBRARIES pws_fstapi)
foreach(library IN LISTS PWS_LIBRARIES PWS_INTERFACES ITEMS pws_options pws_systemc)
  string(REPLACE "pws_" "" name ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${name})
endforeach()
install(TARGETS pwsvp_machine pws_options pws_systemc ${PWS_INTERFACES} ${PWS_LIBRARIES} EXPORT pwsvpTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/pwsvp)
install(EXPORT pwsvpTargets NAMESPACE pwsvp:: DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/pwsvpConfig.cmake.in ${PROJECT_BINARY_DIR}/package/pwsvpConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/pwsvpConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/pwsvpConfig.cmake ${PROJECT_BINARY_DIR}/package/pwsvpConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT development)

set(PC_LIBRARIES ${PWS_LIBRARIES})
list(TRANSFORM PC_LIBRARIES PREPEND -l)
list(JOIN PC_LIBRARIES " " PC_LIBRARIES)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig
           OUTPUT_VARIABLE PC_PREFIX)
configure_file(${PROJECT_SOURCE_DIR}/cmake/pwsvp.pc.in ${PROJECT_BINARY_DIR}/package/pwsvp.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/pwsvp.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
install(FILES cmake/debian/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libpwsvp-dev COMPONENT development)
