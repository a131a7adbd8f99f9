// Reads nothing and spins: TLE on every case.
int main(void) {
    for (volatile unsigned spin = 0;; spin++) continue;
}
