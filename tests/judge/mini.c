/* Right on every case of `mini`. */
#include <stdio.h>

int main(void) {
    int n = 0;
    scanf("%d", &n);
    while (n-- > 0) puts("1234\n3412\n2143\n4321");
}
