# SPDX-License-Identifier: Apache-2.0
# Registers of the hart: what can be written to them, and what they count.
.include "soc.inc"
begin
  check 1  # mstatus: machine mode before; MIE and MPIE alone can be written
  csrr t0, mstatus
  expect t0, 0x1800
  li t1, -1
  csrw mstatus, t1
  csrr t0, mstatus
  expect t0, 0x1888
  csrw mstatus, zero
  csrr t0, mstatus
  expect t0, 0x1800
  csrrsi t0, mstatus, 8
  csrrci t1, mstatus, 8
  expect t0, 0x1800
  expect t1, 0x1808

  check 2  # misa: RV64IMAC, fixed
  csrr t0, misa
  li t1, (2 << 62) | 0x1105
  bne t0, t1, fail
  csrw misa, zero
  csrr t0, misa
  bne t0, t1, fail

  check 3  # mie has the three interrupts that there are, mip cannot be written
  li t1, -1
  csrw mie, t1
  csrr t0, mie
  expect t0, 0x888
  csrw mie, zero
  csrw mip, t1
  csrr t0, mip
  expect t0, 0

  check 4  # mtvec: direct or vectored; mepc is even; mcause, mscratch, mtval
  csrr s0, mtvec
  li t1, 0x80001003
  csrw mtvec, t1
  csrr t0, mtvec
  expect t0, 0x80001001
  csrw mtvec, s0
  li t1, -1
  csrw mepc, t1
  csrr t0, mepc
  expect t0, -2
  csrw mscratch, t1
  csrr t0, mscratch
  expect t0, -1
  csrrwi t0, mscratch, 21
  csrrci t1, mscratch, 5
  csrrsi t2, mscratch, 10
  csrr t3, mscratch
  expect t0, -1
  expect t1, 21
  expect t2, 16
  expect t3, 26
  li t1, 0x8000000000000007
  csrw mcause, t1
  csrr t0, mcause
  bne t0, t1, fail

  check 5  # fixed ones
  csrr t0, mhartid
  expect t0, 0
  csrr t0, mvendorid
  expect t0, 0
  csrr t0, mhpmcounter3
  expect t0, 0

  check 6  # minstret counts instructions, but not the one that writes it
  csrw minstret, zero
  csrr t0, minstret
  nop
  nop
  csrr t1, minstret
  expect t0, 0
  expect t1, 3

  li t2, CLINT                     # an access over the bus, and one that traps, count once and not at all
  csrw minstret, zero
  lw t0, 0(t2)
  csrr t1, minstret
  expect t1, 1
  la t0, 1f
  csrw mtvec, t0
  csrw minstret, zero
  lb t0, 0(t2)
  align
1:
  csrr t1, minstret
  expect t1, 0

  check 7  # mcycle counts cycles: three per instruction here
  csrr t0, mcycle
  nop
  nop
  nop
  csrr t1, mcycle
  sub t0, t1, t0
  expect t0, 12
  csrr t0, cycle
  csrr t1, mcycle
  sub t0, t1, t0
  expect t0, 3
  csrr t0, instret
  csrr t1, minstret
  sub t0, t1, t0
  expect t0, 1

  check 8  # what there is not, and what may not be written, is an illegal instruction
  la t0, 1f
  csrw mtvec, t0
  li s2, 0
  csrr a0, time
  j fail
  align
1:
  csrr t0, mcause
  expect t0, 2
  csrr t0, mtval
  csrr t1, mepc
  lwu t1, 0(t1)
  bne t0, t1, fail
  la t0, 2f
  csrw mtvec, t0
  csrw mhartid, zero
  j fail
  align
2:
  csrr t0, mcause
  expect t0, 2
  la t0, 3f
  csrw mtvec, t0
  csrr a0, satp
  j fail
  align
3:
  la t0, 4f
  csrw mtvec, t0
  csrrs a0, mhartid, zero          # only reads
  pass
  align
4:
  j fail
end_of_program
