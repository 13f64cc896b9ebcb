# SPDX-License-Identifier: Apache-2.0
# Software, timer and external interrupts: taken when enabled, in order of priority, nested, vectored; wfi.
.include "soc.inc"
begin
  li s0, CLINT
  li s1, PLIC
  li s2, UART

  check 1  # pending, but not enabled: mip shows it, and nothing happens
  li t0, 1
  sw t0, 0(s0)
  csrr t0, mip
  expect t0, SOFTWARE
  csrsi mstatus, MIE_BIT
  nop

  check 2  # taken as soon as it is enabled
  la t0, 1f
  csrw mtvec, t0
  csrsi mie, SOFTWARE
2:
  j fail
  align
1:
  csrr t0, mcause
  li t1, (1 << 63) | 3
  bne t0, t1, fail
  csrr t0, mepc
  la t1, 2b
  bne t0, t1, fail
  csrr t0, mtval
  bnez t0, fail
  csrr t0, mstatus
  expect t0, 0x1880               # disabled, and enabled before
  sw zero, 0(s0)
  csrr t0, mip                    # the line is low by the next instruction
  bnez t0, fail
  la t0, 3f
  csrw mepc, t0
  mret
3:
  csrr t0, mstatus
  expect t0, 0x1888
  csrw mie, zero

  check 3  # wfi with an interrupt pending and disabled: on at once
  csrci mstatus, MIE_BIT
  li t0, 1
  sw t0, 0(s0)
  csrsi mie, SOFTWARE
  wfi
  sw zero, 0(s0)

  check 4  # wfi until the timer, interrupts disabled: on behind it at that time
  csrw mie, zero
  li t0, TIMER
  csrs mie, t0
  li t1, MTIME
  ld t2, 0(t1)
  addi t2, t2, 50
  li t3, MTIMECMP
  sd t2, 0(t3)
  wfi
  ld t4, 0(t1)
  bne t4, t2, fail
  csrr t0, mip
  expect t0, TIMER

  check 5  # wfi until the timer, interrupts enabled: mepc is behind wfi
  la t0, 1f
  csrw mtvec, t0
  addi t2, t2, 50
  sd t2, 0(t3)
  csrsi mstatus, MIE_BIT
  wfi
2:
  j fail
  align
1:
  csrr t0, mepc
  la t4, 2b
  bne t0, t4, fail
  csrr t0, mcause
  li t4, (1 << 63) | 7
  bne t0, t4, fail

  check 6  # all three pending: external, then software, then timer; vectored
  li t0, 7
  sw t0, 4 * UART_SOURCE(s1)
  li t0, 1 << UART_SOURCE
  li t4, PLIC + 0x2000
  sw t0, 0(t4)
  li t0, 2
  sb t0, 1(s2)                    # IER: transmitter empty
  li t0, 1
  sw t0, 0(s0)
  csrr t0, mip
  expect t0, 0x888
  li t0, 0x888
  csrw mie, t0
  la t0, vectors
  ori t0, t0, 1
  csrw mtvec, t0
  li s4, 0
  csrsi mstatus, MIE_BIT
  nop
  li t6, 0x321
  bne s4, t6, fail

  check 7  # nested: the handler of the timer lets an external interrupt in
  la t0, nested
  csrw mtvec, t0
  li t0, TIMER | EXTERNAL
  csrw mie, t0
  csrsi mstatus, MIE_BIT
  li s5, 0
  li t1, MTIME
  ld t2, 0(t1)
  addi t2, t2, 10
  sd t2, 0(t3)
4:
  beqz s5, 4b
  expect s5, 11
  csrr t0, mstatus
  expect t0, 0x1888

  check 8  # an interrupt finds a computation that ends in no access
  csrw mie, zero
  la t0, 5f
  csrw mtvec, t0
  ld t2, 0(t1)
  addi t2, t2, 100
  sd t2, 0(t3)
  li t0, TIMER
  csrs mie, t0
6:
  j 6b
  align
5:
  csrr t0, mepc
  la t1, 6b
  bne t0, t1, fail
  pass

# Each notes its number and takes the cause away.
  align
vectors:
  j fail
  align
  j fail
  j fail
  j on_software
  j fail
  j fail
  j fail
  j on_timer
  j fail
  j fail
  j fail
  j on_external
on_external:
  li t5, PLIC + 0x200004
  lw t4, 0(t5)
  expect t4, UART_SOURCE
  lbu t6, 2(s2)                   # IIR: takes the transmitter's interrupt away
  sw t4, 0(t5)
  ori s4, s4, 1
  mret
on_software:
  sw zero, 0(s0)
  slli t4, s4, 0
  ori s4, s4, 0x20
  li t6, 0x21
  bne s4, t6, fail
  mret
on_timer:
  li t4, -1
  sd t4, 0(t3)
  ori s4, s4, 0x300
  mret

  align
nested:
  csrr t0, mcause
  li t4, (1 << 63) | 11
  beq t0, t4, 5f
  li t4, (1 << 63) | 7
  bne t0, t4, fail
  li t4, -1
  sd t4, 0(t3)
  csrr s6, mepc
  csrr s7, mstatus
  li t0, 0
  sb t0, 1(s2)
  li t0, 2
  sb t0, 1(s2)                    # the transmitter asks again
  csrsi mstatus, MIE_BIT          # here the inner one comes
  nop
  csrci mstatus, MIE_BIT
  addi s5, s5, 10
  csrw mepc, s6
  csrw mstatus, s7
  mret
  align
5:
  bnez s5, fail
  li t5, PLIC + 0x200004
  lw t4, 0(t5)
  expect t4, UART_SOURCE
  lbu t6, 2(s2)
  sw t4, 0(t5)
  addi s5, s5, 1
  mret
end_of_program
