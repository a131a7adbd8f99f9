#include <assert.h>
#include <stdio.h>

/* Knows the usual board of eight rows only. */
int main(void) {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    assert(n == 8);
    puts("1 5 8 6 3 7 2 4");
}
