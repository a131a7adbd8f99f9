// Fewest candidates first, on three tables of bits: AC.
const fs = require("fs");

const rows = new Int32Array(9), columns = new Int32Array(9), boxes = new Int32Array(9);
const grid = new Int32Array(81);
const box = (cell) => Math.trunc(cell / 27) * 3 + Math.trunc((cell % 9) / 3);
const row = (cell) => Math.trunc(cell / 9);
const candidates = (cell) => 511 & ~(rows[row(cell)] | columns[cell % 9] | boxes[box(cell)]);

function toggle(cell, bit) {
  rows[row(cell)] ^= bit;
  columns[cell % 9] ^= bit;
  boxes[box(cell)] ^= bit;
}

function count(bits) {
  let n = 0;
  for (; bits; bits &= bits - 1) n++;
  return n;
}

function solve() {
  let best = -1, fewest = 10;
  for (let cell = 0; cell < 81; cell++) {
    if (grid[cell]) continue;
    const n = count(candidates(cell));
    if (n < fewest) [fewest, best] = [n, cell];
  }
  if (best < 0) return true;
  for (let left = candidates(best); left; left &= left - 1) {
    const bit = left & -left;
    toggle(best, bit);
    grid[best] = 32 - Math.clz32(bit);
    if (solve()) return true;
    grid[best] = 0;
    toggle(best, bit);
  }
  return false;
}

const symbols = fs.readFileSync(0, "latin1").replace(/\s/g, "");
const answers = [];
for (let at = 0; at < symbols.length; at += 81) {
  rows.fill(0);
  columns.fill(0);
  boxes.fill(0);
  for (let cell = 0; cell < 81; cell++) {
    const symbol = symbols[at + cell];
    grid[cell] = symbol === "?" ? 0 : Number(symbol);
    if (grid[cell]) toggle(cell, 1 << (grid[cell] - 1));
  }
  solve();
  const lines = [];
  for (let r = 0; r < 9; r++) lines.push(Array.from(grid.subarray(9 * r, 9 * r + 9)).join(" ") + "\n");
  answers.push(lines.join(""));
}
process.stdout.write(answers.join("\n"));
