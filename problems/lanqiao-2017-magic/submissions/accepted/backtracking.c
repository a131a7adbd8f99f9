#include <stdio.h>
#include <string.h>

static int cell[9], found[9], ways, used[10];
static const int line[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

static int sums_fit(void) {
    for (int i = 0; i < 8; i++) {
        int a = cell[line[i][0]], b = cell[line[i][1]], c = cell[line[i][2]];
        if (a && b && c && a + b + c != 15) return 0;
    }
    return 1;
}

static void fill(int at) {
    if (!sums_fit()) return;
    while (at < 9 && cell[at]) at++;
    if (at == 9) {
        ways++;
        memcpy(found, cell, sizeof cell);
        return;
    }
    for (int value = 1; value <= 9; value++) {
        if (used[value]) continue;
        used[value] = 1;
        cell[at] = value;
        fill(at + 1);
        used[value] = 0;
    }
    cell[at] = 0;
}

int main(void) {
    for (int i = 0; i < 9; i++) {
        if (scanf("%d", &cell[i]) != 1) return 1;
        used[cell[i]] = 1;
    }
    used[0] = 0;
    fill(0);
    if (ways != 1) {
        puts("Too Many");
        return 0;
    }
    for (int i = 0; i < 9; i++) printf("%d%c", found[i], i % 3 == 2 ? '\n' : ' ');
    return 0;
}
