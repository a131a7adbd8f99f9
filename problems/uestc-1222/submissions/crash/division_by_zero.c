// Divides by the number of clues in the first row, which is none in the first sample: RE, killed by SIGFPE.
#include <stdio.h>

int main(void) {
    char line[8];
    volatile int clues = 0;
    if (scanf("%*d %7s", line) != 1) return 1;
    for (int i = 0; i < 4; i++) clues += line[i] != '*';
    printf("Case #%d:\n", 4 / clues);
}
