# SPDX-License-Identifier: Apache-2.0
# Jumps to where nothing is, and has no trap handler.
.include "soc.inc"
begin
nothing:
  csrw mtvec, zero
  li t0, NOTHING
  jr t0
end_of_program
