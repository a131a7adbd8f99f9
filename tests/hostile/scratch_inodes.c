/* Creates empty files in its scratch folder until it is refused. Success: it creates twenty thousand, and so could use up the
 * inodes of a disk.
 *
 * limits: cpu 800 ms, wall 4000 ms
 * expect: AC|MLE
 * expect basic: RE:1|TLE|ILE (the scratch folder is on a disk, and nothing limits the number of its files)
 */
#include "bare.h"

static int attack(void) {
    char name[32];
    for (long count = 0; count < 20000; count++) {
        long file = open_file(numbered(name, "", count, ""), O_WRONLY | O_CREAT);
        if (file < 0) return 0;
        close_file(file);
    }
    hole("so many empty files", 20000);
    return 0;
}
