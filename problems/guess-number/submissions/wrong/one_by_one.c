#include <stdio.h>
#include <string.h>

/* Tries one number after the other, which takes too many guesses unless the number is small. */
int main(void) {
    int n;
    char reply[16] = "";
    if (scanf("%d", &n) != 1) return 1;
    for (int guess = 1; guess <= n && strcmp(reply, "correct") != 0; guess++) {
        printf("%d\n", guess);
        fflush(stdout);
        if (scanf("%15s", reply) != 1) return 1;
    }
}
