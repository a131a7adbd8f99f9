#include <assert.h>
#include <stdio.h>

/* Does not expect that its first guess may be wrong. */
int main(void) {
    int n;
    char reply;
    if (scanf("%d", &n) != 1) return 1;
    printf("%d\n", (n + 1) / 2);
    fflush(stdout);
    assert(scanf(" %c", &reply) == 1 && reply == 'c');
}
