/* Sums in float: small numbers added to a large sum are lost, but are subtracted later. */
#include <stdio.h>

static float way_of[50000], time_of[50000];

int main(void) {
    int rides, last, longest = 0;
    float way = 0, time = 0;
    if (scanf("%d %d", &rides, &last) != 2) return 1;
    for (int ride = 0; ride < rides; ride++) {
        if (scanf("%f %f", &way_of[ride], &time_of[ride]) != 2) return 1;
        way += way_of[ride];
        time += time_of[ride];
        if (ride >= last) {
            way -= way_of[ride - last];
            time -= time_of[ride - last];
        }
        if (way_of[ride] > way_of[longest]) longest = ride;
        printf("%.9f\n", way * 3600 / time);
    }
    printf("longest %d\n", longest + 1);
}
