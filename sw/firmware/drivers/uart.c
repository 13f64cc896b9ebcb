// SPDX-License-Identifier: Apache-2.0
#include "uart.h"

#include <stdio.h>

#include "board.h"
#include "registers.h"

enum { data = 0, interrupt_enable = 1, line_status = 5 };
enum { data_ready = 0x01, transmitter_holding_empty = 0x20, received_available = 0x01 };

void uart_put(char c) {
  while ((read8(UART_BASE + line_status) & transmitter_holding_empty) == 0) {
  }
  write8(UART_BASE + data, (uint8_t)c);
}

int uart_get(void) {
  return (read8(UART_BASE + line_status) & data_ready) != 0 ? read8(UART_BASE + data) : -1;
}

void uart_enable_receive_interrupt(void) { write8(UART_BASE + interrupt_enable, received_available); }

// What picolibc's stdio is made of.
static int put(char c, FILE *file) {
  (void)file;
  uart_put(c);
  return (unsigned char)c;
}

static int get(FILE *file) {
  (void)file;
  int c = -1;
  while (c < 0) c = uart_get();
  return c;
}

static FILE serial = FDEV_SETUP_STREAM(put, get, NULL, _FDEV_SETUP_RW);
FILE *const stdin = &serial;
FILE *const stdout = &serial;
FILE *const stderr = &serial;
