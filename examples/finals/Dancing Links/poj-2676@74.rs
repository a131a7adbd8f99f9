// Exact cover by dancing links, always in the column with the fewest rows left: AC.
use std::io::Read;

const COLUMNS: usize = 4 * 81;

#[derive(Clone, Copy)]
struct Node {
    left: usize,
    right: usize,
    up: usize,
    down: usize,
    column: usize,
    choice: usize,
}

struct Cover {
    nodes: Vec<Node>,
    size: [usize; COLUMNS + 1],
    grid: [u8; 81],
}

impl Cover {
    fn new() -> Self {
        let header = |c: usize| Node {
            left: if c == 0 { COLUMNS } else { c - 1 },
            right: if c == COLUMNS { 0 } else { c + 1 },
            up: c,
            down: c,
            column: c,
            choice: 0,
        };
        Cover { nodes: (0..=COLUMNS).map(header).collect(), size: [0; COLUMNS + 1], grid: [0; 81] }
    }

    fn add_choice(&mut self, cell: usize, digit: usize) {
        let (row, column) = (cell / 9, cell % 9);
        let digit_in_box = (row / 3 * 3 + column / 3) * 9 + digit;
        let columns = [1 + cell, 82 + row * 9 + digit, 163 + column * 9 + digit, 244 + digit_in_box];
        let first = self.nodes.len();
        for (k, &c) in columns.iter().enumerate() {
            let up = self.nodes[c].up;
            let (left, right) = (first + (k + 3) % 4, first + (k + 1) % 4);
            self.nodes.push(Node { left, right, up, down: c, column: c, choice: cell * 9 + digit });
            self.nodes[up].down = first + k;
            self.nodes[c].up = first + k;
            self.size[c] += 1;
        }
    }

    fn cover(&mut self, c: usize) {
        let Node { left, right, .. } = self.nodes[c];
        self.nodes[left].right = right;
        self.nodes[right].left = left;
        let mut i = self.nodes[c].down;
        while i != c {
            let mut j = self.nodes[i].right;
            while j != i {
                let Node { up, down, column, .. } = self.nodes[j];
                self.nodes[up].down = down;
                self.nodes[down].up = up;
                self.size[column] -= 1;
                j = self.nodes[j].right;
            }
            i = self.nodes[i].down;
        }
    }

    fn uncover(&mut self, c: usize) {
        let mut i = self.nodes[c].up;
        while i != c {
            let mut j = self.nodes[i].left;
            while j != i {
                let Node { up, down, column, .. } = self.nodes[j];
                self.nodes[up].down = j;
                self.nodes[down].up = j;
                self.size[column] += 1;
                j = self.nodes[j].left;
            }
            i = self.nodes[i].up;
        }
        let Node { left, right, .. } = self.nodes[c];
        self.nodes[left].right = c;
        self.nodes[right].left = c;
    }

    fn search(&mut self) -> bool {
        let mut best = self.nodes[0].right;
        if best == 0 {
            return true;
        }
        let mut c = best;
        while c != 0 {
            if self.size[c] < self.size[best] {
                best = c;
            }
            c = self.nodes[c].right;
        }
        self.cover(best);
        let mut i = self.nodes[best].down;
        while i != best {
            let mut j = self.nodes[i].right;
            while j != i {
                self.cover(self.nodes[j].column);
                j = self.nodes[j].right;
            }
            let choice = self.nodes[i].choice;
            self.grid[choice / 9] = b'1' + (choice % 9) as u8;
            if self.search() {
                return true;
            }
            j = self.nodes[i].left;
            while j != i {
                self.uncover(self.nodes[j].column);
                j = self.nodes[j].left;
            }
            i = self.nodes[i].down;
        }
        self.uncover(best);
        false
    }
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let mut words = input.split_ascii_whitespace();
    let cases: usize = words.next().unwrap().parse().unwrap();
    for _ in 0..cases {
        let mut cover = Cover::new();
        for row in 0..9 {
            for (column, given) in words.next().unwrap().bytes().enumerate() {
                for digit in 0..9 {
                    if given == b'0' || usize::from(given - b'1') == digit {
                        cover.add_choice(row * 9 + column, digit);
                    }
                }
            }
        }
        cover.search();
        for row in cover.grid.chunks(9) {
            println!("{}", std::str::from_utf8(row).unwrap());
        }
    }
}
