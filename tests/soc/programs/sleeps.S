# SPDX-License-Identifier: Apache-2.0
# Waits for an interrupt that never comes.
.include "soc.inc"
begin
sleep:
  wfi
  j sleep
end_of_program
