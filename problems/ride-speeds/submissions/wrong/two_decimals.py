# Writes as many digits as a bicycle computer shows.
import sys

words = sys.stdin.read().split()
rides, last = int(words[0]), int(words[1])
metres = [int(word.replace(".", "")) for word in words[2::2]]
seconds = [int(word) for word in words[3::2]]
way = time = 0
for ride in range(rides):
    way += metres[ride]
    time += seconds[ride]
    if ride >= last:
        way -= metres[ride - last]
        time -= seconds[ride - last]
    print("%.2f" % (3.6 * way / time))
print("longest", metres.index(max(metres)) + 1)
