// Singles of every kind are followed before a guess; prints numbers in columns of width 2, which counts as well: AC.
import java.io.StreamTokenizer;
import java.util.ArrayList;
import java.util.List;

class Main {
    static final int ORDER = 25, CELLS = ORDER * ORDER;
    static final List<int[]> HOUSES = new ArrayList<>();
    static final int[][] HOUSES_OF = new int[CELLS][3];

    static void makeHouses() {
        int[] known = new int[CELLS];
        for (int kind = 0; kind < 3; kind++) {
            for (int house = 0; house < ORDER; house++) {
                int[] cells = new int[ORDER];
                for (int k = 0; k < ORDER; k++) {
                    int row = kind == 0 ? house : kind == 1 ? k : house / 5 * 5 + k / 5;
                    int column = kind == 0 ? k : kind == 1 ? house : house % 5 * 5 + k % 5;
                    cells[k] = row * ORDER + column;
                    HOUSES_OF[cells[k]][known[cells[k]]++] = HOUSES.size();
                }
                HOUSES.add(cells);
            }
        }
    }

    static boolean place(int[] grid, int cell, int bit) {
        return (grid[cell] & bit) != 0 && strike(grid, cell, ~bit);
    }

    static boolean strike(int[] grid, int cell, int bits) {
        bits &= grid[cell];
        if (bits == 0) return true;
        int left = grid[cell] &= ~bits;
        if (left == 0) return false;
        if (Integer.bitCount(left) == 1) {
            for (int house : HOUSES_OF[cell])
                for (int other : HOUSES.get(house)) if (other != cell && !strike(grid, other, left)) return false;
        }
        for (int house : HOUSES_OF[cell]) {
            for (int rest = bits; rest != 0; rest &= rest - 1) {
                int bit = rest & -rest, places = 0, last = 0;
                for (int other : HOUSES.get(house)) {
                    if ((grid[other] & bit) == 0) continue;
                    places++;
                    last = other;
                }
                if (places == 0 || places == 1 && !place(grid, last, bit)) return false;
            }
        }
        return true;
    }

    static int[] search(int[] grid) {
        int best = -1;
        for (int cell = 0; cell < CELLS; cell++) {
            int count = Integer.bitCount(grid[cell]);
            if (count > 1 && (best < 0 || count < Integer.bitCount(grid[best]))) best = cell;
        }
        if (best < 0) return grid;
        for (int left = grid[best]; left != 0; left &= left - 1) {
            int[] copy = grid.clone();
            if (!place(copy, best, left & -left)) continue;
            int[] found = search(copy);
            if (found != null) return found;
        }
        return null;
    }

    public static void main(String[] arguments) throws Exception {
        makeHouses();
        StreamTokenizer in = new StreamTokenizer(new java.io.InputStreamReader(System.in));
        int[] grid = new int[CELLS];
        java.util.Arrays.fill(grid, (1 << ORDER) - 1);
        for (int cell = 0; cell < CELLS; cell++) {
            in.nextToken();
            if (in.nval > 0) place(grid, cell, 1 << ((int) in.nval - 1));
        }
        grid = search(grid);
        StringBuilder out = new StringBuilder();
        for (int cell = 0; cell < CELLS; cell++) {
            int value = Integer.numberOfTrailingZeros(grid[cell]) + 1;
            out.append(value < 10 ? " " : "").append(value).append(cell % ORDER == ORDER - 1 ? "\n" : " ");
        }
        System.out.print(out);
    }
}
