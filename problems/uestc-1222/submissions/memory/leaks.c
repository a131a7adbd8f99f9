// Takes one mebibyte after the other, writes to it and never gives it back: MLE.
#include <stdlib.h>
#include <string.h>

int main(void) {
    for (;;) {
        char *volatile chunk = malloc(1 << 20);
        memset(chunk, 1, 1 << 20);
    }
}
