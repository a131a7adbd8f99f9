/* Adds up the last rides again for each ride. */
#include <stdio.h>

static double way_of[50000], time_of[50000];

int main(void) {
    int rides, last, longest = 0;
    if (scanf("%d %d", &rides, &last) != 2) return 1;
    for (int ride = 0; ride < rides; ride++) {
        if (scanf("%lf %lf", &way_of[ride], &time_of[ride]) != 2) return 1;
        double way = 0, time = 0;
        for (int other = ride; other >= 0 && other > ride - last; other--) {
            way += way_of[other];
            time += time_of[other];
        }
        if (way_of[ride] > way_of[longest]) longest = ride;
        printf("%.9f\n", way * 3600 / time);
    }
    printf("longest %d\n", longest + 1);
}
