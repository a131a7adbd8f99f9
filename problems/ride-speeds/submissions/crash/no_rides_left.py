# Removes more rides from a list than it contains.
import sys

words = sys.stdin.read().split()
rides, last = int(words[0]), int(words[1])
window = []
for ride in range(rides):
    window.append((float(words[2 + 2 * ride]), int(words[3 + 2 * ride])))
    oldest = window[-last - 1]
    print("%.9f" % (3600 * sum(way for way, _ in window[-last:]) / sum(time for _, time in window[-last:])))
