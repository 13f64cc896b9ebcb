# SPDX-License-Identifier: Apache-2.0
# Memory whose target takes back its DMI pointers when a register chooses another bank: data and instructions of the
# other bank are there at once, without fence.i.
.include "soc.inc"
.equ BANKS, 0x60000000
.equ BANK, 0x60010000
begin
  li s0, BANKS
  li s1, BANK
  check 1  # each bank has data of its own
  li t0, 11
  sd t0, 8(s0)
  li t1, 1
  sw t1, 0(s1)
  ld t0, 8(s0)
  bnez t0, fail
  li t0, 22
  sd t0, 8(s0)
  sw zero, 0(s1)
  ld t0, 8(s0)
  expect t0, 11
  sw t1, 0(s1)
  ld t0, 8(s0)
  expect t0, 22
  check 2  # and code
  la t2, other
  call copy
  li t0, BANKS + 16
  jalr t0
  expect a0, 2
  sw zero, 0(s1)
  la t2, one
  call copy
  li t0, BANKS + 16
  jalr t0
  expect a0, 1
  li t1, 1
  sw t1, 0(s1)
  jalr t0
  expect a0, 2
  sw zero, 0(s1)
  jalr t0
  expect a0, 1
  check 3  # code that somebody else has written is there behind fence.i
  la t2, other
  lwu t3, 0(t2)
  sw t3, 8(s1)
  fence.i
  jalr t0
  expect a0, 2
  pass

# Two instructions from t2 on, to where both banks have theirs.
copy:
  lw t3, 0(t2)
  lw t4, 4(t2)
  sw t3, 16(s0)
  sw t4, 20(s0)
  fence.i
  ret
one:
  li a0, 1
  ret
other:
  li a0, 2
  ret
end_of_program
