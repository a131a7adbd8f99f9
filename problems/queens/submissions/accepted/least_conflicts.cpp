// Starts with a random permutation and swaps two rows as long as that leaves fewer queens on one diagonal.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    if (n == 2 || n == 3) return puts("none"), 0;
    std::mt19937 random(1);
    std::vector<int> column(n), rising(2 * n), falling(2 * n);
    auto clashes = [&](int row) { return rising[row + column[row]] + falling[row - column[row] + n] - 2; };
    auto put = [&](int row, int by) { rising[row + column[row]] += by, falling[row - column[row] + n] += by; };
    for (bool done = false; !done;) {
        std::iota(column.begin(), column.end(), 0);
        std::shuffle(column.begin(), column.end(), random);
        std::fill(rising.begin(), rising.end(), 0), std::fill(falling.begin(), falling.end(), 0);
        for (int row = 0; row < n; row++) put(row, 1);
        for (bool better = true; better;) {
            better = false, done = true;
            for (int a = 0; a < n; a++) {
                if (clashes(a) == 0) continue;
                done = false;
                for (int b = 0; b < n; b++) {
                    if (a == b) continue;
                    int before = clashes(a) + clashes(b);
                    auto swap = [&] { put(a, -1), put(b, -1), std::swap(column[a], column[b]), put(a, 1), put(b, 1); };
                    swap();
                    if (clashes(a) + clashes(b) < before) better = true; else swap();
                }
            }
        }
    }
    for (int row = 0; row < n; row++) printf("%d%c", column[row] + 1, row + 1 < n ? ' ' : '\n');
}
