# The sums from the first ride on, and all of the answer on one line: white space and case do not matter.
import sys

words = sys.stdin.buffer.read().split()
rides, last = int(words[0]), int(words[1])
metres = [int(word.replace(b".", b"")) for word in words[2::2]]
way, time = [0], [0]
for ride in range(rides):
    way.append(way[-1] + metres[ride])
    time.append(time[-1] + int(words[3 + 2 * ride]))
speeds = []
for ride in range(1, rides + 1):
    first = max(0, ride - last)
    speeds.append(repr(3.6 * (way[ride] - way[first]) / (time[ride] - time[first])))
print(*speeds, "LONGEST", metres.index(max(metres)) + 1)
