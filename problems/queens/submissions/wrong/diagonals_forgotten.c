#include <stdio.h>

/* Keeps rows and columns apart, and forgets the diagonals. */
int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    for (int row = 1; row <= n; row++) printf("%d ", row);
    puts("");
}
