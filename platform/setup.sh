# SPDX-License-Identifier: Apache-2.0
# Sourced by quickstart.sh and tests/run.sh: installs what is missing (Debian 12 and 13, Ubuntu 24.04) and builds into build/.
# Leaves the shell in the project's root.
# shellcheck shell=bash
# shellcheck disable=SC2034 # the lists of packages are for those who source it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The LLVM that the release's device libraries are made for, and their package. PWS_LLVM=N chooses another one.
release=$(. /etc/os-release && echo "$ID ${VERSION_ID:-}")
chosen_llvm=${PWS_LLVM:-}
case $release in
  'debian 12') PWS_LLVM=${PWS_LLVM:-15} device_libraries=rocm-device-libs ;;
  'debian 13' | 'ubuntu 24.04') PWS_LLVM=${PWS_LLVM:-17} device_libraries=rocm-device-libs-17 ;;
  *)
    if [ -z "$chosen_llvm" ]; then
      echo "$release is not Debian 12, Debian 13 or Ubuntu 24.04: PWS_LLVM=N says which version of LLVM is used (15 to 19)" >&2
      exit 2
    fi
    device_libraries=rocm-device-libs-$PWS_LLVM
    ;;
esac

packages=(g++ cmake ninja-build ccache
  libsystemc-dev libyaml-cpp-dev libcli11-dev libfmt-dev libdw-dev nlohmann-json3-dev libxxhash-dev zlib1g-dev
  "clang-$PWS_LLVM" "clang-tools-$PWS_LLVM" "lld-$PWS_LLVM" "llvm-$PWS_LLVM" "llvm-$PWS_LLVM-dev" "$device_libraries" hipcc libamdhip64-dev
  coinor-libcbc-dev graphviz verilator libunicorn-dev)
# For the package pwsvp of Python.
python_packages=(python3-dev python3-numpy pybind11-dev)
# For pwsvp report.
report_packages=(python3 python3-matplotlib python3-jinja2 python3-yaml)
# For tests and the site of the documents.
test_packages=(libgtest-dev libgmock-dev libbenchmark-dev yosys csmith
  "${report_packages[@]}" "${python_packages[@]}" python3-jsonschema python3-pandas mkdocs mkdocs-material doxygen doxygen-awesome-css snakemake slurmctld slurmd slurm-client munge
  zsh fish groff-base man-db mandoc lcov make pkg-config dpkg-dev valgrind "libomp-$PWS_LLVM-dev"
  gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf gdb-multiarch
  librocrand-dev libhiprand-dev librocsparse-dev libhipsparse-dev librocprim-dev)

say() { printf '== %s\n' "$*"; }

install_missing() {
  local missing=() p
  for p in "$@"; do
    dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing+=("$p")
  done
  if [ ${#missing[@]} -eq 0 ]; then return; fi
  say "installing ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# Where a preset builds.
folder_of() {
  case $1 in release | quickstart) echo build ;; *) echo "build-$1" ;; esac
}

configure() {  # PRESET
  local log=${TMPDIR:-/tmp}/pws-configure.log llvm=()
  # A folder keeps the LLVM that it has, unless another one is asked for.
  if [ -n "$chosen_llvm" ] || [ ! -f "$(folder_of "$1")/CMakeCache.txt" ]; then llvm=("-DPWS_LLVM=$PWS_LLVM"); fi
  cmake --preset "$1" "${llvm[@]}" >"$log" 2>&1 || { cat "$log"; exit 1; }
}

# build PRESET TARGET...: a line of progress on a terminal, nothing elsewhere; what fails is shown in full.
build() {
  local preset=$1 folder progress=() began=$SECONDS
  shift
  folder=$(folder_of "$preset")
  say "building ($preset, in $folder)"
  configure "$preset"
  if [ ! -t 1 ]; then progress=(-- --quiet); fi
  NINJA_STATUS='[%f of %t] ' cmake --build "$folder" --target "$@" "${progress[@]}"
  say "built in $((SECONDS - began)) s"
}
