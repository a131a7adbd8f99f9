#include <stdio.h>

/* Writes all guesses at once, without reading any answer. */
int main(void) {
    for (int guess = 1;; guess = guess % 1000000 + 1) printf("%d\n", guess);
}
