// Fewest candidates first; a cell knows its peers, those on a diagonal included: AC.
package main

import (
	"bufio"
	"fmt"
	"math/bits"
	"os"
)

var peers [81][]int
var grid [81]int
var struck [81][10]int // how many peers hold each digit

func arePeers(a, b int) bool {
	r, c, s, d := a/9, a%9, b/9, b%9
	falling := r == c && s == d
	rising := r+c == 8 && s+d == 8
	return a != b && (r == s || c == d || r/3 == s/3 && c/3 == d/3 || falling || rising)
}

func put(cell, digit, by int) {
	for _, peer := range peers[cell] {
		struck[peer][digit] += by
	}
}

func candidates(cell int) uint {
	set := uint(0)
	for digit := 1; digit <= 9; digit++ {
		if struck[cell][digit] == 0 {
			set |= 1 << digit
		}
	}
	return set
}

func solve() bool {
	best, set, fewest := -1, uint(0), 10
	for cell := range grid {
		if grid[cell] != 0 {
			continue
		}
		found := candidates(cell)
		if n := bits.OnesCount(found); n < fewest {
			best, set, fewest = cell, found, n
		}
	}
	if best < 0 {
		return true
	}
	for ; set != 0; set &= set - 1 {
		digit := bits.TrailingZeros(set)
		grid[best] = digit
		put(best, digit, 1)
		if solve() {
			return true
		}
		put(best, digit, -1)
		grid[best] = 0
	}
	return false
}

func main() {
	for a := range peers {
		for b := range peers {
			if arePeers(a, b) {
				peers[a] = append(peers[a], b)
			}
		}
	}
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var grids int
	fmt.Fscan(in, &grids)
	for n := 1; n <= grids; n++ {
		struck = [81][10]int{}
		for row := 0; row < 9; row++ {
			var line string
			fmt.Fscan(in, &line)
			for column, symbol := range line {
				cell := 9*row + column
				grid[cell] = 0
				if symbol != '.' {
					grid[cell] = int(symbol - '0')
					put(cell, grid[cell], 1)
				}
			}
		}
		solve()
		fmt.Fprintf(out, "Grid %d\n", n)
		for cell, digit := range grid {
			fmt.Fprint(out, digit)
			if cell%9 == 8 {
				fmt.Fprintln(out)
			}
		}
	}
}
