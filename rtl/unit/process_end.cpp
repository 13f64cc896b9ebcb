// SPDX-License-Identifier: Apache-2.0
// The shared object stays as long as the process. A HIP program's last report is written when the process ends, and
// closes the units' waveforms then. The linker leads __cxa_atexit here, so that Verilator's own lists are there still:
// nothing of this shared object is destroyed before the process is gone.
extern "C" int __wrap___cxa_atexit(void (*)(void*), void*, void*) {
  return 0;
}
