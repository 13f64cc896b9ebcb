#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# loading_test.sh PWSVP LIBRARY-FOLDER ROOT: programs that load the runtime while they run, themselves or with a library of theirs: it wants
# no memory of every thread, and works loaded and closed again, in several threads, and behind fork.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
pwsvp=$1 library=$2 root=$3
cd "$folder"

# Thread-local variables are storage in each thread; static ones (DF_STATIC_TLS) keep a program from loading the library late.
! readelf -lW "$library/libamdhip64.so.5" | grep -w TLS || fail "thread-local variables"
! readelf -dW "$library/libamdhip64.so.5" | grep STATIC_TLS || fail "static thread-local variables"

cat >plugin.hip <<'HIP'
#include <hip/hip_runtime.h>
__global__ void count_from(int* data, int first) { data[threadIdx.x] = first + threadIdx.x; }
extern "C" int wrong_values(int first) {
  int *data = nullptr, values[64];
  if (hipMalloc(&data, sizeof values) != hipSuccess) return -1;
  count_from<<<1, 64>>>(data, first);
  if (hipMemcpy(values, data, sizeof values, hipMemcpyDeviceToHost) != hipSuccess) return -2;
  if (hipFree(data) != hipSuccess) return -3;
  int wrong = 0;
  for (int i = 0; i < 64; ++i) wrong += values[i] != first + i;
  return wrong;
}
HIP
code 0 "$pwsvp" hipcc -shared -fPIC plugin.hip -o plugin.so
cat >host.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int (*wrong_values)(int);
static void* several(void* first) {
  long wrong = 0;
  for (int k = 0; k < 10; ++k) wrong += wrong_values((int)(long)first + k) != 0;
  return (void*)wrong;
}
int main(void) {
  for (int round = 0; round < 3; ++round) {
    void* plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) return printf("%s\n", dlerror()), 1;
    wrong_values = (int (*)(int))dlsym(plugin, "wrong_values");
    printf("round %d: %d\n", round, wrong_values(10 * round));
    if (round < 2) printf("closed: %d\n", dlclose(plugin));
  }
  pthread_t threads[4];
  long wrong = 0;
  for (long k = 0; k < 4; ++k) pthread_create(&threads[k], NULL, several, (void*)(100 * k));
  for (int k = 0; k < 4; ++k) {
    void* result;
    pthread_join(threads[k], &result);
    wrong += (long)result;
  }
  printf("threads: %ld\n", wrong);
  fflush(stdout);
  pthread_t busy;  /* launches while the process forks */
  pthread_create(&busy, NULL, several, (void*)1000);
  int status = 0;
  const pid_t child = fork();
  if (child == 0) return wrong_values(5);
  waitpid(child, &status, 0);
  pthread_join(busy, NULL);
  printf("child: %d\nparent: %d\n", status, wrong_values(7));
  return 0;
}
C
cc -pthread host.c -o host -ldl
cat >expected.txt <<'TEXT'
round 0: 0
closed: 0
round 1: 0
closed: 0
round 2: 0
threads: 0
child: 0
parent: 0
TEXT
code 0 env LD_LIBRARY_PATH="$library" timeout 60 ./host
diff "$folder/out.txt" expected.txt || fail "a program that loads a library over the runtime"
# A limit on the size of files leaves no copy for a child, which says so and touches nothing.
(
  ulimit -f 1000
  LD_LIBRARY_PATH="$library" timeout 60 ./host >limited.txt 2>limited_err.txt
)
sed 's/child: 0/child: 65280/' expected.txt | diff limited.txt - || fail "fork with a limit on files"
grep -q "hipMalloc: this process has no copy of its parent's device memory: .*(hipErrorNotInitialized)" limited_err.txt ||
  { cat limited_err.txt; fail "a child without memory says nothing"; }
# The report is the parent's: three rounds, four threads of ten launches, ten more, and one behind them.
code 0 timeout 60 "$pwsvp" exec "$root/configs/gpu/default.yaml" --quiet --report report.json -- ./host
json "j['launches']['value'] == 54 if isinstance(j['launches'], dict) else j['launches'] == 54"

code 0 env LD_LIBRARY_PATH="$library" python3 -c '
import ctypes
hip = ctypes.CDLL("libamdhip64.so.5")
n = ctypes.c_int()
print(hip.hipGetDeviceCount(ctypes.byref(n)), n.value)'
says out "0 1"
echo PASS
