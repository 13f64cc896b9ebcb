// SPDX-License-Identifier: Apache-2.0
// Ends with 0 where the processor has LEVEL. CMake runs it; it is in no program.
int main() {
  __builtin_cpu_init();
  return __builtin_cpu_supports(LEVEL) ? 0 : 1;
}
