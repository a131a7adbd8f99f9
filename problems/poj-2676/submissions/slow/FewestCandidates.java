// Depth-first search in the cell with the fewest candidates, kept as bit masks: TLE on a hundred grids made to lead it astray.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;

public class Main {
    static final int[] grid = new int[81], rows = new int[9], columns = new int[9], boxes = new int[9];

    static int box(int cell) {
        return cell / 27 * 3 + cell % 9 / 3;
    }

    static int candidates(int cell) {
        return 511 & ~(rows[cell / 9] | columns[cell % 9] | boxes[box(cell)]);
    }

    static void toggle(int cell, int bit) {
        rows[cell / 9] ^= bit;
        columns[cell % 9] ^= bit;
        boxes[box(cell)] ^= bit;
    }

    static boolean solve() {
        int best = -1, fewest = 10;
        for (int i = 0; i < 81 && fewest > 0; i++) {
            if (grid[i] != 0) continue;
            int count = Integer.bitCount(candidates(i));
            if (count < fewest) {
                fewest = count;
                best = i;
            }
        }
        if (best < 0) return true;
        for (int left = candidates(best); left != 0; left &= left - 1) {
            int bit = left & -left;
            toggle(best, bit);
            grid[best] = Integer.numberOfTrailingZeros(bit) + 1;
            if (solve()) return true;
            grid[best] = 0;
            toggle(best, bit);
        }
        return false;
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder out = new StringBuilder();
        int cases = Integer.parseInt(in.readLine().trim());
        while (cases-- > 0) {
            Arrays.fill(rows, 0);
            Arrays.fill(columns, 0);
            Arrays.fill(boxes, 0);
            for (int row = 0; row < 9; row++) {
                String line = in.readLine();
                for (int column = 0; column < 9; column++) {
                    int cell = row * 9 + column;
                    grid[cell] = line.charAt(column) - '0';
                    if (grid[cell] != 0) toggle(cell, 1 << (grid[cell] - 1));
                }
            }
            solve();
            for (int cell = 0; cell < 81; cell++) {
                out.append(grid[cell]);
                if (cell % 9 == 8) out.append('\n');
            }
        }
        System.out.print(out);
    }
}
