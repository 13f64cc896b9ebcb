#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# option_test.sh PWSVP SOURCE: a build without the RISC-V processor (PWS_SOC=OFF) is configured where Unicorn is not
# installed, and compiles nothing of it. This build loads Unicorn when it is used, and says so where it is missing.
pwsvp=$1 source=$2
# shellcheck source=tests/common.sh
source "$source/tests/common.sh"

options=(-S "$source" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPWS_RTL=OFF -DPWS_BUILD_TESTS=OFF -DPWS_LEVELS= -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON)
code 0 cmake "${options[@]}" -B "$folder/without" -DPWS_SOC=OFF -DUNICORN_INCLUDE=UNICORN_INCLUDE-NOTFOUND
commands=$folder/without/compile_commands.json
grep -q '/rv64_core_absent\.cpp"' "$commands" || fail "nothing takes the processor's place"
grep -q '/rv64_core\.cpp"' "$commands" && fail "the processor is compiled without PWS_SOC"
grep -qi unicorn "$folder/without/build.ninja" && fail "a build without PWS_SOC names Unicorn"
grep -q '/soc_command\.cpp"' "$commands" || fail "the command is gone"

# The other way round, which a build with the processor refuses to go without.
code 0 cmake "${options[@]}" -B "$folder/with"
grep -q '/rv64_core_absent\.cpp"' "$folder/with/compile_commands.json" && fail "both cores are compiled"
grep -q '/rv64_core\.cpp"' "$folder/with/compile_commands.json" || fail "the processor is not compiled"

# Nothing of it is loaded before it is used.
readelf -d "$pwsvp" | grep -qi unicorn && fail "pwsvp is linked with Unicorn"
code 0 env LD_DEBUG=libs "$pwsvp" --version
grep -qi unicorn "$folder/err.txt" && fail "pwsvp --version loads Unicorn"

# A library of that name which is none, in front of the real one.
mkdir "$folder/broken"
for major in 2 3; do echo "no library" >"$folder/broken/libunicorn.so.$major"; done
code 2 env LD_LIBRARY_PATH="$folder/broken" "$pwsvp" soc "$source/configs/soc/virt.yaml" --firmware none.elf
says err "pwsvp soc: the RISC-V processor needs the library Unicorn, Debian's libunicorn2: "
