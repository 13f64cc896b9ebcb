// SPDX-License-Identifier: Apache-2.0
// A monitor on the serial port: it shows what is typed, and does what a line says. Bytes come by interrupt; in between
// the processor sleeps.
//
//   help           the commands
//   say TEXT       prints it
//   add A B        prints the sum
//   peek ADDRESS   prints the 8 bytes there, or that nothing answers
//   quit [CODE]    ends with this code, or 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "plic.h"
#include "registers.h"
#include "traps.h"
#include "uart.h"

enum { ring_bytes = 256, line_bytes = 64 };

static volatile char ring[ring_bytes];
static volatile unsigned written, dropped;
static unsigned taken;

static void on_bytes(uint32_t source) {
  (void)source;
  for (int c = uart_get(); c >= 0; c = uart_get()) {
    if (written - taken == ring_bytes) {
      ++dropped;
      continue;
    }
    ring[written % ring_bytes] = (char)c;
    ++written;
  }
}

// The next byte; the processor sleeps until there is one.
static char next(void) {
  for (;;) {
    disable_interrupts();
    const int is_there = written != taken;
    if (!is_there) __asm__ volatile("wfi");
    enable_interrupts();
    if (is_there) return ring[taken++ % ring_bytes];
  }
}

// A line without its end, shown while it is typed. Backspace takes the last character back; what is longer is dropped.
static void read_line(char *line) {
  enum { backspace = 8, erase = 127 };
  int length = 0;
  for (;;) {
    const char c = next();
    if (c == '\n' || c == '\r') break;
    if (c == backspace || c == erase) {
      if (length == 0) continue;
      --length;
      printf("\b \b");
    } else if (c >= ' ' && length + 1 < line_bytes) {
      line[length++] = c;
      putchar(c);
    }
  }
  line[length] = 0;
  printf("\n");
}

static volatile int has_failed;

static uint64_t on_fault(uint64_t cause, uint64_t pc, uint64_t value) {
  (void)cause;
  (void)value;
  has_failed = 1;
  return pc + ((*(const uint16_t *)(uintptr_t)pc & 3) == 3 ? 4 : 2);
}

static void peek(uint64_t address) {
  has_failed = 0;
  on_exception(on_fault);
  const uint64_t value = read64(address);
  on_exception(NULL);
  if (has_failed)
    printf("nothing answers at %#lx\n", address);
  else
    printf("%#lx\n", value);
}

// 0: the line says that it is over, with `code`.
static int obey(char *line, int *code) {
  char *rest = strchr(line, ' ');
  if (rest != NULL) *rest++ = 0;
  if (strcmp(line, "help") == 0) {
    printf("help, say TEXT, add A B, peek ADDRESS, quit [CODE]\n");
  } else if (strcmp(line, "say") == 0 && rest != NULL) {
    printf("%s\n", rest);
  } else if (strcmp(line, "add") == 0 && rest != NULL) {
    char *end;
    const long first = strtol(rest, &end, 0);
    printf("%ld\n", first + strtol(end, NULL, 0));
  } else if (strcmp(line, "peek") == 0 && rest != NULL) {
    peek(strtoul(rest, NULL, 0));
  } else if (strcmp(line, "quit") == 0) {
    *code = rest == NULL ? 0 : (int)strtol(rest, NULL, 0);
    return 0;
  } else if (line[0] != 0) {
    printf("%s? try help\n", line);
  }
  return 1;
}

int main(void) {
  char line[line_bytes];
  int code = 0;
  plic_enable(UART_SOURCE, 1, on_bytes);
  uart_enable_receive_interrupt();
  enable_interrupts();
  do {
    printf("> ");
    read_line(line);
  } while (obey(line, &code));
  if (dropped != 0) printf("%u bytes were lost\n", dropped);
  return code;
}
