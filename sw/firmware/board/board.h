// SPDX-License-Identifier: Apache-2.0
// Where things are: the map of configs/soc.
#ifndef BOARD_H
#define BOARD_H

#define FINISHER_BASE 0x00100000UL
#define TASKS_BASE 0x00101000UL
#define CLINT_BASE 0x02000000UL
#define CLINT_TIMEBASE_HZ 10000000UL
#define PLIC_BASE 0x0c000000UL
#define UART_BASE 0x10000000UL
#define UART_SOURCE 10  // at the PLIC

// configs/soc/control.yaml has a GPU.
#define GPU_BASE 0x20000000UL
#define GPU_SOURCE 11
#define GPU_MEMORY_BASE 0x100000000UL
#define GPU_MEMORY_BYTES (64UL << 20)

// ... and configs/soc/two_gpus.yaml another one.
#define GPU1_BASE 0x24000000UL
#define GPU1_SOURCE 12
#define GPU1_MEMORY_BASE 0x200000000UL
#define GPU1_MEMORY_BYTES (64UL << 20)

#endif
