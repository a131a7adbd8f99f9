/* Has room for a thousand rides, and aborts if there are more. */
#include <assert.h>
#include <stdio.h>

static long way_of[1000], time_of[1000];

int main(void) {
    int rides, last, longest = 0;
    long way = 0, time = 0;
    if (scanf("%d %d", &rides, &last) != 2) return 1;
    assert(rides <= 1000);
    for (int ride = 0; ride < rides; ride++) {
        long kilometres, rest;
        if (scanf("%ld.%ld %ld", &kilometres, &rest, &time_of[ride]) != 3) return 1;
        way_of[ride] = 1000 * kilometres + rest;
        way += way_of[ride];
        time += time_of[ride];
        if (ride >= last) {
            way -= way_of[ride - last];
            time -= time_of[ride - last];
        }
        if (way_of[ride] > way_of[longest]) longest = ride;
        printf("%.9f\n", way * 3.6 / time);
    }
    printf("longest %d\n", longest + 1);
}
