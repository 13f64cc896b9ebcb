# SPDX-License-Identifier: Apache-2.0
# Never ends.
.include "soc.inc"
begin
forever:
  j forever
end_of_program
