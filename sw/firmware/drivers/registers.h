// SPDX-License-Identifier: Apache-2.0
// Accesses to registers of devices, and to those of the processor.
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdint.h>

static inline uint8_t read8(uintptr_t at) {
  return *(volatile uint8_t*)at;
}
static inline uint32_t read32(uintptr_t at) {
  return *(volatile uint32_t*)at;
}
static inline uint64_t read64(uintptr_t at) {
  return *(volatile uint64_t*)at;
}
static inline void write8(uintptr_t at, uint8_t value) {
  *(volatile uint8_t*)at = value;
}
static inline void write32(uintptr_t at, uint32_t value) {
  *(volatile uint32_t*)at = value;
}
static inline void write64(uintptr_t at, uint64_t value) {
  *(volatile uint64_t*)at = value;
}

// What was written before is seen by devices before what is written after.
static inline void memory_barrier(void) {
  __asm__ volatile("fence iorw, iorw" ::: "memory");
}

#define read_csr(name)                                            \
  ({                                                              \
    uint64_t value_;                                              \
    __asm__ volatile("csrr %0, " #name : "=r"(value_)::"memory"); \
    value_;                                                       \
  })
#define write_csr(name, value) __asm__ volatile("csrw " #name ", %0" ::"r"((uint64_t)(value)) : "memory")
#define set_csr(name, bits) __asm__ volatile("csrs " #name ", %0" ::"r"((uint64_t)(bits)) : "memory")
#define clear_csr(name, bits) __asm__ volatile("csrc " #name ", %0" ::"r"((uint64_t)(bits)) : "memory")

#define MSTATUS_MIE (1UL << 3)
#define INTERRUPT_SOFTWARE 3
#define INTERRUPT_TIMER 7
#define INTERRUPT_EXTERNAL 11

#endif
