// Prints the same row for ever, through a large buffer to be quick about it: OLE.
#include <stdio.h>

int main(void) {
    static char buffer[1 << 18];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    for (;;) puts("1 2 3 4 5 6 7 8 9");
}
