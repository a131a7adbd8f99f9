// Exact cover by dancing links, always in the column with the fewest rows left: AC.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

public class Main {
    static final int COLUMNS = 4 * 81, NODES = COLUMNS + 1 + 4 * 729;
    static final int[] left = new int[NODES], right = new int[NODES];
    static final int[] up = new int[NODES], down = new int[NODES];
    static final int[] column = new int[NODES], choice = new int[NODES], size = new int[COLUMNS + 1];
    static final char[] grid = new char[81];
    static int nodes = COLUMNS + 1;

    static void addChoice(int cell, int digit) {
        int r = cell / 9, c = cell % 9, first = nodes;
        int box = r / 3 * 3 + c / 3;
        int[] wanted = {1 + cell, 82 + r * 9 + digit, 163 + c * 9 + digit, 244 + box * 9 + digit};
        for (int k = 0; k < 4; k++, nodes++) {
            int header = wanted[k];
            left[nodes] = first + (k + 3) % 4;
            right[nodes] = first + (k + 1) % 4;
            up[nodes] = up[header];
            down[nodes] = header;
            down[up[header]] = nodes;
            up[header] = nodes;
            column[nodes] = header;
            choice[nodes] = cell * 9 + digit;
            size[header]++;
        }
    }

    static void cover(int c) {
        right[left[c]] = right[c];
        left[right[c]] = left[c];
        for (int i = down[c]; i != c; i = down[i]) {
            for (int j = right[i]; j != i; j = right[j]) {
                down[up[j]] = down[j];
                up[down[j]] = up[j];
                size[column[j]]--;
            }
        }
    }

    static void uncover(int c) {
        for (int i = up[c]; i != c; i = up[i]) {
            for (int j = left[i]; j != i; j = left[j]) {
                size[column[j]]++;
                down[up[j]] = j;
                up[down[j]] = j;
            }
        }
        right[left[c]] = c;
        left[right[c]] = c;
    }

    static boolean search() {
        if (right[0] == 0) return true;
        int best = right[0];
        for (int c = best; c != 0; c = right[c]) {
            if (size[c] < size[best]) best = c;
        }
        cover(best);
        for (int i = down[best]; i != best; i = down[i]) {
            for (int j = right[i]; j != i; j = right[j]) cover(column[j]);
            grid[choice[i] / 9] = (char) ('1' + choice[i] % 9);
            if (search()) return true;
            for (int j = left[i]; j != i; j = left[j]) uncover(column[j]);
        }
        uncover(best);
        return false;
    }

    public static void main(String[] args) throws IOException {
        for (int c = 0; c <= COLUMNS; c++) {
            left[c] = c == 0 ? COLUMNS : c - 1;
            right[c] = c == COLUMNS ? 0 : c + 1;
            up[c] = down[c] = column[c] = c;
        }
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (int row = 0; row < 9; row++) {
            String line = in.readLine();
            for (int col = 0; col < 9; col++) {
                for (int digit = 0; digit < 9; digit++) {
                    char given = line.charAt(col);
                    if (given == '.' || given == '1' + digit) addChoice(row * 9 + col, digit);
                }
            }
        }
        search();
        StringBuilder out = new StringBuilder();
        for (int row = 0; row < 9; row++) out.append(grid, row * 9, 9).append('\n');
        System.out.print(out);
    }
}
