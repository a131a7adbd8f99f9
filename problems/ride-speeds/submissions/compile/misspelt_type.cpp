// The type of a sum is misspelt.
#include <cstdio>

int main() {
    int rides, last;
    std::scanf("%d %d", &rides, &last);
    dobule way = 0;
    std::printf("%.9f\n", way);
}
