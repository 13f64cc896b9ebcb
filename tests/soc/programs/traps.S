# SPDX-License-Identifier: Apache-2.0
# Every kind of synchronous trap: its cause, mepc, mtval, and that the instruction has done nothing.
.include "soc.inc"

# Runs an instruction that has to trap. a0 is 77 before and after.
.macro traps cause, value, instruction:vararg
  la t0, 2f
  csrw mtvec, t0
  li a0, 77
1:
  \instruction
  j fail
  align
2:
  csrr t0, mcause
  expect t0, \cause
  csrr t0, mepc
  la t1, 1b
  bne t0, t1, fail
  csrr t0, mtval
  .ifnc \value, any
  li t1, \value
  bne t0, t1, fail
  .endif
  expect a0, 77
.endm

begin
  li s0, NOTHING
  li s1, ROM
  li s2, UART
  la s3, words
  check 1
  traps 11, 0, ecall
  check 2
  traps 3, any, ebreak
  check 3
  traps 3, any, .half 0x9002       # c.ebreak
  check 4
  traps 2, 0xffffffff, .word 0xffffffff
  check 5
  traps 2, 0, .half 0              # 16 bits
  check 6
  traps 2, 0x10200073, .word 0x10200073   # sret: there is no supervisor mode
  check 7
  traps 2, any, .word 0xf2000553   # fmv.d.x fa0, zero: there is no floating point
  check 8
  traps 5, NOTHING, lw a0, 0(s0)
  check 9
  traps 7, NOTHING + 8, sd a0, 8(s0)
  check 10
  traps 7, ROM, sw a0, 0(s1)
  check 11
  traps 7, UART, amoadd.w a0, a0, (s2)
  check 12
  traps 5, UART, lr.w a0, (s2)
  li s6, SLOW                      # memory, but over the bus: it takes no atomics either
  traps 7, SLOW, amoadd.w a0, a0, (s6)
  check 13
  traps 4, UART + 1, lh a0, 1(s2)
  check 14
  traps 6, UART + 2, sw a0, 2(s2)
  check 15
  traps 5, UART, lw a0, 0(s2)      # a register of a byte
  check 16
  addi s4, s3, 2
  traps 6, any, amoadd.w a0, a0, (s4)
  check 17
  traps 4, any, lr.w a0, (s4)
  check 18  # compressed forms
  .option push
  .option rvc
  traps 5, NOTHING, c.lw a0, 0(s0)
  check 19
  traps 7, NOTHING + 16, c.sd a0, 16(s0)
  .option pop

  check 20  # misaligned, in memory: as it should be
  ld t0, 3(s3)
  li t1, 0x0a09080706050403
  bne t0, t1, fail
  sw t0, 9(s3)
  lwu t0, 9(s3)
  expect t0, 0x06050403

  check 21  # a jump to where nothing is
  la t0, 2f
  csrw mtvec, t0
  jalr ra, 4(s0)
  align
2:
  csrr t0, mcause
  expect t0, 1
  csrr t0, mepc
  expect t0, NOTHING + 4
  csrr t0, mtval
  expect t0, NOTHING + 4

  check 22  # a jump to a device, which grants no instructions
  la t0, 2f
  csrw mtvec, t0
  jalr ra, 0(s2)
  align
2:
  csrr t0, mcause
  expect t0, 1

  check 23  # an instruction whose second half is behind the end of memory
  la t0, 2f
  csrw mtvec, t0
  li s5, 0x80100000 - 2
  li t1, 0x0073
  sh t1, 0(s5)
  fence.i
  jr s5
  align
2:
  csrr t0, mcause
  expect t0, 1
  csrr t0, mepc
  bne t0, s5, fail
  csrr t0, mtval
  li t1, 0x80100000
  bne t0, t1, fail

  check 24  # mret: interrupts as they were, and on at mepc
  csrw mstatus, zero
  la t0, 2f
  csrw mtvec, t0
  csrsi mstatus, MIE_BIT
  ecall
  j 3f
  align
2:
  csrr t0, mstatus
  expect t0, 0x1880
  csrr t0, mepc
  addi t0, t0, 4
  csrw mepc, t0
  mret
3:
  csrr t0, mstatus
  expect t0, 0x1888

  check 25  # interrupts stay disabled where they were
  csrw mstatus, zero
  la t0, 2f
  csrw mtvec, t0
  ecall
  j 3f
  align
2:
  csrr t0, mstatus
  expect t0, 0x1800
  csrr t0, mepc
  addi t0, t0, 4
  csrw mepc, t0
  mret
3:
  csrr t0, mstatus
  expect t0, 0x1880
  pass

  .section .data
  .balign 8
words:
  .byte 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
end_of_program
