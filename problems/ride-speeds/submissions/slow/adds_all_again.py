# Adds up the last rides again for each ride.
rides, last = map(int, input().split())
ways, times = [], []
for ride in range(rides):
    way, time = input().split()
    ways.append(float(way))
    times.append(float(time))
    print(f"{sum(ways[-last:]) * 3600 / sum(times[-last:]):.9f}")
print("longest", ways.index(max(ways)) + 1)
