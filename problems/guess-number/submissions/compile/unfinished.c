#include <stdio.h>

/* The loop is still to be written. */
int main(void) {
    int low = 1, high
