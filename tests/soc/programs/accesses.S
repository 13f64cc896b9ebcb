# SPDX-License-Identifier: Apache-2.0
# Loads and stores of every form over the bus, beside the same in memory that the hart accesses directly.
.include "soc.inc"
begin
  .option rvc
  # The same bytes at both.
  la s0, fast
  li s1, SLOW
  li t0, 0xf1e2d3c4b5a69788
  sd t0, 0(s0)
  sd t0, 0(s1)
  li t0, 0x8192a3b4c5d6e7f8
  sd t0, 8(s0)
  sd t0, 8(s1)

.macro same_load instruction, offset
  \instruction a0, \offset(s0)
  \instruction a1, \offset(s1)
  bne a0, a1, fail
.endm
  check 1
  same_load lb, 0
  same_load lb, 15
  same_load lbu, 7
  same_load lh, 2
  same_load lhu, 6
  same_load lw, 4
  same_load lwu, 12
  same_load ld, 8
  same_load c.lw, 8
  same_load c.ld, 8
  mv s2, s1
  addi s1, s1, 2047
  lb a1, -2040(s1)                # negative offsets
  lb a0, 7(s0)
  bne a0, a1, fail
  mv s1, s2

.macro same_store instruction, offset
  \instruction a2, \offset(s0)
  \instruction a2, \offset(s1)
  ld a0, 0(s0)
  ld a1, 0(s1)
  bne a0, a1, fail
  ld a0, 8(s0)
  ld a1, 8(s1)
  bne a0, a1, fail
.endm
  check 2
  li a2, 0x0123456789abcdef
  same_store sb, 3
  same_store sh, 14
  same_store sw, 4
  same_store sd, 8
  same_store c.sw, 12
  same_store c.sd, 0

  check 3  # those of the stack pointer
  mv s3, sp
.macro on_stack instruction, register, offset
  mv sp, s0
  \instruction \register, \offset(sp)
  mv a3, \register
  mv sp, s1
  \instruction \register, \offset(sp)
  mv sp, s3
  bne a3, \register, fail
.endm
  on_stack c.lwsp, t0, 12
  on_stack c.ldsp, t0, 8
  on_stack c.swsp, a2, 8
  on_stack c.sdsp, a2, 0
  ld a0, 0(s0)
  ld a1, 0(s1)
  bne a0, a1, fail
  ld a0, 8(s0)
  ld a1, 8(s1)
  bne a0, a1, fail
  check 4  # far offsets
  li t0, 0x55
  addi sp, s1, 0
  c.sdsp t0, 504(sp)
  ld t1, 504(s1)
  bne t0, t1, fail
  c.swsp t0, 252(sp)
  lw t1, 252(s1)
  bne t0, t1, fail
  c.sw a2, 124(s1)
  lwu t1, 124(s1)
  expect t1, 0x89abcdef
  c.sd a2, 248(s1)
  ld t1, 248(s1)
  bne a2, t1, fail
  c.ldsp t1, 248(sp)
  bne a2, t1, fail
  c.lwsp t1, 124(sp)
  sext.w t2, a2
  bne t1, t2, fail

  check 5  # the zero register
  lw zero, 0(s1)
  bnez zero, fail
  sw zero, 0(s1)
  lw t0, 0(s1)
  bnez t0, fail

  check 6  # atomics, in memory
  li t0, 5
  sw t0, 0(s0)
  li t1, 7
  amoadd.w t2, t1, (s0)
  expect t2, 5
  lw t2, 0(s0)
  expect t2, 12
  li t1, -3
  amomax.w t2, t1, (s0)
  lw t2, 0(s0)
  expect t2, 12
  amomaxu.w t2, t1, (s0)
  lw t2, 0(s0)
  expect t2, -3
  lr.d t0, (s0)
  li t1, 99
  sc.d t2, t1, (s0)
  bnez t2, fail
  sc.d t2, t1, (s0)               # without a reservation
  beqz t2, fail
  ld t2, 0(s0)
  expect t2, 99

  check 7  # instructions that are written, behind fence.i
  la t0, patched
  la t1, other
  call patched
  expect a0, 1
  lw t1, 0(t1)
  sw t1, 0(t0)
  fence.i
  call patched
  expect a0, 2
  pass
  .option norvc
patched:
  li a0, 1
  ret
other:
  li a0, 2
  .section .data
  .balign 8
fast: .space 16
end_of_program
