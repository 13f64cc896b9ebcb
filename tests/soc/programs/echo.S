# SPDX-License-Identifier: Apache-2.0
# Sends what it receives, by interrupt, and what time it is at each byte in between; ends at a full stop.
.include "soc.inc"
begin
  li s0, PLIC
  li s2, UART
  la t0, handler
  csrw mtvec, t0
  li t0, 1
  sw t0, 4 * UART_SOURCE(s0)
  li t0, 1 << UART_SOURCE
  li t4, PLIC + 0x2000
  sw t0, 0(t4)
  li t0, 1
  sb t0, 1(s2)
  li t0, EXTERNAL
  csrw mie, t0
  csrsi mstatus, MIE_BIT
1:
  wfi
  j 1b
  align
handler:
  li t5, PLIC + 0x200004
  lw t4, 0(t5)
2:
  lbu t0, 5(s2)
  andi t0, t0, 1
  beqz t0, 3f
  lbu t0, 0(s2)
  sb t0, 0(s2)
  li t1, '.'
  bne t0, t1, 2b
  pass
3:
  sw t4, 0(t5)
  mret
end_of_program
