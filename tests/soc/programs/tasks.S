# SPDX-License-Identifier: Apache-2.0
# Tasks with deadlines and bounds. "work" takes about 100, 200 and 300 mtime ticks of 100 ns, has a deadline that the last
# one misses and a bound that two exceed; within it is "part", which has neither. "open" does not end.
.include "soc.inc"
.equ TASKS, 0x101000
begin
  li s0, TASKS
  li s1, MTIME
  la t0, refused
  csrw mtvec, t0
  li s2, 0
  li t0, 5
  check 1
  sd t0, 8(s0)      # a deadline without a task
  sd t0, 16(s0)     # a bound without one
  expect s2, 2
  la t0, unexpected
  csrw mtvec, t0
  li s2, 1
1:
  la t0, work
  sd t0, 0(s0)
  li t0, 25000
  sd t0, 8(s0)
  li t0, 15000
  sd t0, 16(s0)
  la t0, part
  sd t0, 0(s0)
  sd zero, 0(s0)
  li t1, 100
  mul t1, t1, s2
  ld t2, 0(s1)
  add t2, t2, t1
2:
  ld t3, 0(s1)
  bltu t3, t2, 2b
  sd zero, 0(s0)
  addi s2, s2, 1
  li t0, 4
  bne s2, t0, 1b
  sd zero, 0(s0)    # an end without a beginning
  la t0, open
  sd t0, 0(s0)
  pass
  align
refused:
  addi s2, s2, 1
  csrr t6, mepc
  addi t6, t6, 4
  csrw mepc, t6
  mret
end_of_program
  .section .rodata
work: .asciz "work"
part: .asciz "part"
open: .asciz "open"
