// SPDX-License-Identifier: Apache-2.0
// fpu_pkg::number_t and exact_t in the widths of the module that includes this: its Exp and Sig.
  typedef struct packed {
    logic           sign;
    logic           zero;
    logic           inf;
    logic           nan;
    logic [Exp-1:0] exp;
    logic [Sig-1:0] sig;
  } number_t;
  typedef struct packed {
    logic           sign;
    logic [Exp-1:0] exp;
    logic [Sig-1:0] sig;
    logic           guard;
    logic           sticky;
  } exact_t;
