# The mean of the speeds, which differs from the mean speed over the total distance.
import sys

words = sys.stdin.read().split()
rides, last = int(words[0]), int(words[1])
ways = [float(word) for word in words[2::2]]
speeds = [3600 * way / int(time) for way, time in zip(ways, words[3::2])]
total = 0.0
for ride in range(rides):
    total += speeds[ride] - (speeds[ride - last] if ride >= last else 0.0)
    print("%.9f" % (total / min(ride + 1, last)))
print("longest", ways.index(max(ways)) + 1)
