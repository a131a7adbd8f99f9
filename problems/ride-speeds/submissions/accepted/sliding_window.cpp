// The sums of the last rides in metres and seconds, which are integers and have no rounding errors.
#include <cstdio>
#include <vector>

int main() {
    int rides, last;
    if (std::scanf("%d %d", &rides, &last) != 2) return 1;
    std::vector<long long> metres(rides), seconds(rides);
    long long way = 0, time = 0;
    int longest = 0;
    for (int ride = 0; ride < rides; ride++) {
        long long kilometres, rest;
        if (std::scanf("%lld.%lld %lld", &kilometres, &rest, &seconds[ride]) != 3) return 1;
        metres[ride] = 1000 * kilometres + rest;
        way += metres[ride];
        time += seconds[ride];
        if (ride >= last) {
            way -= metres[ride - last];
            time -= seconds[ride - last];
        }
        if (metres[ride] > metres[longest]) longest = ride;
        std::printf("%.9f\n", way * 3.6 / time);
    }
    std::printf("longest %d\n", longest + 1);
}
