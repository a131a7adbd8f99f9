// Waits for a line that says `end`, without looking whether there is more input: TLE, it spins at the end.
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[64] = "";
    while (strcmp(line, "end") != 0) {
        if (scanf("%63s", line) == 1 && line[0] == '#') puts(line);
    }
}
