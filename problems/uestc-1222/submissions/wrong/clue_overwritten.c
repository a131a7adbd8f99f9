// Prints the same valid grid for every case: WA, because it overwrites the clues.
#include <stdio.h>

int main(void) {
    int cases;
    if (scanf("%d", &cases) != 1) return 1;
    for (int n = 1; n <= cases; n++) printf("Case #%d:\n1234\n3412\n2143\n4321\n", n);
}
