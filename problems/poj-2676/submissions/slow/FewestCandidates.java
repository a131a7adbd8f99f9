// Depth-first search in the cell with the fewest candidates, which are counted anew for every cell: TLE on a hundred grids made to lead it astray.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

public class Main {
    static final int[] grid = new int[81];

    static boolean sees(int cell, int other) {
        boolean line = cell / 9 == other / 9 || cell % 9 == other % 9;
        return line || cell / 27 == other / 27 && cell % 9 / 3 == other % 9 / 3;
    }

    static boolean fits(int cell, int digit) {
        for (int other = 0; other < 81; other++) {
            if (grid[other] == digit && sees(cell, other)) return false;
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
