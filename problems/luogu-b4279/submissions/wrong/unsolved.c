// Prints the grid as it was read, dots and all: WA unless nothing was blank.
#include <stdio.h>

int main(void) {
    for (int symbol; (symbol = getchar()) != EOF;) putchar(symbol);
}
