// SPDX-License-Identifier: Apache-2.0
// A control task: each period it hands what the sensors have measured to the filter and what that gives to the commands,
// sleeps until they are complete, and looks whether they were right and in time. In the end it sets what it has seen
// beside the kernels' bounds (pwsvp wcet). A missed deadline, a wrong result and a bound that was exceeded are errors.
//
// The response time of a kernel is that from gpu_submit() to its return from gpu_wait(). Beside the kernel itself it has
// the path to the GPU and back: instructions of the processor, the interrupt, and the dispatcher's part, which is in the
// bound. PATH_US is what that takes at most; the task measures it too.
#include <stdio.h>

#include "board.h"
#include "bounds.h"
#include "clint.h"
#include "code_object.h"
#include "gpu.h"
#include "registers.h"
#include "tasks.h"
#include "traps.h"

enum { sensors = 64, periods = 20 };
enum { period_us = 100, path_ns = 1500 };
enum { cpu_mhz = 1000, gpu_mhz = 1000 };  // configs/soc/control.yaml

extern const uint8_t kernels_begin[], kernels_end[];

static gpu_device gpu;
static int errors;

typedef struct {
  const char *name;
  uint64_t bound_split, bound_unsplit;  // cycles of the GPU
  uint64_t deadline_ns;
  gpu_launch launch;
  uint64_t most_cycles, most_ns, most_path_ns;  // seen
} task;

static task filter = {"filter", FILTER_BOUND_SPLIT, FILTER_BOUND_UNSPLIT, 10500, {0}, 0, 0, 0};
static task command = {"command", COMMAND_BOUND_SPLIT, COMMAND_BOUND_UNSPLIT, 8000, {0}, 0, 0, 0};

static uint64_t now_ns(void) { return read_csr(mcycle) * 1000 / cpu_mhz; }
static uint64_t ns_of(uint64_t gpu_cycles) { return gpu_cycles * 1000 / gpu_mhz; }

static void complain(const char *what, const task *t, int period) {
  printf("error: period %d: %s: %s\n", period, t->name, what);
  ++errors;
}

static void larger(uint64_t *most, uint64_t value) {
  if (value > *most) *most = value;
}

static void run(task *t, int period) {
  uint64_t index = 0;
  task_begin(t->name);
  task_deadline(t->deadline_ns);
  task_bound(ns_of(t->bound_split) + path_ns);
  const uint64_t begin = now_ns();
  if (gpu_submit(&gpu, 0, &t->launch, &index) != GPU_OK) {
    task_end();
    return complain("is not taken", t, period);
  }
  const gpu_result result = gpu_wait(&gpu, 0, index, GPU_INTERRUPT);
  const uint64_t response = now_ns() - begin;
  task_end();
  if (result != GPU_OK) return complain("a fault", t, period);
  const uint64_t cycles = gpu_cycles(&gpu, 0, index);
  larger(&t->most_cycles, cycles);
  larger(&t->most_ns, response);
  larger(&t->most_path_ns, response - ns_of(cycles));
  if (response > t->deadline_ns) complain("missed its deadline", t, period);
  if (cycles > t->bound_split) complain("took longer than its bound", t, period);
  if (response > ns_of(t->bound_split) + path_ns) complain("took longer than its bound and the path", t, period);
}

// ---- what the kernels compute, as the processor does it (kernels.hip)

static int32_t filtered(int32_t x, int32_t y) {
  const int32_t noise = 1 << 14;
  const int32_t difference = x > y ? x - y : y - x;
  if (difference > noise) {
    int32_t step = x - y;
    for (int32_t k = 0; k < 48; ++k) {
      y += step >> 3;
      step = ((x - y) * 3) >> 2;
      y = y > x + noise ? y - (noise >> 4) : y;
    }
    return y;
  }
  int32_t rest = x - y;
  for (int32_t k = 0; k < 48; ++k) {
    y += rest >> 6;
    rest -= rest >> 5;
    y ^= (y & 1) & k;
  }
  return y;
}

static int32_t commanded(int32_t error) {
  const int32_t near = 1 << 15, most = 1 << 12;
  int32_t u = 0;
  if (error > near || error < -near) {
    int32_t step = error >> 2;
    for (int32_t k = 0; k < 24; ++k) {
      step = step > most || step < -most ? step - (step >> 3) : step;
      u = step + (u >> 4);
    }
    return u;
  }
  int32_t speed = 0;
  for (int32_t k = 0; k < 24; ++k) {
    speed += (error - u) >> 4;
    speed -= speed >> 3;
    u += speed;
  }
  return u;
}

