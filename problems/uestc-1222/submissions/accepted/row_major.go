// Depth-first search cell by cell in reading order, enough for sixteen cells: AC.
package main

import (
	"bufio"
	"fmt"
	"os"
)

var grid [16]byte

func fits(cell int, symbol byte) bool {
	for i := 0; i < 16; i++ {
		sameBox := i/8 == cell/8 && i%4/2 == cell%4/2
		if (i/4 == cell/4 || i%4 == cell%4 || sameBox) && grid[i] == symbol {
			return false
		}
	}
	return true
}

func solve(cell int) bool {
	if cell == 16 {
		return true
	}
	if grid[cell] != '*' {
		return solve(cell + 1)
	}
	for symbol := byte('1'); symbol <= '4'; symbol++ {
		if fits(cell, symbol) {
			grid[cell] = symbol
			if solve(cell + 1) {
				return true
			}
			grid[cell] = '*'
		}
	}
	return false
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var cases int
	fmt.Fscan(in, &cases)
	for n := 1; n <= cases; n++ {
		for row := 0; row < 4; row++ {
			var line string
			fmt.Fscan(in, &line)
			copy(grid[4*row:], line)
		}
		solve(0)
		fmt.Fprintf(out, "Case #%d:\n", n)
		for row := 0; row < 4; row++ {
			fmt.Fprintln(out, string(grid[4*row:4*row+4]))
		}
	}
}
