// Prints the first banner for ever, through a large buffer to be quick about it: OLE.
#include <stdio.h>

int main(void) {
    static char buffer[1 << 18];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    for (;;) puts("Case #1:");
}
