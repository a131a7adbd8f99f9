// Depth-first search in the cell with the fewest candidates, which are counted anew for every cell: TLE on a hundred grids made to lead it astray.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

public class Main {
    static final int[] grid = new int[81];

    static boolean fits(int cell, int digit) {
        int row = cell / 9, column = cell % 9, corner = row / 3 * 27 + column / 3 * 3;
        for (int i = 0; i < 9; i++) {
            if (grid[row * 9 + i] == digit || grid[i * 9 + column] == digit) return false;
            if (grid[corner + i / 3 * 9 + i % 3] == digit) return false;
        }
        return true;
    }

    static boolean solve() {
        int best = -1, fewest = 10;
        for (int cell = 0; cell < 81 && fewest > 0; cell++) {
            if (grid[cell] != 0) continue;
            int count = 0;
            for (int digit = 1; digit <= 9; digit++) if (fits(cell, digit)) count++;
            if (count < fewest) {
                fewest = count;
                best = cell;
            }
        }
        if (best < 0) return true;
        for (int digit = 1; digit <= 9; digit++) {
            if (!fits(best, digit)) continue;
            grid[best] = digit;
            if (solve()) return true;
            grid[best] = 0;
        }
        return false;
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder out = new StringBuilder();
        int cases = Integer.parseInt(in.readLine().trim());
        while (cases-- > 0) {
            for (int row = 0; row < 9; row++) {
                String line = in.readLine();
                for (int column = 0; column < 9; column++) {
                    grid[row * 9 + column] = line.charAt(column) - '0';
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
