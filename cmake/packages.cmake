# SPDX-License-Identifier: Apache-2.0
# cpack -G DEB: the packages pwsvp, libpwsvp-dev and python3-pwsvp; with PWS_SYMBOLS_APART pwsvp-dbgsym too. platform/packages.sh does all
# of it.
set(CPACK_PACKAGE_NAME pwsvp)
set(CPACK_PACKAGE_VENDOR "PWS virtual platform")
set(CPACK_PACKAGE_CONTACT "PWS virtual platform <pwsvp@localhost>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
# With symbols apart cpack strips programs itself, when it has their symbols.
if(PWS_SYMBOLS_APART)
  set(CPACK_DEBIAN_PROGRAMS_DEBUGINFO_PACKAGE ON)
else()
  set(CPACK_STRIP_FILES ON)
endif()
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package_files.cmake)
set(CPACK_COMPONENTS_ALL programs development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# Packages of two releases have two versions, and the later release's is the newer one: 0.1.0-1~deb12, 0.1.0-1~deb13.
cmake_host_system_information(RESULT PWS_RELEASE QUERY DISTRIB_INFO)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
if(PWS_RELEASE_ID STREQUAL "debian" AND PWS_RELEASE_VERSION_ID)
  set(CPACK_DEBIAN_PACKAGE_RELEASE "1~deb${PWS_RELEASE_VERSION_ID}")
elseif(PWS_RELEASE_ID AND PWS_RELEASE_VERSION_ID)
  set(CPACK_DEBIAN_PACKAGE_RELEASE "1~${PWS_RELEASE_ID}${PWS_RELEASE_VERSION_ID}")
endif()
set(CPACK_PWS_PACKAGE_VERSION ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
set(CPACK_PWS_SUITE unstable)
if(PWS_RELEASE_VERSION_CODENAME)
  set(CPACK_PWS_SUITE ${PWS_RELEASE_VERSION_CODENAME})
endif()
set(CPACK_PWS_VERSION_DATE ${PWS_VERSION_DATE})

set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME pwsvp)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION devel)
set(CPACK_COMPONENT_PROGRAMS_DESCRIPTION
"Runs HIP kernels and unmodified HIP programs on a SystemC/TLM-2.0 model
of a GCN3-class GPU (gfx803), bounds their worst-case execution times, and
compiles them for predictable wavefront splitting (pwscc).")
# Libraries: as the linker says. Programs that are called: clang, its linker and bundler, the device libraries; HIP's headers and the
# library that HIP programs are linked with.
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_DEPENDS
    "clang-${PWS_LLVM}, clang-tools-${PWS_LLVM}, lld-${PWS_LLVM}, ${PWS_DEVICE_LIBRARY_PACKAGE}, libamdhip64-dev")
# Loaded by pwsvp soc alone, and so named by no linker.
if(PWS_SOC)
  set(CPACK_DEBIAN_PROGRAMS_PACKAGE_RECOMMENDS libunicorn2)
endif()
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SUGGESTS "graphviz, python3-matplotlib, python3-jinja2, python3-yaml, snakemake, gtkwave")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libpwsvp-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
"Headers and static libraries to have the GPU as a SystemC module in a
simulation of one's own, with a CMake package and a pkg-config file.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "pwsvp (= ${CPACK_PWS_PACKAGE_VERSION}), libsystemc-dev, libyaml-cpp-dev, libfmt-dev, libdw-dev, nlohmann-json3-dev, zlib1g-dev")

if(PWS_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-pwsvp)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION
"Makes machines from Python, launches kernels on NumPy arrays, runs and
bounds run files, and sweeps over them in notebooks.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  # The extension is for this version of Python's interface.
  math(EXPR next "${PWS_PYTHON_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "pwsvp (= ${CPACK_PWS_PACKAGE_VERSION}), python3 (>= 3.${PWS_PYTHON_MINOR}), python3 (<< 3.${next}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, jupyter-notebook")
endif()
include(CPack)
