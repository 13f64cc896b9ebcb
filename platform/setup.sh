# Sourced by quickstart.sh and tests/run.sh: installs what is missing (Debian 12) and builds into build/.
# Leaves the shell in the project's root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(g++ cmake ninja-build ccache
  libsystemc-dev libyaml-cpp-dev libcli11-dev libfmt-dev libdw-dev nlohmann-json3-dev zlib1g-dev libgtest-dev libgmock-dev libbenchmark-dev
  clang-15 clang-tools-15 lld-15 llvm-15 llvm-15-dev rocm-device-libs hipcc libamdhip64-dev
  coinor-libcbc-dev graphviz gnuplot-nox
  verilator yosys
  csmith)
# For tests and the site of the documents.
test_packages=(python3-yaml python3-jsonschema mkdocs mkdocs-material doxygen doxygen-awesome-css snakemake slurmctld slurmd slurm-client munge
  zsh fish groff-base man-db mandoc make pkg-config dpkg-dev valgrind
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

# build PRESET TARGET...
build() {
  local preset=$1
  shift
  local folder=build
  if [ "$preset" != release ]; then folder=build-$preset; fi
  say "building ($preset, in $folder)"
  cmake --preset "$preset" >"${TMPDIR:-/tmp}/pws-configure.log" || { cat "${TMPDIR:-/tmp}/pws-configure.log"; exit 1; }
  cmake --build "$folder" --target "$@"
}
