# SPDX-License-Identifier: Apache-2.0
# Ends with a code.
.include "soc.inc"
begin
  check 42
  j fail
end_of_program
