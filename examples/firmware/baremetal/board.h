/* board.h - what main.c asks of a board. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>

void board_print(const char *text);
int main(void);
void *memcpy(void *dst, const void *src, size_t n);
void *memmove(void *dst, const void *src, size_t n);
void *memset(void *dst, int c, size_t n);

#endif
