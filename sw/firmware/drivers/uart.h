// SPDX-License-Identifier: Apache-2.0
// The serial port. stdout and stderr are it, stdin too.
#ifndef UART_H
#define UART_H

// Waits until there is room.
void uart_put(char c);
// A byte that has come, or -1.
int uart_get(void);
// An interrupt (UART_SOURCE) when bytes have come.
void uart_enable_receive_interrupt(void);

#endif
