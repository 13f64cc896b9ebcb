# SPDX-License-Identifier: Apache-2.0
# The program's GPU kernels, as their compiler left them.
  .section .rodata
  .balign 8
  .globl kernels_begin, kernels_end
kernels_begin:
  .incbin "kernels.hsaco"
kernels_end:
