// Sleeps for ever without using the processor: ILE, stopped by the wall clock.
#include <unistd.h>

int main(void) {
    for (;;) pause();
}
