// Depth-first search over bit masks of the symbols that each row, column and box has used: AC.
"use strict";

const words = require("fs").readFileSync(0, "utf8").split(/\s+/).filter((word) => word !== "");

function boxOf(cell) {
  return (cell >> 3) * 2 + ((cell & 3) >> 1);
}

function solve(grid) {
  const rows = [0, 0, 0, 0];
  const columns = [0, 0, 0, 0];
  const boxes = [0, 0, 0, 0];

  function flip(cell, bit) {
    rows[cell >> 2] ^= bit;
    columns[cell & 3] ^= bit;
    boxes[boxOf(cell)] ^= bit;
  }

  function search(cell) {
    if (cell === 16) return true;
    if (grid[cell] !== "*") return search(cell + 1);
    const used = rows[cell >> 2] | columns[cell & 3] | boxes[boxOf(cell)];
    for (let symbol = 1; symbol <= 4; symbol++) {
      const bit = 1 << symbol;
      if (used & bit) continue;
      grid[cell] = String(symbol);
      flip(cell, bit);
      if (search(cell + 1)) return true;
      flip(cell, bit);
    }
    grid[cell] = "*";
    return false;
  }

  grid.forEach((symbol, cell) => {
    if (symbol !== "*") flip(cell, 1 << Number(symbol));
  });
  search(0);
}

const lines = [];
for (let n = 1; n <= Number(words[0]); n++) {
  const grid = [...words.slice(4 * n - 3, 4 * n + 1).join("")];
  solve(grid);
  lines.push(`Case #${n}:`);
  for (let row = 0; row < 4; row++) lines.push(grid.slice(4 * row, 4 * row + 4).join(""));
}
console.log(lines.join("\n"));
