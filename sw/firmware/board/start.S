# SPDX-License-Identifier: Apache-2.0
# From reset to main(), and every trap to handle_trap().
  .section .start, "ax"
  .globl _start
_start:
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la tp, __tls_base
  la sp, __stack_top
  la t0, trap_entry
  csrw mtvec, t0
  # Memory behind the image need not be zeros after a reset.
  la t0, __bss_start
  la t1, __bss_end
1:
  bgeu t0, t1, 2f
  sd zero, 0(t0)
  addi t0, t0, 8
  j 1b
2:
  li a0, 0
  li a1, 0
  call main
  call exit
3:
  wfi
  j 3b

# The registers that a C function does not save, and where the trap was. Handlers may be interrupted once they have
# enabled interrupts: mepc and mstatus are on the stack.
  .balign 4
trap_entry:
  addi sp, sp, -144
  sd ra, 0(sp)
  sd t0, 8(sp)
  sd t1, 16(sp)
  sd t2, 24(sp)
  sd t3, 32(sp)
  sd t4, 40(sp)
  sd t5, 48(sp)
  sd t6, 56(sp)
  sd a0, 64(sp)
  sd a1, 72(sp)
  sd a2, 80(sp)
  sd a3, 88(sp)
  sd a4, 96(sp)
  sd a5, 104(sp)
  sd a6, 112(sp)
  sd a7, 120(sp)
  csrr a0, mcause
  csrr a1, mepc
  csrr a2, mtval
  csrr t0, mstatus
  sd t0, 128(sp)
  call handle_trap
  csrw mepc, a0
  ld t0, 128(sp)
  csrw mstatus, t0
  ld ra, 0(sp)
  ld t0, 8(sp)
  ld t1, 16(sp)
  ld t2, 24(sp)
  ld t3, 32(sp)
  ld t4, 40(sp)
  ld t5, 48(sp)
  ld t6, 56(sp)
  ld a0, 64(sp)
  ld a1, 72(sp)
  ld a2, 80(sp)
  ld a3, 88(sp)
  ld a4, 96(sp)
  ld a5, 104(sp)
  ld a6, 112(sp)
  ld a7, 120(sp)
  addi sp, sp, 144
  mret
