#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# process_end_test.sh PWSVP LIBRARY-FOLDER ROOT: calls at the process's end, from destructors of global and of thread_local objects, from
# functions of atexit and from other threads: each works or gives a code, and the report has all launches.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 library=$2 root=$3
cd "$folder"

# The kernel's own file: its code goes before the objects of main.cpp do, and behind those of late.cpp.
cat >kernel.hip <<'HIP'
#include <hip/hip_runtime.h>
__global__ void add(int* data, int by) { data[threadIdx.x] += by; }
hipError_t launch(int* data, int by) {
  add<<<1, 64>>>(data, by);
  return hipGetLastError();
}
HIP
cat >use.h <<'CPP'
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
hipError_t launch(int* data, int by);
inline void use(const char* who) {
  int *data = nullptr, values[64] = {}, device = -1;
  hipEvent_t event;
  std::printf("%s:", who);
  for (hipError_t code : {hipMalloc(&data, sizeof values), hipMemset(data, 0, sizeof values), launch(data, 3), hipEventCreate(&event),
                          hipEventRecord(event, nullptr), hipDeviceSynchronize(), hipGetDevice(&device),
                          hipMemcpy(values, data, sizeof values, hipMemcpyDeviceToHost), hipFree(data)})
    std::printf(" %s", code == hipSuccess ? "ok" : hipGetErrorName(code));
  std::printf("; %d\n", values[63]);
  std::fflush(stdout);
}
CPP
cat >main.cpp <<'CPP'
#include "use.h"
#include <thread>
struct of_process {
  of_process() { (void)hipFree(nullptr); }
  ~of_process() { use("global object"); }
} global;
struct of_thread {
  int value = 1;
  ~of_thread() { use("thread_local object"); }
};
thread_local of_thread local;
int main(int argc, char**) {
  std::atexit([] { use("function of atexit"); });
  local.value = 2;
  std::thread([] {
    local.value = 3;
    use("thread");
  }).join();
  if (argc > 1) use("main");
}
__attribute__((destructor)) static void last() { use("destructor function"); }
CPP
code 0 "$pwsvp" hipcc -O1 -c main.cpp -o main.o
code 0 "$pwsvp" hipcc -O1 -c kernel.hip -o kernel.o
# Objects are destroyed in the order that is the reverse of that of the files.
code 0 "$pwsvp" hipcc main.o kernel.o -o code_goes_first -pthread
code 0 "$pwsvp" hipcc kernel.o main.o -o code_goes_last -pthread

all="ok ok ok ok ok ok ok ok ok; 3"
none="ok ok hipErrorInvalidDeviceFunction ok ok ok ok ok ok; 0"
lines() { printf '%s: %s\n' "$@"; }
lines thread "$all" "thread_local object" "$all" "thread_local object" "$all" "function of atexit" "$all" >before.txt
{
  cat before.txt
  lines "global object" "$none" "destructor function" "$none"
} >first.txt
{
  cat before.txt
  lines "global object" "$all" "destructor function" "$none"
} >last.txt
for order in first last; do
  for fidelity in functional timing; do
    code 0 "$pwsvp" exec "$root/configs/gpu/default.yaml" --quiet --fidelity $fidelity --report report.json -- ./code_goes_$order
    diff "$folder/out.txt" $order.txt || fail "code_goes_$order, $fidelity"
    launches=4
    [ $order = first ] || launches=5
    json "len(j['per_launch']) == $launches"
  done
done
# The machine is there before the program's objects are destroyed, or only then.
code 0 env LD_LIBRARY_PATH="$library" ./code_goes_last more
says out "main: $all"

# Behind the runtime's own end, where only a library comes that stands behind it and does not name it.
cat >late.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
__attribute__((destructor)) static void late(void) {
  void* data = NULL;
  int (*allocate)(void**, size_t) = (int (*)(void**, size_t))dlsym(RTLD_DEFAULT, "hipMalloc");
  printf("late: %d\n", allocate(&data, 16));
  fflush(stdout);
}
C
cc -shared -fPIC late.c -o late.so -ldl
code 0 "$pwsvp" hipcc kernel.o main.o -o with_late -pthread -lamdhip64 -Wl,--no-as-needed "$folder/late.so" -Wl,--as-needed
code 0 env LD_LIBRARY_PATH="$library" ./with_late
says out "late: 4"  # hipErrorDeinitialized

# A thread that goes on calling while the process ends.
cat >detached.cpp <<'CPP'
#include "use.h"
#include <atomic>
#include <thread>
std::atomic<int> calls{0};
int main() {
  std::thread([] {
    for (;; ++calls) {
      int* data = nullptr;
      if (hipMalloc(&data, 256) == hipSuccess && launch(data, 1) == hipSuccess) (void)hipFree(data);
    }
  }).detach();
  while (calls < 3) std::this_thread::yield();
}
CPP
code 0 "$pwsvp" hipcc detached.cpp kernel.o -o detached -pthread
for _ in 1 2 3; do
  code 0 "$pwsvp" exec "$root/configs/gpu/default.yaml" --quiet --report report.json -- timeout 60 ./detached
  json "len(j['per_launch']) >= 3"
done
echo PASS
