#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# use_installation.sh PREFIX CHECK_TUTORIAL [short]: what a user does with an installation whose bin, lib and share are in PREFIX, from the
# folder /, with nothing else of the project: first runs, compiler, a HIP program, a sweep, and simulations that have the machine in them.
# short: without the tutorial and all headers at once, which do not depend on how it was installed.
# shellcheck source=../common.sh # which is copied beside it
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
prefix=$1 check_tutorial=$2
bin=$prefix/bin share=$prefix/share/pwsvp
libraries=$(dirname "$(dirname "$(find "$prefix/lib" -name pwsvp.pc)")")
export HOME=$folder/home
mkdir "$HOME"
unset PWSVP_HOME LD_LIBRARY_PATH
cd /

"$(dirname "${BASH_SOURCE[0]}")/use_programs.sh" "$prefix"

echo "== sweep and report"
code 0 "$bin/pwsvp" sweep "$share/configs/experiments/table2.yaml" --output "$folder/table2"
code 0 "$bin/pwsvp" report "$folder/table2"

echo "== manual pages and completion"
for page in pwsvp pwsvp-run pwscc pwsvp-run-file; do
  code 0 env MANPATH="$prefix/share/man" man -P cat $page
  [ "$(wc -l <"$folder/out.txt")" -gt 20 ] || fail "the page $page"
done
for file in bash-completion/completions/{pwsvp,pwscc} zsh/vendor-completions/_pwsvp fish/vendor_completions.d/{pwsvp,pwscc}.fish; do
  [ -s "$prefix/share/$file" ] || fail "there is no $file"
done

echo "== registers for a driver in C"
cat >"$folder/driver.c" <<'C'
#include <pwsvp/gpu_registers.h>
unsigned doorbell(unsigned queue);
unsigned doorbell(unsigned queue) { return PWSGPU_QUEUE_DOORBELL(queue); }
C
code 0 "$PWS_LLVM_BIN/clang" -std=c99 -Wall -Wextra -Werror -pedantic -I"$prefix/include" -c "$folder/driver.c" -o "$folder/driver.o"

if [ "${3:-}" != short ]; then
  echo "== tutorial"
  cp -r "$share" "$folder/mine"
  cp "$prefix/share/doc/pwsvp/docs/tutorial.md" "$folder/mine/docs/"
  ln -s "$bin" "$folder/programs"  # by a path without spaces
  "$check_tutorial" "$folder/programs" "$folder/mine" 4 >"$folder/tutorial.txt" 2>&1 || { cat "$folder/tutorial.txt"; fail "the tutorial"; }
fi

echo "== HIP programs by clang alone, by CMake and by hipcc"
cp "$(dirname "${BASH_SOURCE[0]}")/twice.hip" "$folder/program.hip"
"${hip_clang[@]}" -O2 \
  "$folder/program.hip" -o "$folder/program" -lamdhip64
code 0 "$bin/pwsvp" exec "$share/configs/gpu/default.yaml" --fidelity timing -- "$folder/program"
says out twice
cat "$folder/out.txt" "$folder/err.txt" | grep -q cycles || fail "no summary of the HIP program's launches"

echo "== Python"
cat >"$folder/program.py" <<'PYTHON'
import sys
import numpy as np
import pwsvp
share, folder = sys.argv[1:]
code = pwsvp.compile(folder + "/program.hip")
x = np.arange(64, dtype=np.int32)
with pwsvp.Machine(share + "/configs/gpu/default.yaml", vcd=folder + "/python.vcd") as machine:
    done = machine.launch(code, "twice", grid=64, block=64, args=[x])
assert x.tolist() == [2 * k for k in range(64)] and done.cycles > 0, x
print(pwsvp.run(share + "/configs/runs/quickstart.yaml").text)
print("twice from", pwsvp.__file__)
PYTHON
code 0 env PYTHONPATH="$prefix/lib/python3/dist-packages" /usr/bin/python3 "$folder/program.py" "$share" "$folder"
says out "expect       c: PASS: c: 1000 elements match"
says out "twice from $prefix"
[ -s "$folder/python.vcd" ] || fail "no waveform from Python"

echo "== hipcc, and a HIP program made by CMake"
hipcc=$libraries/pwsvp/bin/hipcc
mkdir "$folder/hip_project"
cp "$folder/program.hip" "$folder/hip_project/"
printf '%s\n' 'cmake_minimum_required(VERSION 3.22)' 'project(hip_project LANGUAGES CXX HIP)' 'add_executable(app program.hip)' \
  >"$folder/hip_project/CMakeLists.txt"
code 0 cmake -S "$folder/hip_project" -B "$folder/hip_project/build" -DCMAKE_TOOLCHAIN_FILE="$share/cmake/pwsvp-hip.cmake"
grep -qF "\"$hipcc\"" "$folder"/hip_project/build/CMakeFiles/*/CMakeCXXCompiler.cmake || fail "the toolchain file takes another hipcc"
code 0 cmake --build "$folder/hip_project/build"
code 0 "$bin/pwsvp" exec "$share/configs/gpu/default.yaml" --quiet -- "$folder/hip_project/build/app"
says out twice

echo "== simulations with the GPU in them"
"$(dirname "${BASH_SOURCE[0]}")/use_examples.sh" "$prefix"

if [ "${3:-}" = short ]; then exit 0; fi

# Each header is usable alone, or the headers that it is used through would be missing here: all in one file, in the order of their names.
echo "== headers"
cd "$prefix/include"
find pwsvp -name '*.h' ! -name pws.h | LC_ALL=C sort | sed 's/.*/#include <&>/' >"$folder/all.cpp"
[ "$(wc -l <"$folder/all.cpp")" -gt 100 ] || fail "only $(wc -l <"$folder/all.cpp") headers"
! grep -rnE '#include "(base|models|platform|rtl|sw)/' pwsvp || fail "a header includes another by its path in the project"
code 0 g++ -std=c++17 -fsyntax-only -I "$prefix/include" "$folder/all.cpp"