// ---- the sensors: steps for some of them, noise for the others, another choice each period

static int32_t measured(int sensor, int period) {
  static uint32_t seed = 1;
  seed = seed * 1664525 + 1013904223;
  const int32_t noise = (int32_t)(seed >> 20) - 2048;
  return noise + ((sensor * 7 + period * 13) % 16 < 5 ? (period + 1) * (1 << 15) : 0);
}

static gpu_result start(void) {
  uint64_t base = 0;
  gpu_result result = gpu_open(&gpu, GPU_BASE, GPU_MEMORY_BASE, GPU_MEMORY_BYTES, GPU_SOURCE);
  if (result == GPU_OK) result = gpu_load(&gpu, kernels_begin, kernels_end - kernels_begin, &base);
  if (result == GPU_OK) result = gpu_open_queue(&gpu, 0, 8, 0);
  filter.launch.kernel = code_object_kernel(kernels_begin, kernels_end - kernels_begin, base, "filter");
  command.launch.kernel = code_object_kernel(kernels_begin, kernels_end - kernels_begin, base, "command");
  return result;
}

static void report(const task *t) {
  const uint64_t split = ns_of(t->bound_split) + path_ns, unsplit = ns_of(t->bound_unsplit) + path_ns;
  printf("%-8s %8lu %8lu %8lu %8lu %8lu %8lu %8lu\n", t->name, t->most_cycles, t->bound_split, t->bound_unsplit, t->most_ns,
         split, unsplit, t->deadline_ns);
  if (split <= t->deadline_ns && unsplit > t->deadline_ns)
    printf("         meets its deadline for sure with splitting, and without it not for sure\n");
  if (split > t->deadline_ns) {
    printf("         does not meet its deadline for sure\n");
    ++errors;
  }
}

int main(void) {
  enable_interrupts();
  if (start() != GPU_OK) {
    printf("error: there is no GPU\n");
    return 2;
  }
  int32_t *sample = gpu_allocate(&gpu, sensors * sizeof *sample), *state = gpu_allocate(&gpu, sensors * sizeof *state);
  int32_t *target = gpu_allocate(&gpu, sensors * sizeof *target), *out = gpu_allocate(&gpu, sensors * sizeof *out);
  struct {
    const int32_t *sample;
    int32_t *state;
    uint32_t n;
  } *filter_arguments = gpu_allocate(&gpu, sizeof *filter_arguments);
  struct {
    const int32_t *state, *target;
    int32_t *out;
    uint32_t n;
  } *command_arguments = gpu_allocate(&gpu, sizeof *command_arguments);
  filter_arguments->sample = sample;
  filter_arguments->state = state;
  command_arguments->state = state;
  command_arguments->target = target;
  command_arguments->out = out;
  filter_arguments->n = command_arguments->n = sensors;
  filter.launch = (gpu_launch){filter.launch.kernel, sensors, 64, filter_arguments};
  command.launch = (gpu_launch){command.launch.kernel, sensors, 64, command_arguments};

  const uint64_t period = period_us * (CLINT_TIMEBASE_HZ / 1000000);
  uint64_t next = clint_now() + period;
  for (int p = 0; p < periods; ++p) {
    clint_sleep_until(next);
    next += period;
    task_begin("period");
    task_deadline(period_us * 1000);
    int32_t expected[sensors];
    for (int k = 0; k < sensors; ++k) {
      sample[k] = measured(k, p);
      target[k] = p * (1 << 13);
      expected[k] = filtered(sample[k], state[k]);
    }
    run(&filter, p);
    run(&command, p);
    for (int k = 0; k < sensors; ++k) {
      if (state[k] != expected[k]) complain("wrong", &filter, p);
      if (out[k] != commanded(target[k] - state[k])) complain("wrong", &command, p);
    }
    task_end();
    if (clint_now() >= next) complain("the period is over", &command, p);
  }

  printf("%d periods of %d us; path to the GPU and back: at most %d ns, seen %lu ns\n", periods, period_us, path_ns,
         filter.most_path_ns > command.most_path_ns ? filter.most_path_ns : command.most_path_ns);
  printf("         GPU cycles                 response in ns\n");
  printf("kernel       seen    split  unsplit     seen    split  unsplit deadline\n");
  report(&filter);
  report(&command);
  printf("%d errors\n", errors);
  return errors == 0 ? 0 : 1;
}
