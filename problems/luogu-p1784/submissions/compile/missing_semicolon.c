// Lacks a semicolon: CE.
#include <stdio.h>

int main(void) {
    int grid[81]
    for (int i = 0; i < 81; i++) scanf("%d", &grid[i]);
    return 0;
}
